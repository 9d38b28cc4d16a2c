#include "kernels/base/machine_model.h"

#include "kernels/base/kernel_registry.h"

namespace micrort {
namespace {

constexpr int64_t kKiB = 1024;

// x86 with AVX2, and the measure of all others: first-level cache 32 KiB, second-level cache 512 KiB (AMD
// Zen; Intel 256 KiB to 2 MiB). Blocks measured with docs/threads.md, docs/winograd.md and docs/stripes.md;
// rates with micrort-bench --profile on mobilenet_v2, one thread of a core whose peak is 41 float
// multiply-adds a nanosecond.
constexpr MachineModel X86() {
  MachineModel m = {};
  m.core = "x86 with AVX2";
  m.panel_depth = 512;  // 32 KiB
  m.rows_bytes = 96 * kKiB;
  // Cores with such vectors have 1 MiB and more (Intel Skylake-SP, AMD Zen 4).
  m.rows_bytes_16_lanes = 384 * kKiB;
  m.rows_tiles = 16;
  m.rows_tiles_16_lanes = 32;
  m.streamed_rows_bytes = 1024 * kKiB;
  m.query_rows = 48;
  m.window_bytes = 256 * kKiB;
  m.small_block_bytes = 256 * kKiB;
  m.block_bytes = 1024 * kKiB;
  m.near_block_bytes = 512 * kKiB;
  m.near_weight_bytes = 1024 * kKiB;
  m.s8_block_bytes = 448 * kKiB;
  m.s8_block_tiles = 64;
  m.row_image_bytes = 1024 * kKiB;
  m.slide_elements = kKiB;
  m.stripe_window_bytes = 256 * kKiB;
  m.stripe_between_bytes = 1024 * kKiB;
  m.stripe_all_bytes = 3072 * kKiB;
  m.stripe_weight_bytes = 128 * kKiB;
  m.byte_moved = 4;
  m.weight_byte_streamed = 3.5;
  m.weight_byte_near = 1;
  m.element_combined = 65;
  m.units_per_microsecond = 36e3;
  m.int8_products = 0.65;  // measured; all others by the multiply-adds that one instruction does
  return m;
}

constexpr MachineModel Of(MachineModel m, const char* core, double int8_products) {
  m.core = core;
  m.int8_products = int8_products;
  return m;
}

// In-order cores (Cortex-A53, A55 and their like): 32 KiB and a share of some 128 KiB of a cluster's
// second-level cache. Two 64-bit pipes: four float multiply-adds a cycle (Arm Cortex-A55 Software
// Optimization Guide: FMLA of 128 bits, one a cycle), at 1.8 GHz 7.2 a nanosecond, of which five sixths are
// reached as on x86; with four lanes a multiply-add costs two units. Their memory gives some 4 bytes a
// nanosecond to one core, 3.6 units a byte: the ratio is that of x86, and so are the costs of bytes.
[[maybe_unused]] constexpr MachineModel ArmLittle(double int8_products) {
  MachineModel m = Of(X86(), "Cortex-A53 or A55", int8_products);
  m.units_per_microsecond = 12e3;
  return m;
}

// Out-of-order cores (Cortex-A76 and later, Neoverse): 64 KiB, 256 KiB to 1 MiB of their own. Two pipes of
// 128 bits (Arm Cortex-A76 Software Optimization Guide: FMLA, two a cycle), at 2.4 GHz 19 multiply-adds a
// nanosecond; 12 bytes a nanosecond to one core, 3.2 units a byte.
[[maybe_unused]] constexpr MachineModel ArmBig(double int8_products) {
  MachineModel m = Of(X86(), "Cortex-A76 or later", int8_products);
  m.units_per_microsecond = 32e3;
  return m;
}

// Microcontrollers (Cortex-M4, M7, M33, M55): weights come from flash, activations from RAM that answers in a
// cycle or two, or through a cache of 4 to 32 KiB; memory is what they have least of, so blocks are as small
// as tiles allow. A scalar multiply-add with its loads takes some four cycles, at 216 MHz 54 a microsecond of
// eight units each.
constexpr MachineModel CortexM() {
  MachineModel m = Of(X86(), "Cortex-M", 8.0);
  m.panel_depth = 128;
  m.rows_bytes = m.rows_bytes_16_lanes = kKiB;
  m.rows_tiles = m.rows_tiles_16_lanes = 8;
  m.window_bytes = 4 * kKiB;
  m.small_block_bytes = m.block_bytes = m.near_block_bytes = m.s8_block_bytes = 8 * kKiB;
  m.near_weight_bytes = 0;
  m.row_image_bytes = 8 * kKiB;
  m.units_per_microsecond = 430;
  return m;
}

struct ModelOf {
  CpuFeatures features;
  MachineModel model;
};

// Weakest first, as the rows of kernel families; sets that a build knows nothing of are left out, too.
constexpr ModelOf kModels[] = {
    {isa::scalar, Of(X86(), "any, without vectors", 8.0)},
    {kCpuMicrocontroller, CortexM()},
#define MICRORT_MODEL(set, ...) MICRORT_VARIANT(set, {isa::set, __VA_ARGS__})
    // clang-format off
    MICRORT_MODEL(sse41, Of(X86(), "x86 with SSE4.1", 2.6))
    MICRORT_MODEL(avx2, X86())
    MICRORT_MODEL(avx512, Of(X86(), "x86 with AVX-512", 0.65))
    MICRORT_MODEL(avxvnni, Of(X86(), "x86 with AVX-VNNI", 0.3))
    MICRORT_MODEL(avx512vnni, Of(X86(), "x86 with AVX-512 VNNI", 0.3))
    MICRORT_MODEL(neon, ArmLittle(1.3))
    MICRORT_MODEL(dotprod, ArmBig(0.5))
    MICRORT_MODEL(i8mm, ArmBig(0.5))
    MICRORT_MODEL(simd128, Of(X86(), "WebAssembly with vectors", 2.6))
// clang-format on
#undef MICRORT_MODEL
};

}  // namespace

const MachineModel& MachineModelOf(CpuFeatures features) {
  const MachineModel* best = &kModels[0].model;
  for (const ModelOf& of : kModels) {
    if ((of.features & features) == of.features) best = &of.model;
  }
  return *best;
}

}  // namespace micrort
