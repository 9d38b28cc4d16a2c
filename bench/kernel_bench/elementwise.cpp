// The element-wise and softmax families: data in the first-level cache.

#include <cstdint>
#include <string>
#include <vector>

#include "bench/kernel_bench/variant.h"
#include "kernels/attention/attend_few.h"
#include "kernels/attention/cache_rows.h"
#include "kernels/elementwise/binary_f32.h"
#include "kernels/elementwise/binary_fixed.h"
#include "kernels/elementwise/binary_s16.h"
#include "kernels/elementwise/binary_s8.h"
#include "kernels/elementwise/convert_f32.h"
#include "kernels/elementwise/prelu_f32.h"
#include "kernels/elementwise/softmax_f32.h"
#include "kernels/elementwise/unary_f32.h"
#include "kernels/elementwise/unary_s16.h"
#include "kernels/fused/fused_f32.h"

namespace micrort::bench {

namespace {

constexpr size_t kElements = 2048;

// `run(x, y)` handles kElements elements of x, and may write as many elements of 4 bytes to y.
template <typename Kernel, typename Run>
void Add(const char* family, const Kernel& kernel, const std::string& what, Run run) {
  const Buffer x(kElements * sizeof(float)), y(kElements * sizeof(float));
  for (size_t i = 0; i < kElements; ++i) x.as<float>()[i] = static_cast<float>(i % 97) * 0.1f - 4.0f;
  AddVariant(std::string(family) + "/" + kernel.name + "/" + what, kernel.features, {0, 8.0 * kElements},
             [x, y, run] { run(x.as<const float>(), y.as<float>()); });
}

void AddUnary() {
  const struct {
    const char* name;
    UnaryOp op;
  } functions[] = {
      {"clip", {UnaryKind::kClip, 0, 6}},
      {"exp", {UnaryKind::kExp, 0, 0}},
      {"log", {UnaryKind::kLog, 0, 0}},
      {"tanh", {UnaryKind::kTanh, 0, 0}},
      {"sigmoid", {UnaryKind::kSigmoid, 0, 0}},
      {"silu", {UnaryKind::kSilu, 0, 0}},
      {"hard_swish", {UnaryKind::kHardSwish, 0, 0}},
      {"erf", {UnaryKind::kErf, 0, 0}},
      {"gelu", {UnaryKind::kGelu, 0, 0}},
      {"mish", {UnaryKind::kMish, 0, 0}},
  };
  for (const UnaryF32Kernel& kernel : UnaryF32Kernels()) {
    for (const auto& f : functions) {
      Add("unary_f32", kernel, f.name, [=](const float* x, float* y) { kernel.run(f.op, x, y, kElements); });
    }
  }
}

// Rows of 64 channels.
void AddPRelu() {
  constexpr size_t kColumns = 64;
  for (const PReluF32Kernel& kernel : PReluF32Kernels()) {
    Add("prelu_f32", kernel, "rows",
        [=](const float* x, float* y) { kernel.run(x, y, kElements / kColumns, kColumns, kColumns); });
  }
}

void AddBinary() {
  const struct {
    const char* name;
    BinaryKind kind;
  } functions[] = {{"add", BinaryKind::kAdd}, {"mul", BinaryKind::kMul}, {"less", BinaryKind::kLess}};
  for (const BinaryF32Kernel& kernel : BinaryF32Kernels()) {
    for (const auto& f : functions) {
      Add("binary_f32", kernel, f.name,
          [=](const float* x, float* y) { kernel.run(f.kind, x, 1, x, 1, y, kElements); });
    }
  }
}

void AddBinaryFixed() {
  const struct {
    const char* name;
    BinaryKind kind;
  } functions[] = {{"add", BinaryKind::kAdd}, {"mul", BinaryKind::kMul}};
  for (const BinaryFixedKernel& kernel : BinaryFixedKernels()) {
    for (const auto& f : functions) {
      BinaryFixedOp op;
      if (!PlanBinaryFixed(f.kind, {0.05f, 3}, {0.04f, -5}, {0.07f, 0}, {}, &op)) continue;
      Add("binary_fixed", kernel, f.name, [=](const float* x, float* y) {
        const auto* bytes = reinterpret_cast<const int8_t*>(x);
        kernel.run(op, bytes, 1, bytes, 1, reinterpret_cast<int8_t*>(y), kElements);
      });
    }
  }
}

void AddBinaryS8() {
  for (const BinaryS8Kernel& kernel : BinaryS8Kernels()) {
    const BinaryS8Op op = {BinaryKind::kAdd, {0.05f, 3}, {0.04f, -5}, {0.07f, 0}, false, 0, 0};
    Add("binary_s8", kernel, "add", [=](const float* x, float* y) {
      const auto* bytes = reinterpret_cast<const int8_t*>(x);
      kernel.run(op, bytes, 1, bytes, 1, reinterpret_cast<int8_t*>(y), kElements);
    });
  }
}

void AddBinaryS16() {
  const struct {
    const char* name;
    BinaryKind kind;
  } functions[] = {{"add", BinaryKind::kAdd}, {"mul", BinaryKind::kMul}};
  for (const BinaryS16Kernel& kernel : BinaryS16Kernels()) {
    for (const auto& f : functions) {
      BinaryFixedOp op;
      if (!PlanBinaryS16(f.kind, {0.05f, 0}, {0.04f, 0}, {0.07f, 0}, {}, &op)) continue;
      Add("binary_s16", kernel, f.name, [=](const float* x, float* y) {
        kernel.run(op, reinterpret_cast<const int16_t*>(x), 1, x, 1, y, kElements);
      });
    }
  }
}

void AddUnaryS16() {
  const ElementFormat x = {DType::kInt16, true, {0.05f, 0}}, y = {DType::kInt16, true, {0.07f, 0}};
  const struct {
    const char* name;
    UnaryOp function;
  } functions[] = {{"requantize", {UnaryKind::kIdentity}}, {"leaky_relu", {UnaryKind::kLeakyRelu, 0.1f}}};
  for (const UnaryS16Kernel& kernel : UnaryS16Kernels()) {
    for (const auto& f : functions) {
      UnaryS16Op op;
      if (!PlanUnaryS16(f.function, x, y, &op)) continue;
      Add("unary_s16", kernel, f.name, [=](const float* x, float* y) { kernel.run(op, x, y, kElements); });
    }
  }
}

void AddConversions() {
  for (const ConvertF32Kernel& kernel : ConvertF32Kernels()) {
    Add("convert_f32", kernel, "quantize_s8", [=](const float* x, float* y) {
      kernel.quantize_s8(x, reinterpret_cast<int8_t*>(y), kElements, {0.05f, 3});
    });
    Add("convert_f32", kernel, "quantize_s16", [=](const float* x, float* y) {
      kernel.quantize_s16(x, reinterpret_cast<int16_t*>(y), kElements, {0.0005f, 0});
    });
    Add("convert_f32", kernel, "dequantize_s8", [=](const float* x, float* y) {
      kernel.dequantize_s8(reinterpret_cast<const int8_t*>(x), y, kElements, {0.05f, 3});
    });
    Add("convert_f32", kernel, "to_half",
        [=](const float* x, float* y) { kernel.to_half(x, reinterpret_cast<uint16_t*>(y), kElements); });
    Add("convert_f32", kernel, "from_half", [=](const float* x, float* y) {
      kernel.from_half(reinterpret_cast<const uint16_t*>(x), y, kElements);
    });
  }
}

// y = clip(x * y + y, 0, 6), once from floats and once from int8.
void AddFused() {
  const struct {
    const char* name;
    FusedOp load;
  } functions[] = {{"multiply_add_clip", FusedOpOf(FusedMove::kLoadF32)},
                   {"dequantize_multiply_add_clip", FusedOpOf(FusedMove::kLoadS8)}};
  for (const FusedF32Kernel& kernel : FusedF32Kernels()) {
    for (const auto& f : functions) {
      Add("fused_f32", kernel, f.name, [&kernel, f](const float* x, float* y) {
        const auto instruction = [&](FusedOp op, const void* memory, float a, float b) {
          return FusedInstruction{kernel.handler(op), const_cast<void*>(memory), a, b};
        };
        const FusedInstruction program[] = {
            instruction(f.load, x, 0.05f, 3),
            instruction(FusedOpOf(BinaryKind::kMul, false, false), y, 0, 0),
            instruction(FusedOpOf(BinaryKind::kAdd, false, false), y, 0, 0),
            instruction(FusedOpOf(UnaryKind::kClip), nullptr, 0, 6),
            instruction(FusedOpOf(FusedMove::kStoreF32), y, 0, 0),
            instruction(FusedOpOf(FusedMove::kEnd), nullptr, 0, 0),
        };
        kernel.run(program, kElements);
      });
    }
  }
}

// A token of `heads` heads that share a head of 512 keys, in the second-level cache.
AttentionParams OneToken(DType rows, int64_t heads) {
  AttentionParams p = {};
  p.batch = p.key_heads = p.queries = 1;
  p.heads = heads;
  p.keys = 512;
  p.depth = p.value_depth = 64;
  p.scale = 0.125f;
  p.rows = rows;
  p.causal = true;
  p.q = p.y = {p.heads * p.depth, p.depth, p.depth};
  const int64_t row = p.depth + CacheScaleElements(rows);
  p.k = p.v = {p.keys * row, p.keys * row, row};
  return p;
}

// `run(p, tensors, block)` is one of the kernel.
template <typename Kernel, typename Run>
void AddOneToken(const AttentionParams& p, const Kernel& kernel, Run run) {
  const auto floats = [](int64_t count) { return Buffer(static_cast<size_t>(count) * sizeof(float)); };
  const size_t row_bytes = static_cast<size_t>(p.keys * p.k.row) * SizeOf(p.rows);
  const Buffer q = floats(p.heads * p.depth), k(row_bytes), y = floats(p.heads * p.depth),
               block = floats(AttendFewBlockFloats(p));
  const AttentionTensors t = {q.as<float>(), k.as<void>(), k.as<void>(), nullptr, y.as<float>()};
  const double multiply_adds = 2.0 * static_cast<double>(p.heads * p.keys * p.depth);
  const std::string heads = std::to_string(p.heads) + (p.heads == 1 ? "_head" : "_heads");
  AddVariant(std::string("attend_few/") + kernel.name + "/512_keys_" + heads, kernel.features,
             {2 * multiply_adds, 2.0 * static_cast<double>(row_bytes)},
             [p, t, q, k, y, block, run] { run(p, t, block.as<float>()); });
}

void AddAttendFew() {
  for (const int64_t heads : {1, 3, 8}) {
    for (const AttendFewKernel& kernel : AttendFewKernels()) {
      AddOneToken(OneToken(DType::kFloat32, heads), kernel,
                  [run = kernel.run](const AttentionParams& p, const AttentionTensors& t, float*) {
                    run(p, t, 0, 0);
                  });
    }
    for (const DType rows : {DType::kFloat16, DType::kInt8}) {
      for (const AttendFewNarrowKernel& kernel : AttendFewNarrowKernels(rows)) {
        AddOneToken(OneToken(rows, heads), kernel,
                    [run = kernel.run](const AttentionParams& p, const AttentionTensors& t, float* block) {
                      run(p, t, 0, 0, block);
                    });
      }
    }
  }
}

void AddSoftmax() {
  for (const SoftmaxF32Kernel& kernel : SoftmaxF32Kernels()) {
    for (const size_t n : {2, 16, 128, 1024}) {
      Add("softmax_f32", kernel, "rows_of_" + std::to_string(n),
          [=](const float* x, float* y) { kernel.rows(x, y, kElements / n, n, false); });
    }
    Add("softmax_f32", kernel, "columns_of_64",
        [=](const float* x, float* y) { kernel.columns(x, y, kElements / 64, 64, kElements / 64, false); });
  }
}

}  // namespace

void AddElementwise() {
  AddUnary();
  AddPRelu();
  AddBinary();
  AddBinaryFixed();
  AddBinaryS8();
  AddBinaryS16();
  AddUnaryS16();
  AddConversions();
  AddFused();
  AddSoftmax();
  AddAttendFew();
}

}  // namespace micrort::bench
