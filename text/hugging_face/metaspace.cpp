#include "text/hugging_face/metaspace.h"

#include "text/unicode/utf8.h"

namespace micrort::text {

Status ReadMetaspace(Fields* fields, Metaspace* out) {
  out->mark = fields->String("replacement", "\xE2\x96\x81");
  out->splits = fields->Bool("split", true);
  // Files before 2023 have add_prefix_space alone.
  const bool adds = fields->Bool("add_prefix_space", true);
  const std::string scheme = fields->String("prepend_scheme", adds ? "always" : "never");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (out->mark.empty() || DecodeUtf8(out->mark, 0).length != out->mark.size())
    return MICRORT_ERROR(kInvalidModel, "%.80s: expected one character as 'replacement'",
                         fields->where().c_str());
  if (scheme == "always") {
    out->scheme = PrependScheme::kAlways;
  } else if (scheme == "first") {
    out->scheme = PrependScheme::kFirst;
  } else if (scheme == "never") {
    out->scheme = PrependScheme::kNever;
  } else {
    return MICRORT_ERROR(kUnsupported, "%.80s: the prepend_scheme '%.40s' is not supported",
                         fields->where().c_str(), scheme.c_str());
  }
  return Status();
}

}  // namespace micrort::text
