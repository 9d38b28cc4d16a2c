// TorchScript's operators on shapes and parts of tensors, and those that resize them: what does not fit.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_shapes {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kShapes[] = {
    {"BitsOfAnotherSize", [] { return ImportExpression("torch.view(x, 7)"); },
     "the bits of float32 as float64", kUnsupported},
    {"OrderThatNamesADimensionTwice", [] { return ImportExpression("torch.permute(x, [0, 0])"); },
     "an order of dimensions that names not each of 2 once"},
    {"SumAlongADimensionTwice", [] { return ImportExpression("torch.sum(x, [0, -2], False)"); },
     "axis 0 is listed twice"},
    {"SqueezeOfADimensionTwice", [] { return ImportExpression("torch.squeeze(x, [1, 1])"); },
     "axis 1 is listed twice"},
    {"MovesToOnePlace", [] { return ImportExpression("torch.movedim(x, [0, 1], [0, 0])"); },
     "a dimension that moves twice"},
    {"MovesOfOneDimension", [] { return ImportExpression("torch.movedim(x, [1, 1], [0, 1])"); },
     "a dimension that moves twice"},
    {"MovesWithoutAPlace", [] { return ImportExpression("torch.movedim(x, [0, 1], [0])"); },
     "2 dimensions to 1 places"},
    {"ExpandToANumber", [] { return ImportExpression("torch.expand(x, 3)"); }, "a size that is no list"},
    {"FewerThanNoRepeats",
     [] { return ImportExpression("torch.repeat_interleave(x, torch.tensor([-1]), 0)"); }, "-1 repeats"},
    {"RepeatsOfManyElements",
     [] { return ImportExpression("torch.repeat_interleave(x, torch.tensor([1]), 0)", {1 << 25}); },
     "repeats of 33554432 elements", kUnsupported},
    {"StepsInManyElements",
     [] {
       return ImportCode("    y = torch.slice(x, 0, 0, 100, 2)\n    return torch.zero_(y)\n", {1 << 25});
     },
     "steps of 2 in 33554432 elements", kUnsupported},
    {"ManySections", [] { return ImportExpression("torch.tensor_split(x, 70000)[0]", {70000}); },
     "70000 parts", kUnsupported},
    {"ManyElementsOfAList", [] { return ImportExpression("torch.unbind(x)[0]", {70000}); }, "70000 parts",
     kUnsupported},
    {"UnshuffleOfAMatrix", [] { return ImportExpression("torch.pixel_unshuffle(x, 1)"); },
     "a tensor of 2 dimensions", kUnsupported},
    {"UnshuffleInBlocksThatDoNotFit",
     [] {
       return ImportExpression("torch.pixel_unshuffle(x, 2)", {1, 1, 4, 3});
     },
     "blocks of 2x2 in 4x3 elements"},
    {"ChannelsOfAMatrix", [] { return ImportExpression("torch.channel_shuffle(x, 1)"); },
     "a tensor of 2 dimensions"},
    {"NoGroups",
     [] {
       return ImportExpression("torch.channel_shuffle(x, 0)", {1, 4, 1});
     },
     "0 groups of 4 channels"},
    {"NarrowBeyondTheEnd", [] { return ImportExpression("torch.narrow(x, 1, 2, 2)"); },
     "2 elements from 2 on of 3"},
    {"SelectBeyondTheEnd", [] { return ImportExpression("torch.select(x, 1, 3)"); }, "element 3 of 3"},
    {"TooManyParts", [] { return ImportExpression("torch.split(x, 1)[0]", {70000}); }, "parts of 1 elements"},
    {"DimensionOfAnotherRank", [] { return ImportExpression("torch.softmax(x, 2)"); },
     "dimension 2 of a tensor with 2"},
    {"DimensionThatIsALargeFloat", [] { return ImportExpression("torch.softmax(x, 1e30)"); },
     "argument 1: expected an integer, found a float", kUnsupported},
    {"UnknownElementType", [] { return ImportExpression("torch.to(x, 99)"); }, "element type 99 of PyTorch",
     kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedShapes, kShapes);

