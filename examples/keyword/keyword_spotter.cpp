#include "examples/keyword/keyword_spotter.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace examples {
namespace {

using micrort::DType;
using micrort::Result;
using micrort::Status;
using micrort::TensorView;

constexpr const char* kWords[] = {"down",  "go",   "left", "no",  "off",     "on",
                                  "right", "stop", "up",   "yes", "silence", "unknown"};
constexpr size_t kSpoken = 10;  // the others stand for none of them
constexpr int kHop = 12;        // steps between two seconds that are looked at

constexpr int kFrames = KeywordFeatures::kFrames, kCoefficients = KeywordFeatures::kCoefficients;

bool IsNumbers(const TensorView& tensor, size_t count) {
  const bool is_quantized = tensor.dtype == DType::kInt8 && !tensor.quantization.empty();
  return (tensor.dtype == DType::kFloat32 || is_quantized) && tensor.elements() == count;
}

int8_t ToInt8(float x, const TensorView& tensor) {
  const float q =
      std::nearbyint(x / tensor.quantization.scale()) + static_cast<float>(tensor.quantization.zero_point());
  return static_cast<int8_t>(std::min(std::max(q, -128.0f), 127.0f));
}

float ElementOf(const TensorView& tensor, size_t i) {
  if (tensor.dtype == DType::kFloat32) return tensor.as<float>()[i];
  return static_cast<float>(tensor.as<int8_t>()[i] - tensor.quantization.zero_point()) *
         tensor.quantization.scale();
}

}  // namespace

Result<KeywordSpotter> KeywordSpotter::Load(const std::string& model_path) {
  MICRORT_ASSIGN_OR_RETURN(micrort::Model model, micrort::Model::FromFile(model_path.c_str()));
  auto interpreter = micrort::Interpreter::Create(model);
  if (!interpreter.ok()) return interpreter.status().WithPrefix("%s", model_path.c_str());
  KeywordSpotter spotter(std::move(model), std::move(*interpreter));
  if (Status status = spotter.CheckNetwork(); !status.ok())
    return status.WithPrefix("%s", model_path.c_str());
  return spotter;
}

Status KeywordSpotter::CheckNetwork() const {
  if (interpreter_.input_count() == 1 && interpreter_.output_count() == 1 &&
      IsNumbers(interpreter_.input(0), kFrames * kCoefficients) &&
      IsNumbers(interpreter_.output(0), std::size(kWords)))
    return Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "expected a keyword network with an input of %dx%d and an output of %zu numbers",
                       kFrames, kCoefficients, std::size(kWords));
}

Result<Heard> KeywordSpotter::Recognize() {
  const TensorView input = interpreter_.input(0);
  features_.Read([&input](size_t i, float x) {
    if (input.dtype == DType::kFloat32) {
      input.as<float>()[i] = x;
    } else {
      input.as<int8_t>()[i] = ToInt8(x, input);
    }
  });
  MICRORT_RETURN_IF_ERROR(interpreter_.Run());
  const TensorView scores = interpreter_.output(0);
  size_t best = 0;
  for (size_t i = 1; i < std::size(kWords); ++i) {
    if (ElementOf(scores, i) > ElementOf(scores, best)) best = i;
  }
  return Heard{0, best < kSpoken ? kWords[best] : "", ElementOf(scores, best)};
}

Result<std::vector<Heard>> KeywordSpotter::Listen(const std::vector<float>& samples, float threshold) {
  std::vector<float> padded = samples;
  padded.resize(std::max<size_t>(padded.size(), KeywordFeatures::kRate), 0.0f);
  std::vector<Heard> words;
  features_.Clear();
  const int steps = static_cast<int>(padded.size() / KeywordFeatures::kStep);
  for (int step = 0; step < steps; ++step) {
    features_.Add(&padded[static_cast<size_t>(step) * KeywordFeatures::kStep]);
    const int begin = step + 1 - KeywordFeatures::kSteps;  // of the last second
    if (begin < 0 || begin % kHop != 0) continue;
    MICRORT_ASSIGN_OR_RETURN(Heard heard, Recognize());
    if (heard.word.empty() || heard.score < threshold) continue;
    heard.seconds = static_cast<double>(begin) * KeywordFeatures::kStep / KeywordFeatures::kRate;
    // Seconds that overlap hear the same word: the surest of them counts.
    if (words.empty() || heard.seconds - words.back().seconds >= 1) {
      words.push_back(std::move(heard));
    } else if (heard.score > words.back().score) {
      words.back() = std::move(heard);
    }
  }
  return words;
}

}  // namespace examples
