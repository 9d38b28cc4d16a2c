#include "kernels/half_conv/half_conv_f32.h"

#include "kernels/base/cold.h"
#include "kernels/base/kernel_registry.h"
#include "kernels/base/machine_model.h"
#include "kernels/conv/conv_rows.h"
#include "kernels/dwconv/depthwise_f32.h"
#include "kernels/elementwise/half_arrays.h"
#include "kernels/implicit_gemm/implicit_gemm_f32.h"
#include "kernels/winograd/winograd.h"

namespace micrort {
namespace {

// The layer as that of floats which the algorithm computes.
Conv2DParams InFloat(const Conv2DParams& p) {
  Conv2DParams floats = p;
  floats.types.x = floats.types.y = DType::kFloat32;
  floats.types.half = false;
  return floats;
}

// What is computed at a time: rows [first, end) of the output of some images, of one unless these are whole.
struct Stripe {
  int64_t image, images, first, end;
};

// How a layer is cut into stripes, as ConvPlan::other_blocks has it: `rows` of the output, which are those of
// `room` images where these are whole.
class Stripes {
 public:
  Stripes(const Conv2DParams& p, const ConvBlocks& blocks)
      : p_(p),
        images_(blocks.rows < p.out_h || blocks.room < 1 ? 1 : blocks.room),
        rows_(blocks.rows < 1 ? 1 : blocks.rows),
        in_image_(CeilDiv(p.out_h, rows_)) {}

  int64_t count() const { return CeilDiv(p_.batch, images_) * in_image_; }
  Stripe operator[](int64_t i) const {
    const int64_t image = i / in_image_ * images_, first = i % in_image_ * rows_;
    const int64_t images = p_.batch - image, rows = p_.out_h - first;
    return {image, images < images_ ? images : images_, first, first + (rows < rows_ ? rows : rows_)};
  }
  // As a layer of its own.
  Conv2DParams Layer(const Stripe& stripe) const {
    Conv2DParams layer = stripe.end - stripe.first == p_.out_h ? p_ : RowsOf(p_, stripe.first, stripe.end);
    layer.batch = stripe.images;
    return layer;
  }
  // Where its pixels begin, in rows of all images.
  int64_t InputRow(const Stripe& stripe) const {
    const bool whole = stripe.end - stripe.first == p_.out_h;
    return stripe.image * p_.in_h + (whole ? 0 : InputBegin(p_, stripe.first));
  }
  int64_t OutputRow(const Stripe& stripe) const { return stripe.image * p_.out_h + stripe.first; }

 private:
  const Conv2DParams& p_;
  const int64_t images_, rows_, in_image_;
};

// Stripes whose floats stay in a second-level cache. Four rows are what tiles of Winograd's algorithms have.
MICRORT_COLD ConvBlocks CutIntoStripes(const Conv2DParams& p, const ConvTarget& target) {
  constexpr int64_t kRows = 4;
  const Conv2DParams floats = InFloat(p);
  const int64_t bytes = MachineModelOf(target.features).window_bytes;
  const int64_t row = OutputRowBytes(floats) + InputRowBytes(floats) * p.stride_h;
  const int64_t image = p.out_h * OutputRowBytes(floats) + p.in_h * InputRowBytes(floats);
  ConvBlocks blocks;
  blocks.rows = BlockSize(p.out_h);
  blocks.room = BlockSize(image == 0 || bytes > image ? bytes / (image == 0 ? 1 : image) : 1);
  if (image > bytes && row > 0) {
    const int64_t fitting = bytes / row / kRows * kRows,
                  stripes = CeilDiv(p.out_h, fitting > 0 ? fitting : kRows);
    blocks.rows = BlockSize(CeilDiv(CeilDiv(p.out_h, stripes), kRows) * kRows);
  }
  return blocks;
}

// What one run takes, behind each other in scratch: a stripe of x and of y in floats, then the algorithm's.
struct Memory {
  uint64_t x_bytes = 0, y_bytes = 0, algorithm_bytes = 0;

  MICRORT_COLD Memory(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                      const Conv2DAlgorithm& algorithm) {
    const Conv2DParams floats = InFloat(p);
    const Stripes stripes(floats, plan.other_blocks);
    for (int64_t i = 0; i < stripes.count(); ++i) {
      const Conv2DParams layer = stripes.Layer(stripes[i]);
      Include(layer.batch * layer.in_h * InputRowBytes(layer), &x_bytes);
      if (p.types.y == DType::kFloat16) Include(layer.batch * layer.out_h * OutputRowBytes(layer), &y_bytes);
      const uint64_t bytes = algorithm.scratch_bytes(layer, target, plan);
      algorithm_bytes = bytes > algorithm_bytes ? bytes : algorithm_bytes;
    }
  }
  uint64_t bytes() const { return x_bytes + y_bytes + algorithm_bytes; }

