// Operators of several operands whose shapes fit each other, or do not, with options and indices that nobody
// meant: prepare rejects it, run says what is wrong, or stays inside its tensors. The sanitizers and the
// guards of OpTester find what does not. One operand alone: untrusted_options_test.cpp.

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "micrort/op_resolver.h"
#include "tests/runtime/op_tester.h"
#include "tests/support/random.h"

namespace micrort {
namespace {

using testing::OpTester;
using testing::Random;

constexpr uint32_t kOperandSeeds = 1000;
constexpr int64_t kMaxBytes = 1 << 18;
constexpr int64_t kMaxMultiplyAdds = 1 << 20;

bool OneIn(Random& random, int64_t n) { return random.Integer(0, n - 1) == 0; }

// Mostly `usual`, now and then anything.
template <typename T>
T Number(Random& random, T usual) {
  constexpr int64_t kExtremes[] = {INT32_MAX, INT32_MIN, int64_t{1} << 32,
                                   std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::min()};
  if (!OneIn(random, 12)) return usual;
  return static_cast<T>(OneIn(random, 2) ? kExtremes[random.Integer(0, 4)] : random.Integer(-4, 6));
}

float Real(Random& random) {
  constexpr float kExtremes[] = {0,
                                 -0.0f,
                                 1e30f,
                                 -1e30f,
                                 std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN()};
  return OneIn(random, 16) ? kExtremes[random.Integer(0, 5)] : random.Float(-2, 2);
}

template <typename Enum>
Enum Kind(Random& random, int64_t last) {
  return static_cast<Enum>(random.Integer(0, OneIn(random, 16) ? last + 2 : last));
}

// The sizes of dimensions that are written as letters; the same letter has one size. A digit is itself.
class Sizes {
 public:
  explicit Sizes(Random& random) : random_(random) {}

  int64_t operator[](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const auto [entry, is_new] = sizes_.emplace(c, 0);
    if (is_new) entry->second = OneIn(random_, 24) ? 0 : random_.Integer(1, 4);
    return entry->second;
  }
  void Set(char c, int64_t size) { sizes_[c] = size; }

  // Sometimes one that does not fit.
  Shape Of(const std::string& dims) {
    Shape shape;
    for (char c : dims) shape[shape.rank++] = (*this)[c];
    if (shape.rank > 0 && OneIn(random_, 16))
      shape[static_cast<int>(random_.Integer(0, shape.rank - 1))] = random_.Integer(0, 5);
    if (OneIn(random_, 24)) shape.rank = static_cast<int>(random_.Integer(0, shape.rank));
    return shape;
  }

