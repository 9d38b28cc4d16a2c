#include "tests/converter/onnx_builder.h"

#include <algorithm>
#include <numeric>

#include "tests/kept_seeds.h"

namespace micrort::testing {

using ::onnx::AttributeProto;
using ::onnx::TensorProto;

OnnxBuilder::OnnxBuilder(int opset) {
  model.set_ir_version(8);
  model.set_producer_name("test");
  auto* import = model.add_opset_import();
  import->set_domain("");
  import->set_version(opset);
  graph().set_name("graph");
}

OnnxBuilder& OnnxBuilder::Input(const std::string& name, const std::vector<std::string>& dims, int type) {
  auto* info = graph().add_input();
  info->set_name(name);
  auto* tensor = info->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  auto* shape = tensor->mutable_shape();
  for (const std::string& dim : dims) {
    auto* d = shape->add_dim();
    const bool number = !dim.empty() && std::all_of(dim.begin(), dim.end(), ::isdigit);
    if (number) d->set_dim_value(std::stoll(dim));
    if (!number && !dim.empty()) d->set_dim_param(dim);
  }
  return *this;
}

OnnxBuilder& OnnxBuilder::Output(const std::string& name) {
  graph().add_output()->set_name(name);
  return *this;
}

TensorProto* OnnxBuilder::AddInitializer(const std::string& name, const std::vector<int64_t>& dims,
                                         int type) {
  TensorProto* tensor = graph().add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(type);
  for (int64_t dim : dims) tensor->add_dims(dim);
  return tensor;
}

OnnxBuilder& OnnxBuilder::Floats(const std::string& name, std::vector<int64_t> dims,
                                 const std::vector<float>& elements) {
  TensorProto* tensor = AddInitializer(name, dims, TensorProto::FLOAT);
  for (float v : elements) tensor->add_float_data(v);
  return *this;
}

OnnxBuilder& OnnxBuilder::Weights(const std::string& name, std::vector<int64_t> dims) {
  const int64_t n = std::accumulate(dims.begin(), dims.end(), int64_t{1}, std::multiplies<>());
  std::vector<float> elements;
  for (int64_t i = 0; i < n; ++i) elements.push_back(static_cast<float>(i % 8) / 8);
  return Floats(name, std::move(dims), elements);
}

OnnxBuilder& OnnxBuilder::Integers(const std::string& name, std::vector<int64_t> dims,
                                   const std::vector<int64_t>& elements) {
  TensorProto* tensor = AddInitializer(name, dims, TensorProto::INT64);
  tensor->set_raw_data(elements.data(), elements.size() * sizeof(int64_t));
  return *this;
}

OnnxBuilder& OnnxBuilder::Narrow(const std::string& name, int type, std::vector<int64_t> dims,
                                 const std::vector<int32_t>& elements) {
  TensorProto* tensor = AddInitializer(name, dims, type);
  for (const int32_t v : elements) tensor->add_int32_data(v);
  return *this;
}

OnnxBuilder& OnnxBuilder::Node(const std::string& op, const std::vector<std::string>& inputs,
                               const std::vector<std::string>& outputs) {
  auto* node = graph().add_node();
  node->set_op_type(op);
  for (const std::string& name : inputs) node->add_input(name);
  for (const std::string& name : outputs) node->add_output(name);
  return *this;
}

AttributeProto* OnnxBuilder::AddAttribute(const std::string& name, AttributeProto::AttributeType type) {
  AttributeProto* a = graph().mutable_node(graph().node_size() - 1)->add_attribute();
  a->set_name(name);
  a->set_type(type);
  return a;
}

OnnxBuilder& OnnxBuilder::Int(const std::string& name, int64_t v) {
  AddAttribute(name, AttributeProto::INT)->set_i(v);
  return *this;
}

OnnxBuilder& OnnxBuilder::Float(const std::string& name, float v) {
  AddAttribute(name, AttributeProto::FLOAT)->set_f(v);
  return *this;
}

OnnxBuilder& OnnxBuilder::String(const std::string& name, const std::string& v) {
  AddAttribute(name, AttributeProto::STRING)->set_s(v);
  return *this;
}

OnnxBuilder& OnnxBuilder::Domain(const std::string& domain, int version) {
  graph().mutable_node(graph().node_size() - 1)->set_domain(domain);
  auto* import = model.add_opset_import();
  import->set_domain(domain);
  import->set_version(version);
  return *this;
}

OnnxBuilder& OnnxBuilder::Numbers(const std::string& name, const std::vector<float>& v) {
  auto* attribute = AddAttribute(name, AttributeProto::FLOATS);
  attribute->mutable_floats()->Add(v.begin(), v.end());
  return *this;
}

OnnxBuilder& OnnxBuilder::Strings(const std::string& name, const std::vector<std::string>& v) {
  auto* attribute = AddAttribute(name, AttributeProto::STRINGS);
  for (const std::string& text : v) attribute->add_strings(text);
  return *this;
}

OnnxBuilder& OnnxBuilder::Ints(const std::string& name, const std::vector<int64_t>& v) {
  AttributeProto* a = AddAttribute(name, AttributeProto::INTS);
  for (int64_t i : v) a->add_ints(i);
  return *this;
}

OnnxBuilder& OnnxBuilder::Graph(const std::string& name, OnnxBuilder body) {
  AddAttribute(name, AttributeProto::GRAPH)->mutable_g()->Swap(&body.graph());
  return *this;
}

std::string Imported::text() { return status.ok() ? ir::Print(graph()) : status.message(); }

Imported Import(const OnnxBuilder& builder, const frontend::ImportOptions& options) {
  return Import(builder.Bytes(), options);
}

Imported Import(const std::string& bytes, const frontend::ImportOptions& options) {
  KeepSeed("onnx", bytes);
  Imported result;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  result.status = frontend::ImportModel("model.onnx", span, frontend::SourceFormat::kOnnx, options,
                                        &result.module, &result.diagnostics);
  return result;
}

std::string TextOf(OnnxBuilder& builder) { return Import(builder.Output("y")).text(); }

OnnxBuilder Branch(const std::string& op, const std::vector<std::string>& inputs) {
  OnnxBuilder b;
  b.Node(op, inputs, {op + "_result"});
  return b.Output(op + "_result");
}

}  // namespace micrort::testing
