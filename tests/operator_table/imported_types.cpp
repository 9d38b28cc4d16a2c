#include "tests/operator_table/imported_types.h"

#include "converter/frontend/onnx/model_reader.h"
#include "converter/frontend/onnx/tensor_types.h"
#include "tests/converter/onnx_builder.h"

namespace micrort {

namespace {

constexpr int kOnnxTypes = 17;  // the data types of ONNX that we may have are below

testing::OnnxBuilder OneNode(const frontend::onnx::OpImporter& importer, int type) {
  const int until = importer.support.until;
  testing::OnnxBuilder builder(until == 0 ? frontend::onnx::kMaxOnnxOpset : until);
  const std::string domain = DomainOf(importer);
  if (!domain.empty()) {
    auto* opset = builder.model.add_opset_import();
    opset->set_domain(domain);
    opset->set_version(importer.support.since);
  }
  std::vector<std::string> inputs;
  for (int i = 0; i < importer.min_inputs; ++i) {
    inputs.push_back("x" + std::to_string(i));
    builder.Input(inputs.back(), {"1", "2", "4", "4"}, type);
  }
  builder.Node(NameOf(importer), inputs, {"y"}).Output("y");
  builder.graph().mutable_node(0)->set_domain(domain);
  return builder;
}

}  // namespace

std::string DomainOf(const frontend::onnx::OpImporter& importer) {
  const std::string name = importer.op;
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

std::string NameOf(const frontend::onnx::OpImporter& importer) {
  const std::string domain = DomainOf(importer);
  return domain.empty() ? importer.op : importer.op + domain.size() + 1;
}

frontend::TypeSet ImportedTypes(const frontend::onnx::OpImporter& importer) {
  frontend::TypeSet types = 0;
  if (importer.min_inputs == 0) return types;
  for (int type = 1; type < kOnnxTypes; ++type) {
    const DType dtype = frontend::onnx::DTypeOfOnnx(type);
    if (dtype == DType::kUnknown || !testing::Import(OneNode(importer, type)).status.ok()) continue;
    types |= frontend::TypesOf(dtype);
  }
  return types;
}

}  // namespace micrort
