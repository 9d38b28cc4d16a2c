// Convolutions and pools of more than two spatial dimensions, against loops over all taps.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/run_onnx.h"

namespace micrort {
namespace {

using testing::Floats;
using testing::Import;
using testing::Imported;
using testing::OnnxBuilder;
using testing::RunOnnx;

using Dims = std::vector<int64_t>;

Floats Numbers(size_t count, uint32_t seed) {
  Floats values;
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(seed >> 8) * 0x1p-23f - 1.0f);
  }
  return values;
}

int64_t Product(const Dims& dims) {
  int64_t n = 1;
  for (int64_t d : dims) n *= d;
  return n;
}

// Calls visit(position) for every position of a box, last dimension fastest.
template <typename Visit>
void ForEach(const Dims& box, Visit visit) {
  Dims at(box.size(), 0);
  for (int64_t n = Product(box); n > 0; --n) {
    visit(at);
    for (size_t i = at.size(); i-- > 0 && ++at[i] == box[i];) at[i] = 0;
  }
}

int64_t Offset(const Dims& at, const Dims& box) {
  int64_t offset = 0;
  for (size_t i = 0; i < box.size(); ++i) offset = offset * box[i] + at[i];
  return offset;
}

struct Geometry {
  Dims in, kernel, strides, dilations, pads;  // pads: all begins, then all ends

  Dims out() const {
    Dims sizes;
    for (size_t i = 0; i < in.size(); ++i) {
      const int64_t padded = in[i] + pads[i] + pads[in.size() + i];
      sizes.push_back((padded - dilations[i] * (kernel[i] - 1) - 1) / strides[i] + 1);
    }
    return sizes;
  }
  // The input that a tap of an output sees; false in the padding.
  bool Source(const Dims& output, const Dims& tap, Dims* at) const {
    at->clear();
    for (size_t i = 0; i < in.size(); ++i) {
      at->push_back(output[i] * strides[i] + tap[i] * dilations[i] - pads[i]);
      if (at->back() < 0 || at->back() >= in[i]) return false;
    }
    return true;
  }
};

// y [O,out] of x [C,in] and w [O,C/groups,kernel].
Floats Convolve(const Geometry& g, int64_t channels, int64_t outputs, int64_t groups, const Floats& x,
                const Floats& w) {
  const Dims out = g.out();
  Floats y;
  for (int64_t o = 0; o < outputs; ++o) {
    ForEach(out, [&](const Dims& at) {
      double sum = 0;
      ForEach(g.kernel, [&](const Dims& tap) {
        Dims source;
        if (!g.Source(at, tap, &source)) return;
        for (int64_t c = 0; c < channels / groups; ++c) {
          const int64_t channel = o / (outputs / groups) * (channels / groups) + c;
          sum += static_cast<double>(x[static_cast<size_t>(channel * Product(g.in) + Offset(source, g.in))]) *
                 static_cast<double>(w[static_cast<size_t>((o * (channels / groups) + c) * Product(g.kernel) +
                                                           Offset(tap, g.kernel))]);
        }
      });
      y.push_back(static_cast<float>(sum));
    });
  }
  return y;
}

std::vector<std::string> Names(int64_t channels, const Dims& spatial, const char* first = "1") {
  std::vector<std::string> names = {first, std::to_string(channels)};
  for (int64_t size : spatial) names.push_back(std::to_string(size));
  return names;
}

OnnxBuilder& AddGeometry(OnnxBuilder& builder, const Geometry& g) {
  return builder.Ints("strides", g.strides).Ints("dilations", g.dilations).Ints("pads", g.pads);
}

void ExpectNear(const Floats& expected, const Floats& found) {
  ASSERT_EQ(expected.size(), found.size());
  for (size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(expected[i], found[i], 1e-4) << i;
}

const Geometry kGeometries[] = {
    {{5, 6, 7}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1, 1, 1}},
    {{6, 5, 4}, {2, 3, 1}, {2, 1, 1}, {2, 1, 1}, {0, 2, 0, 1, 0, 0}},
    {{5, 4, 3}, {3, 1, 1}, {2, 1, 1}, {1, 1, 1}, {1, 0, 0, 0, 0, 0}},
    {{3, 5, 4}, {1, 3, 2}, {1, 2, 2}, {1, 1, 2}, {0, 1, 0, 0, 1, 1}},
    {{3, 2, 4, 3}, {2, 2, 3, 2}, {1, 1, 2, 1}, {1, 1, 1, 1}, {1, 0, 1, 0, 0, 0, 1, 1}},
};

TEST(OnnxVolume, Convolutions) {
  for (const Geometry& g : kGeometries) {
    for (int64_t groups : {1, 2, 4}) {
      const int64_t channels = 4, outputs = 8;
      Dims weights = {outputs, channels / groups};
      weights.insert(weights.end(), g.kernel.begin(), g.kernel.end());
      const Floats w = Numbers(static_cast<size_t>(Product(weights)), 2);
      const Floats x = Numbers(static_cast<size_t>(channels * Product(g.in)), 1);
      OnnxBuilder builder;
      builder.Input("x", Names(channels, g.in)).Floats("w", weights, w).Node("Conv", {"x", "w"}, {"y"});
      AddGeometry(builder, g).Int("group", groups).Output("y");
      ExpectNear(Convolve(g, channels, outputs, groups, x, w), RunOnnx(builder, {{"x", x}})["y"]);
    }
  }
}

