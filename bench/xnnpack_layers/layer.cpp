#include "bench/xnnpack_layers/layer.h"

#include <algorithm>

#include "kernels/base/half.h"

namespace micrort::bench {

std::string Layer::name() const {
  const std::string size = std::to_string(kernel) + "x" + std::to_string(kernel);
  return (depthwise ? "depthwise " : "") + size + (stride == 2 ? " /2 " : " ") + std::to_string(height) +
         "x" + std::to_string(width) + "x" + std::to_string(in_channels) + " → " +
         std::to_string(out_channels);
}

std::vector<Layer> Layers() {
  return {
      {224, 224, 3, 32, 3, 2, false},  {112, 112, 32, 64, 1, 1, false},  {112, 112, 64, 64, 3, 1, true},
      {112, 112, 64, 64, 3, 2, true},  {56, 56, 128, 128, 1, 1, false},  {56, 56, 128, 128, 3, 1, true},
      {28, 28, 256, 256, 1, 1, false}, {28, 28, 256, 256, 3, 2, true},   {14, 14, 512, 512, 1, 1, false},
      {14, 14, 512, 512, 3, 1, true},  {7, 7, 1024, 1024, 1, 1, false},  {28, 28, 120, 120, 5, 1, true},
      {224, 224, 3, 64, 7, 2, false},  {56, 56, 64, 64, 3, 1, false},    {28, 28, 128, 128, 3, 1, false},
      {14, 14, 256, 256, 3, 1, false}, {7, 7, 512, 512, 3, 1, false},    {56, 56, 64, 256, 1, 1, false},
      {56, 56, 128, 128, 3, 2, false}, {14, 14, 1024, 256, 1, 1, false}, {1, 1, 1280, 1000, 1, 1, false},
  };
}

namespace {

void FillFloat(const Layer& layer, LayerData* data) {
  constexpr size_t kBeyond = 16;  // elements that XNNPACK may read behind the input
  data->x.resize(layer.in_elements() + kBeyond);
  data->weights.resize(layer.weights());
  data->bias.resize(static_cast<size_t>(layer.out_channels), 0.5f);
  data->y.resize(layer.out_elements());
  for (size_t i = 0; i < data->x.size(); ++i) data->x[i] = static_cast<float>(i % 17) * 0.125f - 1;
  for (size_t i = 0; i < data->weights.size(); ++i) {
    data->weights[i] = static_cast<float>(i % 13) * 0.0625f - 0.375f;
  }
}

template <typename Halves>
void MakeHalves(const Floats& floats, Halves* halves) {
  halves->resize(floats.size());
  std::transform(floats.begin(), floats.end(), halves->begin(), FloatToHalf);
}

void FillHalf(LayerData* data) {
  MakeHalves(data->x, &data->x_half);
  MakeHalves(data->weights, &data->weights_half);
  MakeHalves(data->bias, &data->bias_half);
  MakeHalves(data->y, &data->y_half);
}

void FillInt8(const Layer& layer, LayerData* data) {
  constexpr size_t kBeyond = 64;
  data->x_s8.resize(layer.in_elements() + kBeyond);
  data->weights_s8.resize(layer.weights());
  data->bias_s8.resize(static_cast<size_t>(layer.out_channels), 100);
  data->weight_scales.resize(static_cast<size_t>(layer.out_channels));
  data->y_s8.resize(layer.out_elements() + kBeyond);
  for (size_t i = 0; i < data->x_s8.size(); ++i) data->x_s8[i] = static_cast<int8_t>(i * 7 % 251 - 125);
  for (size_t i = 0; i < data->weights_s8.size(); ++i) {
    data->weights_s8[i] = static_cast<int8_t>(i * 11 % 255 - 127);
  }
  for (size_t i = 0; i < data->weight_scales.size(); ++i) {
    data->weight_scales[i] = 0.0005f + 0.00001f * static_cast<float>(i % 7);
  }
}

}  // namespace

LayerData MakeData(const Layer& layer, Type type) {
  LayerData data;
  if (type != Type::kInt8) FillFloat(layer, &data);
  if (type == Type::kHalf) FillHalf(&data);
  if (type == Type::kInt8) FillInt8(layer, &data);
  return data;
}

}  // namespace micrort::bench
