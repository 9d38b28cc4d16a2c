#include "xnnpack/layer.h"

namespace micrort {
namespace {

// Rows or columns of one axis.
struct Axis {
  int64_t in, out, kernel, stride, dilation, pad_before;

  int64_t reach() const { return (kernel - 1) * dilation + 1; }
  // Padding behind the image, without which the last output would reach beyond it.
  int64_t pad_behind() const {
    const int64_t beyond = (out - 1) * stride + reach() - in - pad_before;
    return beyond > 0 ? beyond : 0;
  }
  bool is_expressible() const {
    constexpr int64_t kMost = INT32_MAX;
    if (in <= 0 || out <= 0 || pad_before < 0 || pad_before > kMost || kernel > kMost || stride > kMost ||
        dilation > kMost || pad_behind() > kMost) {
      return false;
    }
    return (pad_before + in + pad_behind() - reach()) / stride + 1 == out;
  }
};

Axis Rows(const Conv2DParams& p) {
  return {p.in_h, p.out_h, p.kernel_h, p.stride_h, p.dilation_h, p.pad_top};
}
Axis Columns(const Conv2DParams& p) {
  return {p.in_w, p.out_w, p.kernel_w, p.stride_w, p.dilation_w, p.pad_left};
}

}  // namespace

bool HasXnnpackGeometry(const Conv2DParams& p) {
  return !p.transposed && p.batch > 0 && p.groups <= INT32_MAX && Rows(p).is_expressible() &&
         Columns(p).is_expressible();
}

// Workers sleep between operators: those of the interpreter have the processors then.
XnnpackGeometry::XnnpackGeometry(const Conv2DParams& p)
    : pad_top(static_cast<uint32_t>(p.pad_top)),
      pad_right(static_cast<uint32_t>(Columns(p).pad_behind())),
      pad_bottom(static_cast<uint32_t>(Rows(p).pad_behind())),
      pad_left(static_cast<uint32_t>(p.pad_left)),
      kernel_h(static_cast<uint32_t>(p.kernel_h)),
      kernel_w(static_cast<uint32_t>(p.kernel_w)),
      stride_h(static_cast<uint32_t>(p.stride_h)),
      stride_w(static_cast<uint32_t>(p.stride_w)),
      dilation_h(static_cast<uint32_t>(p.dilation_h)),
      dilation_w(static_cast<uint32_t>(p.dilation_w)),
      groups(static_cast<uint32_t>(p.groups)),
      group_channels(static_cast<size_t>(p.group_channels())),
      group_columns(static_cast<size_t>(p.group_columns())),
      in_c(static_cast<size_t>(p.in_c)),
      out_c(static_cast<size_t>(p.out_c)),
      flags(XNN_FLAG_YIELD_WORKERS) {}

Status XnnpackError(xnn_status status, const char* call) {
  if (status == xnn_status_success) return Status();
  if (status == xnn_status_out_of_memory) return MICRORT_ERROR(kOutOfMemory, "%s: no memory", call);
  return MICRORT_ERROR(kUnsupported, "%s: status %d of XNNPACK", call, static_cast<int>(status));
}

double XnnpackCost(const Conv2DParams& p, const ConvTarget&) {
  return static_cast<double>(p.multiply_adds());
}
uint64_t NoScratch(const Conv2DParams&, const ConvTarget&, const ConvPlan&) { return 0; }
uint64_t NoPackedWeights(const Conv2DParams&, const ConvTarget&) { return 0; }
void KeepWeights(const Conv2DParams&, const ConvTarget&, const ConvWeights& weights, void* packed) {
  *static_cast<ConvWeights*>(packed) = weights;
}

}  // namespace micrort
