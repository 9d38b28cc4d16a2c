#include "tests/converter/graph_testing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "converter/ir/infer.h"
#include "converter/ir/op_call.h"
#include "converter/ir/print.h"

namespace micrort::testing {
namespace {

Floats RandomFloats(size_t count, uint32_t seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> distribution(-1.0f, 1.0f);
  Floats floats(count);
  for (float& f : floats) f = distribution(engine);
  return floats;
}

// Calls f with a zero of the type's.
template <typename F>
void OfType(DType dtype, F f) {
  switch (dtype) {
    case DType::kFloat32:
      return f(float{});
    case DType::kInt8:
      return f(int8_t{});
    case DType::kUInt8:
    case DType::kBool:
      return f(uint8_t{});
    case DType::kInt16:
      return f(int16_t{});
    case DType::kInt32:
      return f(int32_t{});
    case DType::kInt64:
      return f(int64_t{});
    case DType::kUInt16:
      return f(uint16_t{});
    case DType::kUInt32:
      return f(uint32_t{});
    case DType::kUInt64:
      return f(uint64_t{});
    case DType::kFloat64:
      return f(double{});
    default:
      break;
  }
}

std::shared_ptr<const ir::Bytes> BytesOf(const Floats& floats, DType dtype) {
  ir::Bytes bytes(floats.size() * SizeOf(dtype));
  OfType(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (size_t i = 0; i < floats.size(); ++i) {
      const T element = static_cast<T>(floats[i]);
      std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
    }
  });
  return std::make_shared<const ir::Bytes>(std::move(bytes));
}

Floats FloatsOf(const ir::HostTensor& tensor) {
  Floats floats;
  OfType(tensor.dtype, [&](auto zero) {
    using T = decltype(zero);
    const T* elements = reinterpret_cast<const T*>(tensor.data->data());
    for (int64_t i = 0; i < tensor.shape.elements(); ++i) floats.push_back(static_cast<float>(elements[i]));
  });
  return floats;
}

std::map<std::string, Floats> RandomInputs(const ir::Graph& graph) {
  std::map<std::string, Floats> inputs;
  uint32_t seed = 1;
  for (ir::ValueId id : graph.inputs) {
    const ir::Value& input = graph.value(id);
    inputs[input.name] = RandomFloats(static_cast<size_t>(input.elements()), seed++);
  }
  return inputs;
}

void ExpectClose(const std::map<std::string, Floats>& expected, const std::map<std::string, Floats>& found,
                 float tolerance) {
  ASSERT_EQ(expected.size(), found.size());
  for (const auto& [name, values] : expected) {
    ASSERT_EQ(found.count(name), 1u) << name;
    const Floats& others = found.at(name);
    ASSERT_EQ(values.size(), others.size()) << name;
    for (size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], others[i], tolerance * std::max(1.0f, std::fabs(values[i])))
          << name << " at " << i;
    }
  }
}

std::vector<std::string> Interface(const ir::Graph& graph) {
  std::vector<std::string> lines;
  for (ir::ValueId id : graph.inputs)
    lines.push_back(graph.value(id).name + " " + PrintType(graph.value(id)));
  for (ir::ValueId id : graph.outputs)
    lines.push_back(graph.value(id).name + " " + PrintType(graph.value(id)));
  return lines;
}

}  // namespace

ir::ValueId TestGraph::Input(const std::string& name, std::vector<int64_t> shape, DType dtype) {
  ir::Value value;
  value.name = name;
  value.dtype = dtype;
  value.has_shape = true;
  value.shape = std::move(shape);
  value.in_source = true;
  graph.inputs.push_back(graph.AddValue(std::move(value)));
  return graph.inputs.back();
}

ir::ValueId TestGraph::Weights(const std::string& name, std::vector<int64_t> shape) {
  size_t count = 1;
  for (int64_t dim : shape) count *= static_cast<size_t>(dim);
  return Constant(name, std::move(shape),
                  RandomFloats(count, static_cast<uint32_t>(graph.value_count()) + 100));
}

ir::ValueId TestGraph::Constant(const std::string& name, std::vector<int64_t> shape, const Floats& elements) {
  return graph.AddConstantOf(name, std::move(shape), elements);
}

ir::ValueId TestGraph::Named(const std::string& name, ir::ValueId id) {
  graph.Rename(id, name);
  graph.value(id).in_source = true;
  return id;
}

ir::ValueId TestGraph::Transpose(const std::string& name, ir::ValueId x, std::vector<int32_t> permutation) {
  return Named(name, Build(name).Transpose(x, std::move(permutation)));
}

ir::ValueId TestGraph::Reshape(const std::string& name, ir::ValueId x, std::vector<int32_t> shape) {
  return Named(name, Build(name).Reshape(x, std::move(shape)));
}

ir::ValueId TestGraph::Unary(const std::string& name, schema::UnaryKind kind, ir::ValueId x, float a,
                             float b) {
  return Named(name, Build(name).Unary(kind, x, a, b));
}

