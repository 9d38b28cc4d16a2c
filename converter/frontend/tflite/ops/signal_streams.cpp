// Signal operators of TensorFlow Lite Micro that collect samples of a stream, which are states here:
// SignalFramer, SignalStacker, SignalDelay, SignalOverlapAdd, CIRCULAR_BUFFER.

#include <limits>

#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/ops/hidden_states.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

// The state was made from what the file says of input 0; subgraphs that no state is made for are not looked
// at before.
Status CheckStatedShape(OpContext& c, int least_rank) {
  const ir::Value& x = c.value(c.stored(0));
  if (x.rank() < least_rank)
    return Invalid("samples of {} dimensions: expected at least {}", x.rank(), least_rank);
  const auto* stated = c.op.tensor(0).shape();
  bool equal = stated != nullptr && static_cast<int>(stated->size()) == x.rank();
  for (int i = 0; equal && i < x.rank(); ++i)
    equal = x.shape[static_cast<size_t>(i)] == stated->Get(static_cast<flatbuffers::uoffset_t>(i));
  return equal ? Status() : Unsupported("samples of another shape than the file states");
}

ir::ValueId Int(OpContext& c, int64_t v) { return c.build.Constant<int32_t>({}, {static_cast<int32_t>(v)}); }

// [kept samples, new samples] along the last dimension, and what is kept of them for the next run.
Result<ir::ValueId> AppendToState(OpContext& c, int64_t kept) {
  MICRORT_RETURN_IF_ERROR(CheckStatedShape(c, 1));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId before, c.ReadHidden(0));
  const int last = c.value(c.stored(0)).rank() - 1;
  const int64_t count = c.value(c.stored(0)).shape.back();
  const ir::ValueId all = c.build.Concat({before, c.stored(0)}, last);
  c.AssignHidden(0, c.build.Slice(all, last, count, count + kept));
  return c.build.Checked(all);
}

Status ImportFramer(OpContext& c) {
  constexpr int64_t kMostFrames = 1 << 10;
  MICRORT_ASSIGN_OR_RETURN(FramerOptions o, ReadFramer(c.op));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId samples, AppendToState(c, o.kept()));
  const int last = c.value(samples).rank() - 1;
  const int64_t count = c.value(c.stored(0)).shape.back();
  if (count % o.step != 0 || count / o.step > kMostFrames)
    return Invalid("{} samples for steps of {}", count, o.step);
  std::vector<ir::ValueId> frames;
  for (int64_t i = 0; i < count / o.step; ++i)
    frames.push_back(c.build.InsertDim(c.build.Slice(samples, last, i * o.step, i * o.step + o.size), last));
  c.SetOutput(0, c.build.Concat(frames, last));
  if (o.prefill) {
    c.SetOutput(1, c.build.Constant<uint8_t>({}, {1}));
    return c.build.status();
  }
  // Steps that there have been, as far as they count.
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId before, c.ReadHidden(1));
  c.SetOutput(1, c.build.GreaterOrEqual(before, Int(c, o.Steps() - 1)));
  const ir::ValueId after = c.build.Add(before, Int(c, count / o.step));
  c.AssignHidden(1, c.build.Min(after, Int(c, o.Steps())));
  return c.build.status();
}

Status ImportStacker(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(StackerOptions o, ReadStacker(c.op));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId before, c.ReadHidden(0));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId counter, c.ReadHidden(1));
  const ir::Value& x = c.value(c.stored(0));
  if (x.rank() != 1 || x.shape[0] != o.channels) return Invalid("expected {} channels", o.channels);
  const auto channels = static_cast<int32_t>(o.channels);
  const ir::ValueId frame = c.build.Reshape(c.stored(0), {1, channels});
  const ir::ValueId is_first = c.build.Equal(counter, Int(c, 0));
  const ir::ValueId shifted = c.build.Concat({c.build.Slice(before, 0, 1, o.frames), frame}, 0);
  // The first frame stands for those before it.
  const ir::ValueId frames = c.build.If(is_first, frame, shifted);
  // Frames that are there, and one more.
  const ir::ValueId there = c.build.If(is_first, Int(c, o.left + 2), c.build.Add(counter, Int(c, 1)));
  const ir::ValueId is_full = c.build.Greater(there, Int(c, o.frames));
  c.AssignHidden(0, frames);
  c.AssignHidden(1, c.build.If(is_full, c.build.Sub(there, Int(c, o.step)), there));
  return c.Return({c.build.Reshape(frames, {static_cast<int32_t>(o.frames) * channels}), is_full});
}

