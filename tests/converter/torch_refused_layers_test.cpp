// TorchScript's recurrent and quantized layers: states, weights and packed parameters that do not fit.

#include "tests/converter/torch_code_refusals.h"

namespace micrort::testing::torch_refused_layers {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

const Refusal kRecurrent[] = {
    {"SequencesThatWereNotPacked",
     MICRORT_STATUS(ImportExpression("torch._pad_packed_sequence(x, torch.tensor([1, 1]), False, 0., 2)[0]")),
     "batch sizes that are not those of pack_padded_sequence", kUnsupported},
    {"PackedNumber",
     [] {
       const std::string sequence = "torch._pack_padded_sequence(x, torch.tensor([1, 1]), False)";
       return ImportCode("    _0, sizes = " + sequence +
                             "\n    y, _1 = torch._pad_packed_sequence(torch.sum(x), sizes, False, 0., 4)\n"
                             "    return y\n",
                         {2, 2, 1});
     },
     "a tensor of 0 dimensions"},
    {"LayerWithOneState",
     MICRORT_STATUS(
         ImportExpression("torch.lstm(x, [x], [x, x, x, x], True, 1, 0., False, False, False)[0]")),
     "expected 2 states, found 1"},
    {"CellWithOneState", MICRORT_STATUS(ImportExpression("torch.lstm_cell(x, [x], x, x)[0]")),
     "expected 2 states, found 1"},
    {"LayersWithoutWeights",
     MICRORT_STATUS(ImportExpression("torch.gru(x, x, [x, x, x], True, 1, 0., False, False, False)[0]")),
     "3 weights for 1 layers"},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedRecurrent, kRecurrent);

// A linear layer on x, with these weights; `change` has their object's name.
Status Linear8(const std::string& weight, const std::string& change = "") {
  const std::string body =
      "    q = torch.quantize_per_tensor(x, 0.5, 0, 13)\n"
      "    packed = ops.quantized.linear_prepack(" +
      weight + ", None)\n" + change + "    return torch.dequantize(ops.quantized.linear(q, packed, 1., 0))\n";
  return ImportWithX(ArchiveOf(body).Tensor("w", {1, 3}, {1, 2, 3}));
}

// A layer whose object restores itself from eight values, of which the strides are these.
Status PackedConv(const std::string& strides) {
  const std::string two = "(" + PickledInt(1) + PickledInt(1) + "t";
  const std::string weight = PickledTensor("w", {1, 1, 1, 1}, {1, 1, 1, 1}, 0, 1);
  const std::string state = "(" + weight + "N" + strides + two + two + PickledInt(1) + "NNt";
  const std::string object =
      PickledGlobal("__torch__.torch.classes.xnnpack", "Conv2dOpContext") + ")\x81" + state + "b";
  TorchArchive archive = ArchiveOf("    return ops.prepacked.conv2d_clamp_run(x, self.packed)\n");
  return ImportWithX(archive.Attribute("packed", object).Entry("data/w", std::string("\0\0\x80\x3f", 4)),
                     {1, 1, 2, 2});
}

const Refusal kQuantized[] = {
    {"QuantizedTo32Bits",
     MICRORT_STATUS(ImportExpression("torch.dequantize(torch.quantize_per_tensor(x, 0.5, 0, 14))")),
     "a quantized tensor of int32", kUnsupported},
    {"DequantizedFloats", MICRORT_STATUS(ImportExpression("torch.dequantize(x)")),
     "expected a quantized tensor", kUnsupported},
    {"ConcatOfNoList", MICRORT_STATUS(ImportExpression("torch.dequantize(ops.quantized.cat(x, 0, 1., 0))")),
     "expected tensors"},
    {"ComputedWeights", MICRORT_STATUS(Linear8("x")), "quantized weights that are computed", kUnsupported},
    {"WeightsOfFloats", MICRORT_STATUS(Linear8("self.w")), "weights of type float32", kUnsupported},
    {"PackedWeightsWithoutStrides", MICRORT_STATUS(Linear8("self.w", "    packed.stride = 5\n")),
     "packed weights of an unknown form", kUnsupported},
    {"LayerWithoutPackedWeights", MICRORT_STATUS(ImportExpression("ops.prepacked.conv2d_clamp_run(x, self)")),
     "packed weights of an unknown form", kUnsupported},
    {"StridesThatAreNoIntegers",
     [] {
       const std::string quarter("G\x3f\xd0\0\0\0\0\0\0", 9);
       return PackedConv("(" + quarter + quarter + "t");
     },
     "packed weights of an unknown form", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TorchRefusedQuantized, kQuantized);

}  // namespace
}  // namespace micrort::testing::torch_refused_layers
