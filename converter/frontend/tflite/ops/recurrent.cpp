// Layers with a state, which is a variable tensor: UNIDIRECTIONAL_SEQUENCE_LSTM, UNIDIRECTIONAL_SEQUENCE_RNN,
// their single steps LSTM and RNN, SVDF.

#include <limits>
#include <utility>

#include "converter/frontend/tflite/op_context.h"
#include "converter/frontend/tflite/ops/hybrid.h"
#include "converter/frontend/tflite/ops/integer_sums.h"
#include "converter/frontend/tflite/ops/lstm_layer.h"
#include "converter/frontend/tflite/ops/rnn_layer.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"
#include "converter/frontend/tflite/tensor_reader.h"
#include "converter/frontend/tflite/tensor_types.h"

namespace micrort::frontend::tflite {

namespace {

// SVDF of int8 in integers.
// Features are sums of bytes that become int16 (or int8) as they enter the state; what these are over time,
// weighted, adds up in 32 bits with the bias, and is rounded once more.

// Inputs of the operator.
struct SvdfInputs {
  size_t x, feature_weights, time_weights, bias, state;
};
constexpr SvdfInputs kSvdf = {0, 1, 2, 3, 4};

// One scale, and no zero point unless `may_be_asymmetric`.
bool ReadForm(const fb::Tensor& tensor, bool may_be_asymmetric, StoredForm* form) {
  form->dtype = DTypeOf(tensor.type());
  return IsQuantized(tensor) && ReadQuantization(tensor, &form->quantization).ok() &&
         form->quantization.scales.size() == 1 &&
         (may_be_asymmetric || form->quantization.zero_points.empty());
}

class IntegerSvdf {
 public:
  IntegerSvdf(OpContext& c, const fb::SVDFOptionsT& options) : c_(c), options_(options) {}

  bool Read() {
    if (!c_.op.wants_output(0) || !c_.op.has_input(kSvdf.state)) return false;
    const bool has_forms = ReadForm(c_.op.tensor(kSvdf.x), true, &x_) &&
                           ReadForm(c_.op.tensor(kSvdf.state), false, &state_) &&
                           ReadForm(c_.op.output_tensor(0), true, &y_);
    const bool has_types = has_forms && x_.dtype == DType::kInt8 && y_.dtype == DType::kInt8 &&
                           (state_.dtype == DType::kInt16 || state_.dtype == DType::kInt8);
    return has_types && AreByteWeights(Stored(kSvdf.feature_weights)) && ReadTimeWeights() && ReadBias() &&
           !Clamps();
  }

  Status Run() {
    const auto features = static_cast<int32_t>(Stored(kSvdf.time_weights).shape[0]),
               memory = static_cast<int32_t>(Stored(kSvdf.time_weights).shape[1]);
    MICRORT_ASSIGN_OR_RETURN(ir::ValueId state, ReadStoredVariable(c_, kSvdf.state));
    const ir::ValueId all = Moved(c_.build.Reshape(state, {ir::CopyDim(0), features, memory}));
    const ir::ValueId kept = Moved(c_.build.Slice(all, 2, 1, memory));
    const ir::ValueId next = Moved(c_.build.Concat({kept, Moved(c_.build.InsertDim(Newest(), 2))}, 2));
    MICRORT_RETURN_IF_ERROR(AssignStoredVariable(
        c_, kSvdf.state, Moved(c_.build.Reshape(next, {ir::CopyDim(0), features * memory}))));
    const ir::ValueId time = c_.build.Constant<int32_t>({features, memory}, time_weights_);
    const ir::ValueId weighted = c_.build.Mul(c_.build.Cast(next, DType::kInt32), time);
    const ir::ValueId units =
        c_.build.Reshape(weighted, {ir::CopyDim(0), features / options_.rank, options_.rank * memory});
    ir::ValueId sums = c_.build.Reduce(schema::ReduceKind::Sum, units, {2}, false);
    if (!bias_.empty()) {
      const auto n = static_cast<int64_t>(bias_.size());
      sums = c_.build.Add(sums, c_.build.Constant<int32_t>({n}, bias_));
    }
    const float scale = ScaleOf(state_) * time_scale_ / ScaleOf(y_);
    c_.SetStoredOutput(0, ByRatio(sums, scale, y_));
    return c_.build.status();
  }

 private:
  const ir::Value& Stored(size_t i) { return c_.value(c_.stored(i)); }
  static float ScaleOf(const StoredForm& form) { return form.quantization.scales[0]; }

  bool ReadTimeWeights() {
    const ir::Value& w = Stored(kSvdf.time_weights);
    std::vector<int64_t> integers;
    if (w.dtype != state_.dtype || w.quantization.scales.size() != 1 || !w.quantization.zero_points.empty() ||
        !ir::AnyIntegersOf(w, &integers)) {
      return false;
    }
    time_scale_ = w.quantization.scales[0];
    time_weights_.assign(integers.begin(), integers.end());
    return Stored(kSvdf.feature_weights).shape[0] == w.shape[0];
  }