 private:
  Random& random_;
  std::map<char, int64_t> sizes_;
};

struct Operand {
  std::string dims;
  DType dtype = DType::kFloat32;
  bool optional = false;
  bool known = false;  // when shapes are planned
};

void AddOperand(OpTester& op, const Operand& operand, Sizes& sizes, Random& random) {
  if (operand.optional && OneIn(random, 3)) {
    op.Absent();
    return;
  }
  const Shape shape = sizes.Of(operand.dims);
  const auto n = static_cast<size_t>(shape.elements());
  const auto fill = [&](auto usual) {
    std::vector<decltype(usual)> x(n);
    for (auto& v : x) v = Number(random, static_cast<decltype(usual)>(random.Integer(-2, 3)));
    operand.known ? op.Known(shape, x) : op.Input(shape, x);
  };
  if (operand.dtype == DType::kFloat32) {
    std::vector<float> x(n);
    for (float& v : x) v = Real(random);
    operand.known ? op.Known(shape, x) : op.Input(shape, x);
  } else if (operand.dtype == DType::kInt64) {
    fill(int64_t{});
  } else if (operand.dtype == DType::kInt32) {
    fill(int32_t{});
  } else if (operand.dtype == DType::kFloat16) {
    std::vector<uint16_t> x(n);
    for (uint16_t& v : x) v = static_cast<uint16_t>(random.Integer(0, UINT16_MAX));
    op.Input(shape, x).InputType(operand.dtype);
  } else {
    std::vector<uint8_t> x(n);
    for (uint8_t& v : x) v = static_cast<uint8_t>(random.Integer(0, operand.dtype == DType::kInt8 ? 255 : 1));
    op.Input(shape, x).InputType(operand.dtype);
  }
}

bool IsSmall(const OpTester& op, size_t outputs) {
  const PrepareResult& result = op.result();
  int64_t bytes = static_cast<int64_t>(result.scratch_bytes);
  for (const auto& packed : result.packed) bytes += static_cast<int64_t>(packed.bytes);
  for (size_t i = 0; i < outputs; ++i) {
    if (bytes > kMaxBytes || op.OutputShape(i).elements() > kMaxBytes) return false;
    bytes += op.OutputShape(i).elements() * static_cast<int64_t>(SizeOf(op.OutputDType(i)));
  }
  return bytes <= kMaxBytes && result.multiply_adds <= kMaxMultiplyAdds;
}

// make(random, sizes) gives the options, and may set sizes. Some cases must run, or the test tests nothing.
template <typename Make>
void Fuzz(const OpRegistration& registration, const std::vector<Operand>& operands, size_t outputs,
          Make make) {
  int ran = 0;
  for (uint32_t seed = 0; seed < kOperandSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    Sizes sizes(random);
    OpTester op(registration, make(random, sizes));
    for (size_t i = 1; i < outputs; ++i) op.AddOutput();
    for (const Operand& operand : operands) AddOperand(op, operand, sizes, random);
    if (!op.Infer().ok() || !IsSmall(op, outputs)) continue;
    const Status status = op.Run();
    ASSERT_NE(status.code(), StatusCode::kInternal) << status.message();
    ran += status.ok();
  }
  EXPECT_GT(ran, static_cast<int>(kOperandSeeds / 200));
}

constexpr DType kIndex = DType::kInt64;

TEST(UntrustedOperands, Recurrent) {
  const std::vector<Operand> operands = {{"TNP"},
                                         {"PH"},
                                         {"H", DType::kFloat32, true},
                                         {"N", DType::kInt32, true},
                                         {"NH", DType::kFloat32, true},
                                         {"NH", DType::kFloat32, true},
                                         {"Q", DType::kFloat32, true}};
  for (int kind = 0; kind < 3; ++kind) {
    Fuzz(ops::Recurrent(), operands, 2 + (kind == 2), [kind](Random& random, Sizes& sizes) {
      constexpr int64_t kGates[] = {1, 3, 4};
      constexpr int kActivations[] = {1, 2, 3};
      schema::RecurrentOptionsT o;
      o.kind = static_cast<schema::RecurrentKind>(OneIn(random, 24) ? 3 : kind);
      sizes.Set('P', sizes['H'] * kGates[kind]);
      sizes.Set('Q', sizes['H'] * 3);
      o.reverse = OneIn(random, 2);
      o.last_only = OneIn(random, 4);
      o.linear_before_reset = OneIn(random, 2);
      o.input_forget = OneIn(random, 4);
      o.clip = OneIn(random, 4) ? Real(random) : 0;
      const int count = Number<int>(random, kActivations[kind]);
      for (int i = 0; i < count && i < 5; ++i) {
        auto a = std::make_unique<schema::RecurrentActivationT>();
        a->kind = Kind<schema::UnaryKind>(random, 7);
        a->a = Real(random);
        a->b = Real(random);
        o.activations.push_back(std::move(a));
      }
      return o;
    });
  }
}

TEST(UntrustedOperands, Gather) {
  Fuzz(ops::Gather(), {{"ABC"}, {"MN", kIndex}}, 1, [](Random& random, Sizes&) {
    schema::GatherOptionsT o;
    o.axis = Number<int32_t>(random, 1);
    return o;
  });
}

TEST(UntrustedOperands, GatherND) {
  Fuzz(ops::GatherND(), {{"ABC"}, {"AM2", kIndex}}, 1, [](Random& random, Sizes&) {
    schema::GatherNDOptionsT o;
    o.batch_dims = Number<int32_t>(random, static_cast<int32_t>(random.Integer(0, 1)));
    return o;
  });
}

TEST(UntrustedOperands, ScatterND) {
  Fuzz(ops::ScatterND(), {{"ABC"}, {"M2", kIndex}, {"MC"}}, 1, [](Random& random, Sizes&) {
    schema::ScatterNDOptionsT o;
    o.reduction = Kind<schema::ScatterReduction>(random, 4);
    return o;
  });
}

TEST(UntrustedOperands, GatherElements) {
  Fuzz(ops::GatherElements(), {{"ABC"}, {"AMC", kIndex}}, 1, [](Random& random, Sizes&) {
    schema::GatherElementsOptionsT o;
    o.axis = Number<int32_t>(random, 1);
    return o;
  });
}

TEST(UntrustedOperands, ScatterElements) {
  Fuzz(ops::ScatterElements(), {{"ABC"}, {"AMC", kIndex}, {"AMC"}}, 1, [](Random& random, Sizes&) {
    schema::ScatterElementsOptionsT o;
    o.axis = Number<int32_t>(random, 1);
    o.reduction = Kind<schema::ScatterReduction>(random, 4);
    return o;
  });
}

TEST(UntrustedOperands, TopK) {
  for (const bool known : {true, false}) {
    Fuzz(ops::TopK(), {{"ABC"}, {"", kIndex, false, known}}, 2, [](Random& random, Sizes&) {
      schema::TopKOptionsT o;
      o.axis = Number<int32_t>(random, 1);
      o.largest = OneIn(random, 2);
      return o;
    });
  }
}

TEST(UntrustedOperands, CumulativeSum) {
  Fuzz(ops::CumulativeSum(), {{"ABC"}, {"", kIndex}}, 1, [](Random& random, Sizes&) {
    schema::CumulativeSumOptionsT o;
    o.exclusive = OneIn(random, 2);
    o.reverse = OneIn(random, 2);
    o.product = OneIn(random, 2);
    return o;
  });
}

TEST(UntrustedOperands, NonZero) {
  Fuzz(ops::NonZero(), {{"ABC", kIndex}}, 1, [](Random&, Sizes&) { return schema::NonZeroOptionsT(); });
}

TEST(UntrustedOperands, Unique) {
  Fuzz(ops::Unique(), {{"ABC", kIndex}}, 4, [](Random& random, Sizes&) {
    schema::UniqueOptionsT o;
    o.axis = Number<int32_t>(random, 1);
    o.flatten = OneIn(random, 2);
    o.sorted = OneIn(random, 2);
    return o;
  });
}

TEST(UntrustedOperands, NonMaxSuppression) {
  const std::vector<Operand> operands = {
      {"NB4"}, {"NCB"}, {"", kIndex, true}, {"", DType::kFloat32, true}, {"", DType::kFloat32, true}};
  const auto options = [](Random& random, Sizes&) {
    schema::NonMaxSuppressionOptionsT o;
    o.center_point_box = OneIn(random, 2);
    return o;
  };
  Fuzz(ops::NonMaxSuppression(), operands, 1, options);
  std::vector<Operand> soft = operands;
  soft.push_back({"", DType::kFloat32});
  Fuzz(ops::NonMaxSuppression(), soft, 2, options);
}

TEST(UntrustedOperands, GridSample) {
  for (const char* grid : {"NPQ2", "NPQR3"}) {
    const bool volume = std::string(grid).size() == 5;
    Fuzz(ops::GridSample(), {{volume ? "NDHWC" : "NHWC"}, {grid}}, 1, [](Random& random, Sizes&) {
      schema::GridSampleOptionsT o;
      o.mode = Kind<schema::ResizeMode>(random, 2);
      o.padding = Kind<schema::GridPadding>(random, 2);
      o.coordinates = Kind<schema::GridCoordinates>(random, 2);
      return o;
    });
  }
}

TEST(UntrustedOperands, RoiAlign) {
  Fuzz(ops::RoiAlign(), {{"NHWC"}, {"R4"}, {"R", kIndex}}, 1, [](Random& random, Sizes&) {
    schema::RoiAlignOptionsT o;
    o.pooling = Kind<schema::RoiPooling>(random, 1);
    o.output_h = Number<int32_t>(random, 2);
    o.output_w = Number<int32_t>(random, 2);
    o.sampling_ratio = Number<int32_t>(random, static_cast<int32_t>(random.Integer(0, 2)));
    o.spatial_scale = Real(random);
    o.half_pixel = OneIn(random, 2);
    return o;
  });
}

TEST(UntrustedOperands, Range) {
  for (const DType dtype : {DType::kInt64, DType::kInt32, DType::kFloat32}) {
    const Operand scalar = {"", dtype, false, true};
    Fuzz(ops::Range(), {scalar, scalar, scalar}, 1, [](Random&, Sizes&) { return schema::RangeOptionsT(); });
  }
}

TEST(UntrustedOperands, Random) {
  Fuzz(ops::Random(), {{"3", kIndex, false, true}}, 1, [](Random& random, Sizes&) {
    schema::RandomOptionsT o;
    o.kind = Kind<schema::RandomKind>(random, 1);
    return o;
  });
}

TEST(UntrustedOperands, Fourier) {
  const std::vector<Operand> operands = {{"ABS2"},
                                         {"L", DType::kFloat32, true},
                                         {"", kIndex, true, true},
                                         {"", kIndex, true, true},
                                         {"", kIndex, true, true}};
  Fuzz(ops::Fourier(), operands, 1, [](Random& random, Sizes&) {
    schema::FourierOptionsT o;
    o.axis = Number<int32_t>(random, 2);
    o.inverse = OneIn(random, 2);
    o.one_sided = OneIn(random, 2);
    return o;
  });
}

TEST(UntrustedOperands, Attention) {
  const std::vector<Operand> operands = {{"BTHD"}, {"BSHD"}, {"BSHE"}, {"BHTS", DType::kFloat32, true}};
  Fuzz(ops::Attention(), operands, 1, [](Random& random, Sizes&) {
    schema::AttentionOptionsT o;
    o.scale = Real(random);
    for (bool* by_head : {&o.query_by_head, &o.key_by_head, &o.value_by_head, &o.output_by_head})
      *by_head = OneIn(random, 8);
    o.causal = OneIn(random, 2);
    return o;
  });
}

// Scales of int8 are any bits.
TEST(UntrustedOperands, AttentionOverCaches) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    const std::vector<Operand> operands = {
        {"BTHD"}, {"BSHK", type}, {"BSHV", type}, {"BHTS", DType::kFloat32, true}};
    Fuzz(ops::Attention(), operands, 1, [type](Random& random, Sizes& sizes) {
      const int64_t scale = type == DType::kInt8 ? sizeof(float) : 0;
      sizes.Set('K', sizes['D'] + scale);
      sizes.Set('V', sizes['E'] + scale);
      schema::AttentionOptionsT o;
      o.causal = OneIn(random, 2);
      return o;
    });
  }
}

