// Signal operators of TensorFlow Lite Micro on integers, beside plain loops that compute the same.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/converter/tflite_refusals.h"
#include "tests/support/random.h"

namespace micrort::testing::filter_bank {
namespace {

using Type = fb::TensorType;

int Shorts(TfliteBuilder* b, const std::string& name, const std::vector<int16_t>& elements) {
  return b->Constant(name, {static_cast<int32_t>(elements.size())}, Type::Int16, elements);
}

// Numbers go through floats, which hold so many bits.
constexpr int64_t kExact = int64_t{1} << 24;

int BitLength(uint64_t x) {
  int bits = 0;
  for (; x != 0; x >>= 1) ++bits;
  return bits;
}

TEST(TfliteFilterBank, ChannelsShareWhatIsBetweenThem) {
  TfliteBuilder b;
  const int x = b.Input("x", {6}, Type::UInt32), y = b.Tensor("y", {}, Type::UInt64);
  b.Op("SignalFilterBank",
       {x, Shorts(&b, "w", {9, 9, 1, 2, 3, 4}), Shorts(&b, "u", {5, 6, 7, 8, 9, 9}),
        Shorts(&b, "f", {0, 2, 4}), Shorts(&b, "s", {0, 2, 4}), Shorts(&b, "n", {2, 2, 2})},
       {y})
      .custom_options = FlexInts({{"num_channels", 2}});
  b.Output(y);
  const Floats in = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(RunTflite(b, {{"x", in}})["y"],
            Floats({5 * 1 + 6 * 2 + 1 * 3 + 2 * 4, 7 * 3 + 8 * 4 + 3 * 5 + 4 * 6}));
}

uint32_t Root(uint64_t x) {
  uint64_t root = 0;
  while ((root + 1) * (root + 1) <= x) ++root;
  const uint64_t limit = x >> 32 == 0 ? 0xFFFF : 0xFFFFFFFF;
  if (x - root * root > root && root < limit) ++root;
  return static_cast<uint32_t>(root);
}

TEST(TfliteFilterBank, RootsAreRounded) {
  TfliteBuilder b;
  Floats in;
  for (uint64_t i = 0; i < 40; ++i) in.push_back(static_cast<float>(i));
  for (const float v : {65535.0f, 65536.0f, 16777215.0f, 4294967040.0f, 4294967296.0f, 1e12f})
    in.push_back(v);
  const int x = b.Input("x", {static_cast<int32_t>(in.size())}, Type::UInt64),
            scale = b.Constant<int32_t>("scale", {1}, Type::Int32, {0}), y = b.Tensor("y", {}, Type::UInt32);
  b.Op("SignalFilterBankSquareRoot", {x, scale}, {y});
  b.Output(y);
  Floats expected;
  for (const float v : in) expected.push_back(static_cast<float>(Root(static_cast<uint64_t>(v))));
  EXPECT_EQ(RunTflite(b, {{"x", in}})["y"], expected);
}

uint32_t Log(uint32_t x, uint32_t scale) {
  const auto table = [](uint32_t i) {
    return static_cast<int32_t>(std::lround(65536 * (std::log2(1 + i / 128.0) - i / 128.0)));
  };
  const auto whole = static_cast<uint32_t>(BitLength(x) - 1);
  int32_t fraction = static_cast<int32_t>(x - (int64_t{1} << whole));
  fraction = whole < 16 ? fraction << (16 - whole) : fraction >> (whole - 16);
  const auto segment = static_cast<uint32_t>(fraction) >> 9;
  const int32_t low = table(segment), high = table(segment + 1);
  const int32_t between = ((high - low) * (fraction - static_cast<int32_t>(segment << 9))) >> 16;
  const uint32_t log2 = (whole << 16) + static_cast<uint32_t>(fraction + low + between);
  const auto log = static_cast<uint32_t>((uint64_t{45426} * log2 + 32768) >> 16);
  return (scale * log + 32768) >> 16;
}

TEST(TfliteFilterBank, LogarithmsByATable) {
  TfliteBuilder b;
  Floats in, expected;
  for (int64_t i = 0; i < kExact; i = i * 3 / 2 + 1) in.push_back(static_cast<float>(i));
  const int x = b.Input("x", {static_cast<int32_t>(in.size())}, Type::UInt32),
            y = b.Tensor("y", {}, Type::Int16);
  b.Op("SignalFilterBankLog", {x}, {y}).custom_options =
      FlexInts({{"input_correction_bits", 3}, {"output_scale", 64}});
  b.Output(y);
  for (const float v : in) {
    const uint32_t scaled = static_cast<uint32_t>(v) << 3;
    expected.push_back(scaled > 1 ? static_cast<float>(Log(scaled, 64)) : 0.0f);
  }
  EXPECT_EQ(RunTflite(b, {{"x", in}})["y"], expected);
}

TEST(TfliteFilterBank, NoiseIsAMeanOverTime) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}, Type::UInt32), y = b.Tensor("y", {}, Type::UInt32),
            noise = b.Tensor("noise", {}, Type::UInt32);
  b.Op("SignalFilterBankSpectralSubtraction", {x}, {y, noise}).custom_options =
      FlexInts({{"smoothing", 410},
                {"one_minus_smoothing", 15974},
                {"alternate_smoothing", 983},
                {"alternate_one_minus_smoothing", 15401},
                {"min_signal_remaining", 819},
                {"smoothing_bits", 10},
                {"spectral_subtraction_bits", 14},
                {"clamping", 0},
                {"num_channels", 2}});
  b.Output(y).Output(noise);
  ImportedTflite imported = ImportTflite(b.Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
  ASSERT_EQ(imported.graph().states.size(), 1u);
  const std::string state = imported.graph().value(imported.graph().inputs.back()).name;
  uint32_t mean[] = {1000, 30000000};
  std::map<std::string, Floats> outputs;
  ASSERT_TRUE(Evaluate(imported.graph(), {{"x", {5000, 20}}, {state, {1000, 30000000}}}, &outputs).ok());
  Floats expected_y, expected_noise;
  for (int i = 0; i < 2; ++i) {
    const uint32_t in = i == 0 ? 5000 : 20, scaled = in << 10;
    const uint64_t a = i == 0 ? 410 : 983, rest = i == 0 ? 15974 : 15401;
    mean[i] = static_cast<uint32_t>((uint64_t{scaled} * a + uint64_t{mean[i]} * rest) >> 14);
    const uint32_t taken = std::min(mean[i], scaled);
    expected_y.push_back(
        static_cast<float>(std::max<uint32_t>((scaled - taken) >> 10, (uint64_t{in} * 819) >> 14)));
    expected_noise.push_back(static_cast<float>(mean[i]));
  }
  EXPECT_EQ(outputs["y"], expected_y);
  EXPECT_EQ(outputs["noise"], expected_noise);
}

