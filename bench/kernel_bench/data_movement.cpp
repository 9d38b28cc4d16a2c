// Transposing, pooling and resizing by each of their micro-kernels, beside memcpy.

#include <cstring>
#include <string>

#include "bench/kernel_bench/variant.h"
#include "kernels/copy/strided_copy.h"
#include "kernels/pool/pool2d.h"
#include "kernels/resize/resize.h"

namespace micrort::bench {

namespace {

void AddMemcpy(size_t bytes) {
  AddVariant("memcpy/" + std::to_string(bytes), kCpuScalar, {0, 2.0 * static_cast<double>(bytes)},
             [bytes, in = Buffer(bytes), out = Buffer(bytes)] { std::memcpy(out.as<>(), in.as<>(), bytes); });
}

// An NCHW image to NHWC: `channels` planes of `pixels` elements.
void AddTranspose(const TransposeTileKernel& kernel, int64_t channels, int64_t pixels) {
  const auto element = static_cast<int64_t>(kernel.element_bytes);
  const CopyDim dims[] = {{pixels, element, channels * element}, {channels, pixels * element, element}};
  const auto bytes = static_cast<size_t>(channels * pixels * element);
  AddVariant(std::string("transpose_tile/") + kernel.name + "/" + std::to_string(channels) + "x" +
                 std::to_string(pixels),
             kernel.features, {0, 2.0 * static_cast<double>(bytes)},
             [copy = PlanCopy(kernel.element_bytes, dims, kernel.features), in = Buffer(bytes),
              out = Buffer(bytes)] { RunCopy(copy, in.as<>(), out.as<>(), Sequential()); });
}

// ResNet's first pooling.
void AddPool3x3(const PoolKernel& kernel) {
  const Pool2DParams p = {1, 112, 112, 64, 56, 56, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, false};
  const size_t in_bytes =
      static_cast<size_t>(p.in_h * p.in_w * p.channels) * PoolElementBytes(kernel.function);
  AddVariant(std::string("pool/") + kernel.name + "/3x3_of_112x112x64", kernel.features,
             {0, 1.25 * static_cast<double>(in_bytes)},
             [p, &kernel, in = Buffer(in_bytes), out = Buffer(in_bytes / 4)] {
               RunPool2D(p, kernel, {0, 0, 1.0}, in.as<>(), out.as<>(), nullptr, Sequential());
             });
}

// Elements have so many bytes: floats, or int8.
void AddResizeTwice(const BlendF32Kernel& kernel, ResizeMode mode, int64_t size, int64_t channels,
                    size_t element_bytes) {
  const ResizeMethod method = {mode, ResizeCoordinates::kHalfPixel, ResizeRounding::kFloor, -0.75f, false};
  const ResizeAxis axes[] = {{size, 2 * size, 2.0f}, {size, 2 * size, 2.0f}, {channels, channels, 1.0f}};
  const ResizePlan plan = PlanResize(method, Shape::Of(size, size, channels), axes, element_bytes);
  const size_t scratch_bytes = ResizeScratchBytes(plan, 1);
  const size_t bytes = static_cast<size_t>(size * size * channels) * element_bytes;
  AddVariant(std::string("blend_f32/") + kernel.name +
                 (mode == ResizeMode::kLinear ? "/linear_" : "/cubic_") + (element_bytes == 1 ? "s8_" : "") +
                 std::to_string(size) + "x" + std::to_string(size) + "x" + std::to_string(channels),
             kernel.features, {0, 5.0 * static_cast<double>(bytes)},
             [plan, &kernel, in = Buffer(bytes), out = Buffer(4 * bytes), scratch = Buffer(scratch_bytes)] {
               RunResize({plan, kernel.id}, in.as<>(), out.as<>(), scratch.as<>(), Sequential());
             });
}

}  // namespace

void AddDataMovement() {
  AddMemcpy(size_t{1} << 20);
  for (const TransposeTileKernel& kernel : TransposeTileKernels()) {
    AddTranspose(kernel, 64, 56 * 56);
    AddTranspose(kernel, 3, 224 * 224);
  }
  for (const Span<const PoolKernel> kernels :
       {PoolF32Kernels(), PoolF16Kernels(), PoolS8Kernels(), PoolU8Kernels(), PoolS16Kernels()}) {
    for (const PoolKernel& kernel : kernels) AddPool3x3(kernel);
  }
  for (const BlendF32Kernel& kernel : BlendF32Kernels()) {
    for (const size_t element_bytes : {sizeof(float), sizeof(int8_t)}) {
      AddResizeTwice(kernel, ResizeMode::kLinear, 64, 64, element_bytes);
      AddResizeTwice(kernel, ResizeMode::kLinear, 224, 3, element_bytes);
    }
    AddResizeTwice(kernel, ResizeMode::kCubic, 64, 64, sizeof(float));
  }
}

}  // namespace micrort::bench
