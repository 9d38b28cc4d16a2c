// TorchScript's windows, spectra and constants made of numbers: sizes that do not fit.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_windows {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kWindows[] = {
    {"ColumnsOfALargerWindow", MICRORT_STATUS(ImportExpression("torch.im2col(x, [5, 5])", {1, 1, 2, 2})),
     "-2 windows of 5 elements", kUnsupported},
    {"ColumnsOfAMatrix", MICRORT_STATUS(ImportExpression("torch.im2col(x, [1, 1])")),
     "a tensor of 2 dimensions", kUnsupported},
    {"ColumnsOfWindowsInOnePlace",
     MICRORT_STATUS(ImportExpression("torch.im2col(x, [1, 1], 1, 0, [0, 1])", {1, 1, 2, 2})),
     "a kernel, dilation or stride of 0x1", kUnsupported},
    {"WindowLongerThanTheTensor", MICRORT_STATUS(ImportExpression("torch.unfold(x, 1, 4, 1)")),
     "windows of 4, 1 apart, in 3 elements"},
    {"TurnOfThreeDimensions", MICRORT_STATUS(ImportExpression("torch.rot90(x, 1, [0, 1, 0])")),
     "3 dimensions"},
    {"MoreDifferencesThanElements", MICRORT_STATUS(ImportExpression("torch.diff(x, 4)")),
     "4 times differences of 3 elements", kUnsupported},
    {"ScatterMoreThanItsPlaces", MICRORT_STATUS(ImportExpression("torch.slice_scatter(x, x, 0, 0, 2, 2)")),
     "2 elements for 1 place"},
    {"ScatterInStepsOfNothing", MICRORT_STATUS(ImportExpression("torch.slice_scatter(x, x, 0, 0, 2, 0)")),
     "a step of 0"},
    {"ScatterBeyondTheEnd",
     MICRORT_STATUS(ImportExpression("torch.select_scatter(x, torch.ones([2]), 1, 3)")), "element 3 of 3"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedWindows, kWindows);

const Refusal kSpectra[] = {
    {"FramesShorterThanTheWindow", MICRORT_STATUS(ImportExpression("torch.stft(x, 4, 1, 8)", {16})),
     "n_fft 4, win_length 8, hop_length 1"},
    {"ImaginaryPartOfReals", MICRORT_STATUS(ImportExpression("torch.imag(x)")),
     "the imaginary part of a tensor that is not complex", kUnsupported},
    {"TransformOfNoDimension",
     MICRORT_STATUS(ImportExpression("torch.view_as_real(torch._fft_r2c(x, [], 0, True))")),
     "a transform along no dimension"},
    {"TransformBackOfNoDimension",
     MICRORT_STATUS(ImportExpression("torch._fft_c2r(torch.view_as_complex(x), [], 0, 1)", {2, 2})),
     "a transform along no dimension"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedSpectra, kSpectra);

const Refusal kConstants[] = {
    {"FewerThanNoSteps", MICRORT_STATUS(ImportExpression("torch.linspace(0, 1, -1)")), "-1 steps"},
    {"LargeIdentity", MICRORT_STATUS(ImportExpression("torch.eye(1, 5000)")), "a matrix of 1x5000",
     kUnsupported},
    {"ListsOfTwoLengths", MICRORT_STATUS(ImportExpression("torch.tensor([[1, 2], [3]])")),
     "lists of different lengths"},
    {"FewerThanNoElementsOfAWindow", MICRORT_STATUS(ImportExpression("torch.hann_window(-1)")),
     "a window of -1"},
    {"LargeTriangle", MICRORT_STATUS(ImportExpression("torch.tril_indices(5000, 1)")), "a matrix of 5000x1",
     kUnsupported},
    {"ScoresOfTwoDimensions", MICRORT_STATUS(ImportExpression("ops.torchvision.nms(x, x, 0.5)")),
     "boxes of 2 dimensions, scores of 2"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedConstants, kConstants);

}  // namespace
}  // namespace micrort::testing::torch_refused_windows
