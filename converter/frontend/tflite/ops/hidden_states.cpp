#include "converter/frontend/tflite/ops/hidden_states.h"

#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

ir::Value State(DType dtype, std::vector<int64_t> shape) {
  ir::Value value;
  value.dtype = dtype;
  value.shape = std::move(shape);
  value.has_shape = true;
  return value;
}

ir::Value Counter(int32_t first) {
  ir::Value value = State(DType::kInt32, {});
  const auto* bytes = reinterpret_cast<const uint8_t*>(&first);
  value.data = std::make_shared<const ir::Bytes>(bytes, bytes + sizeof first);
  return value;
}

// What the file says of input 0.
Result<std::vector<int64_t>> StatedShape(const StatedOperator& op, size_t least_rank) {
  const auto* shape = op.has_input(0) ? op.tensor(0).shape() : nullptr;
  if (shape == nullptr || shape->size() < least_rank)
    return Invalid("input 0: expected at least {} dimensions", least_rank);
  int64_t elements = 1;
  for (const int32_t dim : *shape) {
    if (dim < 1 || dim > ir::kMaxMade || (elements *= dim) > ir::kMaxMade)
      return Invalid("input 0 has dimension {}: expected at most {} elements", dim, ir::kMaxMade);
  }
  return std::vector<int64_t>(shape->begin(), shape->end());
}

// With another last dimension.
std::vector<int64_t> WithLast(std::vector<int64_t> shape, int64_t last) {
  shape.back() = last;
  return shape;
}

Status FramerStates(const StatedOperator& op, std::vector<ir::Value>* out) {
  MICRORT_ASSIGN_OR_RETURN(FramerOptions o, ReadFramer(op));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> shape, StatedShape(op, 1));
  *out = {State(DType::kInt16, WithLast(shape, o.kept()))};
  if (!o.prefill) out->push_back(Counter(0));
  return Status();
}

// Frames; what is there, one more, or 0 before the first frame.
Status StackerStates(const StatedOperator& op, std::vector<ir::Value>* out) {
  MICRORT_ASSIGN_OR_RETURN(StackerOptions o, ReadStacker(op));
  *out = {State(DType::kInt16, {o.frames, o.channels}), Counter(0)};
  return Status();
}

Status DelayStates(const StatedOperator& op, std::vector<ir::Value>* out) {
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(op));
  MICRORT_ASSIGN_OR_RETURN(int64_t length, options.Int("delay_length", 0, ir::kMaxMade));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> shape, StatedShape(op, 1));
  *out = {State(DType::kInt16, WithLast(shape, length))};
  return Status();
}

// The states of an overlap and add of [..., frames, frame].
Status OverlapAddStates(const StatedOperator& op, std::vector<ir::Value>* out) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> shape, StatedShape(op, 2));
  shape.erase(shape.end() - 2);
  *out = {State(DTypeOf(op.tensor(0).type()), std::move(shape))};
  return Status();
}

Status SpectralSubtractionStates(const StatedOperator& op, std::vector<ir::Value>* out) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> shape, StatedShape(op, 1));
  *out = {State(DType::kUInt32, std::move(shape))};
  return Status();
}

// The last slots of [1,1,W,C], and the number of runs until what follows runs.
Status CircularBufferStates(const StatedOperator& op, std::vector<ir::Value>* out) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> shape, StatedShape(op, 4));
  MICRORT_ASSIGN_OR_RETURN(int32_t cycles, ReadCycles(op));
  const auto* slots = op.wants_output(0) ? op.output_tensor(0).shape() : nullptr;
  if (slots == nullptr || slots->size() != 4 || slots->Get(1) < 1 ||
      slots->Get(1) > ir::kMaxMade / shape[0] / shape[2] / shape[3])
    return Invalid("its output: expected 4 dimensions, and at most {} elements", ir::kMaxMade);
  shape[1] = slots->Get(1);
  ir::Quantization quantization;
  MICRORT_RETURN_IF_ERROR(ReadQuantization(op.tensor(0), &quantization));
  ir::Value samples = State(DTypeOf(op.tensor(0).type()), shape);
  samples.quantization = std::move(quantization);
  samples.data = std::make_shared<const ir::Bytes>(
      static_cast<size_t>(shape[0] * shape[1] * shape[2] * shape[3]) * SizeOf(samples.dtype));
  *out = {std::move(samples), Counter(cycles)};
  return Status();
}

}  // namespace

Result<FramerOptions> ReadFramer(const StatedOperator& op) {
  FramerOptions out;
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(op));
  MICRORT_ASSIGN_OR_RETURN(out.size, options.Int("frame_size", 1, ir::kMaxMade));
  MICRORT_ASSIGN_OR_RETURN(out.step, options.Int("frame_step", 1, out.size));
  out.prefill = options.Bool("prefill", false);
  return out;
}

Result<StackerOptions> ReadStacker(const StatedOperator& op) {
  constexpr int64_t kMost = 1 << 12;
  StackerOptions out;
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(op));
  MICRORT_ASSIGN_OR_RETURN(out.channels, options.Int("num_channels", 1, kMost));
  MICRORT_ASSIGN_OR_RETURN(out.left, options.Int("stacker_left_context", 0, kMost));
  MICRORT_ASSIGN_OR_RETURN(const int64_t right, options.Int("stacker_right_context", 0, kMost));
  out.frames = out.left + right + 1;
  MICRORT_ASSIGN_OR_RETURN(out.step, options.Int("stacker_step", 1, out.frames));
  return out;
}

// Without the option, TensorFlow Lite Micro knows two models by their shapes.
Result<int32_t> ReadCycles(const StatedOperator& op) {
  constexpr int64_t kMost = 1 << 20;
  CustomOptions options;
  int64_t cycles = 0;
  if (!op.custom_options().empty()) {
    MICRORT_ASSIGN_OR_RETURN(options, CustomOptions::Read(op));
    if (options.Has("cycles_max"))
      MICRORT_RETURN_IF_ERROR(Take(options.Int("cycles_max", -kMost, kMost), &cycles));
  }
  const auto* shape = op.wants_output(0) ? op.output_tensor(0).shape() : nullptr;
  const int32_t slots = shape != nullptr && shape->size() == 4 ? shape->Get(1) : 0;
  const bool is_every_run = slots == 5 || slots == 13 || slots == 25;
  return cycles > 0 ? static_cast<int32_t>(cycles) : is_every_run ? 1 : 2;
}

Status HiddenStatesOf(const StatedOperator& op, std::vector<ir::Value>* out) {
  struct Keeper {
    const char* op;
    Status (*states)(const StatedOperator& op, std::vector<ir::Value>* out);
  };
  constexpr Keeper kKeepers[] = {
      {"CIRCULAR_BUFFER", CircularBufferStates},
      {"SignalDelay", DelayStates},
      {"SignalFilterBankSpectralSubtraction", SpectralSubtractionStates},
      {"SignalFramer", FramerStates},
      {"SignalOverlapAdd", OverlapAddStates},
      {"SignalStacker", StackerStates},
  };
  const std::string name = op.name();
  for (const Keeper& keeper : kKeepers) {
    if (name == keeper.op) return keeper.states(op, out).WithPrefix("%s", keeper.op);
  }
  return Status();
}

}  // namespace micrort::frontend::tflite