// Positions are any number, mostly as many as there are keys or a little more.
TEST(UntrustedOperands, AttentionOverRings) {
  for (const DType type : {DType::kFloat32, DType::kInt8}) {
    const std::vector<Operand> operands = {
        {"BTHD"}, {"BSHK", type}, {"BSHV", type}, {"BHTS", DType::kFloat32, true}, {"1", kIndex, true}};
    Fuzz(ops::Attention(), operands, 1, [type](Random& random, Sizes& sizes) {
      const int64_t scale = type == DType::kInt8 ? sizeof(float) : 0;
      sizes.Set('K', sizes['D'] + scale);
      sizes.Set('V', sizes['E'] + scale);
      sizes.Set('S', random.Integer(1, 9));
      schema::AttentionOptionsT o;
      o.causal = !OneIn(random, 8);
      o.window = Number<int32_t>(random, static_cast<int32_t>(random.Integer(1, 9)));
      return o;
    });
  }
}

TEST(UntrustedOperands, AttentionWithSinks) {
  const std::vector<Operand> operands = {{"BTHD"},
                                         {"BSHD"},
                                         {"BSHE"},
                                         {"BHTS", DType::kFloat32, true},
                                         {"1", kIndex, true},
                                         {"H", DType::kFloat32, true}};
  Fuzz(ops::Attention(), operands, 1, [](Random& random, Sizes&) {
    schema::AttentionOptionsT o;
    o.causal = OneIn(random, 2);
    o.softcap = Number<float>(random, 3.0f);
    return o;
  });
}