  bool ReadBias() {
    if (!c_.op.has_input(kSvdf.bias)) return true;
    const ir::Value& bias = Stored(kSvdf.bias);
    std::vector<int64_t> integers;
    const int64_t units = Stored(kSvdf.time_weights).shape[0] / options_.rank;
    if (bias.dtype != DType::kInt32 || !ir::AnyIntegersOf(bias, &integers) ||
        static_cast<int64_t>(integers.size()) != units) {
      return false;
    }
    bias_.assign(integers.begin(), integers.end());
    return true;
  }

  // The reference kernel has no activation but what int8 cannot stand for.
  bool Clamps() const {
    if (options_.fused_activation_function == fb::ActivationFunctionType::None) return false;
    return options_.fused_activation_function != fb::ActivationFunctionType::Relu ||
           !StaysWithin(y_.dtype, y_.quantization, 0, std::numeric_limits<float>::infinity());
  }

  ir::ValueId Newest() {
    const ir::ValueId sums =
        ByteSums(c_.build, c_.stored(kSvdf.x), c_.stored(kSvdf.feature_weights), ir::kNoValue);
    const float scale = ScaleOf(x_) * Stored(kSvdf.feature_weights).quantization.scales[0] / ScaleOf(state_);
    return ByRatio(sums, scale, state_);
  }

  // Ratios of scales are floats there, which are multiplied as they are.
  ir::ValueId ByRatio(ir::ValueId sums, float ratio, const StoredForm& to) {
    const StoredForm unit = {to.dtype, {{1.0f}, to.quantization.zero_points}};
    return Relabelled(c_.build, Narrowed(c_.build, sums, ratio, unit), to.quantization);
  }

  ir::ValueId Moved(ir::ValueId id) { return tflite::Moved(c_.build, id, state_.quantization); }

  OpContext& c_;
  const fb::SVDFOptionsT& options_;
  StoredForm x_, state_, y_;
  float time_scale_ = 1;
  std::vector<int32_t> time_weights_, bias_;
};

// As TensorFlow Lite Micro's reference kernel computes it, with a state of int16 or int8; *is_done is false,
// and nothing is added, where types, scales or the activation are others.
Status RunIntegerSvdf(OpContext& c, const fb::SVDFOptionsT& options, bool* is_done) {
  IntegerSvdf layer(c, options);
  *is_done = layer.Read();
  return *is_done ? layer.Run() : c.build.status();
}

Status ImportSequenceLstm(OpContext& c) {
  const auto o = c.op.Options<fb::UnidirectionalSequenceLSTMOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  if (o.diagonal_recurrent_tensors) return Unsupported("diagonal recurrent weights");
  const LstmOptions options = {o.fused_activation_function, o.cell_clip, o.proj_clip,
                               o.asymmetric_quantize_inputs};
  bool is_done = false;
  MICRORT_RETURN_IF_ERROR(RunIntegerLstm(c, kOneDirection, options, o.time_major, &is_done));
  if (is_done) return Status();
  LstmLayer layer;
  MICRORT_RETURN_IF_ERROR(ReadLstm(c, kOneDirection, options, &layer));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId y,
                           RunStatefulLstm(c, layer, kOneDirection, TimeFirst(c, c.input(0), o.time_major)));
  return c.Return(TimeFirst(c, y, o.time_major));
}

// One step of gates that lie behind each other, in the order input, cell, forget, output. States are inputs
// and outputs of the model.
Status ImportBasicLstm(OpContext& c) {
  using schema::BinaryKind;
  using schema::UnaryKind;
  constexpr size_t kOutputBefore = 1, kWeights = 2, kBias = 3, kCellBefore = 4;
  if (c.op.input_count() != 5) return Invalid("expected 5 inputs, found {}", c.op.input_count());
  for (size_t i = 1; i < 5; ++i) {
    if (!c.op.has_input(i)) return Invalid("input {} is required, but absent", i);
  }
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kWeights, 2));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, ReadBias(c, kBias, 0, kWeights));
  const ir::ValueId joined = c.build.Concat({c.input(0), c.input(kOutputBefore)}, 1);
  const ir::ValueId sums = c.build.MatMul({joined, c.input(kWeights), bias}, true);
  const int64_t rows = c.x(kWeights).shape[0], hidden = rows / 4;
  if (rows < 4 || rows % 4 != 0) return Invalid("weights of {} rows: expected those of 4 gates", rows);
  const auto gate = [&](int64_t k, UnaryKind kind) {
    return c.build.Unary(kind, c.build.Slice(sums, 1, k * hidden, (k + 1) * hidden));
  };
  const ir::ValueId cell = c.build.Add(c.build.Mul(gate(0, UnaryKind::Sigmoid), gate(1, UnaryKind::Tanh)),
                                       c.build.Mul(gate(2, UnaryKind::Sigmoid), c.input(kCellBefore)));
  return c.Return({c.build.Mul(gate(3, UnaryKind::Sigmoid), c.build.Tanh(cell)), cell, joined, sums});
}