// Sizes that sums and products of numbers cannot have, and constants that would be too large.
const Refusal kLargeSizes[] = {
    {"ManyChannelsWithoutWeights",
     [] {
       return ImportExpression("torch.group_norm(x, 1)", {1, 1 << 25, 1});
     },
     "33554432 elements without weights", kUnsupported},
    {"NormalizedShapeOfNoDimension", [] { return ImportExpression("torch.layer_norm(x, [])"); },
     "a normalized shape other than the last dimensions"},
    {"NormalizedShapeThatIsNegative", [] { return ImportExpression("torch.layer_norm(x, [-1])"); },
     "a normalized shape other than the last dimensions"},
    {"NormalizedShapeOfManyElements",
     [] {
       return ImportExpression("torch.layer_norm(x, [4096, 8192])", {4096, 8192});
     },
     "33554432 elements without weights", kUnsupported},
    {"DiagonalOfALargeMatrix",
     [] {
       return ImportExpression("torch.diagonal(x)", {1 << 25, 1 << 25});
     },
     "the diagonal of 33554432x33554432 elements", kUnsupported},
    {"ManyGroups",
     [] { return ImportExpression("torch.channel_shuffle(torch.zeros([1, 0, 4]), 4294967296)"); },
     "4294967296 groups of 0 channels"},
    {"BlocksBeyondAnEmptyImage",
     [] { return ImportExpression("torch.pixel_unshuffle(torch.zeros([1, 1, 0, 0]), 4294967296)"); },
     "blocks of 4294967296x4294967296 in 0x0"},
    {"SumsOverTooManyElements",
     [] {
       return ImportExpression("torch.tensordot(x, x, [0, 1], [0, 1])", {1 << 16, 1 << 16});
     },
     "columns"},
    {"SumsOverADimensionTwice", [] { return ImportExpression("torch.tensordot(x, x, [0, 0], [0, 0])"); },
     "a dimension that is summed twice"},
    {"ProductsOfManyElements", [] { return ImportExpression("torch.kron(x, x)", {1 << 16}); }, "a dimension"},
    {"ManyDifferences", [] { return ImportExpression("torch.diff(x, 2000)", {2000}); },
     "2000 times differences of 2000 elements", kUnsupported},
    {"GridOfManyDimensions",
     [] { return ImportExpression("torch.meshgrid([x, x, x, x, x, x, x, x, x])[0]", {2}); },
     "a grid of 9 dimensions", kUnsupported},
    {"UnpoolToALargeSide",
     [] {
       return ImportExpression("torch.max_unpool2d(x, torch.to(x, 4), [4294967296, 4])", {1, 2, 2});
     },
     "a side"},
    {"PartBehindTheEnd", [] { return ImportExpression("torch.tensor_split(x, [7])[0]", {3}); },
     "a part up to element 7 of 3", kUnsupported},
    {"ElementFarAwayOfAnOpenSize",
     [] { return ImportExpression("torch.select(x, 0, 9223372036854775807)", {-1}); },
     "element 9223372036854775807 of -1"},
    {"EquationOfNothing", [] { return ImportExpression("torch.einsum(\"a->a\", [])"); },
     "Einsum of 0 tensors"},
    {"NothingToJoin", [] { return ImportExpression("ops.quantized.cat([], 0, 1., 0)"); }, "expected tensors"},
    {"NumbersThatAreNoPairs", [] { return ImportExpression("torch.view_as_real(torch.view_as_complex(x))"); },
     "a last dimension of 3"},
    {"LargeWindow",
     [] {
       return ImportExpression("torch.stft(x, 1099511627776, None, None, None, False, True, True)", {16});
     },
     "n_fft 1099511627776"},
    {"IndicesOfTwoSizes",
     [] {
       return ImportExpression("torch.index_put(x, [None, torch.tensor([0, 1]), torch.tensor([0, 1, 2])], x)",
                               {2, 3, 4});
     },
     "(aten::index_put)"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedLargeSizes, kLargeSizes);

const Refusal kSizes[] = {
    {"OddNumberOfPads", [] { return ImportExpression("torch.constant_pad_nd(x, [1])"); },
     "1 numbers for 2 dimensions"},
    {"UnknownPadMode", [] { return ImportExpression("torch.pad(x, [1, 1], \"around\")"); }, "mode 'around'"},
    {"KernelOfThreeDimensions",
     [] {
       return ImportExpression("torch.max_pool2d(x, [1, 1, 1])", {1, 1, 4, 4});
     },
     "argument 1: expected 2 numbers, found 3"},
    {"PoolToTooLargeASize",
     [] {
       return ImportExpression("torch.adaptive_avg_pool2d(x, [5000, 1])", {1, 1, 4, 4});
     },
     "a pooling to a size that is not known", kUnsupported},
    {"PoolOfManyElements",
     [] {
       return ImportExpression("torch.adaptive_avg_pool2d(x, [1000, 1])", {1, 1, 1 << 20, 1});
     },
     "a pooling of 1048576 elements to 1000", kUnsupported},
    {"UpsampleAMatrix", [] { return ImportExpression("torch.upsample_nearest2d(x, [4, 4])"); },
     "a tensor of 2 dimensions", kUnsupported},
    {"UpsampleByALargeScale",
     [] {
       return ImportExpression("torch.upsample_bilinear2d(x, None, True, [1., 1e30])", {1, 1, 2, 2});
     },
     "a scale of 1e+30"},
    {"UpsampleToNoSize",
     [] {
       return ImportExpression("torch.upsample_nearest2d(x, None)", {1, 1, 4, 4});
     },
     "neither a size nor scales"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedSizes, kSizes);

}  // namespace
}  // namespace micrort::testing::torch_refused_shapes
