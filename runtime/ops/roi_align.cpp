// RoiAlign: pools regions of images into cells of equal number.

#include "kernels/sample/roi_align.h"

#include <cmath>

#include "micrort/op_resolver.h"
#include "runtime/ops/layer_operands.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace roi_align_op {
namespace {

struct State {
  RoiAlignParams params;
};

Status Parse(const schema::Operator& op, void* state) {
  const schema::RoiAlignOptions* o = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &o));
  if (o->pooling() > schema::RoiPooling::MAX || o->output_h() <= 0 || o->output_w() <= 0 ||
      o->sampling_ratio() < 0 || o->sampling_ratio() > kMaxRoiSamples || !std::isfinite(o->spatial_scale())) {
    return MICRORT_ERROR(kInvalidModel,
                         "pooling %d, output %dx%d, sampling ratio %d or spatial scale %g is out of range",
                         static_cast<int>(o->pooling()), o->output_h(), o->output_w(), o->sampling_ratio(),
                         static_cast<double>(o->spatial_scale()));
  }
  RoiAlignParams& p = static_cast<State*>(state)->params;
  p.out_h = o->output_h();
  p.out_w = o->output_w();
  p.sampling_ratio = o->sampling_ratio();
  p.spatial_scale = o->spatial_scale();
  p.half_pixel = o->half_pixel();
  p.max = o->pooling() == schema::RoiPooling::Max;
  return Status();
}

Status CheckTypes(const Tensor& x, const Tensor& rois, const Tensor& images) {
  if (x.dtype != DType::kFloat32 || rois.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kUnsupported, "expected float32, found %s and %s", Name(x.dtype), Name(rois.dtype));
  }
  if (images.dtype == DType::kInt32 || images.dtype == DType::kInt64) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected int32 or int64 batch indices, found %s", Name(images.dtype));
}

int64_t WorkOfSample(const RoiAlignParams& p) { return 10'000 + 500 * p.channels; }

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(3, 3, 1));
  const Tensor& x = context.input(0);
  const Shape& rois = context.input(1).shape;
  const Shape& images = context.input(2).shape;
  MICRORT_RETURN_IF_ERROR(CheckTypes(x, context.input(1), context.input(2)));
  MICRORT_RETURN_IF_ERROR(ExpectRank(x, "input", 4));
  if (rois.rank != 2 || rois[1] != 4 || images.rank != 1 || images[0] != rois[0]) {
    return MICRORT_ERROR(kInvalidModel, "expected rois [R,4] and R batch indices, found %s and %s",
                         ShapeString(rois).c_str(), ShapeString(images).c_str());
  }
  RoiAlignParams& p = context.state<State>().params;
  p.batch = x.shape[0];
  p.height = x.shape[1];
  p.width = x.shape[2];
  p.channels = x.shape[3];
  p.rois = rois[0];
  if (p.height == 0 || p.width == 0) {
    return MICRORT_ERROR(kInvalidModel, "input of shape %s has no pixels", ShapeString(x.shape).c_str());
  }
  context.RequestScratch(static_cast<size_t>(p.rois) * sizeof(int64_t));
  const int64_t ratio = p.sampling_ratio;
  if (ratio == 0) {
    context.SetTakesLong();  // or not: rois decide
  } else {
    context.SetWork(WorkOf({p.rois, p.out_h, p.out_w, ratio, ratio, WorkOfSample(p)}));
  }
  context.SetCall(&p);
  return context.SetOutput(0, DType::kFloat32, Shape::Of(p.rois, p.out_h, p.out_w, p.channels));
}

Status Run(const RunContext& context) {
  const RoiAlignParams& p = context.state<State>().params;
  const Tensor& x = context.input(0);
  const Tensor& images = context.input(2);
  auto* indices = static_cast<int64_t*>(context.scratch);
  if (const int64_t roi = ReadRoiImages(p, images.dtype, images.data, indices); roi != p.rois) {
    return MICRORT_ERROR(kOutOfRange, "batch index %lld (roi %lld) is outside the batch of %lld",
                         static_cast<long long>(indices[roi]), static_cast<long long>(roi),
                         static_cast<long long>(p.batch));
  }
  const float* rois = context.input(1).as<float>();
  const int64_t bad = FindBadRoi(p, rois);
  if (bad != p.rois) {
    return MICRORT_ERROR(kOutOfRange, "roi %lld is too large or not finite", static_cast<long long>(bad));
  }
  if (p.sampling_ratio == 0) {
    const auto a_sample = static_cast<uint64_t>(WorkOfSample(p));
    MICRORT_RETURN_IF_ERROR(context.Spend(MultiplyWork(CountRoiSamples(p, rois), a_sample)));
  }
  RoiAlign(p, x.as<float>(), rois, indices, context.output(0).as<float>(), *context.parallel);
  return Status();
}

}  // namespace
}  // namespace roi_align_op

MICRORT_OPERATOR(RoiAlign, roi_align_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