 private:
  static void Include(int64_t bytes, uint64_t* most) {
    const uint64_t block = AlignedBlock(static_cast<uint64_t>(bytes));
    *most = block > *most ? block : *most;
  }
};

// One run.
class Runner {
 public:
  Runner(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
         const Conv2DAlgorithm& algorithm, const ConvTensors& tensors, const Parallel& parallel)
      : p_(p),
        floats_(InFloat(p)),
        target_(target),
        plan_(plan),
        algorithm_(algorithm),
        tensors_(tensors),
        parallel_(parallel),
        stripes_(floats_, plan.other_blocks),
        convert_(VariantOf(ConvertF32Kernels(), plan.convert)) {
    const Memory memory(p, target, plan, algorithm);
    x_ = static_cast<float*>(tensors.scratch);
    y_ = x_ + memory.x_bytes / sizeof(float);
    scratch_ = y_ + memory.y_bytes / sizeof(float);
  }

  void Run() const {
    for (int64_t i = 0; i < stripes_.count(); ++i) RunStripe(stripes_[i]);
  }

 private:
  void RunStripe(const Stripe& stripe) const {
    const Conv2DParams layer = stripes_.Layer(stripe);
    const int64_t x_first = stripes_.InputRow(stripe) * p_.in_w * p_.in_c;
    const int64_t y_pixel = stripes_.OutputRow(stripe) * p_.out_w;
    const auto pixels = static_cast<size_t>(layer.rows());
    HalvesToFloats(convert_, static_cast<const uint16_t*>(tensors_.x) + x_first,
                   static_cast<size_t>(layer.batch * layer.in_h * layer.in_w * layer.in_c), x_, parallel_);
    ConvTensors of_stripe = tensors_;
    of_stripe.x = x_;
    of_stripe.scratch = scratch_;
    if (p_.types.y == DType::kFloat16) {
      RunRounded(layer, y_pixel, pixels, of_stripe);
      return;
    }
    of_stripe.y = static_cast<float*>(tensors_.y) + y_pixel * PixelStride(p_, tensors_);
    if (tensors_.residual != nullptr) {
      of_stripe.residual = static_cast<const float*>(tensors_.residual) + y_pixel * p_.out_c;
    }
    algorithm_.run(layer, target_, plan_, of_stripe, parallel_);
  }

  // The residual becomes floats where the output will be.
  void RunRounded(const Conv2DParams& layer, int64_t y_pixel, size_t pixels, ConvTensors of_stripe) const {
    const auto channels = static_cast<size_t>(p_.out_c);
    if (tensors_.residual != nullptr) {
      HalvesToFloats(convert_, static_cast<const uint16_t*>(tensors_.residual) + y_pixel * p_.out_c,
                     pixels * channels, y_, parallel_);
      of_stripe.residual = y_;
    }
    of_stripe.y = y_;
    of_stripe.y_stride = 0;
    algorithm_.run(layer, target_, plan_, of_stripe, parallel_);
    const int64_t stride = PixelStride(p_, tensors_);
    uint16_t* y = static_cast<uint16_t*>(tensors_.y) + y_pixel * stride;
    if (stride == p_.out_c) return FloatsToHalves(convert_, y_, pixels * channels, y, parallel_);
    for (size_t i = 0; i < pixels; ++i, y += stride) convert_.to_half(y_ + i * channels, y, channels);
  }

