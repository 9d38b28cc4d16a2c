#pragma once
// What an operator's run is, where it is one call into kernels/, or runs graphs, and nothing else: plain
// parameters that lie in the operator's state. The interpreter's run makes this very call; ahead-of-time C++
// prints it (converter/emit/cpp/), so what is listed here has a printer there.

#include <variant>

namespace micrort {

struct ArgReduceCall;
struct AttentionParams;
struct BinaryTask;
struct CastCall;
struct ConcatCall;
struct ConvCall;
struct ConvLayerCall;
struct ConvertCall;
struct CopyCall;
struct CumulativeSumParams;
struct FourierAxis;
struct GatherCall;
struct GatherElementsCall;
struct GatherNDCall;
struct GridSampleParams;
struct IfCall;
struct LoopCall;
struct MatMulCall;
struct MoveCall;
struct NmsParams;
struct NonZeroCall;
struct NormalizeTask;
struct PadCall;
struct Pool2DCall;
struct RecurrentCall;
struct ReduceTask;
struct ResizeCall;
struct RoiAlignParams;
struct ScatterElementsCall;
struct ScatterNDCall;
struct SelectCall;
struct SoftmaxCall;
struct TopKParams;
struct UnaryTask;
struct UniqueCall;

// monostate: run is more than a call, or nobody has said so.
using KernelCall =
    std::variant<std::monostate, const ArgReduceCall*, const AttentionParams*, const BinaryTask*,
                 const CastCall*, const ConcatCall*, const ConvCall*, const ConvLayerCall*,
                 const ConvertCall*, const CopyCall*, const CumulativeSumParams*, const FourierAxis*,
                 const GatherCall*, const GatherElementsCall*, const GatherNDCall*, const GridSampleParams*,
                 const IfCall*, const LoopCall*, const MatMulCall*, const MoveCall*, const NmsParams*,
                 const NonZeroCall*, const NormalizeTask*, const PadCall*, const Pool2DCall*,
                 const RecurrentCall*, const ReduceTask*, const ResizeCall*, const RoiAlignParams*,
                 const ScatterElementsCall*, const ScatterNDCall*, const SelectCall*, const SoftmaxCall*,
                 const TopKParams*, const UnaryTask*, const UniqueCall*>;

}  // namespace micrort
