// BIDIRECTIONAL_SEQUENCE_LSTM and _RNN: two layers over one sequence, of which the second goes from its end
// to its start.

#include "converter/frontend/tflite/ops/lstm_layer.h"
#include "converter/frontend/tflite/ops/rnn_layer.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

// What the layers read: with weights for the auxiliary input, it is more features of both; without such, the
// backward layer reads it instead of input 0.
struct Sources {
  ir::ValueId forward, backward;
};

Sources ReadSources(OpContext& c, size_t auxiliary, size_t auxiliary_weights, bool time_major) {
  const ir::ValueId x = TimeFirst(c, c.input(0), time_major);
  if (!c.op.has_input(auxiliary)) return {x, x};
  const ir::ValueId more = TimeFirst(c, c.input(auxiliary), time_major);
  if (!c.op.has_input(auxiliary_weights)) return {x, more};
  const ir::ValueId both = c.build.Concat({x, more}, 2);
  return {both, both};
}

Status SetOutputs(OpContext& c, ir::ValueId forward, ir::ValueId backward, bool merge, bool time_major) {
  if (merge) return c.Return(TimeFirst(c, c.build.Concat({forward, backward}, 2), time_major));
  return c.Return({TimeFirst(c, forward, time_major), TimeFirst(c, backward, time_major)});
}

Status ImportBidirectionalLstm(OpContext& c) {
  constexpr size_t kAuxiliary = 39, kForwardAuxiliary = 40, kBackwardAuxiliary = 44;
  constexpr LstmInputs kForward = {1, 5, 9, 12, 16, 17, 35, 36, 0, kForwardAuxiliary};
  constexpr LstmInputs kBackward = {18, 22, 26, 29, 33, 34, 37, 38, 0, kBackwardAuxiliary};
  const auto o = c.op.Options<fb::BidirectionalSequenceLSTMOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  const LstmOptions options = {o.fused_activation_function, o.cell_clip, o.proj_clip,
                               o.asymmetric_quantize_inputs};
  LstmLayer forward, backward;
  MICRORT_RETURN_IF_ERROR(ReadLstm(c, kForward, options, &forward).WithPrefix("forward"));
  MICRORT_RETURN_IF_ERROR(ReadLstm(c, kBackward, options, &backward).WithPrefix("backward"));
  backward.reverse = true;
  // Gates that are coupled have no input gate, but all have a forget gate.
  const Sources x = ReadSources(c, kAuxiliary, kForwardAuxiliary + 1, o.time_major);
  ir::ValueId y = ir::kNoValue, z = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Take(RunStatefulLstm(c, forward, kForward, x.forward), &y).WithPrefix("forward"));
  MICRORT_RETURN_IF_ERROR(
      Take(RunStatefulLstm(c, backward, kBackward, x.backward), &z).WithPrefix("backward"));
  return SetOutputs(c, y, z, o.merge_outputs, o.time_major);
}

Status ImportBidirectionalRnn(OpContext& c) {
  constexpr size_t kAuxiliary = 9, kForwardAuxiliary = 10, kBackwardAuxiliary = 11;
  constexpr RnnInputs kForward = {1, 2, 3, 4, kForwardAuxiliary};
  constexpr RnnInputs kBackward = {5, 6, 7, 8, kBackwardAuxiliary};
  const auto o = c.op.Options<fb::BidirectionalSequenceRNNOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  const Sources x = ReadSources(c, kAuxiliary, kForwardAuxiliary, o.time_major);
  RnnOptions options = {o.fused_activation_function, o.asymmetric_quantize_inputs};
  ir::ValueId y = ir::kNoValue, z = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(RunStatefulRnn(c, kForward, x.forward, options, &y).WithPrefix("forward"));
  options.reverse = true;
  MICRORT_RETURN_IF_ERROR(RunStatefulRnn(c, kBackward, x.backward, options, &z).WithPrefix("backward"));
  return SetOutputs(c, y, z, o.merge_outputs, o.time_major);
}

constexpr TypeSet kDirections = TypesOf(DType::kFloat32, DType::kInt8);

}  // namespace

const ImporterList BidirectionalImporters = {
    {"BIDIRECTIONAL_SEQUENCE_LSTM", 1, 48, ImportBidirectionalLstm, Types(kDirections)},
    {"BIDIRECTIONAL_SEQUENCE_RNN", 9, 12, ImportBidirectionalRnn, Types(kDirections)},
};

}  // namespace micrort::frontend::tflite