Status ImportLstm(OpContext& c) {
  const auto o = c.op.Options<fb::LSTMOptionsT>();
  if (o.kernel_type == fb::LSTMKernelType::Basic) return ImportBasicLstm(c);
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  LstmLayer layer;
  MICRORT_RETURN_IF_ERROR(ReadLstm(
      c, kOneDirection, {o.fused_activation_function, o.cell_clip, o.proj_clip, o.asymmetric_quantize_inputs},
      &layer));
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId y,
                           RunStatefulLstm(c, layer, kOneDirection, c.build.InsertDim(c.input(0), 0)));
  return c.Return(c.build.DropDim(y, 0));
}

constexpr RnnInputs kRnn = {1, 2, 3, 4, 0};

Status ImportSequenceRnn(OpContext& c) {
  const auto o = c.op.Options<fb::SequenceRNNOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 3));
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(RunStatefulRnn(c, kRnn, TimeFirst(c, c.input(0), o.time_major),
                                         {o.fused_activation_function, o.asymmetric_quantize_inputs}, &y));
  return c.Return(TimeFirst(c, y, o.time_major));
}

Status ImportRnn(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  const auto o = c.op.Options<fb::RNNOptionsT>();
  ir::ValueId y = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(RunStatefulRnn(c, kRnn, c.build.InsertDim(c.input(0), 0),
                                         {o.fused_activation_function, o.asymmetric_quantize_inputs}, &y));
  return c.Return(c.build.DropDim(y, 0));
}

// Features of x, the last T of which the state keeps, are weighted over time; `rank` of them make a unit.
Status ImportSvdf(OpContext& c) {
  constexpr size_t kFeatureWeights = kSvdf.feature_weights, kTimeWeights = kSvdf.time_weights,
                   kBias = kSvdf.bias, kState = kSvdf.state;
  const auto o = c.op.Options<fb::SVDFOptionsT>();
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kFeatureWeights, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(kTimeWeights, 2));
  const int64_t features = c.x(kTimeWeights).shape[0], memory = c.x(kTimeWeights).shape[1];
  if (!c.x(kTimeWeights).is_static() || o.rank < 1 || features < 1 || features % o.rank != 0)
    return Invalid("{} features of rank {}", features, o.rank);
  MICRORT_ASSIGN_OR_RETURN(const int32_t kept_numbers, ToInt32(features * memory, "state"));
  bool is_done = false;
  MICRORT_RETURN_IF_ERROR(RunIntegerSvdf(c, o, &is_done));
  if (is_done) return Status();
  ir::ValueId bias = ir::kNoValue;
  MICRORT_ASSIGN_OR_RETURN(ir::ValueId state, c.ReadVariable(kState));
  schema::MatMulOptionsT product;
  product.transpose_b = true;
  product.compute = HybridCompute(c, 0, kFeatureWeights, o.asymmetric_quantize_inputs);
  const ir::ValueId newest = c.build.InsertDim(
      c.build.Add(std::move(product), {c.input(0), LayerWeights(c, 0, kFeatureWeights)}), 2);
  const auto f = static_cast<int32_t>(features), t = static_cast<int32_t>(memory);
  const ir::ValueId kept = c.build.Slice(c.build.Reshape(state, {ir::CopyDim(0), f, t}), 2, 1, memory);
  const ir::ValueId next = c.build.Concat({kept, newest}, 2);
  MICRORT_RETURN_IF_ERROR(c.AssignVariable(kState, c.build.Reshape(next, {ir::CopyDim(0), kept_numbers})));
  const ir::ValueId weighted = c.build.Mul(next, LayerWeights(c, 0, kTimeWeights));
  const ir::ValueId units = c.build.Reshape(weighted, {ir::CopyDim(0), f / o.rank, o.rank * t});
  ir::ValueId y = c.build.Reduce(schema::ReduceKind::Sum, units, {2}, false);
  if (c.op.has_input(kBias)) {
    MICRORT_ASSIGN_OR_RETURN(bias, ReadBias(c, kBias, 0, kTimeWeights));
    y = c.build.Add(y, bias);
  }
  return c.Return(y, o.fused_activation_function);
}

constexpr TypeSet kSequences = TypesOf(DType::kFloat32, DType::kInt8, DType::kUInt8, DType::kInt16);

}  // namespace

const ImporterList RecurrentImporters = {
    {"LSTM", 1, 24, ImportLstm, Types(kSequences)},
    {"RNN", 5, 5, ImportRnn, Types(kSequences)},
    {"SVDF", 3, 5, ImportSvdf, Types(kSequences)},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", 1, 24, ImportSequenceLstm, Types(kSequences)},
    {"UNIDIRECTIONAL_SEQUENCE_RNN", 3, 5, ImportSequenceRnn, Types(kSequences)},
};

}  // namespace micrort::frontend::tflite
