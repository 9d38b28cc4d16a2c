// Fused element-wise functions give the bits of their functions one after another, for every kernel variant.

#include "kernels/fused/fused_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/base/half.h"
#include "kernels/base/target.h"
#include "kernels/elementwise/convert_f32.h"
#include "tests/kernels/guarded_buffer.h"
#include "tests/kernels/reversed_parallel.h"
#include "tests/support/random.h"

namespace micrort::testing::fused {
namespace {

using Floats = std::vector<float>;
using Bytes = GuardedBuffer<uint8_t>;

ElementFormat Format(DType dtype, bool quantized = false, int32_t zero_point = 0) {
  return {dtype, quantized, {quantized ? 0.03125f : 1.0f, quantized ? zero_point : 0}};
}

// A graph with shapes and contents of its inputs.
struct FusedCase {
  Shape out;
  std::vector<Shape> shapes;
  std::vector<ElementFormat> inputs;
  std::vector<FusedNode> nodes;
  std::vector<FusedNode> merged;  // what runs in place of nodes; none: themselves
  std::vector<FusedOutput> outputs;
  std::vector<Bytes> data;

  FusedGraph graph() const {
    const std::vector<FusedNode>& run = merged.empty() ? nodes : merged;
    return {{run.data(), run.size()}, {inputs.data(), inputs.size()}, {outputs.data(), outputs.size()}};
  }
  size_t elements() const { return static_cast<size_t>(out.elements()); }

