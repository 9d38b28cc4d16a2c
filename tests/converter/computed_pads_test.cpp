// Paddings and borders that a model computes from open sizes, in formats that have none of ONNX's Pad.

#include <gmock/gmock.h>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_graph.h"
#include "tests/converter/tflite_builder.h"
#include "tests/converter/torch_archive.h"

namespace micrort::testing {
namespace {

const char* const kFloats = "T { type: DT_FLOAT }";
const char* const kInts = "T { type: DT_INT32 }";

// x is [2, n].
Converted Torch(const std::string& result) {
  const std::string methods =
      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
      "    n = torch.size(x, 1)\n    return " +
      result + "\n";
  ConvertOptions options;
  options.input_shapes = {{"x", {2, -1}}};
  return Converted("model.pt", TorchArchive(methods).Bytes(), options);
}

TEST(TorchComputedPads, FillWhatIsMissing) {
  Converted to_three = Torch("torch.pad(x, [0, ops.prim.max(torch.sub(3, n), 0)])");
  EXPECT_EQ(to_three.Run({Counting({2, 1})}), "2x3: 1 0 0 2 0 0");
  EXPECT_EQ(to_three.Run({Counting({2, 3})}), "2x3: 1 2 3 4 5 6");
  EXPECT_EQ(to_three.Run({Counting({2, 4})}), "2x4: 1 2 3 4 5 6 7 8");
  Converted rows = Torch("torch.constant_pad_nd(x, [torch.neg(1), 0, 0, torch.sub(n, 1)], 7)");
  EXPECT_EQ(rows.Run({Counting({2, 2})}), "3x1: 2 4 7");
}

TEST(TorchComputedPads, FillWithAComputedValue) {
  EXPECT_EQ(Torch("torch.pad(x, [1, 0], \"constant\", float(n))").Run({Counting({2, 1})}), "2x2: 1 1 1 2");
  EXPECT_EQ(Torch("torch.constant_pad_nd(x, [n, 0], float(n))").Run({Counting({2, 2})}),
            "2x4: 2 2 1 2 2 2 3 4");
}

TEST(TorchComputedPads, MirrorAndRepeat) {
  EXPECT_EQ(Torch("torch.reflection_pad1d(x, [torch.sub(n, 1), 0])").Run({Counting({2, 2})}),
            "2x3: 2 1 2 4 3 4");
  EXPECT_EQ(Torch("torch.replication_pad1d(x, [n, 0])").Run({Counting({2, 2})}), "2x4: 1 1 1 2 3 3 3 4");
}

// Pads of x [n]: as many before as x has, none behind.
Converted TfMirrored(const std::string& mode) {
  const std::string nodes = TfNode("shape", "Shape", {"x"}, {kFloats, "out_type { type: DT_INT32 }"}) +
                            TfIntegers("zero", {0}) + TfIntegers("axis", {0}, true) +
                            TfIntegers("pair", {1, 2}) +
                            TfNode("both", "ConcatV2", {"shape", "zero", "axis"}, {kInts, "N { i: 2 }"}) +
                            TfNode("pads", "Reshape", {"both", "pair"}, {kInts});
  return Converted("graph.pbtxt",
                   TfInput("x", {-1}) + nodes +
                       TfNode("y", "MirrorPad", {"x", "pads"}, {kFloats, "mode { s: '" + mode + "' }"}));
}

TEST(TensorflowComputedPads, MirrorWithTheBorder) {
  Converted open = TfMirrored("SYMMETRIC");
  EXPECT_EQ(open.Run({Counting({3})}), "6: 3 2 1 1 2 3");
  EXPECT_EQ(open.Run({Counting({1})}), "2: 1 1");
}

TEST(TensorflowComputedPads, MirrorAnOpenDimensionByConstants) {
  Converted open("graph.pbtxt",
                 TfInput("x", {-1, 1}) + TfIntegers("list", {2, 1, 0, 0}) + TfIntegers("two", {2, 2}) +
                     TfNode("pads", "Reshape", {"list", "two"}, {kInts}) +
                     TfNode("y", "MirrorPad", {"x", "pads"}, {kFloats, "mode { s: 'SYMMETRIC' }"}));
  EXPECT_EQ(open.Run({Counting({3, 1})}), "6x1: 2 1 1 2 3 3");
  EXPECT_EQ(open.Run({Counting({2, 1})}), "5x1: 2 1 1 2 2");
}

// A convolution with dilation 2 over x [1, h, 1, 1], by blocks of two rows, as TensorFlow writes it where
// sizes are open: what is missing to an even number is padded and cut off again.
TEST(TensorflowComputedPads, DilatedConvolutionOfOpenSize) {
  const std::string nodes =
      TfNode("shape", "Shape", {"x"}, {kFloats, "out_type { type: DT_INT32 }"}) + TfIntegers("b", {1}) +
      TfIntegers("one", {1}) +
      TfNode("h", "Slice", {"shape", "b", "one"}, {kInts, "Index { type: DT_INT32 }"}) +
      TfIntegers("two", {2}) + TfNode("odd", "FloorMod", {"h", "two"}, {kInts}) + TfIntegers("zero", {0}) +
      TfIntegers("axis", {0}, true) + TfIntegers("pair", {1, 2}) +
      TfNode("list", "ConcatV2", {"zero", "odd", "axis"}, {kInts, "N { i: 2 }"}) +
      TfNode("borders", "Reshape", {"list", "pair"}, {kInts}) +
      TfNode("s", "SpaceToBatchND", {"x", "two", "borders"}, {kFloats}) + TfFloats("w", {1, 1, 1, 1}, {10}) +
      TfNode("c", "Conv2D", {"s", "w"},
             {kFloats, "strides { list { i: 1 i: 1 i: 1 i: 1 } }", "padding { s: 'SAME' }"}) +
      TfNode("y", "BatchToSpaceND", {"c", "two", "borders"}, {kFloats});
  Converted open("graph.pbtxt", TfInput("x", {1, -1, 1, 1}) + nodes);
  EXPECT_EQ(open.Run({Counting({1, 3, 1, 1})}), "1x3x1x1: 10 20 30");
  EXPECT_EQ(open.Run({Counting({1, 4, 1, 1})}), "1x4x1x1: 10 20 30 40");
}

// Pads of x [n]: none before, as many behind as x has.
TEST(TfliteComputedPads, MirrorAndFill) {
  const auto padded = [](const std::string& op, fb::MirrorPadMode mode) {
    TfliteBuilder b;
    const int x = b.Input("x", {-1}), zero = b.Integers("zero", {0});
    const int shape = b.Tensor("shape", {}, fb::TensorType::Int32), y = b.Tensor("y"),
              list = b.Tensor("list", {}, fb::TensorType::Int32),
              pads = b.Tensor("pads", {}, fb::TensorType::Int32);
    b.Op("SHAPE", {x}, {shape});
    b.Op("CONCATENATION", {zero, shape}, {list}, fb::ConcatenationOptionsT());
    b.Op("RESHAPE", {list, b.Integers("pair", {1, 2})}, {pads}, fb::ReshapeOptionsT());
    if (op == "MIRROR_PAD") {
      fb::MirrorPadOptionsT o;
      o.mode = mode;
      b.Op(op, {x, pads}, {y}, o);
    } else {
      b.Op(op, {x, pads, b.Floats("five", {}, {5})}, {y});
    }
    b.Output(y);
    return b.Bytes();
  };
  Converted symmetric("model.tflite", padded("MIRROR_PAD", fb::MirrorPadMode::Symmetric));
  EXPECT_EQ(symmetric.Run({Counting({3})}), "6: 1 2 3 3 2 1");
  EXPECT_EQ(symmetric.Run({Counting({2})}), "4: 1 2 2 1");
  Converted filled("model.tflite", padded("PADV2", fb::MirrorPadMode::Reflect));
  EXPECT_EQ(filled.Run({Counting({2})}), "4: 1 2 5 5");
}

TEST(TfliteComputedPads, BlocksOfOpenSize) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, -1, 1}), block = b.Integers("block", {2}), zero = b.Integers("zero", {0});
  const auto ints = [&](const char* name) { return b.Tensor(name, {}, fb::TensorType::Int32); };
  const int shape = ints("shape"), rows = ints("rows"), odd = ints("odd"), list = ints("list"),
            borders = ints("borders"), batch = b.Tensor("batch"), y = b.Tensor("y");
  b.Op("SHAPE", {x}, {shape});
  b.Op("SLICE", {shape, b.Integers("begin", {1}), b.Integers("size", {1})}, {rows});
  b.Op("FLOOR_MOD", {rows, b.Integers("two", {2})}, {odd});
  b.Op("CONCATENATION", {zero, odd}, {list}, fb::ConcatenationOptionsT());
  b.Op("RESHAPE", {list, b.Integers("pair", {1, 2})}, {borders}, fb::ReshapeOptionsT());
  b.Op("SPACE_TO_BATCH_ND", {x, block, borders}, {batch});
  b.Op("BATCH_TO_SPACE_ND", {batch, block, borders}, {y});
  b.Output(batch).Output(y);
  Converted open("model.tflite", b.Bytes());
  EXPECT_EQ(open.Run({Counting({1, 3, 1})}), "2x2x1: 1 3 2 0; 1x3x1: 1 2 3");
  EXPECT_EQ(open.Run({Counting({1, 2, 1})}), "2x1x1: 1 2; 1x2x1: 1 2");
}

}  // namespace
}  // namespace micrort::testing
