// Attention of ONNX and of com.microsoft: operands, masks and caches that are refused.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_attention {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr int kInt32 = ::onnx::TensorProto::INT32;

// com.microsoft.Attention of two heads, x [2,3,4], with these weights.
OneNode Fused(const std::vector<int64_t>& weights = {4, 12}) {
  OneNode node("com.microsoft.Attention");
  node.Int("num_heads", 2).X({"2", "3", "4"}).Weights(weights);
  return node;
}

OneNode WithMask(const std::vector<std::string>& mask) {
  OneNode node = Fused();
  node.Absent().X(mask, kInt32);
  return node;
}

OneNode MultiHead(const std::vector<std::string>& query = {"2", "3", "4"}) {
  OneNode node("com.microsoft.MultiHeadAttention");
  node.Int("num_heads", 2).X(query);
  return node;
}

// Four heads of one number share two keys; the lengths of the items are inputs 5 and 6.
OneNode Grouped(const std::vector<std::string>& query = {"1", "1", "4"}) {
  OneNode node("com.microsoft.GroupQueryAttention");
  node.Int("num_heads", 4).Int("kv_num_heads", 2).X(query).X({"1", "1", "2"}).X({"1", "1", "2"});
  node.Absent(2).X({"1"}, kInt32).X({}, kInt32);
  return node;
}

OneNode DecoderMasked() {
  OneNode node("com.microsoft.DecoderMaskedMultiHeadAttention");
  node.Int("num_heads", 2).Xs(3, {"1", "1", "4"});
  return node;
}

OneNode GroupedRotary(const std::vector<std::string>& cosines) {
  OneNode node = Grouped();
  node.Int("do_rotary", 1).X(cosines).X(cosines);
  return node;
}

const Refusal kOperators[] = {
    {"UnknownModeOfScores",
     MICRORT_STATUS(
         OneNode("Attention", 24).Xs(3, {"1", "1", "2", "4"}).Int("qk_matmul_output_mode", 4).Refused()),
     "qk_matmul_output_mode is not in [0, 3]"},
    {"HeadsOf64Bits",
     MICRORT_STATUS(
         OneNode("Attention", 24).Xs(3, {"1", "2", "W"}).Int("q_num_heads", int64_t{1} << 32).Refused()),
     "q_num_heads is 4294967296", kUnsupported},
    {"MaskOfAnotherBatch", MICRORT_STATUS(WithMask({"3"}).Refused()), "a mask of 3 entries for a batch of 2",
     kUnsupported},
    {"SquareMaskOfUnknownPositions",
     [] {
       OneNode node("com.microsoft.Attention");
       node.Int("num_heads", 2).X({"2", "S", "4"}).Weights({4, 12}).Absent().X({"2", "1", "9", "9"}, kInt32);
       return node.Refused();
     },
     "a square mask needs a fixed number of positions", kUnsupported},
    {"MaskOfFiveDimensions", MICRORT_STATUS(WithMask({"2", "1", "1", "3", "3"}).Refused()),
     "a mask of 5 dimensions"},
    {"NoNumberOfHeads",
     MICRORT_STATUS(OneNode("com.microsoft.Attention").X({"2", "3", "4"}).Weights({4, 12}).Refused()),
     "num_heads must be positive"},
    {"WeightsOfOneDimension", MICRORT_STATUS(Fused({12}).Refused()), "weights of such a shape", kUnsupported},
    {"HeadsThatDoNotDivideTheWidth", MICRORT_STATUS(Fused().Ints("qkv_hidden_sizes", {5, 5, 2}).Refused()),
     "5 numbers cannot be split into 2 heads"},
    {"WeightsThatAreNotCovered", MICRORT_STATUS(Fused().Ints("qkv_hidden_sizes", {4, 4, 2}).Refused()),
     "query, key and value do not cover the weights"},
    {"FusedRotation", MICRORT_STATUS(Fused().Int("do_rotary", 1).Refused()), "do_rotary", kUnsupported},
    {"FusedSharedBuffer", MICRORT_STATUS(Fused().Absent(4).X({"1"}, kInt32).Refused()),
     "past and present in one buffer", kUnsupported},
    {"QueryOfTwoDimensions", MICRORT_STATUS(MultiHead({"3", "4"}).X({"2", "3", "4"}).Refused()),
     "expected a query of 3 dimensions and a key, or 5 dimensions"},
    {"NoValue", MICRORT_STATUS(MultiHead().X({"2", "3", "4"}).Refused()), "no value is given"},
    {"BiasOfPackedOperands",
     MICRORT_STATUS(MultiHead({"2", "3", "2", "3", "2"}).Absent(2).X({"12"}).Refused()),
     "a bias of packed operands", kUnsupported},
    {"SharedBuffer", MICRORT_STATUS(MultiHead().Xs(2, {"2", "3", "4"}).Absent(5).X({"1"}, kInt32).Refused()),
     "past and present in one buffer", kUnsupported},
    {"ScalarAsABias", MICRORT_STATUS(MultiHead().Xs(2, {"2", "3", "4"}).X({}).Refused()),
     "the bias does not have the widths of query, key and value"},
    {"BiasOfAnotherWidth", MICRORT_STATUS(MultiHead().Xs(2, {"2", "3", "4"}).X({"5"}).Refused()),
     "the bias does not have the widths of query, key and value"},
    {"BiasOfAnUnknownLength", MICRORT_STATUS(MultiHead().Xs(2, {"2", "3", "4"}).X({"L"}).Refused()),
     "the length of the bias is not fixed", kUnsupported},
    {"BiasOfAnUnknownWidth",
     MICRORT_STATUS(MultiHead().X({"2", "3", "W"}).X({"2", "3", "4"}).X({"12"}).Refused()),
     "the width of input 1 is not fixed", kUnsupported},
    {"UnknownInput", MICRORT_STATUS(Grouped().Absent(5).X({"4"}).Refused()), "input 12", kUnsupported},
    {"SinksOfOtherHeads", MICRORT_STATUS(Grouped().Absent(4).X({"3"}).Refused()),
     "expected a sink for each head"},
    {"BeamsOfADecoder", MICRORT_STATUS(DecoderMasked().Absent(6).X({"1", "2", "3"}, kInt32).Refused()),
     "beams (cache_indirection)", kUnsupported},
    {"OneCacheOfADecoder", MICRORT_STATUS(DecoderMasked().Absent(2).X({"1", "2", "P", "2"}).Refused()),
     "expected a query of 3 dimensions, keys, values, and both caches or none"},
    {"BiasOfADecoderOfAnotherWidth", MICRORT_STATUS(DecoderMasked().Absent(7).X({"8"}).Refused()),
     "widths of query, key, value and bias that are not fixed, or differ", kUnsupported},
    {"QuantizedCache", MICRORT_STATUS(Grouped().String("k_quant_type", "PER_TENSOR").Refused()),
     "a quantized cache", kUnsupported},
    {"HeadsThatDoNotDivideTheQuery", MICRORT_STATUS(Grouped({"1", "1", "6"}).Refused()),
     "expected a query of 3 dimensions, keys and values or neither"},
    {"RotationWithoutTables", MICRORT_STATUS(Grouped().Int("do_rotary", 1).Refused()),
     "do_rotary needs tables of cosines and sines"},
    {"MoreAnglesThanNumbers", MICRORT_STATUS(GroupedRotary({"8", "1"}).Refused()),
     "more angles than numbers of a head"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedAttention, kOperators);

}  // namespace
}  // namespace micrort::testing::onnx_refused_attention