TEST(UntrustedOperands, ReadCache) {
  for (const DType type : {DType::kFloat16, DType::kInt8}) {
    Fuzz(ops::ReadCache(), {{"SHK", type}}, 1, [](Random& random, Sizes& sizes) {
      sizes.Set('K', random.Integer(0, 9));
      return schema::ReadCacheOptionsT();
    });
  }
}

TEST(UntrustedOperands, Append) {
  for (const DType type : {DType::kFloat32, DType::kFloat16, DType::kInt8}) {
    const std::vector<Operand> operands = {{"1CHK", type}, {"1", kIndex}, {"1SHD"}, {"T", kIndex}};
    Fuzz(ops::Append(), operands, 1, [type](Random& random, Sizes& sizes) {
      sizes.Set('C', random.Integer(4, 9));
      sizes.Set('K', sizes['D'] + (type == DType::kInt8 ? sizeof(float) : 0));
      schema::AppendOptionsT o;
      if (OneIn(random, 2)) o.window = Number<int32_t>(random, static_cast<int32_t>(random.Integer(1, 9)));
      return o;
    });
  }
}

TEST(UntrustedOperands, Normalize) {
  Fuzz(ops::Normalize(), {{"ABCD"}, {"D", DType::kFloat32, true}, {"CD", DType::kFloat32, true}}, 1,
       [](Random& random, Sizes&) {
         schema::NormalizeOptionsT o;
         for (int32_t axis = static_cast<int32_t>(random.Integer(0, 3)); axis < 4; ++axis)
           o.axes.push_back(Number<int32_t>(random, axis));
         o.epsilon = Real(random);
         o.centered = OneIn(random, 2);
         return o;
       });
}

