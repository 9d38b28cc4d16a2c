#include "converter/cost/node_cost.h"

#include <algorithm>

#include "converter/ir/op_call.h"
#include "kernels/base/machine_model.h"

namespace micrort::cost {
namespace {

// Measured with micrort-bench --profile on mobilenet_v2, one thread, on the core of
// kernels/base/machine_model.cpp with AVX2: most layers are within a fifth of these. Other cores are taken to
// move elements as much more slowly as they multiply.
constexpr double kMeasuredUnitsPerMicrosecond = 36e3;
constexpr double kFloatNanosecondsPerOutput = 0.25, kInt8NanosecondsPerOutput = 0.25;
constexpr double kInt8Depthwise = 0.8;  // over the algorithm's own cost
constexpr double kInt16OverInt8 = 2;    // resnet8 with AVX2 takes 1.9 times, with AVX-512 VNNI 2.4 times

int64_t Elements(const ir::Value& value) {
  int64_t n = 1;
  for (const int64_t d : value.shape) n *= d == ir::kDynamic ? 1 : d;
  return n;
}

Shape AtOne(const ir::Value& value) {
  Shape shape;
  for (const int64_t d : value.shape) {
    if (shape.rank < kMaxRank) shape.dims[shape.rank++] = d == ir::kDynamic ? 1 : d;
  }
  return shape;
}

// For operators that multiply and add: as the runtime's own choice of an algorithm has it, else their number.
double CostOfProducts(const ir::Graph& graph, const ir::Node& node, CpuFeatures features) {
  std::vector<ir::HostTensor> tensors;
  tensors.reserve(node.inputs.size() + node.outputs.size());
  std::vector<const ir::HostTensor*> inputs;
  std::vector<ir::HostTensor*> outputs;
  const auto add = [&](ir::ValueId id) {
    tensors.push_back(ir::HostTensor::Of(graph.value(id), AtOne(graph.value(id))));
    return &tensors.back();
  };
  for (const ir::ValueId id : node.inputs) inputs.push_back(id == ir::kNoValue ? nullptr : add(id));
  for (const ir::ValueId id : node.outputs) outputs.push_back(add(id));
  ir::OpCall call;
  if (!call.Init(node, features).ok() || !call.Infer(inputs, outputs).ok()) return 0.0;
  return call.cost() > 0.0 ? call.cost() : static_cast<double>(call.multiply_adds());
}

// Nanoseconds an element of the larger of input and output, from the same profile where it has the operator.
double NanosecondsPerElement(const ir::Graph& graph, const ir::Node& node) {
  const bool int8 = graph.value(node.outputs[0]).dtype == DType::kInt8;
  switch (node.code) {
    case schema::OpCode::Reshape:
      return 0.0;  // usually in place
    case schema::OpCode::Quantize:
    case schema::OpCode::Dequantize:
      return 0.15;
    case schema::OpCode::Binary:
      return int8 ? 0.3 : 0.2;
    case schema::OpCode::Unary:
      return int8 ? 0.4 : 0.5;
    case schema::OpCode::Softmax:
    case schema::OpCode::Normalize:
      return 1.0;
    case schema::OpCode::Pool2D:
    case schema::OpCode::Reduce:
      return int8 ? 0.3 : 0.25;
    default:
      return int8 ? 0.1 : 0.2;
  }
}

double MovedMicroseconds(const ir::Graph& graph, const ir::Node& node) {
  int64_t elements = 0;
  for (const ir::ValueId id : node.inputs) {
    if (id != ir::kNoValue && !graph.value(id).is_constant())
      elements = std::max(elements, Elements(graph.value(id)));
  }
  for (const ir::ValueId id : node.outputs) elements = std::max(elements, Elements(graph.value(id)));
  return static_cast<double>(elements) * NanosecondsPerElement(graph, node) * 1e-3;
}

// The dearest body, once: which one runs, and how often, nobody knows here.
double BodyMicroseconds(const ir::Node& node, CpuFeatures features) {
  double most = 0.0;
  for (const auto& body : node.bodies) most = std::max(most, GraphMicroseconds(*body, features));
  return most;
}

}  // namespace

double NodeMicroseconds(const ir::Graph& graph, const ir::Node& node, CpuFeatures features) {
  if (node.outputs.empty()) return 0.0;
  if (!node.bodies.empty()) return BodyMicroseconds(node, features);
  const double products = CostOfProducts(graph, node, features);
  const MachineModel& core = MachineModelOf(features);
  const double slower = kMeasuredUnitsPerMicrosecond / core.units_per_microsecond;
  if (products == 0.0) return MovedMicroseconds(graph, node) * slower;
  const DType x = node.inputs[0] == ir::kNoValue ? DType::kFloat32 : graph.value(node.inputs[0]).dtype;
  const bool int8 = x == DType::kInt8;
  const bool depthwise = node.code == schema::OpCode::DepthwiseConv2D;
  const double share = x == DType::kInt16 ? std::min(1.0, kInt16OverInt8 * core.int8_products)
                       : !int8            ? 1.0
                       : depthwise        ? kInt8Depthwise
                                          : core.int8_products;
  const double per_output = int8 ? kInt8NanosecondsPerOutput : kFloatNanosecondsPerOutput;
  const double outputs = depthwise ? 0.0 : static_cast<double>(Elements(graph.value(node.outputs[0])));
  return products * share / core.units_per_microsecond + outputs * per_output * 1e-3 * slower;
}

double GraphMicroseconds(const ir::Graph& graph, CpuFeatures features) {
  double sum = 0.0;
  for (const auto& node : graph.nodes) sum += NodeMicroseconds(graph, *node, features);
  return sum;
}

}  // namespace micrort::cost