  // `random`: where its contents come from; null: FillNext() is called later.
  FusedValue AddInput(const Shape& shape, const ElementFormat& format, Random* random) {
    shapes.push_back(shape);
    inputs.push_back(format);
    if (random != nullptr) FillNext(random);
    return FusedInput(inputs.size() - 1);
  }
  // Contents of the first input that has none yet.
  void FillNext(Random* random) {
    const ElementFormat& format = inputs[data.size()];
    const auto n = static_cast<size_t>(shapes[data.size()].elements());
    Bytes bytes(n * SizeOf(format.dtype));
    for (size_t i = 0; i < n; ++i) {
      const float value = random->Float(-4, 4);
      const uint16_t half = FloatToHalf(value);
      const auto integer = static_cast<int32_t>(random->Integer(-1000, 1000));
      const auto byte = static_cast<uint8_t>(random->Integer(0, 255));
      const size_t size = SizeOf(format.dtype);
      const void* from = format.dtype == DType::kFloat32   ? static_cast<const void*>(&value)
                         : format.dtype == DType::kFloat16 ? static_cast<const void*>(&half)
                         : format.dtype == DType::kInt32   ? static_cast<const void*>(&integer)
                                                           : static_cast<const void*>(&byte);
      std::memcpy(bytes.data() + i * size, from, size);
    }
    data.push_back(std::move(bytes));
  }
  FusedValue Add(UnaryOp op, FusedValue a) {
    nodes.push_back({false, op, BinaryKind::kAdd, a, 0});
    return static_cast<FusedValue>(nodes.size() - 1);
  }
  FusedValue Add(BinaryKind kind, FusedValue a, FusedValue b) {
    nodes.push_back({true, {}, kind, a, b});
    return static_cast<FusedValue>(nodes.size() - 1);
  }
};

// Element i of a value that is stored in `format`, by a variant's own conversion.
Floats ReadInput(const FusedCase& c, size_t i, CpuFeatures features) {
  const ElementFormat& format = c.inputs[i];
  const auto n = static_cast<size_t>(c.shapes[i].elements());
  const uint8_t* bytes = c.data[i].data();
  Floats own(n);
  const ConvertF32Kernel& convert = SelectConvertF32(features);
  if (format.dtype == DType::kFloat32) {
    std::memcpy(own.data(), bytes, n * sizeof(float));
  } else if (format.dtype == DType::kFloat16) {
    convert.from_half(reinterpret_cast<const uint16_t*>(bytes), own.data(), n);
  } else if (format.dtype == DType::kInt8) {
    convert.dequantize_s8(reinterpret_cast<const int8_t*>(bytes), own.data(), n, format.quantization);
  } else if (format.dtype == DType::kUInt8) {
    convert.dequantize_u8(bytes, own.data(), n, format.quantization);
  } else {
    convert.dequantize_s32(reinterpret_cast<const int32_t*>(bytes), own.data(), n, format.quantization);
  }
  const Shape shapes[] = {c.shapes[i]};
  Floats floats(c.elements());
  ExpandBroadcast(PlanBroadcast(shapes, c.out), 0, sizeof(float), own.data(), 0, c.elements(), floats.data());
  return floats;
}

std::vector<uint8_t> StoreOutput(const Floats& values, const ElementFormat& format, CpuFeatures features) {
  std::vector<uint8_t> bytes(values.size() * SizeOf(format.dtype));
  const ConvertF32Kernel& convert = SelectConvertF32(features);
  if (format.dtype == DType::kFloat32) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  } else if (format.dtype == DType::kFloat16) {
    convert.to_half(values.data(), reinterpret_cast<uint16_t*>(bytes.data()), values.size());
  } else if (format.dtype == DType::kInt8) {
    convert.quantize_s8(values.data(), reinterpret_cast<int8_t*>(bytes.data()), values.size(),
                        format.quantization);
  } else {
    convert.quantize_u8(values.data(), bytes.data(), values.size(), format.quantization);
  }
  return bytes;
}

// Outputs, function by function.
std::vector<std::vector<uint8_t>> Expected(const FusedCase& c, CpuFeatures features) {
  std::vector<Floats> inputs, nodes;
  for (size_t i = 0; i < c.inputs.size(); ++i) inputs.push_back(ReadInput(c, i, features));
  const auto value = [&](FusedValue v) -> const Floats& {
    return IsFusedInput(v) ? inputs[IndexOfFused(v)] : nodes[IndexOfFused(v)];
  };
  for (const FusedNode& node : c.nodes) {
    Floats y(c.elements());
    const float* a = value(node.a).data();
    if (node.is_binary) {
      SelectBinaryF32(node.binary, features)
          .run(node.binary, a, 1, value(node.b).data(), 1, y.data(), y.size());
    } else {
      SelectUnaryF32(node.unary.kind, features).run(node.unary, a, y.data(), y.size());
    }
    nodes.push_back(std::move(y));
  }
  std::vector<std::vector<uint8_t>> outputs;
  for (const FusedOutput& output : c.outputs)
    outputs.push_back(StoreOutput(value(output.value), output.format, features));
  return outputs;
}

float FloatAt(const uint8_t* bytes, DType dtype, size_t i) {
  float value = 0;
  uint16_t half = 0;
  if (dtype == DType::kFloat32) std::memcpy(&value, bytes + 4 * i, 4);
  if (dtype == DType::kFloat16) std::memcpy(&half, bytes + 2 * i, 2);
  return dtype == DType::kFloat16 ? HalfToFloat(half) : value;
}

// Bits; all NaNs are one.
bool SameElements(const uint8_t* a, const uint8_t* b, DType dtype, size_t n) {
  const size_t size = SizeOf(dtype);
  for (size_t i = 0; i < n; ++i) {
    if (std::memcmp(a + i * size, b + i * size, size) == 0) continue;
    if (!std::isnan(FloatAt(a, dtype, i)) || !std::isnan(FloatAt(b, dtype, i))) return false;
  }
  return true;
}

std::vector<const FusedF32Kernel*> Variants() {
  std::vector<const FusedF32Kernel*> variants;
  for (const FusedF32Kernel& kernel : FusedF32Kernels()) {
    if (kernel.run != nullptr && (kernel.features & AvailableFeatures(~CpuFeatures{0})) == kernel.features)
      variants.push_back(&kernel);
  }
  return variants;
}

// `in_place`: an input that the last output lies over; -1: none.
void ExpectSameBits(FusedCase& c, CpuFeatures features, const Parallel& parallel, int in_place,
                    bool* did_fit) {
  FusedProgram program;
  *did_fit = false;
  ASSERT_TRUE(
      PlanFusedProgram(c.graph(), {c.shapes.data(), c.shapes.size()}, c.out, features, &program, did_fit)
          .ok());
  if (!*did_fit) return;
  const auto expected = Expected(c, features);
  std::vector<Bytes> results;
  for (const auto& output : expected) results.emplace_back(output.size());
  const void* in[kMaxFusedInputs] = {};
  void* out[kMaxFusedOutputs] = {};
  for (size_t i = 0; i < c.data.size(); ++i) in[i] = c.data[i].data();
  for (size_t o = 0; o < results.size(); ++o) out[o] = results[o].data();
  Bytes shared(0);
  if (in_place >= 0) {
    const Bytes& from = c.data[static_cast<size_t>(in_place)];
    std::copy(from.data(), from.data() + from.size(), results.back().data());
    in[in_place] = out[results.size() - 1];
  }
  RunFusedProgram(program, in, out, parallel);
  for (size_t o = 0; o < results.size(); ++o) {
    EXPECT_TRUE(results[o].GuardsIntact());
    EXPECT_TRUE(SameElements(results[o].data(), expected[o].data(), c.outputs[o].format.dtype, c.elements()))
        << "output " << o << " of type " << Name(c.outputs[o].format.dtype);
  }
}

Shape ShapeOf(std::initializer_list<int64_t> dims) {
  Shape shape;
  for (const int64_t d : dims) shape.dims[shape.rank++] = d;
  return shape;
}

// Any function of floats but those that make infinities of nearly everything.
UnaryOp RandomUnary(Random* random) {
  for (;;) {
    const UnaryOp op = {static_cast<UnaryKind>(random->Integer(0, kUnaryKindCount - 1)),
                        random->Float(0.1f, 1), random->Float(1, 2)};
    if (IsFusedNode({false, op, BinaryKind::kAdd, 0, 0})) return op;
  }
}

// Without contents. Several workers share the tasks of large outputs; one would only have more pieces.
FusedCase RandomCase(Random* random, bool has_tasks) {
  const int64_t n = has_tasks ? 40000 : 5000, rows = has_tasks ? 64 : 9;
  const Shape shapes[] = {ShapeOf({1, 5}),      ShapeOf({3, 7, 5}), ShapeOf({2, 1024}),  ShapeOf({4097}),
                          ShapeOf({11, 31, 3}), ShapeOf({5, 300}),  ShapeOf({128}),      ShapeOf({2, 2, 700}),
                          ShapeOf({40, 64}),    ShapeOf({1, n}),    ShapeOf({rows, 513})};
  FusedCase c;
  c.out = shapes[random->Integer(0, 10)];
  const auto count = static_cast<size_t>(random->Integer(1, 6));
  for (size_t i = 0; i < count; ++i) {
    Shape shape = c.out;
    for (int d = 0; i > 0 && d < shape.rank; ++d)
      shape.dims[d] = random->Integer(0, 2) == 0 ? 1 : shape.dims[d];
    const DType types[] = {DType::kFloat16, DType::kInt8, DType::kUInt8, DType::kInt32};
    const bool is_float = random->Integer(0, 2) != 0;
    const DType dtype = is_float ? DType::kFloat32 : types[random->Integer(0, 3)];
    const bool quantized = (dtype == DType::kInt8 || dtype == DType::kUInt8) && random->Integer(0, 1) == 0;
    c.AddInput(shape, Format(dtype, quantized, 5), nullptr);
  }
  const auto nodes = random->Integer(1, 14);
  for (int64_t k = 0; k < nodes; ++k) {
    const auto any = [&] {
      if (k > 0 && random->Integer(0, 1) == 0) return static_cast<FusedValue>(k - 1);
      const int64_t v = random->Integer(-static_cast<int64_t>(count), k - 1);
      return static_cast<FusedValue>(v);
    };
    const FusedValue a = any();
    if (random->Integer(0, 2) == 0) {
      c.Add(RandomUnary(random), a);
    } else {
      c.Add(static_cast<BinaryKind>(random->Integer(0, 9)), a, any());
    }
    const bool is_last = k + 1 == nodes;
    if (!is_last && (random->Integer(0, 5) != 0 || c.outputs.size() + 1 == kMaxFusedOutputs)) continue;
    const ElementFormat formats[] = {Format(DType::kFloat32), Format(DType::kFloat32),
                                     Format(DType::kFloat16), Format(DType::kInt8, true, -3),
                                     Format(DType::kUInt8, true, 130)};
    c.outputs.push_back({static_cast<FusedValue>(k), formats[random->Integer(0, 4)]});
  }
  return c;
}

// The operands of each node have, together, the shape of the output: so it is in a program.
bool HasFullShapes(const FusedCase& c) {
  std::vector<bool> is_full;
  for (const Shape& shape : c.shapes) is_full.push_back(shape == c.out);
  for (const FusedNode& node : c.nodes) {
    const auto full = [&](FusedValue v) { return !IsFusedInput(v) || is_full[IndexOfFused(v)]; };
    if (!full(node.a) && !(node.is_binary && full(node.b))) return false;
  }
  return true;
}

TEST(FusedProgram, GivesTheBitsOfItsFunctions) {
  const Sequential one;
  const ReversedParallel three(3);
  size_t fitting = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const bool has_tasks = seed % 3 == 0;
    FusedCase c = RandomCase(&random, has_tasks);
    if (!HasFullShapes(c)) continue;
    while (c.data.size() < c.inputs.size()) c.FillNext(&random);
    int in_place = -1;
    if (IsFloat32(c.outputs.back().format) && c.shapes[0] == c.out && IsFloat32(c.inputs[0]) && seed % 2 == 0)
      in_place = 0;
    for (const FusedF32Kernel* kernel : Variants()) {
      SCOPED_TRACE(kernel->name);
      bool did_fit = false;
      ExpectSameBits(c, kernel->features, has_tasks ? static_cast<const Parallel&>(three) : one, in_place,
                     &did_fit);
      fitting += did_fit ? 1 : 0;
      if (::testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(fitting, 100u);
}

// Every instruction, in both orders of its variables, over a tail and whole blocks.
TEST(FusedProgram, HasEveryFunction) {
  for (const FusedF32Kernel* kernel : Variants()) {
    SCOPED_TRACE(kernel->name);
    for (int k = 0; k < kUnaryKindCount + 4 * 10; ++k) {
      Random random(static_cast<uint32_t>(k));
      FusedCase c;
      c.out = ShapeOf({2 * 128 + 77});
      const FusedValue x = c.AddInput(c.out, Format(DType::kFloat32), &random),
                       y = c.AddInput(c.out, Format(DType::kFloat32), &random),
                       one = c.AddInput(ShapeOf({1}), Format(DType::kFloat32), &random);
      float* special = reinterpret_cast<float*>(c.data[0].data());
      for (const float value : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e30f}) *special++ = value;
      const FusedValue moved = c.Add(BinaryKind::kAdd, x, one);
      if (k < kUnaryKindCount) {
        const UnaryOp op = {static_cast<UnaryKind>(k), 0.25f, 1.5f};
        if (!IsFusedNode({false, op, BinaryKind::kAdd, 0, 0})) continue;
        c.Add(op, moved);
      } else {
        const auto kind = static_cast<BinaryKind>((k - kUnaryKindCount) / 4);
        const FusedValue other = (k & 1) != 0 ? y : one;
        (k & 2) != 0 ? c.Add(kind, moved, other) : c.Add(kind, other, moved);
      }
      c.outputs.push_back({1, Format(DType::kFloat32)});
      bool did_fit = false;
      ExpectSameBits(c, kernel->features, Sequential(), -1, &did_fit);
      EXPECT_TRUE(did_fit);
    }
  }
}

TEST(FusedProgram, MinusAbsIsOneFunction) {
  for (const FusedF32Kernel* kernel : Variants()) {
    SCOPED_TRACE(kernel->name);
    Random random(1);
    FusedCase c;
    c.out = ShapeOf({128 + 77});
    const FusedValue x = c.AddInput(c.out, Format(DType::kFloat32), &random);
    float* special = reinterpret_cast<float*>(c.data[0].data());
    for (const float value : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e30f}) *special++ = value;
    const FusedValue abs = c.Add({UnaryKind::kAbs, 0, 0}, x), neg = c.Add({UnaryKind::kNeg, 0, 0}, abs);
    c.outputs.push_back({neg, Format(DType::kFloat32)});
    c.merged = c.nodes;
    MergeSigns({c.outputs.data(), c.outputs.size()}, c.merged.data(), c.merged.size());
    EXPECT_EQ(FusedOpOf(c.merged[0].unary), FusedOpOf(FusedShort::kMinusAbs));
    EXPECT_EQ(c.merged[1].unary.kind, UnaryKind::kIdentity);
    bool did_fit = false;
    ExpectSameBits(c, kernel->features, Sequential(), -1, &did_fit);
    EXPECT_TRUE(did_fit);
  }
}

TEST(FusedProgram, AbsThatOthersReadStaysItself) {
  FusedNode nodes[] = {{false, {UnaryKind::kAbs, 0, 0}, BinaryKind::kAdd, FusedInput(0), 0},
                       {false, {UnaryKind::kNeg, 0, 0}, BinaryKind::kAdd, 0, 0}};
  const FusedOutput outputs[] = {{0, Format(DType::kFloat32)}, {1, Format(DType::kFloat32)}};
  MergeSigns({outputs, 2}, nodes, 2);
  EXPECT_EQ(nodes[0].unary.a, 0);
  EXPECT_EQ(nodes[1].unary.kind, UnaryKind::kNeg);
}

TEST(FusedProgram, IsOneLoopWhereNothingIsReadTwice) {
  Random random(1);
  FusedCase c;
  c.out = ShapeOf({1000});
  FusedValue v = c.AddInput(c.out, Format(DType::kFloat32), &random);
  const FusedValue one = c.AddInput(ShapeOf({1}), Format(DType::kFloat32), &random);
  for (const BinaryKind kind : {BinaryKind::kAdd, BinaryKind::kMul, BinaryKind::kMax, BinaryKind::kSub})
    v = c.Add(kind, v, one);
  c.outputs.push_back({v, Format(DType::kFloat32)});
  FusedProgram program;
  bool fits = false;
  ASSERT_TRUE(
      PlanFusedProgram(c.graph(), {c.shapes.data(), c.shapes.size()}, c.out, kCpuScalar, &program, &fits)
          .ok());
  ASSERT_TRUE(fits);
  EXPECT_EQ(program.stages.size(), 1u);
  EXPECT_EQ(program.instructions.size(), 7u);  // load, four functions, store, end
  EXPECT_EQ(program.layout.buffers, 0);
  EXPECT_EQ(program.layout.piece, 0u);
}

TEST(FusedProgram, DoesNotFitWhereTooMuchIsReadAgain) {
  Random random(1);
  FusedCase c;
  c.out = ShapeOf({1000});
  const FusedValue x = c.AddInput(c.out, Format(DType::kFloat32), &random);
  std::vector<FusedValue> values;
  for (int k = 0; k < 10; ++k) values.push_back(c.Add({UnaryKind::kAbs, 0, 0}, x));
  FusedValue sum = values[0];
  for (size_t k = 1; k < values.size(); ++k) sum = c.Add(BinaryKind::kAdd, values[k], sum);
  c.outputs.push_back({sum, Format(DType::kFloat32)});
  bool did_fit = true;
  ExpectSameBits(c, kCpuScalar, Sequential(), -1, &did_fit);
  EXPECT_FALSE(did_fit);
}

TEST(FusedF32, KernelsHaveTheirBlocks) {
  for (const FusedF32Kernel& kernel : FusedF32Kernels())
    EXPECT_EQ(kMaxFusedBlock % kernel.block, 0u) << kernel.name;
}

}  // namespace
}  // namespace micrort::testing::fused
