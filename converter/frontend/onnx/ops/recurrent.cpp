// RNN, GRU, LSTM: for each direction, a product of all inputs with the input weights, and a Recurrent.

#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>

#include "converter/frontend/onnx/node_context.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend::onnx {

namespace {

using schema::RecurrentKind;

// The activation functions that ONNX's recurrent layers name.

using RecurrentActivations = std::vector<std::unique_ptr<schema::RecurrentActivationT>>;

using schema::UnaryKind;

// The parameters of an activation function, and their defaults.
struct Function {
  const char* name;
  UnaryKind kind;
  int parameters;  // 0: none, 1: alpha, 2: alpha and beta
  float alpha = 0, beta = 0;
};

constexpr Function kFunctions[] = {
    {"affine", UnaryKind::Identity, 2, 1.0f, 0.0f},
    {"elu", UnaryKind::Elu, 1, 1.0f},
    {"hardsigmoid", UnaryKind::HardSigmoid, 2, 0.2f, 0.5f},
    {"leakyrelu", UnaryKind::LeakyRelu, 1, 0.01f},
    {"relu", UnaryKind::Clip, 0},
    {"scaledtanh", UnaryKind::Tanh, 2, 1.0f, 1.0f},
    {"sigmoid", UnaryKind::Sigmoid, 0},
    {"softplus", UnaryKind::Softplus, 0},
    {"softsign", UnaryKind::Softsign, 0},
    {"tanh", UnaryKind::Tanh, 0},
    {"thresholdedrelu", UnaryKind::ThresholdedRelu, 1, 1.0f},
};

// Exporters differ in how they write names.
const Function* Find(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char ch) { return static_cast<char>(std::tolower(ch)); });
  const auto* found = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                   [&](const Function& f) { return name == f.name; });
  return found == std::end(kFunctions) ? nullptr : found;
}

schema::RecurrentActivationT Make(const Function& function, float alpha, float beta) {
  schema::RecurrentActivationT activation;
  activation.kind = function.kind;
  activation.a = alpha;
  activation.b = beta;
  const std::string name = function.name;
  if (name == "relu") activation.b = std::numeric_limits<float>::infinity();
  if (name == "affine" || name == "scaledtanh") {
    activation.a = activation.b = 0;
    activation.scale = alpha;
    (name == "affine" ? activation.offset : activation.input_scale) = beta;
  }
  return activation;
}

// The lists of parameters hold entries of the functions that take some, in their order.
float Next(const std::vector<float>& values, size_t* position, bool taken, float otherwise) {
  return taken && *position < values.size() ? values[(*position)++] : otherwise;
}

// Reads `activations`, `activation_alpha` and `activation_beta`: as many functions as `defaults`, which are
// used where the node names none, for each of `directions`.
Status ReadRecurrentActivations(NodeContext& c, const std::vector<std::string>& defaults, size_t directions,
                                std::vector<RecurrentActivations>* out) {
  std::vector<std::string> names = c.Strings("activations");
  const std::vector<float> alphas = c.Floats("activation_alpha");
  const std::vector<float> betas = c.Floats("activation_beta");
  if (names.empty()) {
    for (size_t d = 0; d < directions; ++d) names.insert(names.end(), defaults.begin(), defaults.end());
  }
  if (names.size() != defaults.size() * directions)
    return Invalid("expected {} activations for each of {} directions, found {}", defaults.size(), directions,
                   names.size());
  out->resize(directions);
  size_t alpha = 0, beta = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const Function* function = Find(names[i]);
    if (function == nullptr) return Invalid("unknown activation '{}'", names[i]);
    const float a = Next(alphas, &alpha, function->parameters > 0, function->alpha);
    const float b = Next(betas, &beta, function->parameters > 1, function->beta);
    (*out)[i / defaults.size()].push_back(
        std::make_unique<schema::RecurrentActivationT>(Make(*function, a, b)));
  }
  return Status();
}

constexpr size_t kX = 0, kW = 1, kR = 2, kB = 3, kLengths = 4, kInitialH = 5, kInitialC = 6, kPeepholes = 7;

