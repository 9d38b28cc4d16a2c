#include <cstdlib>

#include "bench/xnnpack_layers/layer.h"
#include "kernels/base/checked_math.h"
#include "kernels/conv2d/conv2d.h"

namespace micrort::bench {

namespace {

Conv2DParams Params(const Layer& layer) {
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
  p.types.x = p.types.weights = p.types.y = DType::kFloat32;
  p.types.activation = {ActivationKind::kClip, 0, 6};
  return p;
}

class OurRunner : public Runner {
 public:
  OurRunner(const Layer& layer, LayerData* data) : p_(Params(layer)), data_(data) {
    algorithm_ = ChooseConv2D(p_, target_);
    packed_ = Allocate(algorithm_->packed_bytes(p_, target_));
    scratch_ = Allocate(algorithm_->scratch_bytes(p_, target_));
    const int64_t column = layer.depthwise ? 1 : p_.depth(), depth = layer.depthwise ? p_.out_c : 1;
    algorithm_->pack(p_, target_, {data->weights.data(), column, depth, nullptr, 0, nullptr, nullptr},
                     packed_.get());
  }

  void Run() override {
    algorithm_->run(
        p_, target_,
        {data_->x.data(), packed_.get(), data_->bias.data(), nullptr, data_->y.data(), scratch_.get()},
        Sequential());
  }
  std::string algorithm() const override { return algorithm_->name(p_, target_); }

 private:
  using Memory = std::unique_ptr<void, decltype(&std::free)>;

  static Memory Allocate(uint64_t bytes) {
    return Memory(std::aligned_alloc(kAlignment, AlignUp(static_cast<size_t>(bytes) + 1, kAlignment)),
                  std::free);
  }

  const Conv2DParams p_;
  const ConvTarget target_ = {DetectCpuFeatures(), 1};
  const Conv2DAlgorithm* algorithm_;
  Memory packed_{nullptr, std::free}, scratch_{nullptr, std::free};
  LayerData* data_;
};

}  // namespace

std::unique_ptr<Runner> MakeOurs(const Layer& layer, LayerData* data) {
  return std::make_unique<OurRunner>(layer, data);
}

}  // namespace micrort::bench
