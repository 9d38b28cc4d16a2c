// BatchNormalization, with the statistics that it is given or, in training mode, those of the batch.

#include <cmath>

#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::ReduceKind;

struct BatchNormalization {
  bool per_channel = true;  // else parameters have the shape of one sample, up to opset 8
  bool training = false;
  float epsilon = 0;
  float momentum = 0;
};

// An opset before 14 trains where it is asked for the statistics of the batch.
Status ReadAttributes(NodeContext& c, BatchNormalization* b) {
  b->epsilon = c.Float("epsilon", 1e-5f);
  b->momentum = c.Float("momentum", 0.9f);
  b->per_channel = c.Int("spatial", 1) != 0;
  const bool test = c.Int("is_test", 0) != 0;
  b->training = c.opset() >= 14 ? c.Int("training_mode", 0) != 0 : c.wants_output(1) && !test;
  const int rank = c.x().rank();
  const int expected = b->per_channel ? 1 : rank - 1;
  if (rank < 2) return Invalid("input of {} dimensions", rank);
  for (size_t i = 1; i < 5; ++i) {
    if (c.x(i).rank() == expected) continue;
    return Invalid("input {}: expected {} dimensions, found {}", i, expected, c.x(i).rank());
  }
  return Status();
}

// A parameter in a shape that broadcasts with the input: [C] → [C,1,1...].
ir::ValueId Spread(NodeContext& c, const BatchNormalization& b, ir::ValueId v) {
  const int rank = c.x().rank();
  if (!b.per_channel || rank == 2) return v;
  std::vector<int32_t> shape(static_cast<size_t>(rank - 1), 1);
  shape[0] = CopyDim(0);
  return c.build.Reshape(v, shape);
}

// scale / sqrt(variance + epsilon)
ir::ValueId Gain(NodeContext& c, const BatchNormalization& b, ir::ValueId variance) {
  const ir::ValueId sum = c.build.Add(variance, c.build.Scalar(b.epsilon));
  return c.build.Div(c.input(1), c.build.Sqrt(sum));
}

// x * gain + shift, which folds into one layer where the statistics are constant.
ir::ValueId Normalize(NodeContext& c, const BatchNormalization& b) {
  const ir::ValueId gain = Gain(c, b, c.input(4));
  const ir::ValueId offset = c.build.Mul(c.input(3), gain);
  const ir::ValueId shift = c.build.Sub(c.input(2), offset);
  const ir::ValueId gains = Spread(c, b, gain);
  const ir::ValueId shifts = Spread(c, b, shift);
  return c.build.Add(c.build.Mul(c.input(0), gains), shifts);
}

// On the data that the network was trained with, normalized values have a mean of 0 and a deviation of 1.
void RecordTrainedOutput(NodeContext& c, const BatchNormalization& b, ir::ValueId normalized) {
  const ir::Value &factors = c.x(1), &shifts = c.x(2);
  const auto& nodes = c.build.graph().nodes;
  if (!b.per_channel || !factors.is_constant() || !shifts.is_constant() || nodes.empty()) return;
  if (factors.dtype != DType::kFloat32 || shifts.dtype != DType::kFloat32) return;
  if (factors.elements() != shifts.elements()) return;  // one of them broadcasts
  if (nodes.back()->outputs[0] != normalized) return;   // it was folded to a constant
  const float *factor = factors.as<float>(), *shift = shifts.as<float>();
  ir::TrainedOutput& trained = nodes.back()->trained;
  for (int64_t i = 0; i < factors.elements(); ++i) trained.deviations.push_back(std::fabs(factor[i]));
  trained.means.assign(shift, shift + shifts.elements());
}

// running * momentum + current * (1 - momentum)
ir::ValueId Average(NodeContext& c, const BatchNormalization& b, ir::ValueId running, ir::ValueId current) {
  const ir::ValueId old = c.build.Mul(running, c.build.Scalar(b.momentum));
  const ir::ValueId fresh = c.build.Mul(current, c.build.Scalar(1 - b.momentum));
  return c.build.Add(old, fresh);
}

ir::ValueId Train(NodeContext& c, const BatchNormalization& b) {
  std::vector<int32_t> axes = {0};
  for (int i = 2; b.per_channel && i < c.x().rank(); ++i) axes.push_back(i);
  const ir::ValueId mean = c.build.Reduce(ReduceKind::Mean, c.input(0), axes, false);
  const ir::ValueId centered = c.build.Sub(c.input(0), Spread(c, b, mean));
  const ir::ValueId squares = c.build.Mul(centered, centered);
  const ir::ValueId variance = c.build.Reduce(ReduceKind::Mean, squares, axes, false);
  c.SetOutput(1, Average(c, b, c.input(3), mean));
  c.SetOutput(2, Average(c, b, c.input(4), variance));
  c.SetOutput(3, mean);
  c.SetOutput(4, variance);
  const ir::ValueId scaled = c.build.Mul(centered, Spread(c, b, Gain(c, b, variance)));
  return c.build.Add(scaled, Spread(c, b, c.input(2)));
}

Status ImportBatchNormalization(NodeContext& c) {
  BatchNormalization b;
  MICRORT_RETURN_IF_ERROR(ReadAttributes(c, &b));
  if (b.training) return c.Return(Train(c, b));
  const ir::ValueId normalized = Normalize(c, b);
  RecordTrainedOutput(c, b, normalized);
  return c.Return(normalized);
}

// Statistics have types of their own.
Status ImportAnyFloats(NodeContext& c) {
  return ImportInFloat32(c, ImportBatchNormalization, {0, 3, 4, 3, 4});
}

}  // namespace

const ImporterList BatchNormalizationImporters = {
    {"BatchNormalization", 5, 5, ImportAnyFloats, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
