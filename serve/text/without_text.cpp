// The functions of serve/text in a build without the text library: each refuses.

#include "serve/text/text_model.h"

namespace micrort::serve {

Error TextModel::Load(const Model&, const TextOptions&, std::unique_ptr<TextModel>*) {
  return Invalid("this server was built without text (libutf8proc)");
}

}  // namespace micrort::serve