uint32_t Gained(uint32_t x, uint32_t noise, const std::vector<int16_t>& table, int shift) {
  int32_t gain = 0;
  if (noise <= 2) {
    gain = table[noise];
  } else {
    const int bits = BitLength(noise);
    const int16_t* entry = table.data() + 4 * bits - 6;
    const auto fraction =
        static_cast<int32_t>((bits < 11 ? noise << (11 - bits) : noise >> (bits - 11)) & 0x3FF);
    int32_t result = (entry[2] * fraction) >> 5;
    result += static_cast<int32_t>(static_cast<uint32_t>(entry[1]) << 5);
    result = (result * fraction + (1 << 14)) >> 15;
    gain = static_cast<int16_t>(result + entry[0]);
  }
  const auto snr = static_cast<uint32_t>((uint64_t{x} * static_cast<uint32_t>(gain)) >> shift);
  return snr < (2u << 12) ? (snr * snr) >> 20 : (snr >> 6) - (1u << 6);
}

TEST(TfliteFilterBank, GainFollowsTheNoise) {
  TfliteBuilder b;
  Random random(3);
  std::vector<int16_t> table(125);
  for (size_t i = 0; i < table.size(); ++i) {
    // A value, a slope that is negative, a curvature that is positive.
    const int of_entry = static_cast<int>(i + 2) % 4;
    table[i] = static_cast<int16_t>(of_entry == 0   ? random.Integer(8000, 32000)
                                    : of_entry == 1 ? random.Integer(-8000, 0)
                                                    : random.Integer(0, 3000));
  }
  Floats in, noise, expected;
  for (int64_t i = 0; i < kExact; i = i * 2 + 1) {
    in.push_back(static_cast<float>(random.Integer(0, 100000)));
    noise.push_back(static_cast<float>(i));
  }
  noise[0] = 0, noise[2] = 2;
  const auto n = static_cast<int32_t>(in.size());
  const int x = b.Input("x", {n}, Type::UInt32), estimate = b.Input("noise", {n}, Type::UInt32),
            y = b.Tensor("y", {}, Type::UInt32);
  b.Op("SignalPCAN", {x, estimate, Shorts(&b, "table", table)}, {y}).custom_options =
      FlexInts({{"snr_shift", 6}});
  b.Output(y);
  for (size_t i = 0; i < in.size(); ++i)
    expected.push_back(
        static_cast<float>(Gained(static_cast<uint32_t>(in[i]), static_cast<uint32_t>(noise[i]), table, 6)));
  EXPECT_EQ(RunTflite(b, {{"x", in}, {"noise", noise}})["y"], expected);
}

