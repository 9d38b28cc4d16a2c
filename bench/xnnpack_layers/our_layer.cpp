#include <cstdlib>

#include "bench/xnnpack_layers/layer.h"
#include "kernels/base/checked_math.h"
#include "kernels/conv2d/conv2d.h"

namespace micrort::bench {
namespace {

Conv2DParams Params(const Layer& layer, Type type) {
  Conv2DParams p = {};
  p.batch = 1;
  p.in_h = layer.height;
  p.in_w = layer.width;
  p.in_c = layer.in_channels;
  p.out_h = layer.out_height();
  p.out_w = layer.out_width();
  p.out_c = layer.out_channels;
  p.kernel_h = p.kernel_w = layer.kernel;
  p.stride_h = p.stride_w = layer.stride;
  p.dilation_h = p.dilation_w = 1;
  p.pad_top = p.pad_left = layer.pad();
  p.groups = layer.depthwise ? layer.in_channels : 1;
  p.types.activation = {ActivationKind::kClip, 0, 6};
  p.types.x_scale = p.types.y_scale = p.types.residual_scale = 1;
  p.types.x = p.types.weights = p.types.y = type == Type::kInt8 ? DType::kInt8 : DType::kFloat32;
  if (type == Type::kHalf) {
    p.types.x = p.types.weights = p.types.y = DType::kFloat16;
    p.types.half = true;
  }
  if (type == Type::kInt8) {
    p.types.x_scale = kInScale;
    p.types.y_scale = kOutScale;
    p.types.x_zero_point = kInZeroPoint;
    p.types.y_zero_point = kOutZeroPoint;
  }
  return p;
}

class OurRunner : public Runner {
 public:
  OurRunner(const Layer& layer, Type type, CpuFeatures features, LayerData* data)
      : p_(Params(layer, type)), target_({features, 1}), algorithm_(ChooseConv2D(p_, target_)) {
    packed_ = Allocate(algorithm_->packed_bytes(p_, target_));
    scratch_ = Allocate(ScratchBytes(*algorithm_, p_, target_));
    ConvWeights weights = {};
    weights.column_stride = layer.depthwise ? 1 : p_.depth();
    weights.depth_stride = layer.depthwise ? p_.out_c : 1;
    if (type == Type::kHalf) {
      weights.data = data->weights_half.data();
      tensors_ = {data->x_half.data(), packed_.get(), data->bias.data(), nullptr,
                  data->y_half.data(), scratch_.get()};
    } else if (type == Type::kFloat) {
      weights.data = data->weights.data();
      tensors_ = {data->x.data(), packed_.get(), data->bias.data(), nullptr, data->y.data(), scratch_.get()};
    } else {
      weights.data = data->weights_s8.data();
      weights.scales = data->weight_scales.data();
      weights.scale_stride = 1;
      weights.bias = data->bias_s8.data();
      tensors_ = {data->x_s8.data(), packed_.get(), nullptr, nullptr, data->y_s8.data(), scratch_.get()};
    }
    algorithm_->pack(p_, target_, weights, packed_.get());
    plan_ = algorithm_->plan(p_, target_);
  }

  void Run() override { algorithm_->run(p_, target_, plan_, tensors_, Sequential()); }
  std::string algorithm() const override { return algorithm_->name(p_, target_); }

 private:
  using Memory = std::unique_ptr<void, decltype(&std::free)>;

  static Memory Allocate(uint64_t bytes) {
    return Memory(std::aligned_alloc(kAlignment, AlignUp(static_cast<size_t>(bytes) + 1, kAlignment)),
                  std::free);
  }

  const Conv2DParams p_;
  const ConvTarget target_;
  const Conv2DAlgorithm* algorithm_;
  ConvPlan plan_;
  Memory packed_{nullptr, std::free}, scratch_{nullptr, std::free};
  ConvTensors tensors_ = {};
};

}  // namespace

std::unique_ptr<Runner> MakeOurs(const Layer& layer, Type type, CpuFeatures features, LayerData* data) {
  return std::make_unique<OurRunner>(layer, type, features, data);
}

}  // namespace micrort::bench
