// Every operation of vec8.h: the scalar one against plain C++, those of the other instruction sets against
// the scalar one, bit for bit.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "kernels/base/cpu_features.h"
#include "kernels/base/half.h"
#include "tests/kernels/guarded_page.h"
#include "tests/kernels/simd/vec8_ops.h"

namespace micrort {
namespace {

struct Block {
  uint32_t words[8];
};

// Where a lane of the float operations holds NaN, only that is compared.
bool SameLane(uint32_t a, uint32_t b, bool is_float) {
  return a == b || (is_float && std::isnan(BitsToFloat(a)) && std::isnan(BitsToFloat(b)));
}

float RoundHalfEven(float x) { return std::nearbyintf(x); }

int32_t RoundSaturated(float x) {
  if (std::isnan(x)) return 0;
  const double r = std::nearbyint(static_cast<double>(x));
  return r >= 0x1p31 ? INT32_MAX : r <= -0x1p31 ? INT32_MIN : static_cast<int32_t>(r);
}

using FloatFunction = std::function<float(float, float)>;
const std::map<std::string, FloatFunction>& FloatFunctions() {
  static const std::map<std::string, FloatFunction> functions = {
      {"add", [](float a, float b) { return a + b; }},
      {"sub", [](float a, float b) { return a - b; }},
      {"mul", [](float a, float b) { return a * b; }},
      {"div", [](float a, float b) { return a / b; }},
      {"neg", [](float a, float) { return -a; }},
      {"min", [](float a, float b) { return a < b ? a : b; }},
      {"max", [](float a, float b) { return a > b ? a : b; }},
      {"min_nan", [](float a, float b) { return a != a  ? a
                                                : a < b ? a
                                                        : b; }},
      {"max_nan", [](float a, float b) { return a != a  ? a
                                                : a > b ? a
                                                        : b; }},
      {"copy_sign", [](float a, float b) { return std::copysign(a, b); }},
      {"sqrt", [](float a, float) { return std::sqrt(a); }},
      {"abs", [](float a, float) { return std::fabs(a); }},
      {"round_even", [](float a, float) { return RoundHalfEven(a); }},
      {"floor", [](float a, float) { return std::floor(a); }},
      {"ceil", [](float a, float) { return std::ceil(a); }},
      {"trunc", [](float a, float) { return std::trunc(a); }},
      {"select", [](float a, float b) { return a < b ? b : a; }},
  };
  return functions;
}

using IntFunction = std::function<int64_t(int64_t, int64_t)>;
const std::map<std::string, IntFunction>& IntFunctions() {
  static const std::map<std::string, IntFunction> functions = {
      {"int_add", [](int64_t a, int64_t b) { return a + b; }},
      {"int_sub", [](int64_t a, int64_t b) { return a - b; }},
      {"int_mul", [](int64_t a, int64_t b) { return a * b; }},
      {"int_and", [](int64_t a, int64_t b) { return a & b; }},
      {"int_or", [](int64_t a, int64_t b) { return a | b; }},
      {"int_xor", [](int64_t a, int64_t b) { return a ^ b; }},
      {"int_not", [](int64_t a, int64_t) { return ~a; }},
      {"int_min", [](int64_t a, int64_t b) { return a < b ? a : b; }},
      {"int_max", [](int64_t a, int64_t b) { return a > b ? a : b; }},
      {"int_less", [](int64_t a, int64_t b) { return a < b ? -1 : 0; }},
      {"int_equal", [](int64_t a, int64_t b) { return a == b ? -1 : 0; }},
      {"int_select", [](int64_t a, int64_t b) { return a < b ? b : a; }},
      {"shift_left_lanes", [](int64_t a, int64_t b) { return a * (int64_t{1} << (b & 31)); }},
      {"shift_right_lanes", [](int64_t a, int64_t b) { return a >> (b & 31); }},
      {"shift_right_rounded",
       [](int64_t a, int64_t b) {
         const int64_t unit = int64_t{1} << (b & 31), x = a >> 1;
         const int64_t magnitude = ((x < 0 ? -x : x) + unit / 2) / unit;
         return x < 0 ? -magnitude : magnitude;
       }},
      {"doubling_high_mul",
       [](int64_t a, int64_t b) {
         const int64_t product = a * (b | 1);
         return (product + (product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30))) / (int64_t{1} << 31);
       }},
      {"to_float", [](int64_t a, int64_t) { return int64_t{FloatToBits(static_cast<float>(a))}; }},
  };
  return functions;
}

std::vector<Vec8Ops> Tables() {
  std::vector<Vec8Ops> tables = {Vec8OpsScalar()};
#if MICRORT_ARCH_X86
  if (DetectCpuFeatures() & kCpuSse41) tables.push_back(Vec8OpsSse41());
  if (DetectCpuFeatures() & kCpuAvx2) tables.push_back(Vec8OpsAvx2());
#elif defined(__wasm_simd128__)
  tables.push_back(Vec8OpsSimd128());
#elif MICRORT_ARCH_ARM
  if (DetectCpuFeatures() & kCpuNeon) tables.push_back(Vec8OpsNeon());
#endif
  return tables;
}

// Normal numbers of every exponent, with the values at which operations change what they do.
class Inputs {
 public:
  uint32_t Next() {
    static const float kSpecial[] = {0.0f,
                                     -0.0f,
                                     0.5f,
                                     -0.5f,
                                     1.5f,
                                     2.5f,
                                     -2.5f,
                                     1.0f,
                                     -1.0f,
                                     0x1p23f,
                                     -0x1p23f,
                                     8388607.5f,
                                     -8388607.5f,
                                     0x1p31f,
                                     -0x1p31f,
                                     3e38f,
                                     -3e38f,
                                     0x1.fffffep30f,
                                     127.5f,
                                     65504.0f,
                                     65520.0f,
                                     std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity(),
                                     std::numeric_limits<float>::quiet_NaN(),
                                     0.49999997f,
                                     6e-8f,
                                     6.1e-5f};
    const uint32_t kind = random_() % 4;
    if (kind == 0) return FloatToBits(kSpecial[random_() % (sizeof kSpecial / sizeof kSpecial[0])]);
    if (kind == 1) return FloatToBits(static_cast<float>(static_cast<int>(random_() % 4001) - 2000) / 4.0f);
    if (kind == 2) return random_() % 5 - 2;  // as an integer: small; as a float: subnormal or NaN
    const uint32_t exponent =
        32 + random_() % 192;  // products and quotients of such stay clear of subnormals
    return (random_() & 0x807fffffu) | exponent << 23;
  }
  // As Next, without subnormals, which ARMv7 flushes to zero.
  uint32_t NextFloat() {
    const uint32_t bits = Next();
    return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
  }
  uint32_t Index(uint32_t n) { return random_() % n; }

