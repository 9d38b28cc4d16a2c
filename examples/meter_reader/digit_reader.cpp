#include "examples/meter_reader/digit_reader.h"

#include <algorithm>

namespace examples {
namespace {

constexpr int kDigits = 10;
// How the network was trained to see a pixel: (pixel - kMean) * kScale.
constexpr float kMean = 127.0f, kScale = 0.0078125f;

micrort::Status CheckTensor(const micrort::TensorView& tensor, const micrort::Shape& expected) {
  if (tensor.dtype == micrort::DType::kFloat32 && tensor.shape == expected) return micrort::Status();
  return MICRORT_ERROR(kInvalidArgument,
                       "not the network of this example: expected '%s' to be float32 %s, found %s %s",
                       tensor.name, micrort::ShapeString(expected).c_str(), micrort::Name(tensor.dtype),
                       micrort::ShapeString(tensor.shape).c_str());
}

micrort::Status CheckNetwork(const micrort::Interpreter& interpreter) {
  if (interpreter.input_count() != 1 || interpreter.output_count() != 1) {
    return MICRORT_ERROR(kInvalidArgument,
                         "not the network of this example: expected 1 input and 1 output, found %zu and %zu",
                         interpreter.input_count(), interpreter.output_count());
  }
  MICRORT_RETURN_IF_ERROR(
      CheckTensor(interpreter.input(0), micrort::Shape::Of(1, 1, DigitReader::kHeight, DigitReader::kWidth)));
  return CheckTensor(interpreter.output(0), micrort::Shape::Of(1, kDigits));
}

}  // namespace

micrort::Result<DigitReader> DigitReader::Load(const std::string& model_path) {
  MICRORT_ASSIGN_OR_RETURN(micrort::Model model, micrort::Model::FromFile(model_path.c_str()));
  auto interpreter = micrort::Interpreter::Create(model);
  if (!interpreter.ok()) return interpreter.status().WithPrefix("%s", model_path.c_str());
  if (micrort::Status status = CheckNetwork(*interpreter); !status.ok()) {
    return status.WithPrefix("%s", model_path.c_str());
  }
  return DigitReader(std::move(model), std::move(*interpreter));
}

micrort::Result<int> DigitReader::Read(const uint8_t* crop) {
  float* input = interpreter_.input(0).as<float>();
  for (int i = 0; i < kWidth * kHeight; ++i) input[i] = (crop[i] - kMean) * kScale;
  MICRORT_RETURN_IF_ERROR(interpreter_.Run());
  const float* probabilities = interpreter_.output(0).as<float>();
  return static_cast<int>(std::max_element(probabilities, probabilities + kDigits) - probabilities);
}

}  // namespace examples