TEST(UntrustedOperands, Reduce) {
  Fuzz(ops::Reduce(), {{"ABCD"}}, 1, [](Random& random, Sizes&) {
    schema::ReduceOptionsT o;
    o.kind = Kind<schema::ReduceKind>(random, 11);
    for (int32_t axis = 0; axis < 4; ++axis) {
      if (OneIn(random, 2)) o.axes.push_back(Number<int32_t>(random, axis));
    }
    o.keep_dims = OneIn(random, 2);
    o.select_last_index = OneIn(random, 2);
    return o;
  });
}

TEST(UntrustedOperands, Softmax) {
  Fuzz(ops::Softmax(), {{"ABC"}}, 1, [](Random& random, Sizes&) {
    schema::SoftmaxOptionsT o;
    o.axis = Number<int32_t>(random, static_cast<int32_t>(random.Integer(0, 2)));
    o.log = OneIn(random, 2);
    return o;
  });
}

TEST(UntrustedOperands, Select) {
  Fuzz(ops::Select(), {{"B1D", DType::kBool}, {"BCD"}, {"1D"}}, 1,
       [](Random&, Sizes&) { return schema::SelectOptionsT(); });
}

TEST(UntrustedOperands, Binary) {
  Fuzz(ops::Binary(), {{"BCD"}, {"C1"}}, 1, [](Random& random, Sizes&) {
    schema::BinaryOptionsT o;
    o.kind = Kind<schema::BinaryKind>(random, 22);
    return o;
  });
}

schema::Activation AnyActivation(Random& random) {
  return schema::Activation(Kind<schema::ActivationKind>(random, 7), Real(random), Real(random));
}

TEST(UntrustedOperands, MatMul) {
  const std::vector<Operand> operands = {
      {"BMK"}, {"BKN"}, {"N", DType::kFloat32, true}, {"BMN", DType::kFloat32, true}};
  Fuzz(ops::MatMul(), operands, 1, [](Random& random, Sizes& sizes) {
    schema::MatMulOptionsT o;
    o.transpose_b = OneIn(random, 4);
    if (o.transpose_b) sizes.Set('N', sizes['K']);
    o.activation = AnyActivation(random);
    o.compute = Kind<schema::WeightCompute>(random, 4);
    return o;
  });
}

template <typename OptionsT>
OptionsT Convolution(Random& random) {
  OptionsT o;
  for (int32_t* field : {&o.stride_h, &o.stride_w, &o.dilation_h, &o.dilation_w}) {
    *field = Number<int32_t>(random, static_cast<int32_t>(random.Integer(1, 2)));
  }
  for (int32_t* field : {&o.pad_top, &o.pad_left, &o.pad_bottom, &o.pad_right}) {
    *field = Number<int32_t>(random, static_cast<int32_t>(random.Integer(0, 3)));
  }
  o.activation = AnyActivation(random);
  return o;
}

TEST(UntrustedOperands, Conv2D) {
  Fuzz(ops::Conv2D(), {{"NHWC"}, {"OKLC"}, {"O", DType::kFloat32, true}}, 1, [](Random& random, Sizes&) {
    auto o = Convolution<schema::Conv2DOptionsT>(random);
    o.groups = Number<int32_t>(random, 1);
    return o;
  });
}

TEST(UntrustedOperands, DepthwiseConv2D) {
  Fuzz(ops::DepthwiseConv2D(), {{"NHWC"}, {"KLC"}, {"C", DType::kFloat32, true}}, 1,
       [](Random& random, Sizes&) { return Convolution<schema::DepthwiseConv2DOptionsT>(random); });
}

TEST(UntrustedOperands, ConvTranspose2D) {
  Fuzz(ops::ConvTranspose2D(), {{"NHWC"}, {"OKLC"}, {"O", DType::kFloat32, true}}, 1,
       [](Random& random, Sizes&) {
         auto o = Convolution<schema::ConvTranspose2DOptionsT>(random);
         o.groups = Number<int32_t>(random, 1);
         o.output_pad_h = Number<int32_t>(random, 0);
         o.output_pad_w = Number<int32_t>(random, 0);
         return o;
       });
}

}  // namespace
}  // namespace micrort
