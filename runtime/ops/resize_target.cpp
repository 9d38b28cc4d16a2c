#include "runtime/ops/resize_target.h"

#include <algorithm>
#include <cmath>

namespace micrort {

namespace {

constexpr int kRoiInput = 1;
constexpr int kScalesInput = 2;
constexpr int kSizesInput = 3;
constexpr uint32_t kTargetInputs = 1u << kRoiInput | 1u << kScalesInput | 1u << kSizesInput;
constexpr float kTooLarge = 0x1p31f;

Status CheckCount(const char* what, int count, int expected, const Shape& in) {
  if (count == 0 || count == expected) return Status();
  return MICRORT_ERROR(kInvalidModel, "there are %d %s, the input has shape %s", count, what,
                       ShapeString(in).c_str());
}

Status KnownFloats(const PrepareContext& context, int i, float* values, size_t capacity, int* count) {
  const Tensor& t = context.input(i);
  if (t.dtype != DType::kFloat32 || t.elements() > capacity) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected at most %zu float32, found %s of shape %s",
                         i, t.name, capacity, Name(t.dtype), ShapeString(t.shape).c_str());
  }
  std::copy_n(t.as<float>(), t.elements(), values);
  *count = static_cast<int>(t.elements());
  return Status();
}

}  // namespace

uint32_t UnreadableTargets(const PrepareContext& context) { return context.Unreadable(kTargetInputs); }

Status ReadTargetInputs(const PrepareContext& context, ResizeTarget* t) {
  if (context.has_input(kRoiInput)) {
    MICRORT_RETURN_IF_ERROR(KnownFloats(context, kRoiInput, t->roi, 2 * kMaxRank, &t->roi_count));
  }
  if (context.has_input(kScalesInput)) {
    MICRORT_RETURN_IF_ERROR(KnownFloats(context, kScalesInput, t->scales, kMaxRank, &t->scale_count));
  }
  if (context.has_input(kSizesInput)) {
    size_t count = 0;
    MICRORT_RETURN_IF_ERROR(context.KnownIntegers(kSizesInput, t->sizes, kMaxRank, &count));
    t->size_count = static_cast<int>(count);
  }
  const Shape& in = context.input(0).shape;
  if (in.rank > 0 && t->size_count == 0 && t->scale_count == 0) {
    return MICRORT_ERROR(kInvalidModel, "there are neither scales nor sizes");
  }
  MICRORT_RETURN_IF_ERROR(CheckCount("scales", t->scale_count, in.rank, in));
  MICRORT_RETURN_IF_ERROR(CheckCount("sizes", t->size_count, in.rank, in));
  MICRORT_RETURN_IF_ERROR(CheckCount("numbers of the roi", t->roi_count, 2 * in.rank, in));
  for (int i = 0; i < t->scale_count; ++i) {
    if (!(t->scales[i] > 0) || !std::isfinite(t->scales[i])) {
      return MICRORT_ERROR(kInvalidModel, "scale %d is %g", i, static_cast<double>(t->scales[i]));
    }
  }
  for (int i = 0; i < t->roi_count; ++i) {
    if (!std::isfinite(t->roi[i])) return MICRORT_ERROR(kInvalidModel, "the roi is not finite");
  }
  return Status();
}

Status ResolveResizeAxis(const ResizeTarget& t, int i, int64_t in, bool crops, ResizeAxis* axis) {
  *axis = ResizeAxis{in, 0, 1.0f};
  if (crops && t.roi_count > 0) {
    axis->roi_begin = t.roi[i];
    axis->roi_end = t.roi[t.roi_count / 2 + i];
  }
  float out = 0;
  if (t.size_count > 0) {
    out = static_cast<float>(t.sizes[i]);
    axis->out = t.sizes[i];
    axis->scale = in == 0 ? 1.0f : out / static_cast<float>(in);
    if (t.scale_count > 0) axis->scale = t.scales[i];
  } else {
    axis->scale = t.scales[i];
    axis->length = static_cast<float>(in) * axis->scale;
    out = std::floor(crops ? axis->length * (axis->roi_end - axis->roi_begin) : axis->length);
    axis->out = out >= 0 && out < kTooLarge ? static_cast<int64_t>(out) : 0;
  }
  if (in <= INT32_MAX && out >= 0 && out < kTooLarge && (in > 0 || out == 0)) return Status();
  return MICRORT_ERROR(kInvalidModel, "cannot resize axis %d from %lld to %g elements", i,
                       static_cast<long long>(in), static_cast<double>(out));
}

}  // namespace micrort