// Of 16384 at one place: all frequencies have 1/64 of it, exactly.
TEST(TfliteFixedFourier, AnImpulseHasAllFrequencies) {
  for (const Type type : {Type::Int16, Type::Int32}) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, 64}, type), y = b.Tensor("y", {}, type), z = b.Tensor("z", {}, type);
    b.Op("SignalRfft", {x}, {y}).custom_options = FlexInts({{"fft_length", 64}});
    b.Op("SignalIrfft", {y}, {z}).custom_options = FlexInts({{"fft_length", 64}});
    b.Output(y).Output(z);
    Floats in(64), expected(66), back(64);
    in[0] = 16384;
    for (size_t i = 0; i < expected.size(); i += 2) expected[i] = 256;
    back[0] = 256;
    auto outputs = RunTflite(b, {{"x", in}});
    EXPECT_EQ(outputs["y"], expected);
    EXPECT_EQ(outputs["z"], back);
  }
}

// Stages divide by 2 or 4 and round; sums of floats do not.
TEST(TfliteFixedFourier, IsNearTheTransformOfFloats) {
  constexpr int kLength = 128;  // stages of 4, 4 and 4
  for (const int given : {kLength, 100}) {
    TfliteBuilder b;
    const int x = b.Input("x", {given}, Type::Int16), y = b.Tensor("y", {}, Type::Int16);
    b.Op("SignalRfft", {x}, {y}).custom_options = FlexInts({{"fft_length", kLength}});
    b.Output(y);
    Random random(7);
    Floats in;
    for (int i = 0; i < given; ++i) in.push_back(static_cast<float>(random.Integer(-32768, 32767)));
    const Floats found = RunTflite(b, {{"x", in}})["y"];
    ASSERT_EQ(found.size(), static_cast<size_t>(kLength + 2));
    for (int k = 0; k <= kLength / 2; ++k) {
      double re = 0, im = 0;
      for (int i = 0; i < given; ++i) {
        const double phase = -2 * std::acos(-1.0) * k * i / kLength;
        re += static_cast<double>(in[static_cast<size_t>(i)]) * std::cos(phase) / kLength;
        im += static_cast<double>(in[static_cast<size_t>(i)]) * std::sin(phase) / kLength;
      }
      ASSERT_NEAR(static_cast<double>(found[2 * static_cast<size_t>(k)]), re, 3) << k;
      ASSERT_NEAR(static_cast<double>(found[2 * static_cast<size_t>(k) + 1]), im, 3) << k;
    }
  }
}

}  // namespace
}  // namespace micrort::testing::filter_bank
