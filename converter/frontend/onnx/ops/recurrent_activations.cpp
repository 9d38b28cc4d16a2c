#include "converter/frontend/onnx/ops/recurrent_activations.h"

#include <algorithm>
#include <cctype>
#include <limits>

namespace micrort::frontend::onnx {

namespace {

using schema::UnaryKind;

// What the parameters that a function takes do, and their defaults.
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

}  // namespace

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

}  // namespace micrort::frontend::onnx