// In `layout` 1 the batch is the first dimension of inputs, outputs and states.
class RecurrentImporter {
 public:
  RecurrentImporter(NodeContext& c, RecurrentKind kind) : c_(c), kind_(kind) {}

  Status Import(const std::vector<std::string>& default_activations) {
    MICRORT_RETURN_IF_ERROR(ReadAttributes(default_activations));
    MICRORT_RETURN_IF_ERROR(ReadSizes());
    ir::ValueId x = c_.input(kX);
    if (batch_first_) x = c_.build.Transpose(x, {1, 0, 2});
    for (int d = 0; d < directions_; ++d) {
      const std::vector<ir::ValueId> outputs = Direction(x, d);
      MICRORT_RETURN_IF_ERROR(c_.build.status());
      const size_t first = c_.wants_output(0) ? 0 : 1;
      for (size_t i = 0; i < outputs.size(); ++i) results_[first + i].push_back(outputs[i]);
    }
    for (size_t i = 0; i < 3; ++i) {
      if (c_.wants_output(i) && !results_[i].empty()) c_.SetOutput(i, Joined(i));
    }
    return c_.build.status();
  }

 private:
  Status ReadAttributes(const std::vector<std::string>& default_activations) {
    c_.Ignore({"hidden_size", "output_sequence"});
    const std::string direction = c_.String("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      return Invalid("unknown direction '{}'", direction);
    directions_ = direction == "bidirectional" ? 2 : 1;
    first_is_reverse_ = direction == "reverse";
    batch_first_ = c_.Int("layout", 0) != 0;
    clip_ = c_.Float("clip", 0);
    if (kind_ == RecurrentKind::Gru) linear_before_reset_ = c_.Int("linear_before_reset", 0) != 0;
    if (kind_ == RecurrentKind::Lstm) input_forget_ = c_.Int("input_forget", 0) != 0;
    return ReadRecurrentActivations(c_, default_activations, static_cast<size_t>(directions_), &activations_);
  }

  Status ReadSizes() {
    const ir::Value& r = c_.x(kR);
    if (c_.x(kX).rank() != 3 || c_.x(kW).rank() != 3 || r.rank() != 3)
      return Invalid("expected inputs and weights of 3 dimensions");
    if (r.shape[0] == ir::kDynamic || r.shape[2] == ir::kDynamic)
      return Unsupported("the shape of the weights is not known");
    MICRORT_ASSIGN_OR_RETURN(int32_t hidden, ToInt32(r.shape[2], "hidden size"));
    hidden_ = hidden;
    width_ = hidden_ * (kind_ == RecurrentKind::Rnn ? 1 : kind_ == RecurrentKind::Gru ? 3 : 4);
    const bool fits = r.shape[0] == directions_ && r.shape[1] == width_ && c_.x(kW).shape[1] == width_;
    if (!fits || (c_.has_input(kB) && c_.x(kB).shape != std::vector<int64_t>{directions_, 2 * width_}))
      return Invalid("weights or biases do not have {} directions of {} numbers", directions_, width_);
    return Status();
  }

  // The part of a direction of [...,D,...], without this dimension.
  ir::ValueId PartOf(size_t input, int axis, int direction) {
    if (!c_.has_input(input)) return ir::kNoValue;
    const ir::ValueId both = c_.input(input);
    return directions_ > 1 ? c_.build.PickAt(both, axis, direction) : c_.build.DropDim(both, axis);
  }

  struct Biases {
    ir::ValueId input = ir::kNoValue;   // added to the product of the inputs
    ir::ValueId hidden = ir::kNoValue;  // added to the product of h, for the new h of Gru
  };

  Biases BiasesOf(int direction) {
    Biases biases;
    const ir::ValueId both = PartOf(kB, 0, direction);
    if (both == ir::kNoValue) return biases;
    const ir::ValueId of_x = c_.build.Slice(both, 0, 0, width_);
    ir::ValueId of_h = c_.build.Slice(both, 0, width_, 2 * width_);
    if (linear_before_reset_) {
      biases.hidden = c_.build.Slice(of_h, 0, 2 * hidden_, width_);
      // Rather than a constant, which would be as large as the model says the state is.
      of_h = c_.build.PadDim(c_.build.Slice(of_h, 0, 0, 2 * hidden_), 0, 0, hidden_);
    }
    biases.input = c_.build.Add(of_x, of_h);
    return biases;
  }

  // h of every step if it is wanted, the last h, the last c of an LSTM.
  std::vector<ir::ValueId> Direction(ir::ValueId x, int d) {
    const Biases biases = BiasesOf(d);
    const ir::ValueId gates = c_.build.MatMul(ir::Present({x, PartOf(kW, 0, d), biases.input}), true);

    schema::RecurrentOptionsT options;
    options.kind = kind_;
    options.reverse = first_is_reverse_ || d == 1;
    options.last_only = !c_.wants_output(0);
    options.linear_before_reset = linear_before_reset_;
    options.input_forget = input_forget_;
    options.clip = clip_;
    options.activations = std::move(activations_[static_cast<size_t>(d)]);
    const int state_axis = batch_first_ ? 1 : 0;
    std::vector<ir::ValueId> inputs = ir::Present(
        {gates, PartOf(kR, 0, d), biases.hidden, c_.input(kLengths), PartOf(kInitialH, state_axis, d),
         PartOf(kInitialC, state_axis, d), PartOf(kPeepholes, 0, d)});
    const size_t outputs = (options.last_only ? 1 : 2) + (kind_ == RecurrentKind::Lstm ? 1 : 0);
    return c_.build.AddMany(std::move(options), std::move(inputs), outputs);
  }

  // Output i of all directions: [T,D,N,H] or [N,T,D,H] of the first, [D,N,H] or [N,D,H] of the others.
  ir::ValueId Joined(size_t i) {
    std::vector<ir::ValueId> parts;
    for (ir::ValueId part : results_[i]) {
      if (i == 0 && batch_first_) part = c_.build.Transpose(part, {1, 0, 2});
      parts.push_back(c_.build.Reshape(part, WithDirection(i)));
    }
    return parts.size() == 1 ? parts[0] : c_.build.Concat(parts, DirectionAxis(i));
  }

  int DirectionAxis(size_t output) const { return (output == 0 ? 1 : 0) + (batch_first_ ? 1 : 0); }
  std::vector<int32_t> WithDirection(size_t output) const {
    const int rank = output == 0 ? 4 : 3;
    std::vector<int32_t> shape;
    for (int i = 0, from = 0; i < rank; ++i)
      shape.push_back(i == DirectionAxis(output) ? 1 : CopyDim(from++));
    return shape;
  }

  NodeContext& c_;
  const RecurrentKind kind_;
  int directions_ = 1;
  bool first_is_reverse_ = false;
  bool batch_first_ = false;
  bool linear_before_reset_ = false;
  bool input_forget_ = false;
  float clip_ = 0;
  int64_t hidden_ = 0, width_ = 0;  // of all gates
  std::vector<RecurrentActivations> activations_;
  std::vector<ir::ValueId> results_[3];  // by output, one a direction
};

Status ImportRnn(NodeContext& c) { return RecurrentImporter(c, RecurrentKind::Rnn).Import({"Tanh"}); }
Status ImportGru(NodeContext& c) {
  return RecurrentImporter(c, RecurrentKind::Gru).Import({"Sigmoid", "Tanh"});
}
Status ImportLstm(NodeContext& c) {
  return RecurrentImporter(c, RecurrentKind::Lstm).Import({"Sigmoid", "Tanh", "Tanh"});
}

}  // namespace

const ImporterList RecurrentImporters = {
    {"GRU", 3, 6, InFloat32<ImportGru>, Types(kFloats)},
    {"LSTM", 3, 8, InFloat32<ImportLstm>, Types(kFloats)},
    {"RNN", 3, 6, InFloat32<ImportRnn>, Types(kFloats)},
};

}  // namespace micrort::frontend::onnx