// A transposed convolution is the adjoint of the convolution with the same weights: for all x and z, the
// products of conv(x) with z and of x with transposed(z) are equal.
TEST(OnnxVolume, TransposedConvolutionsAreAdjoint) {
  for (const Geometry& g : kGeometries) {
    for (int64_t groups : {1, 2}) {
      const int64_t channels = 4, outputs = 6;
      Dims weights = {outputs, channels / groups};
      weights.insert(weights.end(), g.kernel.begin(), g.kernel.end());
      const Floats w = Numbers(static_cast<size_t>(Product(weights)), 2);
      const Floats x = Numbers(static_cast<size_t>(channels * Product(g.in)), 1);
      const Floats z = Numbers(static_cast<size_t>(outputs * Product(g.out())), 3);
      Dims padding;  // what the convolution's rounding leaves out
      for (size_t i = 0; i < g.in.size(); ++i) {
        const int64_t reach = (g.out()[i] - 1) * g.strides[i] + g.dilations[i] * (g.kernel[i] - 1) + 1;
        padding.push_back(g.in[i] + g.pads[i] + g.pads[g.in.size() + i] - reach);
      }
      OnnxBuilder builder;
      builder.Input("x", Names(outputs, g.out()))
          .Floats("w", weights, w)
          .Node("ConvTranspose", {"x", "w"}, {"y"});
      AddGeometry(builder, g).Int("group", groups).Ints("output_padding", padding).Output("y");
      const Floats transposed = RunOnnx(builder, {{"x", z}})["y"];
      const Floats convolved = Convolve(g, channels, outputs, groups, x, w);
      ASSERT_EQ(x.size(), transposed.size());
      double left = 0, right = 0;
      for (size_t i = 0; i < z.size(); ++i)
        left += static_cast<double>(convolved[i]) * static_cast<double>(z[i]);
      for (size_t i = 0; i < x.size(); ++i)
        right += static_cast<double>(x[i]) * static_cast<double>(transposed[i]);
      EXPECT_NEAR(left, right, 1e-3);
    }
  }
}

// What each output of one channel makes of the elements in its window.
template <typename Fold>
Floats Pool(const Geometry& g, const Floats& x, Fold fold) {
  Floats y;
  ForEach(g.out(), [&](const Dims& at) {
    Floats window;
    ForEach(g.kernel, [&](const Dims& tap) {
      Dims source;
      if (g.Source(at, tap, &source)) window.push_back(x[static_cast<size_t>(Offset(source, g.in))]);
    });
    y.push_back(fold(window));
  });
  return y;
}

Floats RunPool(const char* op, const Geometry& g, const Floats& x) {
  OnnxBuilder builder(22);
  builder.Input("x", Names(1, g.in)).Node(op, {"x"}, {"y"}).Ints("kernel_shape", g.kernel);
  return RunOnnx(AddGeometry(builder, g).Output("y"), {{"x", x}})["y"];
}

TEST(OnnxVolume, Pools) {
  for (const Geometry& g : kGeometries) {
    const Floats x = Numbers(static_cast<size_t>(Product(g.in)), 1);
    ExpectNear(Pool(g, x, [](const Floats& v) { return *std::max_element(v.begin(), v.end()); }),
               RunPool("MaxPool", g, x));
    ExpectNear(Pool(g, x,
                    [](const Floats& v) {
                      float sum = 0;
                      for (float f : v) sum += f;
                      return sum / static_cast<float>(v.size());
                    }),
               RunPool("AveragePool", g, x));
    ExpectNear(Pool(g, x,
                    [](const Floats& v) {
                      float sum = 0;
                      for (float f : v) sum += f * f;
                      return std::sqrt(sum);
                    }),
               RunPool("LpPool", g, x));
  }
}

TEST(OnnxVolume, AnyDimensionMayBeDynamic) {
  OnnxBuilder builder;
  builder.Input("x", {"N", "2", "D", "H", "W"}).Weights("w", {3, 2, 3, 3, 3}).Weights("v", {3, 2, 2, 2, 2});
  builder.Node("Conv", {"x", "w"}, {"a"}).Ints("strides", {2, 1, 1});
  builder.Node("MaxPool", {"a"}, {"b"}).Ints("kernel_shape", {2, 2, 2});
  builder.Node("ConvTranspose", {"b", "v"}, {"y"}).Ints("strides", {2, 2, 2}).Output("y");
  Imported imported = Import(builder);
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  const ir::Value& y = imported.graph().value(imported.graph().outputs[0]);
  EXPECT_EQ(Dims({-1, 2, -1, -1, -1}), y.shape);
}

}  // namespace
}  // namespace micrort