 private:
  std::mt19937 random_{20240607};
};

// ARMv7 may flush a subnormal result of two normal numbers.
bool IsSubnormal(uint32_t bits) { return (bits & 0x7f800000u) == 0 && (bits & 0x7fffffffu) != 0; }

TEST(Vec8, ScalarMatchesPlainFloats) {
  Inputs inputs;
  const Vec8Ops table = Vec8OpsScalar();
  for (size_t op = 0; op < table.count; ++op) {
    const auto f = FloatFunctions().find(table.ops[op].name);
    if (f == FloatFunctions().end()) continue;
    for (int repeat = 0; repeat < 500; ++repeat) {
      Block a, b, out;
      for (uint32_t& w : a.words) w = inputs.NextFloat();
      for (uint32_t& w : b.words) w = inputs.NextFloat();
      table.ops[op].run(&a, &b, 0, &out);
      for (int i = 0; i < 8; ++i) {
        const uint32_t expected = FloatToBits(f->second(BitsToFloat(a.words[i]), BitsToFloat(b.words[i])));
        ASSERT_TRUE(SameLane(out.words[i], expected, true))
            << f->first << "(" << BitsToFloat(a.words[i]) << ", " << BitsToFloat(b.words[i])
            << ") = " << BitsToFloat(out.words[i]) << ", expected " << BitsToFloat(expected);
      }
    }
  }
}

TEST(Vec8, ScalarMatchesPlainIntegers) {
  Inputs inputs;
  const Vec8Ops table = Vec8OpsScalar();
  for (size_t op = 0; op < table.count; ++op) {
    const auto f = IntFunctions().find(table.ops[op].name);
    if (f == IntFunctions().end()) continue;
    for (int repeat = 0; repeat < 200; ++repeat) {
      Block a, b, out;
      for (uint32_t& w : a.words) w = inputs.Next();
      for (uint32_t& w : b.words) w = inputs.Next();
      table.ops[op].run(&a, &b, 0, &out);
      for (int i = 0; i < 8; ++i) {
        const int64_t expected =
            f->second(static_cast<int32_t>(a.words[i]), static_cast<int32_t>(b.words[i]));
        ASSERT_EQ(out.words[i], static_cast<uint32_t>(expected)) << f->first << " lane " << i;
      }
    }
  }
}

TEST(Vec8, ScalarRoundsToIntegersWithSaturation) {
  Inputs inputs;
  const Vec8Ops table = Vec8OpsScalar();
  for (size_t op = 0; op < table.count; ++op) {
    if (std::strcmp(table.ops[op].name, "round_to_int") != 0) continue;
    for (int repeat = 0; repeat < 500; ++repeat) {
      Block a, out;
      for (uint32_t& w : a.words) w = inputs.NextFloat();
      table.ops[op].run(&a, &a, 0, &out);
      for (int i = 0; i < 8; ++i) {
        ASSERT_EQ(static_cast<int32_t>(out.words[i]), RoundSaturated(BitsToFloat(a.words[i])))
            << BitsToFloat(a.words[i]);
      }
    }
  }
}

TEST(Vec8, ReductionsUseTheDocumentedTree) {
  const float a[8] = {1e8f, 1.0f, -1e8f, 3.25f, 0.125f, 1e-3f, 7.0f, -2e5f};
  const float expected = ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
  for (const Vec8Ops& table : Tables()) {
    for (size_t op = 0; op < table.count; ++op) {
      if (std::strcmp(table.ops[op].name, "reduce_add") != 0) continue;
      float out[8];
      table.ops[op].run(a, a, 0, out);
      EXPECT_EQ(out[0], expected);
    }
  }
}

// Integer outputs are compared exactly; so are float outputs, but for NaN and flushed subnormals.
bool HasFloatLanes(const std::string& name) {
  return FloatFunctions().count(name) != 0 || name.rfind("reduce_", 0) == 0 || name == "load_half" ||
         name.find("float") != std::string::npos;
}

void ClearPayloads(Block* block) {
  for (uint32_t& w : block->words) {
    if (std::isnan(BitsToFloat(w))) w = 0x7fc00000u;
  }
}

TEST(Vec8, InstructionSetsMatchScalar) {
  const Vec8Ops scalar = Vec8OpsScalar();
  for (const Vec8Ops& table : Tables()) {
    ASSERT_EQ(table.count, scalar.count);
    Inputs inputs;
    for (size_t op = 0; op < table.count; ++op) {
      const std::string name = scalar.ops[op].name;
      ASSERT_EQ(name, table.ops[op].name);
      for (int repeat = 0; repeat < 500; ++repeat) {
        Block a, b, expected, out;
        for (uint32_t& w : a.words) w = inputs.NextFloat();
        for (uint32_t& w : b.words) w = inputs.NextFloat();
        std::memset(&expected, 0x5a, sizeof expected);  // partial stores leave the rest as it is
        std::memset(&out, 0x5a, sizeof out);
        if (name == "store_half") ClearPayloads(&a);
        const size_t n = inputs.Index(name.rfind("shift", 0) == 0 ? 32 : 9);
        scalar.ops[op].run(&a, &b, n, &expected);
        table.ops[op].run(&a, &b, n, &out);
        for (int i = 0; i < 8; ++i) {
          const bool flushed = IsSubnormal(expected.words[i]) && (out.words[i] & 0x7fffffffu) == 0;
          ASSERT_TRUE(SameLane(out.words[i], expected.words[i], HasFloatLanes(name)) || flushed)
              << name << " n " << n << " lane " << i << ": " << std::hex << out.words[i] << ", expected "
              << expected.words[i];
        }
      }
    }
  }
}

TEST(Vec8, HalvesMatchScalarForEveryPattern) {
  for (const Vec8Ops& table : Tables()) {
    for (size_t op = 0; op < table.count; ++op) {
      if (std::strcmp(table.ops[op].name, "load_half") != 0) continue;
      for (uint32_t first = 0; first < 65536; first += 8) {
        uint16_t halves[16] = {};
        uint32_t out[8];
        for (uint32_t i = 0; i < 8; ++i) halves[i] = static_cast<uint16_t>(first + i);
        table.ops[op].run(halves, halves, 0, out);
        for (uint32_t i = 0; i < 8; ++i) {
          ASSERT_TRUE(SameLane(out[i], FloatToBits(HalfToFloat(halves[i])), true)) << std::hex << halves[i];
        }
      }
    }
  }
}

// Partial loads and stores at the end of readable memory: touching one element more ends the program.
TEST(Vec8, PartialAccessStaysInsideItsPage) {
  const testing::GuardedPage page;
  ASSERT_TRUE(page.is_guarded());
  uint8_t* const end = page.end();
  uint64_t block[8] = {};
  for (const Vec8Ops& table : Tables()) {
    for (size_t op = 0; op < table.count; ++op) {
      const std::string name = table.ops[op].name;
      const size_t bytes = name.find("int8") != std::string::npos    ? 1
                           : name.find("int16") != std::string::npos ? 2
                                                                     : 4;
      for (size_t n = 0; n <= 8; ++n) {
        if (name.rfind("load_partial", 0) == 0) table.ops[op].run(end - n * bytes, block, n, block);
        if (name == "store_int8" || name == "store_uint8" || name == "store_int16" || name == "store_int32" ||
            name == "store_float") {
          table.ops[op].run(block, block, n, end - n * bytes);
        }
      }
    }
  }
}

}  // namespace
}  // namespace micrort
