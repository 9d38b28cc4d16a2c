#include "kernels/reference/conv2d.h"

#include <cmath>

namespace micrort::reference {
namespace {

// The position along one axis that a tap at `offset` sees; false if there is none.
bool FindInput(bool transposed, int64_t out, int64_t stride, int64_t offset, int64_t size, int64_t* in) {
  if (!transposed) {
    *in = out * stride + offset;
    return *in >= 0 && *in < size;
  }
  for (*in = 0; *in < size; ++*in) {
    if (*in * stride + offset == out) return true;
  }
  return false;
}

float SlopeOf(const Conv2DOperands& o, int64_t channel) {
  return o.slopes == nullptr ? 1.0f : o.slopes[channel];
}

// Calls body(index into y, output channel, sum), where sum adds product(index into x, index into weights,
// output channel) over the taps inside the image. Nothing is divided for a product: emulated cores have no
// instruction for integers of 64 bits.
template <typename Sum, typename Product, typename Body>
void ForEachOutput(const Conv2DParams& p, Product product, Body body) {
  const int64_t channels = p.group_channels();
  for (int64_t row = 0; row < p.rows(); ++row) {
    const int64_t ox = row % p.out_w, oy = row / p.out_w % p.out_h, image = row / p.out_w / p.out_h;
    const auto add_tap = [&](int64_t o, int64_t ky, int64_t kx, Sum* sum) {
      int64_t y = 0, x = 0;
      if (!FindInput(p.transposed, oy, p.stride_h, ky * p.dilation_h - p.pad_top, p.in_h, &y) ||
          !FindInput(p.transposed, ox, p.stride_w, kx * p.dilation_w - p.pad_left, p.in_w, &x)) {
        return;
      }
      const int64_t in = ((image * p.in_h + y) * p.in_w + x) * p.in_c + o / p.group_columns() * channels;
      const int64_t weight = o * p.depth() + (ky * p.kernel_w + kx) * channels;
      for (int64_t c = 0; c < channels; ++c) *sum += product(in + c, weight + c, o);
    };
    for (int64_t o = 0; o < p.out_c; ++o) {
      Sum sum = 0;
      for (int64_t ky = 0; ky < p.kernel_h; ++ky) {
        for (int64_t kx = 0; kx < p.kernel_w; ++kx) add_tap(o, ky, kx, &sum);
      }
      body(row * p.out_c + o, o, sum);
    }
  }
}

}  // namespace

float Clamp(const Activation& activation, float x) {
  x = x > activation.hi() ? activation.hi() : x;
  return x < activation.lo() ? activation.lo() : x;
}

namespace {

// Rounded twice, step by step: to a multiple of a power of two that divides 1, then to 1.
int32_t MultiplyTwiceRounded(int32_t acc, double scale) {
  int exponent = 0;
  auto multiplier = static_cast<int64_t>(std::round(std::frexp(scale, &exponent) * 0x1p31));
  if (multiplier == int64_t{1} << 31) {
    multiplier /= 2;
    ++exponent;
  }
  const int64_t product = acc * (int64_t{1} << (exponent > 0 ? exponent : 0)) * multiplier;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  const int64_t high = (product + nudge) / (int64_t{1} << 31);
  if (exponent >= 0) return static_cast<int32_t>(high);
  const int64_t unit = int64_t{1} << -exponent;
  const int64_t magnitude = ((high < 0 ? -high : high) + unit / 2) / unit;
  return static_cast<int32_t>(high < 0 ? -magnitude : magnitude);
}

int8_t RequantizeAsTflite(const LayerTypes& t, int32_t acc, double scale) {
  const auto bound = [&](float x) {
    const float q = std::round(x / t.y_scale) + static_cast<float>(t.y_zero_point);
    return static_cast<int32_t>(std::fmax(-128.0f, std::fmin(127.0f, q)));
  };
  const int32_t q = MultiplyTwiceRounded(acc, scale) + t.y_zero_point;
  const int32_t lo = bound(t.activation.lo()), hi = bound(t.activation.hi());
  return static_cast<int8_t>(q < lo ? lo : q > hi ? hi : q);
}

}  // namespace

int8_t RequantizeS8(const LayerTypes& t, int32_t acc, float weight_scale, const int8_t* residual,
                    float slope) {
  const double y_scale = static_cast<double>(t.y_scale);
  const double scale = t.float_product ? static_cast<double>(t.x_scale * weight_scale)
                                       : static_cast<double>(t.x_scale) * static_cast<double>(weight_scale);
  if (t.rounding == Rounding::kTflite) return RequantizeAsTflite(t, acc, scale / y_scale);
  float v = static_cast<float>(acc) * static_cast<float>(scale / y_scale);
  if (residual != nullptr) {
    const auto ratio = static_cast<float>(static_cast<double>(t.residual_scale) / y_scale);
    v += static_cast<float>(*residual - t.residual_zero_point) * ratio;
  }
  if (v < 0) v *= slope;
  v = std::fmax(t.activation.lo() / t.y_scale, std::fmin(t.activation.hi() / t.y_scale, v));
  // Beyond these bounds the result saturates whatever the zero point is.
  v = std::fmax(-512.0f, std::fmin(512.0f, v));
  const int32_t q = static_cast<int32_t>(std::nearbyint(v)) + t.y_zero_point;
  return static_cast<int8_t>(q < INT8_MIN ? INT8_MIN : q > INT8_MAX ? INT8_MAX : q);
}

float DequantizeS32(const LayerTypes& t, int32_t acc, float weight_scale, float bias, const float* residual,
                    float slope) {
  float v = static_cast<float>(acc) * (t.x_scale * weight_scale) + bias;
  if (residual != nullptr) v += *residual;
  if (v < 0) v *= slope;
  return Clamp(t.activation, v);
}

void Conv2DF32(const Conv2DParams& p, const Conv2DOperands& o) {
  const auto* x = static_cast<const float*>(o.x);
  const auto* w = static_cast<const float*>(o.weights);
  const auto* residual = static_cast<const float*>(o.residual);
  const auto product = [&](int64_t xi, int64_t wi, int64_t /*channel*/) {
    return static_cast<double>(x[xi]) * static_cast<double>(w[wi]);
  };
  ForEachOutput<double>(p, product, [&](int64_t out, int64_t channel, double sum) {
    if (o.bias != nullptr) sum += static_cast<double>(o.bias[channel]);
    if (residual != nullptr) sum += static_cast<double>(residual[out]);
    if (sum < 0) sum *= static_cast<double>(SlopeOf(o, channel));
    static_cast<float*>(o.y)[out] = Clamp(p.types.activation, static_cast<float>(sum));
  });
}

void Conv2DS8(const Conv2DParams& p, const Conv2DOperands& o) {
  const auto* x = static_cast<const int8_t*>(o.x);
  const auto* w = static_cast<const int8_t*>(o.weights);
  const auto* residual_s8 = static_cast<const int8_t*>(o.residual);
  const auto* residual_f32 = static_cast<const float*>(o.residual);
  const auto product = [&](int64_t xi, int64_t wi, int64_t channel) {
    const int32_t zero_point = o.zero_points == nullptr ? 0 : o.zero_points[channel];
    return (x[xi] - p.types.x_zero_point) * (w[wi] - zero_point);
  };
  ForEachOutput<int32_t>(p, product, [&](int64_t out, int64_t channel, int32_t acc) {
    if (o.integer_bias != nullptr) acc += o.integer_bias[channel];
    if (p.types.y == DType::kInt32) {
      static_cast<int32_t*>(o.y)[out] = acc;
      return;
    }
    const float scale = o.scales[channel];
    if (p.types.y == DType::kInt8) {
      const int8_t* residual = residual_s8 == nullptr ? nullptr : residual_s8 + out;
      static_cast<int8_t*>(o.y)[out] = RequantizeS8(p.types, acc, scale, residual, SlopeOf(o, channel));
    } else {
      const float* residual = residual_f32 == nullptr ? nullptr : residual_f32 + out;
      static_cast<float*>(o.y)[out] = DequantizeS32(
          p.types, acc, scale, o.bias == nullptr ? 0.0f : o.bias[channel], residual, SlopeOf(o, channel));
    }
  });
}

}  // namespace micrort::reference
