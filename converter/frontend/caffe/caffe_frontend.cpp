#include "converter/frontend/caffe/caffe_frontend.h"

#include "converter/frontend/caffe/model_reader.h"
#include "converter/frontend/caffe/net_importer.h"
#include "converter/frontend/caffe/weights.h"

namespace micrort::frontend::caffe {

bool LooksLikeCaffe(Span<const uint8_t> bytes) {
  return LooksLikeNetText(bytes) || LooksLikeNetMessage(bytes);
}

Status ImportCaffe(Span<const uint8_t> bytes, const ImportOptions& options, ir::Module* out,
                   ImportDiagnostics* diagnostics) {
  CaffeNet net;
  MICRORT_RETURN_IF_ERROR(ReadNet(bytes, &net));
  NetWeights weights;
  weights.Take(net.proto);
  if (options.weights) {
    MICRORT_RETURN_IF_ERROR(
        weights.Read(options.weights->bytes).WithPrefix("%s", options.weights->path.c_str()));
  }
  out->graphs.push_back(std::make_unique<ir::Graph>());
  NetImporter importer(net, weights, options, out->graphs.back().get(), diagnostics);
  return importer.Import();
}

}  // namespace micrort::frontend::caffe
