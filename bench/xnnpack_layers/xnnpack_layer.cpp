#include <xnnpack.h>

#include "bench/xnnpack_layers/layer.h"

namespace micrort::bench {
namespace {

class XnnpackRunner : public Runner {
 public:
  explicit XnnpackRunner(xnn_operator_t op) : op_(op) {}
  ~XnnpackRunner() override { xnn_delete_operator(op_); }
  void Run() override { xnn_run_operator(op_, nullptr); }
  std::string algorithm() const override { return "xnnpack"; }

 private:
  xnn_operator_t op_;
};

constexpr int8_t kOutMin = kOutZeroPoint, kOutMax = 72;  // 0 and 6

xnn_status Create(const Layer& layer, Type type, const LayerData& data, xnn_operator_t* op) {
  const auto pad = static_cast<uint32_t>(layer.pad()), kernel = static_cast<uint32_t>(layer.kernel),
             stride = static_cast<uint32_t>(layer.stride);
  const auto in = static_cast<size_t>(layer.in_channels), out = static_cast<size_t>(layer.out_channels);
  const size_t groups = layer.depthwise ? in : 1;
  const uint32_t flags = layer.depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0;
  if (type == Type::kFloat) {
    return xnn_create_convolution2d_nhwc_f32(pad, pad, pad, pad, kernel, kernel, stride, stride, 1, 1,
                                             static_cast<uint32_t>(groups), in / groups, out / groups, in,
                                             out, data.weights.data(), data.bias.data(), 0, 6, flags, op);
  }
  if (type == Type::kHalf) {
    return xnn_create_convolution2d_nhwc_f16(
        pad, pad, pad, pad, kernel, kernel, stride, stride, 1, 1, static_cast<uint32_t>(groups), in / groups,
        out / groups, in, out, data.weights_half.data(), data.bias_half.data(), 0, 6, flags, op);
  }
  return xnn_create_convolution2d_nhwc_qc8(
      pad, pad, pad, pad, kernel, kernel, stride, stride, 1, 1, static_cast<uint32_t>(groups), in / groups,
      out / groups, in, out, kInZeroPoint, kInScale, data.weight_scales.data(), data.weights_s8.data(),
      data.bias_s8.data(), kOutZeroPoint, kOutScale, kOutMin, kOutMax, flags, op);
}

xnn_status Setup(const Layer& layer, Type type, LayerData* data, xnn_operator_t op) {
  const auto height = static_cast<size_t>(layer.height), width = static_cast<size_t>(layer.width);
  if (type == Type::kFloat) {
    return xnn_setup_convolution2d_nhwc_f32(op, 1, height, width, data->x.data(), data->y.data(), nullptr);
  }
  if (type == Type::kHalf) {
    return xnn_setup_convolution2d_nhwc_f16(op, 1, height, width, data->x_half.data(), data->y_half.data(),
                                            nullptr);
  }
  return xnn_setup_convolution2d_nhwc_qc8(op, 1, height, width, data->x_s8.data(), data->y_s8.data(),
                                          nullptr);
}

}  // namespace

std::unique_ptr<Runner> MakeXnnpack(const Layer& layer, Type type, LayerData* data) {
  xnn_operator_t op = nullptr;
  if (xnn_initialize(nullptr) != xnn_status_success) return nullptr;
  if (Create(layer, type, *data, &op) != xnn_status_success) return nullptr;
  auto runner = std::make_unique<XnnpackRunner>(op);
  return Setup(layer, type, data, op) == xnn_status_success ? std::move(runner) : nullptr;
}

}  // namespace micrort::bench
