// TorchScript's operators on matrices, layers and functions of elements: arguments that do not fit.

#include "tests/converter/tensorflow_graph.h"
#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_matrices {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kMatrices[] = {
    {"DiagonalOfALongVector", [] { return ImportExpression("torch.diag(x)", {4097}); },
     "a matrix with 4097 elements on diagonal 0", kUnsupported},
    {"DiagonalFarFromTheMiddle",
     [] { return ImportExpression("torch.diag(x, torch.__lshift__(1, 63))", {1}); },
     "a matrix with 1 elements on diagonal -9223372036854775808", kUnsupported},
    {"DiagonalOfThreeDimensions",
     [] {
       return ImportExpression("torch.diag(x)", {1, 2, 3});
     },
     "a tensor of 3 dimensions"},
    {"DiagonalOfOneDimension", [] { return ImportExpression("torch.diagonal(x, 0, 1, 1)"); },
     "dimensions 1 and 1 of 2"},
    {"TraceOfAVector", [] { return ImportExpression("torch.trace(x)", {3}); }, "a tensor of 1 dimensions"},
    {"InnerProductWithThreeDimensions",
     [] { return ImportExpression("torch.inner(x, torch.ones([2, 2, 3]))"); },
     "tensors of more than two dimensions", kUnsupported},
    {"KroneckerOfAnotherRank", [] { return ImportExpression("torch.kron(x, torch.ones([2]))"); },
     "tensors of different rank", kUnsupported},
    {"ProductOfNoMatrices", [] { return ImportExpression("torch.linalg_multi_dot([])"); }, "no matrices"},
    {"LargePower",
     [] {
       return ImportExpression("torch.matrix_power(x, 5000)", {2, 2});
     },
     "power 5000", kUnsupported},
    {"BilinearWithAMatrix", [] { return ImportExpression("torch.bilinear(x, x, torch.ones([2, 3]), None)"); },
     "weights of 2 dimensions"},
    // TensorFlow's operator is composed of PyTorch's.
    {"InverseOfNothing",
     [] {
       const std::string inverse = TfNode("y", "MatrixInverse", {"x"}, {"T { type: DT_FLOAT }"});
       return ImportTf(TfInput("x", {0, 0}) + inverse).status;
     },
     "a matrix of 0x0", kUnsupported},
    {"NuclearNorm", [] { return ImportExpression("torch.norm(x, \"nuc\")"); }, "a norm of kind 'nuc'",
     kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedMatrices, kMatrices);

// Attention of x with itself.
Status Attend(const std::string& heads, const std::string& needs_weights) {
  return ImportExpression(
      "torch._native_multi_head_attention(x, x, x, 4, " + heads +
          ", torch.ones([12, 4]), torch.ones([12]), torch.ones([4, 4]), torch.ones([4]), None, " +
          needs_weights + ")[0]",
      {1, 2, 4});
}

const Refusal kLayers[] = {
    {"HeadsThatDoNotDivide", [] { return Attend("3", "False"); }, "3 heads"},
    {"WeightsOfAttention", [] { return Attend("2", "True"); }, "weights of attention as an output",
     kUnsupported},
    {"LargeCausalMask",
     [] {
       const std::string ones = "torch.ones([1, 20000, 1])";
       return ImportExpression(
           "torch.scaled_dot_product_attention(x, " + ones + ", " + ones + ", None, 0., True)",
           {1, 20000, 1});
     },
     "a causal mask of 20000x20000", kUnsupported},
    {"ConvolutionWithAMatrix", [] { return ImportExpression("torch.conv2d(x, torch.ones([2, 3]))"); },
     "weights of a convolution with 2 dimensions"},
    {"DropoutInTraining", [] { return ImportExpression("torch.dropout(x, 0.5, True)"); },
     "random numbers of training", kUnsupported},
    {"BatchNormInTraining",
     [] {
       const std::string ones = "torch.ones([3])";
       return ImportExpression("torch.batch_norm(x, None, None, " + ones + ", " + ones + ", True)");
     },
     "statistics of the batch at hand", kUnsupported},
    {"EluWithAScale", [] { return ImportExpression("torch.elu(x, 1., 2.)"); }, "scales other than 1",
     kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedLayers, kLayers);

const Refusal kElements[] = {
    {"NextAfterADouble", [] { return ImportExpression("torch.nextafter(torch.to(x, 7), x)"); },
     "the number next to one of float64", kUnsupported},
    {"ShiftOfFloats", [] { return ImportExpression("torch.__lshift__(x, 1)"); }, "a shift of float32",
     kUnsupported},
    {"FourthOfThree", [] { return ImportExpression("torch.kthvalue(x, 4)[0]"); }, "element 4 of 3"},
    {"QuantileByTheNextOne",
     [] { return ImportExpression("torch.quantile(x, 0.5, 0, False, interpolation=\"next\")"); },
     "interpolation 'next'"},
    {"QuantileAboveOne", [] { return ImportExpression("torch.quantile(x, 1.5)"); }, "quantile 1.5"},
    {"QuantileThatIsNoNumber", [] { return ImportExpression("torch.quantile(x, nan)"); }, "quantile nan"},
    {"LargestTruthSoFar", [] { return ImportExpression("torch.cummax(torch.to(x, 11), 0)[0]"); },
     "elements of bool", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedElements, kElements);

}  // namespace
}  // namespace micrort::testing::torch_refused_matrices
