#include "converter/frontend/tensorflow/tensorflow_frontend.h"

#include "converter/frontend/tensorflow/graph_importer.h"
#include "converter/frontend/tensorflow/model_reader.h"

namespace micrort::frontend::tensorflow {

bool LooksLikeTensorflow(Span<const uint8_t> bytes) {
  return LooksLikeGraph(bytes) || LooksLikeSavedModel(bytes) || LooksLikeGraphText(bytes);
}

Status ImportTensorflow(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                        ImportDiagnostics* diagnostics) {
  TensorflowModel model;
  MICRORT_RETURN_IF_ERROR(ReadModel(bytes, options, &model));
  out->graphs.push_back(std::make_unique<ir::Graph>());
  return GraphImporter(model, options, out->graphs.back().get(), diagnostics).Import();
}

}  // namespace micrort::frontend::tensorflow
