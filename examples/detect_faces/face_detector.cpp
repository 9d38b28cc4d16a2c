#include "examples/detect_faces/face_detector.h"

#include "examples/detect_faces/suppression.h"

namespace examples {
namespace {

using micrort::Result;
using micrort::Status;
using micrort::TensorView;

constexpr int kChannels = 3;
// How the network was trained to see a pixel: (pixel - kMean) * kScale.
constexpr float kMean = 127.0f, kScale = 1.0f / 128;
// Boxes that overlap more than this are the same face.
constexpr float kSameFace = 0.3f;

bool IsList(const TensorView& tensor, int64_t columns) {
  return tensor.dtype == micrort::DType::kFloat32 && tensor.shape.rank == 3 && tensor.shape[0] == 1 &&
         tensor.shape[2] == columns;
}

bool IsRgbInput(const TensorView& tensor) {
  return tensor.dtype == micrort::DType::kFloat32 && tensor.shape.rank == 4 && tensor.shape[0] == 1 &&
         tensor.shape[1] == kChannels;
}

}  // namespace

Result<FaceDetector> FaceDetector::Load(const std::string& model_path) {
  MICRORT_ASSIGN_OR_RETURN(micrort::Model model, micrort::Model::FromFile(model_path.c_str()));
  auto interpreter = micrort::Interpreter::Create(model);
  if (!interpreter.ok()) return interpreter.status().WithPrefix("%s", model_path.c_str());
  FaceDetector detector(std::move(model), std::move(*interpreter));
  if (Status status = detector.CheckNetwork(); !status.ok())
    return status.WithPrefix("%s", model_path.c_str());
  return detector;
}

Status FaceDetector::CheckNetwork() {
  const auto is_pair = [&](size_t scores, size_t boxes) {
    const TensorView s = interpreter_.output(scores), b = interpreter_.output(boxes);
    return IsList(s, 2) && IsList(b, 4) && s.shape[1] == b.shape[1];
  };
  if (interpreter_.input_count() == 1 && interpreter_.output_count() == 2 &&
      IsRgbInput(interpreter_.input(0))) {
    for (scores_ = 0; scores_ < 2; ++scores_) {
      boxes_ = 1 - scores_;
      if (is_pair(scores_, boxes_)) return Status();
    }
  }
  return MICRORT_ERROR(
      kInvalidArgument,
      "expected a face detector with float32 input 1x3xHxW and float32 outputs 1xNx2 (scores) and "
      "1xNx4 (boxes)");
}

void FaceDetector::FillInput(const Picture& picture) {
  const TensorView input = interpreter_.input(0);
  const int height = static_cast<int>(input.shape[2]), width = static_cast<int>(input.shape[3]);
  const Picture resized = ResizedCrop(picture, {0, 0, picture.width, picture.height}, width, height);
  const size_t plane = static_cast<size_t>(height) * static_cast<size_t>(width);
  float* values = input.as<float>();
  for (size_t i = 0; i < plane; ++i) {
    for (size_t c = 0; c < kChannels; ++c) {
      values[c * plane + i] = (resized.pixels[i * kChannels + c] - kMean) * kScale;
    }
  }
}

Result<std::vector<Face>> FaceDetector::Detect(const Picture& picture, float threshold) {
  FillInput(picture);
  MICRORT_RETURN_IF_ERROR(interpreter_.Run());
  const TensorView scores = interpreter_.output(scores_), boxes = interpreter_.output(boxes_);
  std::vector<Face> candidates;
  for (size_t i = 0; i < static_cast<size_t>(scores.shape[1]); ++i) {
    const float score = scores.as<float>()[i * 2 + 1];  // [i * 2] is the score of "no face"
    const float* corners = boxes.as<float>() + i * 4;
    if (score >= threshold) candidates.push_back({corners[0], corners[1], corners[2], corners[3], score});
  }
  return SuppressOverlaps(std::move(candidates), kSameFace);
}

}  // namespace examples
