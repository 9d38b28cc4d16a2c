#include "text/speech/speech_encoder.h"

#include <algorithm>
#include <cstring>

#include "kernels/base/half.h"
#include "text/generate/decoder_inputs.h"
#include "text/speech/stopwatch.h"

namespace micrort::text {
namespace {

constexpr int64_t kUsualBands = 80, kUsualFrames = 3000;
constexpr int64_t kMostFrames = 60000;

bool TakesFeatures(const TensorView& input) {
  const bool is_float = input.dtype == DType::kFloat32 || input.dtype == DType::kFloat16;
  return is_float && input.shape.rank == 3 && RoleByName(input) == InputRole::kFixed;
}

void FillTokens(int32_t token, const TensorView& to) {
  for (size_t i = 0; i < to.elements(); ++i) {
    if (to.dtype == DType::kInt64) {
      static_cast<int64_t*>(to.data)[i] = token;
    } else {
      static_cast<int32_t*>(to.data)[i] = token;
    }
  }
}

Result<Interpreter> CreateSized(const Model& model, const InterpreterOptions& options,
                                const std::vector<Shape>& shapes) {
  InterpreterOptions sized = options;
  sized.input_shapes = {shapes.data(), shapes.size()};
  sized.input_values = {};
  sized.arena = nullptr;
  return Interpreter::Create(model, sized);
}

// Runs until it is no call of Cancel() for an earlier run that ended it.
template <typename Fill>
Status RunFilled(Interpreter* interpreter, const std::atomic<bool>& is_cancelled, Fill fill) {
  Status status;
  do {
    if (is_cancelled) return MICRORT_ERROR(kCancelled, "the transcription was cancelled");
    fill();
    status = interpreter->Run();
  } while (status.code() == StatusCode::kCancelled && !is_cancelled);
  return status;
}

}  // namespace

Result<TensorView> SpeechEncoder::FindFeatures() const {
  if (const Model* encoder = model_.encoder(); encoder != nullptr) {
    if (encoder->input_count() == 1 && TakesFeatures(encoder->input(0))) return encoder->input(0);
    return MICRORT_ERROR(kUnsupported,
                         "expected an encoder with one input, features [1, bands, frames] of floats, found "
                         "%zu, the first '%.80s'%s",
                         encoder->input_count(), encoder->input_count() == 0 ? "" : encoder->input(0).name,
                         encoder->input_count() == 0 ? "" : ShapeString(encoder->input(0).shape).text);
  }
  for (size_t i = 0; i < model_.decoder().input_count(); ++i)
    if (TakesFeatures(model_.decoder().input(i))) return model_.decoder().input(i);
  return MICRORT_ERROR(kUnsupported,
                       "no input takes features, [1, bands, frames] of floats; expected an encoder, too");
}

Status SpeechEncoder::PrepareFeatures(const TensorView& declared) {
  features_ = declared;
  const Shape usual = Shape::Of(1, kUsualBands, kUsualFrames);
  for (int i = 0; i < usual.rank; ++i)
    if (features_.shape[i] < 0) features_.shape[i] = usual[i];
  const int64_t bands = features_.shape[1], frames = features_.shape[2];
  if (features_.shape[0] != 1 || bands < 1 || bands > LogMel::kMostBands || frames < 2 ||
      frames > kMostFrames)
    return MICRORT_ERROR(kUnsupported, "input '%.80s': expected features [1, bands, frames], found %s",
                         declared.name, ShapeString(declared.shape).text);
  mel_.emplace(static_cast<int>(bands), static_cast<int>(frames));
  mel_values_.resize(mel_->elements());
  return Status();
}

Status SpeechEncoder::PrepareEncoder(const InterpreterOptions& options) {
  if (model_.encoder() == nullptr) {
    feature_bytes_.resize(features_.bytes());
    features_.data = feature_bytes_.data();
    return Status();
  }
  MICRORT_ASSIGN_OR_RETURN(Interpreter created, CreateSized(*model_.encoder(), options, {features_.shape}));
  encoder_.emplace(std::move(created));
  return Status();
}

// Caches of a model that has both forms of a decoder are empty.
Result<Shape> SpeechEncoder::CrossShape(const TensorView& input) const {
  const InputRole role = RoleByName(input);
  if (role == InputRole::kTokens && IsInteger(input.dtype)) return ShapeOf({role, input}, 1, 0);
  if (role == InputRole::kCache) return ShapeOf({role, input}, 1, 0);
  if (role != InputRole::kFixed)
    return MICRORT_ERROR(kUnsupported, "input '%.80s': expected a decoder of tokens and the encoder's output",
                         input.name);
  MICRORT_ASSIGN_OR_RETURN(const TensorView value, LinkInput(input, values()));
  return Shape(value.shape);
}

Status SpeechEncoder::PrepareCross(const InterpreterOptions& options, int32_t start) {
  start_ = std::max(0, start);
  if (model_.cross() == nullptr) return Status();
  std::vector<Shape> shapes;
  for (size_t i = 0; i < model_.cross()->input_count(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(const Shape shape, CrossShape(model_.cross()->input(i)));
    shapes.push_back(shape);
  }
  MICRORT_ASSIGN_OR_RETURN(Interpreter created, CreateSized(*model_.cross(), options, shapes));
  cross_.emplace(std::move(created));
  return Status();
}

Result<std::unique_ptr<SpeechEncoder>> SpeechEncoder::Create(const SpeechModelImpl& model,
                                                             const InterpreterOptions& options,
                                                             int32_t start) {
  auto encoder = std::make_unique<SpeechEncoder>(model);
  const SpeechFiles& files = model.files();
  const char* path = (model.encoder() != nullptr ? files.encoder : files.decoder).c_str();
  Result<TensorView> features = encoder->FindFeatures();
  if (!features.ok()) return features.status().WithPrefix("%s", path);
  Status prepared = encoder->PrepareFeatures(*features);
  if (prepared.ok()) prepared = encoder->PrepareEncoder(options);
  if (!prepared.ok()) return prepared.WithPrefix("%s", path);
  prepared = encoder->PrepareCross(options, start);
  if (!prepared.ok()) return prepared.WithPrefix("%s", files.cross.c_str());
  return encoder;
}

std::vector<TensorView> SpeechEncoder::values() const {
  std::vector<TensorView> values;
  for (const std::optional<Interpreter>* stage : {&cross_, &encoder_})
    for (size_t i = 0; stage->has_value() && i < (*stage)->output_count(); ++i)
      values.push_back((*stage)->output(i));
  if (!encoder_.has_value()) values.push_back(features_);
  return values;
}

void SpeechEncoder::WriteFeatures(void* to) const {
  if (features_.dtype == DType::kFloat32) {
    std::memcpy(to, mel_values_.data(), mel_values_.size() * sizeof(float));
    return;
  }
  std::transform(mel_values_.begin(), mel_values_.end(), static_cast<uint16_t*>(to), FloatToHalf);
}

std::vector<TensorView> SpeechEncoder::CrossValues() const {
  std::vector<TensorView> values;
  for (size_t i = 0; encoder_.has_value() && i < encoder_->output_count(); ++i)
    values.push_back(encoder_->output(i));
  if (!encoder_.has_value()) values.push_back(features_);
  return values;
}

Status SpeechEncoder::CheckCrossSizes() const {
  const std::vector<TensorView> values = CrossValues();
  for (size_t i = 0; i < cross_->input_count(); ++i) {
    const TensorView input = cross_->input(i);
    if (RoleByName(input) != InputRole::kFixed) continue;
    const TensorView* value = FindValueFor(input, values);
    if (value != nullptr && value->bytes() != input.bytes()) return RefuseOpenSize(*value);
  }
  return Status();
}

void SpeechEncoder::FillCross() {
  const std::vector<TensorView> values = CrossValues();
  for (size_t i = 0; i < cross_->input_count(); ++i) {
    const TensorView input = cross_->input(i);
    const InputRole role = RoleByName(input);
    const TensorView* value = role == InputRole::kFixed ? FindValueFor(input, values) : nullptr;
    if (role == InputRole::kTokens) {
      FillTokens(start_, input);
    } else if (value != nullptr) {
      std::memcpy(input.data, value->data, input.bytes());
    } else if (input.bytes() > 0) {
      std::memset(input.data, 0, input.bytes());
    }
  }
}

Status SpeechEncoder::Encode(Span<const float> audio, const std::atomic<bool>& is_cancelled,
                             EncodeSeconds* seconds) {
  const Stopwatch begin;
  mel_->Compute(audio, mel_values_.data());
  if (!encoder_.has_value()) WriteFeatures(feature_bytes_.data());
  seconds->features += begin.seconds();
  const Stopwatch encode;
  if (encoder_.has_value())
    MICRORT_RETURN_IF_ERROR(
        RunFilled(&*encoder_, is_cancelled, [this] { WriteFeatures(encoder_->input(0).data); }));
  if (cross_.has_value()) {
    MICRORT_RETURN_IF_ERROR(CheckCrossSizes());
    MICRORT_RETURN_IF_ERROR(RunFilled(&*cross_, is_cancelled, [this] { FillCross(); }));
  }
  seconds->encode += encode.seconds();
  return Status();
}

void SpeechEncoder::Cancel() {
  for (std::optional<Interpreter>* stage : {&encoder_, &cross_})
    if (stage->has_value()) (*stage)->Cancel();
}

}  // namespace micrort::text
