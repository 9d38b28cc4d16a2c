// TorchScript's windows, spectra and constants made of numbers: sizes that do not fit.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_windows {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kWindows[] = {
    {"ColumnsOfALargerWindow",
     [] {
       return ImportExpression("torch.im2col(x, [5, 5])", {1, 1, 2, 2});
     },
     "-2 windows of 5 elements", kUnsupported},
    {"ColumnsOfAMatrix", [] { return ImportExpression("torch.im2col(x, [1, 1])"); },
     "a tensor of 2 dimensions", kUnsupported},
    {"ColumnsOfWindowsInOnePlace",
     [] {
       return ImportExpression("torch.im2col(x, [1, 1], 1, 0, [0, 1])", {1, 1, 2, 2});
     },
     "a kernel, dilation or stride of 0x1", kUnsupported},
    {"WindowLongerThanTheTensor", [] { return ImportExpression("torch.unfold(x, 1, 4, 1)"); },
     "windows of 4, 1 apart, in 3 elements"},
    {"TurnOfThreeDimensions", [] { return ImportExpression("torch.rot90(x, 1, [0, 1, 0])"); },
     "3 dimensions"},
    {"MoreDifferencesThanElements", [] { return ImportExpression("torch.diff(x, 4)"); },
     "4 times differences of 3 elements", kUnsupported},
    {"ScatterMoreThanItsPlaces", [] { return ImportExpression("torch.slice_scatter(x, x, 0, 0, 2, 2)"); },
     "2 elements for 1 place"},
    {"ScatterInStepsOfNothing", [] { return ImportExpression("torch.slice_scatter(x, x, 0, 0, 2, 0)"); },
     "a step of 0"},
    {"ScatterBeyondTheEnd", [] { return ImportExpression("torch.select_scatter(x, torch.ones([2]), 1, 3)"); },
     "element 3 of 3"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedWindows, kWindows);

const Refusal kSpectra[] = {
    {"FramesShorterThanTheWindow", [] { return ImportExpression("torch.stft(x, 4, 1, 8)", {16}); },
     "n_fft 4, win_length 8, hop_length 1"},
    {"ImaginaryPartOfReals", [] { return ImportExpression("torch.imag(x)"); },
     "the imaginary part of a tensor that is not complex", kUnsupported},
    {"TransformOfNoDimension",
     [] { return ImportExpression("torch.view_as_real(torch._fft_r2c(x, [], 0, True))"); },
     "a transform along no dimension"},
    {"TransformBackOfNoDimension",
     [] {
       return ImportExpression("torch._fft_c2r(torch.view_as_complex(x), [], 0, 1)", {2, 2});
     },
     "a transform along no dimension"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedSpectra, kSpectra);

const Refusal kConstants[] = {
    {"FewerThanNoSteps", [] { return ImportExpression("torch.linspace(0, 1, -1)"); }, "-1 steps"},
    {"LargeIdentity", [] { return ImportExpression("torch.eye(1, 5000)"); }, "a matrix of 1x5000",
     kUnsupported},
    {"ListsOfTwoLengths", [] { return ImportExpression("torch.tensor([[1, 2], [3]])"); },
     "lists of different lengths"},
    {"FewerThanNoElementsOfAWindow", [] { return ImportExpression("torch.hann_window(-1)"); },
     "a window of -1"},
    {"LargeTriangle", [] { return ImportExpression("torch.tril_indices(5000, 1)"); }, "a matrix of 5000x1",
     kUnsupported},
    {"ScoresOfTwoDimensions", [] { return ImportExpression("ops.torchvision.nms(x, x, 0.5)"); },
     "boxes of 2 dimensions, scores of 2"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedConstants, kConstants);

}  // namespace
}  // namespace micrort::testing::torch_refused_windows