ir::ValueId TestGraph::Relu(const std::string& name, ir::ValueId x) {
  return Unary(name, schema::UnaryKind::Clip, x, 0, std::numeric_limits<float>::infinity());
}

ir::ValueId TestGraph::Binary(const std::string& name, schema::BinaryKind kind, ir::ValueId a,
                              ir::ValueId b) {
  return Named(name, Build(name).Binary(kind, a, b));
}

ir::ValueId TestGraph::Concat(const std::string& name, const std::vector<ir::ValueId>& parts, int axis) {
  return Named(name, Build(name).Concat(parts, axis));
}

ir::ValueId TestGraph::Conv3x3(const std::string& name, ir::ValueId x, int channels) {
  EXPECT_TRUE(ir::InferShapes(graph).ok());
  const int64_t input_channels = graph.value(x).shape[3];
  schema::Conv2DOptionsT options;
  options.pad_top = options.pad_left = options.pad_bottom = options.pad_right = 1;
  const ir::ValueId w = Weights(name + ".w", {channels, 3, 3, input_channels});
  const ir::ValueId b = Weights(name + ".b", {channels});
  return Node(name, std::move(options), {x, w, b});
}

Status Evaluate(const ir::Graph& graph, const std::map<std::string, Floats>& inputs,
                std::map<std::string, Floats>* outputs) {
  std::vector<ir::HostTensor> tensors(graph.value_count());
  for (size_t i = 0; i < tensors.size(); ++i) {
    const ir::Value& value = graph.value(static_cast<ir::ValueId>(i));
    Shape shape;
    if (value.is_static()) MICRORT_RETURN_IF_ERROR(ir::StaticShape(value, &shape));
    tensors[i] = ir::HostTensor::Of(value, shape);
    const auto given = inputs.find(value.name);
    if (given != inputs.end()) tensors[i].data = BytesOf(given->second, value.dtype);
  }
  for (const auto& node : graph.nodes) {
    std::vector<const ir::HostTensor*> in;
    std::vector<ir::HostTensor*> out;
    for (ir::ValueId id : node->inputs) in.push_back(id < 0 ? nullptr : &tensors[static_cast<size_t>(id)]);
    for (ir::ValueId id : node->outputs) out.push_back(&tensors[static_cast<size_t>(id)]);
    ir::OpCall call;
    if (Status s = call.Init(*node); !s.ok()) return s.WithPrefix("%s", ir::Describe(*node).c_str());
    if (Status s = call.Infer(in, out); !s.ok()) return s.WithPrefix("%s", ir::Describe(*node).c_str());
    MICRORT_RETURN_IF_ERROR(call.Run());
  }
  for (ir::ValueId id : graph.outputs) {
    (*outputs)[graph.value(id).name] = FloatsOf(tensors[static_cast<size_t>(id)]);
  }
  return Status();
}

void ExpectSameResults(const ir::Graph& expected, const ir::Graph& found, float tolerance) {
  const std::map<std::string, Floats> inputs = RandomInputs(expected);
  std::map<std::string, Floats> wanted;
  std::map<std::string, Floats> computed;
  ASSERT_TRUE(Evaluate(expected, inputs, &wanted).ok());
  ASSERT_TRUE(Evaluate(found, inputs, &computed).ok());
  ExpectClose(wanted, computed, tolerance);
}

bool RunPasses(ir::Graph& graph, std::initializer_list<PassFunction> passes, float tolerance) {
  const auto must = [](const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); };
  must(ir::InferShapes(graph));
  const std::vector<std::string> interface = Interface(graph);
  const std::map<std::string, Floats> inputs = RandomInputs(graph);
  std::map<std::string, Floats> expected;
  must(Evaluate(graph, inputs, &expected));

  bool any_changed = false;
  for (PassFunction pass : passes) {
    const std::string before = Print(graph);
    bool changed = false;
    must(pass(graph, &changed));
    if (!changed) {
      EXPECT_EQ(Print(graph), before) << "a change that was not reported";
    }
    must(ir::InferShapes(graph));
    any_changed |= changed;
  }
  EXPECT_EQ(Interface(graph), interface);
  std::map<std::string, Floats> found;
  must(Evaluate(graph, inputs, &found));
  ExpectClose(expected, found, tolerance);
  return any_changed;
}

std::string Outline(const ir::Graph& graph) {
  std::string text;
  for (const auto& node : graph.nodes) {
    const std::string line = PrintNode(graph, *node);
    text += line.substr(0, line.find(')') + 1) + "\n";
  }
  return text;
}

std::vector<std::string> OperatorsOf(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const auto& node : graph.nodes) names.push_back(schema::EnumNameOpCode(node->code));
  return names;
}

int CountOps(const ir::Graph& graph, schema::OpCode code) {
  int count = 0;
  for (const auto& node : graph.nodes) count += node->code == code;
  return count;
}

}  // namespace micrort::testing
