// UNIDIRECTIONAL_SEQUENCE_LSTM, UNIDIRECTIONAL_SEQUENCE_RNN, SVDF. What they keep are variable tensors.

#include <limits>
#include <memory>

#include "converter/frontend/tflite/graph_importer.h"
#include "converter/frontend/tflite/ops/bias.h"
#include "converter/frontend/tflite/ops/dims.h"
#include "converter/frontend/tflite/ops/lstm_layer.h"
#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

Status ReadState(OpContext& c, size_t i, ir::ValueId* out) {
  return c.graphs.ReadVariableTensor(c.input_index(i), out);
}

Status WriteState(OpContext& c, size_t i, ir::ValueId value) {
  return c.graphs.AssignVariableTensor(c.input_index(i), value);
}

// Time and batch change places.
ir::ValueId SwapTimeAndBatch(OpContext& c, ir::ValueId x) { return c.build.Transpose(x, {1, 0, 2}); }

Status ImportSequenceLstm(OpContext& c) {
  constexpr size_t kOutputState = 18, kCellState = 19;
  const auto o = c.Options<fb::UnidirectionalSequenceLSTMOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  LstmLayer layer;
  MICRORT_RETURN_IF_ERROR(ReadLstm(c, o, &layer));
  ir::ValueId output = ir::kNoValue, cell = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(ReadState(c, kOutputState, &output));
  MICRORT_RETURN_IF_ERROR(ReadState(c, kCellState, &cell));
  const ir::ValueId x = o.time_major ? c.input(0) : SwapTimeAndBatch(c, c.input(0));
  LstmResult result = {};
  MICRORT_RETURN_IF_ERROR(RunLstm(c, layer, x, output, cell, &result));
  MICRORT_RETURN_IF_ERROR(WriteState(c, kOutputState, result.last_output));
  MICRORT_RETURN_IF_ERROR(WriteState(c, kCellState, result.last_cell));
  return c.Return(o.time_major ? result.steps : SwapTimeAndBatch(c, result.steps));
}

Status ImportSequenceRnn(OpContext& c) {
  constexpr size_t kBias = 3, kState = 4;
  const auto o = c.Options<fb::SequenceRNNOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  ir::ValueId state = ir::kNoValue, bias = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(ReadState(c, kState, &state));
  MICRORT_RETURN_IF_ERROR(ReadBias(c, kBias, 0, 1, &bias));
  auto activation = std::make_unique<schema::RecurrentActivationT>();
  if (o.fused_activation_function == fb::ActivationFunctionType::Tanh) {
    activation->kind = schema::UnaryKind::Tanh;
  } else if (o.fused_activation_function == fb::ActivationFunctionType::Relu) {
    activation->kind = schema::UnaryKind::Clip;
    activation->b = std::numeric_limits<float>::infinity();
  } else {
    return MICRORT_ERROR(kUnsupported, "the activation %s of an RNN",
                         fb::EnumNameActivationFunctionType(o.fused_activation_function));
  }
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  const ir::ValueId x = o.time_major ? c.input(0) : SwapTimeAndBatch(c, c.input(0));
  const ir::ValueId sums = c.build.Add(std::move(product), {x, c.input(1), bias});
  schema::RecurrentOptionsT options;
  options.kind = schema::RecurrentKind::Rnn;
  options.activations.push_back(std::move(activation));
  const std::vector<ir::ValueId> all =
      c.build.AddMany(std::move(options), {sums, c.input(2), ir::kNoValue, ir::kNoValue, state}, 2);
  MICRORT_RETURN_IF_ERROR(WriteState(c, kState, all[1]));
  return c.Return(o.time_major ? all[0] : SwapTimeAndBatch(c, all[0]));
}

// Features of x, the last T of which the state keeps, are weighted over time; `rank` of them make a unit.
Status ImportSvdf(OpContext& c) {
  constexpr size_t kFeatureWeights = 1, kTimeWeights = 2, kBias = 3, kState = 4;
  const auto o = c.Options<fb::SVDFOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kFeatureWeights, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kTimeWeights, 2));
  const int64_t features = c.x(kTimeWeights).shape[0], memory = c.x(kTimeWeights).shape[1];
  if (!c.x(kTimeWeights).is_static() || o.rank < 1 || features % o.rank != 0)
    return MICRORT_ERROR(kInvalidModel, "%lld features of rank %d", static_cast<long long>(features), o.rank);
  ir::ValueId state = ir::kNoValue, bias = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(ReadState(c, kState, &state));
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  const ir::ValueId newest =
      InsertDim(c, c.build.Add(std::move(product), {c.input(0), c.input(kFeatureWeights)}), 2);
  const auto f = static_cast<int32_t>(features), t = static_cast<int32_t>(memory);
  const ir::ValueId kept = c.build.Slice(c.build.Reshape(state, {ir::CopyDim(0), f, t}), 2, 1, memory);
  const ir::ValueId next = c.build.Concat({kept, newest}, 2);
  MICRORT_RETURN_IF_ERROR(WriteState(c, kState, c.build.Reshape(next, {ir::CopyDim(0), f * t})));
  const ir::ValueId weighted = c.build.Binary(schema::BinaryKind::Mul, next, c.input(kTimeWeights));
  const ir::ValueId units = c.build.Reshape(weighted, {ir::CopyDim(0), f / o.rank, o.rank * t});
  ir::ValueId y = c.build.Reduce(schema::ReduceKind::Sum, units, {2}, false);
  if (c.has_input(kBias)) {
    MICRORT_RETURN_IF_ERROR(ReadBias(c, kBias, 0, kTimeWeights, &bias));
    y = c.build.Binary(schema::BinaryKind::Add, y, bias);
  }
  return c.Return(y, o.fused_activation_function);
}

constexpr TypeSet kSequences = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

Span<const OpImporter> RecurrentImporters() {
  static constexpr OpImporter kImporters[] = {
      {"SVDF", 3, 5, ImportSvdf, Types(kSequences)},
      {"UNIDIRECTIONAL_SEQUENCE_LSTM", 1, 24, ImportSequenceLstm,
       Types(kSequences).Without("clipped cells, projections and normalized sums over more than 256 steps")},
      {"UNIDIRECTIONAL_SEQUENCE_RNN", 3, 5, ImportSequenceRnn, Types(kSequences)},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tflite
