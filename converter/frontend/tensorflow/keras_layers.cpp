#include "converter/frontend/tensorflow/keras_layers.h"

#include "converter/frontend/common/onnx_operator.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr int kOnnxVersion = 14;
constexpr int64_t kMostGateRows = 1 << 24;  // gates times units, of which an LSTM gets a bias of zeros

// Keras's order of gates: of an LSTM i, f, c, o, of a GRU z, r, h. ONNX's: i, o, f, c and z, r, h.
struct Kind {
  const char* prefix;  // of what kImplements says
  const char* op;      // of ONNX
  int gates;
  size_t states;
  std::vector<int> order;  // of Keras's gates in ONNX
};

const Kind* KindOf(const ::tensorflow::FunctionDef& function) {
  static const Kind kinds[] = {{"lstm_", "LSTM", 4, 2, {0, 3, 1, 2}}, {"gru_", "GRU", 3, 1, {0, 1, 2}}};
  const auto api = function.attr().find(kImplements);
  if (api == function.attr().end()) return nullptr;
  for (const Kind& kind : kinds) {
    if (api->second.s().compare(0, std::string(kind.prefix).size(), kind.prefix) == 0) return &kind;
  }
  return nullptr;
}

bool Flag(const ::tensorflow::FunctionDef& function, const char* name) {
  const auto found = function.attr().find(name);
  return found != function.attr().end() && found->second.b();
}

class Layer {
 public:
  Layer(const Kind& kind, const ::tensorflow::FunctionDef& function, ir::Builder& builder,
        const TfValues& inputs)
      : kind_(kind), function_(function), b_(builder), inputs_(inputs) {}

  // inputs: x, the initial states, kernel [I,G*H], recurrent kernel [H,G*H], bias.
  bool Fits() {
    if (inputs_.size() != kind_.states + 4) return false;
    for (const TfValue& input : inputs_) {
      if (input.tensor == ir::kNoValue) return false;
    }
    if (Value(0).rank() != 3 || Weights(0).rank() != 2 || Weights(1).rank() != 2) return false;
    if (!Weights(0).is_static() || !Weights(1).is_static() || !Weights(2).is_static()) return false;
    units_ = Weights(1).shape[0];
    const bool is_gru = kind_.gates == 3;
    return units_ > 0 && units_ <= kMostGateRows / kind_.gates &&
           Weights(1).shape[1] == kind_.gates * units_ && Weights(0).shape[1] == kind_.gates * units_ &&
           Weights(2).rank() == (is_gru ? 2 : 1) &&
           Weights(2).elements() == (is_gru ? 2 : 1) * kind_.gates * units_;
  }

  // The last output, all of them, the last states.
  Result<std::vector<ir::ValueId>> Import() {
    const bool time_major = Flag(function_, "time_major"), backwards = Flag(function_, "go_backwards");
    const ir::ValueId x = time_major ? Id(0) : b_.Transpose(Id(0), {1, 0, 2});
    std::vector<ir::ValueId> operands = {x, Rows(kind_.states + 1), Rows(kind_.states + 2), Bias(),
                                         ir::kNoValue};
    for (size_t i = 0; i < kind_.states; ++i)
      operands.push_back(b_.Reshape(Id(1 + i), {1, ir::CopyDim(0), ir::CopyDim(1)}));
    std::vector<OnnxAttribute> attributes = {{"hidden_size", units_},
                                             {"direction", std::string(backwards ? "reverse" : "forward")}};
    if (kind_.gates == 3) attributes.push_back({"linear_before_reset", int64_t{1}});
    MICRORT_ASSIGN_OR_RETURN(
        const std::vector<ir::ValueId> outputs,
        AddOnnxOperator(kind_.op, kOnnxVersion, operands, attributes, b_, 1 + kind_.states));
    // [T,1,N,H], where ONNX keeps the places that steps have in x, and Keras the order in which they are
    // taken.
    ir::ValueId all = b_.Reshape(outputs[0], {ir::CopyDim(0), ir::CopyDim(2), ir::CopyDim(3)});
    if (backwards) all = b_.Reversed(all, {0});
    if (!time_major) all = b_.Transpose(all, {1, 0, 2});
    std::vector<ir::ValueId> results = {ir::kNoValue, all};
    for (size_t i = 1; i < outputs.size(); ++i)
      results.push_back(b_.Reshape(outputs[i], {ir::CopyDim(1), ir::CopyDim(2)}));
    results[0] = results[2];
    return b_.Checked(results);
  }

 private:
  ir::ValueId Id(size_t i) const { return inputs_[i].tensor; }
  const ir::Value& Value(size_t i) const { return b_.graph().value(Id(i)); }
  const ir::Value& Weights(size_t i) const { return Value(kind_.states + 1 + i); }

  // The gates, which are side by side along the last axis, in ONNX's order.
  ir::ValueId Ordered(ir::ValueId x, int axis) {
    std::vector<ir::ValueId> parts;
    for (const int gate : kind_.order) parts.push_back(b_.Slice(x, axis, gate * units_, (gate + 1) * units_));
    return b_.Concat(parts, axis);
  }

  // [I,G*H] → [1,G*H,I]
  ir::ValueId Rows(size_t i) {
    const ir::ValueId rows = b_.Transpose(Ordered(Id(i), 1), {1, 0});
    return b_.Reshape(rows, {1, ir::CopyDim(0), ir::CopyDim(1)});
  }

  // [1,2*G*H]: for what comes in, and for the states; an LSTM of Keras has one for both.
  ir::ValueId Bias() {
    const ir::ValueId given = Id(kind_.states + 3);
    if (kind_.gates == 3) return b_.Reshape(Ordered(given, 1), {1, ir::kInferDim});
    if (!b_.status().ok()) return ir::kNoValue;
    const std::vector<float> zeros(static_cast<size_t>(kind_.gates * units_), 0);
    const ir::ValueId none = b_.Constant({kind_.gates * units_}, zeros);
    return b_.Reshape(b_.Concat({Ordered(given, 0), none}, 0), {1, ir::kInferDim});
  }

  const Kind& kind_;
  const ::tensorflow::FunctionDef& function_;
  ir::Builder& b_;
  const TfValues& inputs_;
  int64_t units_ = 0;
};

}  // namespace

Result<std::optional<TfValues>> ImportKerasLayer(GraphAssembler& assembler, const std::string& name,
                                                 const ::tensorflow::FunctionDef& function,
                                                 const TfValues& inputs) {
  const std::optional<TfValues> none;
  const Kind* kind = KindOf(function);
  if (kind == nullptr) return none;
  // The last one is a number that says which device has run it.
  const auto outputs = static_cast<size_t>(function.signature().output_arg_size());
  if (outputs != 2 + kind->states && outputs != 3 + kind->states) return none;
  ir::Builder builder = assembler.BuilderFor({name, kind->op, 0}, name);
  Layer layer(*kind, function, builder, inputs);
  if (!layer.Fits()) return none;
  MICRORT_ASSIGN_OR_RETURN(std::vector<ir::ValueId> ids, layer.Import());
  if (ids.size() < outputs) ids.push_back(builder.Scalar(1));
  TfValues results;
  for (const ir::ValueId id : ids) results.push_back(TensorValue(id));
  return builder.Checked(std::optional<TfValues>(results));
}

}  // namespace micrort::frontend::tensorflow
