#pragma once
// What an operator's run is, where it is one call into kernels/, or runs graphs, and nothing else: plain
// parameters that lie in the operator's state. The interpreter's run makes this very call; ahead-of-time C++
// prints it (converter/emit/cpp/), so what is listed here has a printer there.

#include <cstdint>

// X(Type) for each kind of call.
#define MICRORT_KERNEL_CALLS(X) \
  X(ArgReduceCall)              \
  X(AttentionParams)            \
  X(BinaryTask)                 \
  X(CastCall)                   \
  X(ConcatCall)                 \
  X(ConvCall)                   \
  X(ConvLayerCall)              \
  X(ConvertCall)                \
  X(CopyCall)                   \
  X(CumulativeSumParams)        \
  X(FourierAxis)                \
  X(GatherCall)                 \
  X(GatherElementsCall)         \
  X(GatherNDCall)               \
  X(GridSampleParams)           \
  X(IfCall)                     \
  X(LoopCall)                   \
  X(MatMulCall)                 \
  X(MoveCall)                   \
  X(NmsParams)                  \
  X(NonZeroCall)                \
  X(NormalizeTask)              \
  X(PadCall)                    \
  X(Pool2DCall)                 \
  X(RecurrentCall)              \
  X(ReduceTask)                 \
  X(ResizeCall)                 \
  X(RoiAlignParams)             \
  X(ScatterElementsCall)        \
  X(ScatterNDCall)              \
  X(SelectCall)                 \
  X(SoftmaxCall)                \
  X(TopKParams)                 \
  X(UnaryTask)                  \
  X(UniqueCall)

namespace micrort {

#define MICRORT_DECLARE(Type) struct Type;
MICRORT_KERNEL_CALLS(MICRORT_DECLARE)
#undef MICRORT_DECLARE

// run is more than a call, or nobody has said so.
struct NoKernelCall {};

// A pointer to one of them, or to none. Not std::variant: files with operators took half of their time to
// instantiate it for so many types.
class KernelCall {
 public:
  KernelCall() = default;
#define MICRORT_CONSTRUCT(Type) \
  KernelCall(const Type* call) : kind_(Kind::k##Type), call_(call) {}
  MICRORT_KERNEL_CALLS(MICRORT_CONSTRUCT)
#undef MICRORT_CONSTRUCT

  // What the visitor returns for the `const Type*`, or for NoKernelCall.
  template <typename Visitor>
  auto Visit(const Visitor& visitor) const {
    switch (kind_) {
#define MICRORT_VISIT(Type) \
  case Kind::k##Type:       \
    return visitor(static_cast<const Type*>(call_));
      MICRORT_KERNEL_CALLS(MICRORT_VISIT)
#undef MICRORT_VISIT
      case Kind::kNone:
        break;
    }
    return visitor(NoKernelCall());
  }

 private:
#define MICRORT_KIND(Type) k##Type,
  enum class Kind : uint8_t { kNone, MICRORT_KERNEL_CALLS(MICRORT_KIND) };
#undef MICRORT_KIND

  Kind kind_ = Kind::kNone;
  const void* call_ = nullptr;
};

}  // namespace micrort
