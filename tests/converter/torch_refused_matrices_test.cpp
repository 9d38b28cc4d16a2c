// TorchScript's operators on matrices, layers and functions of elements: arguments that do not fit.

#include "tests/converter/tensorflow_graph.h"
#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_matrices {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kMatrices[] = {
    {"DiagonalOfALongVector", MICRORT_STATUS(ImportExpression("torch.diag(x)", {4097})),
     "a matrix with 4097 elements on diagonal 0", kUnsupported},
    {"DiagonalFarFromTheMiddle",
     MICRORT_STATUS(ImportExpression("torch.diag(x, torch.__lshift__(1, 63))", {1})),
     "a matrix with 1 elements on diagonal -9223372036854775808", kUnsupported},
    {"DiagonalOfThreeDimensions", MICRORT_STATUS(ImportExpression("torch.diag(x)", {1, 2, 3})),
     "a tensor of 3 dimensions"},
    {"DiagonalOfOneDimension", MICRORT_STATUS(ImportExpression("torch.diagonal(x, 0, 1, 1)")),
     "dimensions 1 and 1 of 2"},
    {"TraceOfAVector", MICRORT_STATUS(ImportExpression("torch.trace(x)", {3})), "a tensor of 1 dimensions"},
    {"InnerProductWithThreeDimensions",
     MICRORT_STATUS(ImportExpression("torch.inner(x, torch.ones([2, 2, 3]))")),
     "tensors of more than two dimensions", kUnsupported},
    {"KroneckerOfAnotherRank", MICRORT_STATUS(ImportExpression("torch.kron(x, torch.ones([2]))")),
     "tensors of different rank", kUnsupported},
    {"ProductOfNoMatrices", MICRORT_STATUS(ImportExpression("torch.linalg_multi_dot([])")), "no matrices"},
    {"LargePower", MICRORT_STATUS(ImportExpression("torch.matrix_power(x, 5000)", {2, 2})), "power 5000",
     kUnsupported},
    {"BilinearWithAMatrix",
     MICRORT_STATUS(ImportExpression("torch.bilinear(x, x, torch.ones([2, 3]), None)")),
     "weights of 2 dimensions"},
    // TensorFlow's operator is composed of PyTorch's.
    {"InverseOfNothing",
     [] {
       const std::string inverse = TfNode("y", "MatrixInverse", {"x"}, {"T { type: DT_FLOAT }"});
       return ImportTf(TfInput("x", {0, 0}) + inverse).status;
     },
     "a matrix of 0x0", kUnsupported},
    {"NuclearNorm", MICRORT_STATUS(ImportExpression("torch.norm(x, \"nuc\")")), "a norm of kind 'nuc'",
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
    {"HeadsThatDoNotDivide", MICRORT_STATUS(Attend("3", "False")), "3 heads"},
    {"WeightsOfAttention", MICRORT_STATUS(Attend("2", "True")), "weights of attention as an output",
     kUnsupported},
    {"LargeCausalMask",
     [] {
       const std::string ones = "torch.ones([1, 20000, 1])";
       return ImportExpression(
           "torch.scaled_dot_product_attention(x, " + ones + ", " + ones + ", None, 0., True)",
           {1, 20000, 1});
     },
     "a causal mask of 20000x20000", kUnsupported},
    {"ConvolutionWithAMatrix", MICRORT_STATUS(ImportExpression("torch.conv2d(x, torch.ones([2, 3]))")),
     "weights of a convolution with 2 dimensions"},
    {"DropoutInTraining", MICRORT_STATUS(ImportExpression("torch.dropout(x, 0.5, True)")),
     "random numbers of training", kUnsupported},
    {"BatchNormInTraining",
     [] {
       const std::string ones = "torch.ones([3])";
       return ImportExpression("torch.batch_norm(x, None, None, " + ones + ", " + ones + ", True)");
     },
     "call model.eval() before saving it", kUnsupported},
    {"EluWithAScale", MICRORT_STATUS(ImportExpression("torch.elu(x, 1., 2.)")), "scales other than 1",
     kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedLayers, kLayers);

const Refusal kElements[] = {
    {"NextAfterAHalf", MICRORT_STATUS(ImportExpression("torch.nextafter(torch.to(x, 5), torch.to(x, 5))")),
     "the number next to one of float16", kUnsupported},
    {"ShiftOfFloats", MICRORT_STATUS(ImportExpression("torch.__lshift__(x, 1)")), "a shift of float32",
     kUnsupported},
    {"FourthOfThree", MICRORT_STATUS(ImportExpression("torch.kthvalue(x, 4)[0]")), "element 4 of 3"},
    {"QuantileByTheNextOne",
     MICRORT_STATUS(ImportExpression("torch.quantile(x, 0.5, 0, False, interpolation=\"next\")")),
     "interpolation 'next'"},
    {"QuantileAboveOne", MICRORT_STATUS(ImportExpression("torch.quantile(x, 1.5)")), "quantile 1.5"},
    {"QuantileThatIsNoNumber", MICRORT_STATUS(ImportExpression("torch.quantile(x, nan)")), "quantile nan"},
    {"LargestTruthSoFar", MICRORT_STATUS(ImportExpression("torch.cummax(torch.to(x, 11), 0)[0]")),
     "elements of bool", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedElements, kElements);

}  // namespace
}  // namespace micrort::testing::torch_refused_matrices