  const Conv2DParams& p_;
  const Conv2DParams floats_;
  const ConvTarget& target_;
  const ConvPlan& plan_;
  const Conv2DAlgorithm& algorithm_;
  const ConvTensors& tensors_;
  const Parallel& parallel_;
  const Stripes stripes_;
  const ConvertF32Kernel& convert_;
  float *x_, *y_, *scratch_;
};

MICRORT_COLD ConvPlan MakePlan(const Conv2DParams& p, const ConvTarget& target,
                               const Conv2DAlgorithm& algorithm) {
  const Conv2DParams floats = InFloat(p);
  const ConvBlocks blocks = CutIntoStripes(p, target);
  const Stripes stripes(floats, blocks);
  ConvPlan plan = algorithm.plan(stripes.count() == 0 ? floats : stripes.Layer(stripes[0]), target);
  plan.convert = SelectConvertF32(target.features).id;
  plan.other_blocks = blocks;
  return plan;
}

// The cost of an element, in or out.
constexpr double kConvertCost = 4;

MICRORT_COLD double CostOf(const Conv2DParams& p, const ConvTarget& target,
                           const Conv2DAlgorithm& algorithm) {
  const Conv2DParams floats = InFloat(p);
  const ConvBlocks blocks = CutIntoStripes(p, target);
  const Stripes stripes(floats, blocks);
  if (stripes.count() == 0) return 0;
  const auto elements = static_cast<double>(p.batch * p.in_h * p.in_w * p.in_c + p.rows() * p.out_c);
  return static_cast<double>(stripes.count()) * algorithm.cost(stripes.Layer(stripes[0]), target) +
         kConvertCost * elements;
}

// What profiles call an algorithm with a micro-kernel.
struct NamedKernel {
  KernelId kernel;
  const char* name;
};
#define MICRORT_GEMM_F32(name, set, ...) \
  MICRORT_VARIANT(set, {KernelId::gemm_f32_##name, MICRORT_PREFIX #name})
constexpr NamedKernel kGemmNames[] = {
#define MICRORT_PREFIX "halves_gemm_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
constexpr NamedKernel kWinograd2Names[] = {
#define MICRORT_PREFIX "halves_winograd_2x2_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
constexpr NamedKernel kWinograd4Names[] = {
#define MICRORT_PREFIX "halves_winograd_4x4_f32/"
#include "kernels/gemm/gemm_f32.inc"
#undef MICRORT_PREFIX
};
#undef MICRORT_GEMM_F32
constexpr NamedKernel kDepthwiseNames[] = {
#define MICRORT_DWCONV_F32(name, set, mr, lanes, slides) \
  MICRORT_VARIANT(set, {KernelId::dwconv_f32_##name, "halves_depthwise_f32/" #name})
#include "kernels/dwconv/dwconv_f32.inc"
#undef MICRORT_DWCONV_F32
};

template <const Conv2DAlgorithm& kFloats, const NamedKernel* kNames>
struct Variant {
  MICRORT_COLD static const char* Name(const Conv2DParams& p, const ConvTarget& target) {
    const KernelId kernel = Plan(p, target).kernel;
    const NamedKernel* row = kNames;  // one of them: they are made from the registry of the kernel
    while (row->kernel != kernel) ++row;
    return row->name;
  }
  MICRORT_COLD static bool Applicable(const Conv2DParams& p) {
    return p.types.x == DType::kFloat16 && !p.transposed && kFloats.applicable(InFloat(p));
  }
  MICRORT_COLD static double Cost(const Conv2DParams& p, const ConvTarget& target) {
    return CostOf(p, target, kFloats);
  }
  MICRORT_COLD static ConvPlan Plan(const Conv2DParams& p, const ConvTarget& target) {
    return MakePlan(p, target, kFloats);
  }
  MICRORT_COLD static uint64_t ScratchBytes(const Conv2DParams& p, const ConvTarget& target,
                                            const ConvPlan& plan) {
    return Memory(p, target, plan, kFloats).bytes();
  }
  MICRORT_COLD static uint64_t PackedBytes(const Conv2DParams& p, const ConvTarget& target) {
    return kFloats.packed_bytes(InFloat(p), target);
  }
  static void Pack(const Conv2DParams& p, const ConvTarget& target, const ConvWeights& weights,
                   void* packed) {
    kFloats.pack(InFloat(p), target, weights, packed);
  }
  static void Run(const Conv2DParams& p, const ConvTarget& target, const ConvPlan& plan,
                  const ConvTensors& tensors, const Parallel& parallel) {
    Runner(p, target, plan, kFloats, tensors, parallel).Run();
  }
};

}  // namespace

#define MICRORT_HALVES(floats, names, by_rows, strided)                                                 \
  {                                                                                                     \
    Variant<floats, names>::Name, Variant<floats, names>::Applicable, Variant<floats, names>::Cost,     \
        Variant<floats, names>::Plan, Variant<floats, names>::ScratchBytes,                             \
        Variant<floats, names>::PackedBytes, Variant<floats, names>::Pack, Variant<floats, names>::Run, \
        by_rows, strided                                                                                \
  }
// As those for floats.
const Conv2DAlgorithm kHalvesGemmF32 = MICRORT_HALVES(kDequantizingGemmF32, kGemmNames, false, true);
const Conv2DAlgorithm kHalvesDepthwiseF32 = MICRORT_HALVES(kDepthwiseF32, kDepthwiseNames, true, false);
const Conv2DAlgorithm kHalvesWinograd2 = MICRORT_HALVES(kWinograd2, kWinograd2Names, false, true);
const Conv2DAlgorithm kHalvesWinograd4 = MICRORT_HALVES(kWinograd4, kWinograd4Names, false, true);

}  // namespace micrort