Status ImportDelay(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId before, c.ReadHidden(0));
  // A variable of the file may have the state's name.
  if (c.value(before).rank() < 1) return Invalid("its state is a scalar");
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId samples, AppendToState(c, c.value(before).shape.back()));
  const int last = c.value(samples).rank() - 1;
  return c.Return(c.build.Slice(samples, last, 0, c.value(c.stored(0)).shape.back()));
}

// a + b, saturated where they are integers.
ir::ValueId Sum(OpContext& c, ir::ValueId a, ir::ValueId b) {
  if (c.value(a).dtype == DType::kFloat32) return c.build.Add(a, b);
  const ir::ValueId sum = c.build.Add(c.build.Cast(a, DType::kInt32), c.build.Cast(b, DType::kInt32));
  const ir::ValueId below = c.build.Min(sum, Int(c, std::numeric_limits<int16_t>::max()));
  return c.build.Cast(c.build.Max(below, Int(c, std::numeric_limits<int16_t>::min())), DType::kInt16);
}

// Frames [..., n, size], added up where they overlap; `step` samples of each are done.
Status ImportOverlapAdd(OpContext& c) {
  constexpr int64_t kMostFrames = 1 << 8;
  MICRORT_RETURN_IF_ERROR(CheckStatedShape(c, 2));
  const ir::Value x = c.value(c.stored(0));
  const int64_t size = x.shape.back(), frames = x.shape[static_cast<size_t>(x.rank()) - 2];
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  MICRORT_ASSIGN_OR_RETURN(int64_t step, options.Int("frame_step", 1, size));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId sums, c.ReadHidden(0));
  if (frames > kMostFrames) return Unsupported("{} frames a run", frames);
  const int axis = x.rank() - 2;  // of frames; then of their samples
  std::vector<ir::ValueId> done;
  for (int64_t i = 0; i < frames; ++i) {
    sums = Sum(c, sums, c.build.PickAt(c.stored(0), axis, i));
    done.push_back(c.build.Slice(sums, axis, 0, step));
    sums = c.build.PadDim(c.build.Slice(sums, axis, step, size), axis, 0, step);
  }
  c.AssignHidden(0, sums);
  return c.Return(c.build.Concat(done, axis));
}

// The last slots. What follows takes part in every n-th run only: the states of later buffers stay as they
// are in the others, whose outputs mean nothing.
Status ImportCircularBuffer(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckStatedShape(c, 4));
  MICRORT_ASSIGN_OR_RETURN(int32_t cycles, ReadCycles(c.op));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId before, c.ReadHidden(0));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId counter, c.ReadHidden(1));
  if (c.value(c.stored(0)).dim(1) != 1) return Invalid("more than one new slot");
  const int64_t slots = c.value(before).dim(1);
  const ir::ValueId next = c.build.Concat({c.build.Slice(before, 1, 1, slots), c.stored(0)}, 1);
  const ir::ValueId left = c.build.Sub(counter, Int(c, 1));
  ir::ValueId goes_on = c.build.Equal(left, Int(c, 0));
  const ir::ValueId next_counter = c.build.If(goes_on, Int(c, cycles), left);
  const ir::ValueId runs = c.subgraph.takes_part();
  if (runs == ir::kNoValue) {
    c.AssignHidden(0, next);
    c.AssignHidden(1, next_counter);
  } else {
    c.AssignHidden(0, c.build.If(runs, next, before));
    c.AssignHidden(1, c.build.If(runs, next_counter, counter));
    goes_on = c.build.And(runs, goes_on);
  }
  c.subgraph.set_takes_part(cycles == 1 ? runs : goes_on);
  c.SetStoredOutput(0, next);
  return c.build.status();
}

constexpr TypeSet kSamples = TypesOf(DType::kInt16);

}  // namespace

const ImporterList SignalStreamImporters = {
    {"CIRCULAR_BUFFER", 1, 1, ImportCircularBuffer, Types(TypesOf(DType::kInt8))},
    {"SignalDelay", 1, 1, ImportDelay, Types(kSamples)},
    {"SignalFramer", 1, 1, ImportFramer, Types(kSamples)},
    {"SignalOverlapAdd", 1, 1, ImportOverlapAdd, Types(TypesOf(DType::kInt16, DType::kFloat32))},
    {"SignalStacker", 1, 1, ImportStacker, Types(kSamples)},
};

}  // namespace micrort::frontend::tflite
