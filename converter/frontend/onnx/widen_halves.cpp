#include "converter/frontend/onnx/widen_halves.h"

#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "converter/frontend/onnx/tensor_reader.h"
#include "kernels/base/half.h"

namespace micrort::frontend::onnx {

namespace {

using ::onnx::AttributeProto;
using ::onnx::GraphProto;
using ::onnx::NodeProto;
using ::onnx::TensorProto;

// Their second input is weights. Their sums are of float32 in either type, so nothing is lost.
const std::set<std::string>& Layers() {
  static const std::set<std::string> layers = {"Conv", "ConvTranspose", "Gemm", "MatMul",
                                               "LSTM", "GRU",           "RNN"};
  return layers;
}

// They read or make the bits of their elements.
bool DependsOnBits(const NodeProto& node) {
  return node.op_type() == "BitCast" || node.op_type() == "Bitcast";
}

// All nodes, those of graphs inside nodes, too.
void ForEachGraph(GraphProto* graph, const std::function<void(GraphProto*)>& visit) {
  visit(graph);
  for (NodeProto& node : *graph->mutable_node()) {
    for (AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) ForEachGraph(attribute.mutable_g(), visit);
      for (GraphProto& inner : *attribute.mutable_graphs()) ForEachGraph(&inner, visit);
    }
  }
}

// The initializers and the results of Constant nodes, of all graphs.
std::set<std::string> HalfConstants(GraphProto* graph) {
  std::set<std::string> halves;
  ForEachGraph(graph, [&](GraphProto* g) {
    for (const TensorProto& tensor : g->initializer()) {
      if (tensor.data_type() == TensorProto::FLOAT16) halves.insert(tensor.name());
    }
    for (const NodeProto& node : g->node()) {
      if (node.op_type() != "Constant" || node.output_size() == 0) continue;
      for (const AttributeProto& attribute : node.attribute()) {
        if (attribute.t().data_type() == TensorProto::FLOAT16) halves.insert(node.output(0));
      }
    }
  });
  return halves;
}

bool HasHalfWeights(GraphProto* graph) {
  const std::set<std::string> halves = HalfConstants(graph);
  bool has_some = false;
  ForEachGraph(graph, [&](GraphProto* g) {
    for (const NodeProto& node : g->node()) {
      const bool is_layer = node.domain().empty() && Layers().count(node.op_type()) != 0;
      has_some |= is_layer && node.input_size() > 1 && halves.count(node.input(1)) != 0;
    }
  });
  return has_some;
}

bool IsHalf(const ::onnx::ValueInfoProto& info) {
  return info.type().tensor_type().elem_type() == TensorProto::FLOAT16;
}

bool IsStandard(const std::string& domain) {
  return domain.empty() || domain == "ai.onnx" || domain == "com.microsoft";
}

// No sequences, no operators of other domains, no bits, and outputs that nodes compute.
bool CanWiden(GraphProto* graph) {
  bool can = true;
  std::set<std::string> computed;
  for (const NodeProto& node : graph->node()) computed.insert(node.output().begin(), node.output().end());
  for (const auto& info : graph->output()) can &= !IsHalf(info) || computed.count(info.name()) != 0;
  ForEachGraph(graph, [&](GraphProto* g) {
    for (const NodeProto& node : g->node()) can &= IsStandard(node.domain()) && !DependsOnBits(node);
    for (const auto* infos : {&g->input(), &g->output()}) {
      for (const auto& info : *infos)
        can &= !info.type().has_sequence_type() && !info.type().has_optional_type();
    }
  });
  return can;
}

// A tensor that cannot be read stays as it is, and the import reports why.
void Widen(TensorProto* tensor) {
  OnnxTensor halves;
  if (tensor->data_type() != TensorProto::FLOAT16 || !ReadTensor(*tensor, &halves).ok()) return;
  const ir::Bytes& elements = halves.data;
  std::string floats(elements.size() * 2, '\0');
  for (size_t i = 0; i < elements.size() / sizeof(uint16_t); ++i) {
    uint16_t half = 0;
    std::memcpy(&half, elements.data() + i * sizeof half, sizeof half);
    const float value = HalfToFloat(half);
    std::memcpy(floats.data() + i * sizeof value, &value, sizeof value);
  }
  tensor->clear_int32_data();
  tensor->clear_external_data();
  tensor->set_data_location(TensorProto::DEFAULT);
  tensor->set_data_type(TensorProto::FLOAT);
  tensor->set_raw_data(std::move(floats));
}

// Attributes that name the type of what an operator gives.
void Widen(AttributeProto* attribute) {
  const bool is_type = attribute->name() == "to" || attribute->name() == "dtype" ||
                       attribute->name() == "output_datatype" || attribute->name() == "output_dtype";
  if (is_type && attribute->i() == TensorProto::FLOAT16) attribute->set_i(TensorProto::FLOAT);
  if (attribute->has_t()) Widen(attribute->mutable_t());
  for (TensorProto& tensor : *attribute->mutable_tensors()) Widen(&tensor);
}

void Widen(::onnx::ValueInfoProto* info) {
  if (IsHalf(*info)) info->mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
}

void WidenInside(GraphProto* graph) {
  ForEachGraph(graph, [](GraphProto* g) {
    for (TensorProto& tensor : *g->mutable_initializer()) Widen(&tensor);
    for (auto& info : *g->mutable_value_info()) Widen(&info);
    for (NodeProto& node : *g->mutable_node()) {
      for (AttributeProto& attribute : *node.mutable_attribute()) Widen(&attribute);
    }
  });
}

// Inputs and outputs of subgraphs: all of them are inside the model.
void WidenPortsOfBodies(GraphProto* entry) {
  ForEachGraph(entry, [entry](GraphProto* g) {
    if (g == entry) return;
    for (auto& info : *g->mutable_input()) Widen(&info);
    for (auto& info : *g->mutable_output()) Widen(&info);
  });
}

// Names are unique in all graphs of a model.
void Rename(GraphProto* graph, const std::map<std::string, std::string>& names) {
  const auto rename = [&](std::string* name) {
    const auto found = names.find(*name);
    if (found != names.end()) *name = found->second;
  };
  ForEachGraph(graph, [&](GraphProto* g) {
    for (NodeProto& node : *g->mutable_node()) {
      for (std::string& name : *node.mutable_input()) rename(&name);
      for (std::string& name : *node.mutable_output()) rename(&name);
    }
    if (g == graph) return;
    for (auto& info : *g->mutable_output()) rename(info.mutable_name());
  });
}

NodeProto CastNode(const std::string& from, const std::string& to, TensorProto::DataType type) {
  NodeProto node;
  node.set_op_type("Cast");
  node.set_name(type == TensorProto::FLOAT ? to : from);
  node.add_input(from);
  node.add_output(to);
  AttributeProto* attribute = node.add_attribute();
  attribute->set_name("to");
  attribute->set_type(AttributeProto::INT);
  attribute->set_i(type);
  return node;
}

// Between the model's own halves at its edges and the floats inside.
void CastPorts(GraphProto* graph) {
  constexpr char kSuffix[] = "/float32";
  std::set<std::string> constants;
  for (const TensorProto& tensor : graph->initializer()) constants.insert(tensor.name());
  std::map<std::string, std::string> names;
  std::vector<NodeProto> first, last;
  for (auto& info : *graph->mutable_input()) {
    if (!IsHalf(info)) continue;
    if (constants.count(info.name()) != 0) {
      Widen(&info);
      continue;
    }
    names[info.name()] = info.name() + kSuffix;
    first.push_back(CastNode(info.name(), names[info.name()], TensorProto::FLOAT));
  }
  for (auto& info : *graph->mutable_output()) {
    if (!IsHalf(info)) continue;
    names[info.name()] = info.name() + kSuffix;
    last.push_back(CastNode(names[info.name()], info.name(), TensorProto::FLOAT16));
  }
  Rename(graph, names);
  ::google::protobuf::RepeatedPtrField<NodeProto> nodes;
  for (NodeProto& node : first) *nodes.Add() = std::move(node);
  for (NodeProto& node : *graph->mutable_node()) *nodes.Add() = std::move(node);
  for (NodeProto& node : last) *nodes.Add() = std::move(node);
  graph->mutable_node()->Swap(&nodes);
}

}  // namespace

bool WidenHalves(::onnx::ModelProto* model) {
  GraphProto* graph = model->mutable_graph();
  if (!HasHalfWeights(graph) || !CanWiden(graph)) return false;
  WidenInside(graph);
  WidenPortsOfBodies(graph);
  CastPorts(graph);
  return true;
}

}  // namespace micrort::frontend::onnx
