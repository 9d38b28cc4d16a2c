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
  // Which variables change, and are states, is known when the graph has been imported.
  constexpr int kMaxImports = 16;
  std::set<std::string> kept;
  for (int i = 0; i < kMaxImports; ++i) {
    out->graphs.clear();
    out->graphs.push_back(std::make_unique<ir::Graph>());
    *diagnostics = ImportDiagnostics();
    GraphImporter importer(model, options, kept, out->graphs.back().get(), diagnostics);
    MICRORT_RETURN_IF_ERROR(importer.Import());
    const size_t known = kept.size();
    kept.insert(importer.changed_variables().begin(), importer.changed_variables().end());
    if (kept.size() == known) return Status();
  }
  return Unsupported("which variables change depends on what other variables hold");
}

}  // namespace micrort::frontend::tensorflow
