#pragma once
// Convolutions over NHWC images, batch 1, with bias and ReLU6, and who computes them.

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "kernels/base/cpu_features.h"

namespace micrort::bench {

struct Layer {
  int height, width, in_channels, out_channels;
  int kernel, stride;
  bool depthwise;

  int pad() const { return (kernel - 1) / 2; }
  int out_height() const { return (height + 2 * pad() - kernel) / stride + 1; }
  int out_width() const { return (width + 2 * pad() - kernel) / stride + 1; }
  size_t in_elements() const { return static_cast<size_t>(height) * width * in_channels; }
  size_t out_elements() const { return static_cast<size_t>(out_height()) * out_width() * out_channels; }
  // [out][kernel][kernel][in]; depthwise [kernel][kernel][out].
  size_t weights() const {
    return static_cast<size_t>(kernel) * kernel * out_channels * (depthwise ? 1 : in_channels);
  }
  std::string name() const;
};

// The layers of the networks that bench/networks/export.py writes.
std::vector<Layer> Layers();

// Whole cache lines, as both runtimes place the tensors of a network.
template <typename T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, size_t) { ::operator delete(p, kLine); }
  bool operator==(const CacheLines&) const { return true; }
  bool operator!=(const CacheLines&) const { return false; }
};
using Floats = std::vector<float, CacheLines<float>>;

// Int8 has a scale a channel. Half computes in half, from halves to halves. All have bias and ReLU6.
enum class Type { kFloat, kHalf, kInt8 };

// Memory that both sides use; of the type alone.
struct LayerData {
  Floats x, weights, bias, y;
  std::vector<uint16_t, CacheLines<uint16_t>> x_half, weights_half, bias_half, y_half;
  std::vector<int8_t, CacheLines<int8_t>> x_s8, weights_s8, y_s8;
  std::vector<int32_t> bias_s8;
  std::vector<float> weight_scales;
};
// In and out of int8 layers.
constexpr float kInScale = 0.05f, kOutScale = 0.03f;
constexpr int kInZeroPoint = 3, kOutZeroPoint = -128;

LayerData MakeData(const Layer& layer, Type type);

class Runner {
 public:
  virtual ~Runner() = default;
  virtual void Run() = 0;
  virtual std::string algorithm() const = 0;
};
// The data outlives the runner. Null if the layer cannot be made. Creation packs the weights.
std::unique_ptr<Runner> MakeOurs(const Layer& layer, Type type, CpuFeatures features, LayerData* data);
std::unique_ptr<Runner> MakeXnnpack(const Layer& layer, Type type, LayerData* data);

}  // namespace micrort::bench
