// Operators of TFLite and their options.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/pipeline/pipeline.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;

fb::Conv2DOptionsT ConvOptions(fb::Padding padding, int stride,
                               fb::ActivationFunctionType activation = fb::ActivationFunctionType::None) {
  fb::Conv2DOptionsT o;
  o.padding = padding;
  o.stride_h = o.stride_w = stride;
  o.fused_activation_function = activation;
  return o;
}

// SAME pads the end more than the begin.
TEST(TfliteConv, SamePadsTheEndMore) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 4, 1}), w = b.Floats("w", {1, 1, 3, 1}, {1, 10, 100}), y = b.Tensor("y");
  b.Op("CONV_2D", {x, w}, {y}, ConvOptions(fb::Padding::Same, 2));
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4}}})["y"], Floats({321, 43}));
}

TEST(TfliteConv, ValidPadsNothingAndActivationsFollow) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 4, 1}), w = b.Floats("w", {1, 1, 3, 1}, {1, 1, 1}), y = b.Tensor("y");
  const int bias = b.Floats("bias", {1}, {-5});
  b.Op("CONV_2D", {x, w, bias}, {y}, ConvOptions(fb::Padding::Valid, 1, fb::ActivationFunctionType::Relu6));
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 40}}})["y"], Floats({1, 6}));
}

TEST(TfliteConv, SignBitIsRefused) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 4, 1}), w = b.Floats("w", {1, 1, 1, 1}, {1}), y = b.Tensor("y");
  b.Op("CONV_2D", {x, w}, {y}, ConvOptions(fb::Padding::Valid, 1, fb::ActivationFunctionType::SignBit));
  b.Output(y);
  EXPECT_EQ(ImportTflite(b.Bytes()).status.code(), StatusCode::kUnsupported);
}

TEST(TfliteConv, DepthwiseMultipliesChannels) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 1, 2}), w = b.Floats("w", {1, 1, 1, 4}, {1, 2, 3, 4}), y = b.Tensor("y");
  fb::DepthwiseConv2DOptionsT o;
  o.padding = fb::Padding::Valid;
  o.stride_h = o.stride_w = 1;
  o.depth_multiplier = 2;
  b.Op("DEPTHWISE_CONV_2D", {x, w}, {y}, o);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 10}}})["y"], Floats({1, 2, 30, 40}));
}

TEST(TfliteConv, TransposedHasTheShapeAskedFor) {
  TfliteBuilder b;
  const int shape = b.Integers("shape", {1, 1, 4, 1}), w = b.Floats("w", {1, 1, 2, 1}, {1, 10});
  const int x = b.Input("x", {1, 1, 2, 1}), y = b.Tensor("y");
  fb::TransposeConvOptionsT o;
  o.padding = fb::Padding::Same;
  o.stride_h = 1;
  o.stride_w = 2;
  b.Op("TRANSPOSE_CONV", {shape, w, x}, {y}, o);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2}}})["y"], Floats({1, 10, 2, 20}));
}

// Layers of int8 are int8 after the passes, with the quantization of the file, and nothing is transposed.
TEST(TfliteQuantized, LayersStayIntegers) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2, 2, 1}, fb::TensorType::Int8, {{0.5f}, {3}});
  const int w =
      b.Constant<int8_t>("w", {2, 1, 1, 1}, fb::TensorType::Int8, {2, -4}, {{0.25f, 0.5f}, {0, 0}, 0});
  const int bias =
      b.Constant<int32_t>("bias", {2}, fb::TensorType::Int32, {8, 4}, {{0.125f, 0.25f}, {0, 0}, 0});
  const int y = b.Tensor("y", {1, 2, 2, 2}, fb::TensorType::Int8, {{1.0f}, {-128}});
  b.Op("CONV_2D", {x, w, bias}, {y}, ConvOptions(fb::Padding::Same, 1, fb::ActivationFunctionType::Relu));
  b.Output(y);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  ASSERT_TRUE(passes::Optimize(result.module, {}).ok());
  ASSERT_EQ(result.graph().nodes.size(), 1u);
  const ir::Node& conv = *result.graph().nodes[0];
  EXPECT_EQ(conv.code, schema::OpCode::Conv2D);
  EXPECT_EQ(result.graph().value(conv.inputs[1]).quantization.scales, Floats({0.25f, 0.5f}));
  EXPECT_EQ(result.graph().value(conv.outputs[0]).quantization.zero_points, std::vector<int32_t>{-128});
  // (5 - 3) * 0.5 = 1; 1 * 0.5 + 1 = 1.5, rounded to even; 1 * -2 + 1 < 0.
  std::map<std::string, Floats> outputs;
  ASSERT_TRUE(Evaluate(result.graph(), {{"x", {5, 3, 7, 11}}}, &outputs).ok());
  EXPECT_EQ(outputs["y"], Floats({-126, -128, -127, -127, -126, -128, -125, -128}));
}

TEST(TfliteQuantized, Uint8BecomesInt8AndBack) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 4}, fb::TensorType::UInt8, {{0.5f}, {128}});
  const int w =
      b.Constant<uint8_t>("w", {1, 4}, fb::TensorType::UInt8, {129, 130, 127, 255}, {{1.0f}, {128}});
  const int y = b.Tensor("y", {1, 1}, fb::TensorType::UInt8, {{1.0f}, {10}});
  b.Op("FULLY_CONNECTED", {x, w}, {y}, fb::FullyConnectedOptionsT());
  b.Output(y);
  // 1 * 1 + 2 * 2 - 1 * 3 + 127 * 0
  EXPECT_EQ(RunTflite(b, {{"x", {130, 132, 134, 128}}})["y"], Floats({12}));
}

TEST(TfliteQuantized, Int16ComputesInReals) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2}, fb::TensorType::Int16, {{0.5f}, {0}});
  const int w = b.Constant<int8_t>("w", {1, 2}, fb::TensorType::Int8, {2, 3}, {{1.0f}, {0}});
  const int bias = b.Constant<int64_t>("bias", {1}, fb::TensorType::Int64, {4}, {{0.5f}, {0}});
  const int y = b.Tensor("y", {1, 1}, fb::TensorType::Int16, {{0.5f}, {0}});
  b.Op("FULLY_CONNECTED", {x, w, bias}, {y}, fb::FullyConnectedOptionsT());
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {10, -1}}})["y"], Floats({21}));
  EXPECT_EQ(RunTflite(b, {{"x", {32767, 32767}}})["y"], Floats({32767}));
}

TEST(TfliteQuantized, HalfWeightsBehindDequantizeAreConstants) {
  TfliteBuilder b;
  const int half = b.Constant<uint16_t>("half", {2}, fb::TensorType::Float16, {0x3c00, 0x4000});
  const int w = b.Tensor("w"), x = b.Input("x", {2}), y = b.Tensor("y");
  b.Op("DEQUANTIZE", {half}, {w});
  b.Op("MUL", {x, w}, {y}, fb::MulOptionsT());
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {3, 4}}})["y"], Floats({3, 8}));
}

TEST(TfliteQuantized, RequantizesBetweenTwo) {
  TfliteBuilder b;
  const int x = b.Input("x", {3}, fb::TensorType::Int8, {{1.0f}, {0}});
  const int y = b.Tensor("y", {3}, fb::TensorType::Int8, {{0.5f}, {10}});
  b.Op("QUANTIZE", {x}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {-1, 2, 100}}})["y"], Floats({8, 14, 127}));
}

// Any type of integers to any other, with the scales and zero points of both.
TEST(TfliteQuantized, RequantizesBetweenAllTypes) {
  using Type = fb::TensorType;
  const std::pair<Type, Quantized> kinds[] = {{Type::Int8, {{0.5f}, {-4}}},
                                              {Type::UInt8, {{0.25f}, {100}}},
                                              {Type::Int16, {{0.125f}, {0}}},
                                              {Type::Int32, {{0.0625f}, {0}}}};
  for (const auto& [from, of_x] : kinds) {
    for (const auto& [to, of_y] : kinds) {
      SCOPED_TRACE(std::string(fb::EnumNameTensorType(from)) + " to " + fb::EnumNameTensorType(to));
      TfliteBuilder b;
      const int x = b.Input("x", {3}, from, of_x), y = b.Tensor("y", {3}, to, of_y);
      b.Op("QUANTIZE", {x}, {y});
      b.Output(y);
      Floats given, expected;
      for (const float real : {-5.0f, 0.0f, 12.5f}) {
        given.push_back(real / of_x.scales[0] + static_cast<float>(of_x.zero_points[0]));
        expected.push_back(real / of_y.scales[0] + static_cast<float>(of_y.zero_points[0]));
      }
      EXPECT_EQ(RunTflite(b, {{"x", given}})["y"], expected);
    }
  }
}

TEST(TfliteQuantized, RealNumbersBecomeInt32) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}), y = b.Tensor("y", {4}, fb::TensorType::Int32, {{0.125f}, {3}});
  b.Op("QUANTIZE", {x}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {-5, 0.25f, 12.5f, 1e10f}}})["y"], Floats({-37, 5, 103, 2147483648.0f}));
}

// 2^25 + 6 is no float: its last bits survive, and results saturate.
TEST(TfliteQuantized, RequantizesAllBitsOf32) {
  using Type = fb::TensorType;
  TfliteBuilder b;
  const int k = b.Constant<int32_t>("k", {2}, Type::Int32, {16777219, 2147483647}, {{0.5f}, {0}});
  const int wide = b.Tensor("wide", {2}, Type::Int32, {{0.25f}, {0}});
  const int narrow = b.Tensor("narrow", {2}, Type::Int16, {{524288}, {0}});
  const int far = b.Integers("far", {33554432}), rest = b.Tensor("rest", {2}, Type::Int32);
  b.Op("QUANTIZE", {k}, {wide});
  b.Op("SUB", {wide, far}, {rest}, fb::SubOptionsT());
  b.Op("QUANTIZE", {k}, {narrow});
  b.Output(rest).Output(narrow);
  auto outputs = RunTflite(b);
  EXPECT_EQ(outputs["rest"], Floats({6, 2113929216}));
  EXPECT_EQ(outputs["narrow"], Floats({16, 2048}));
}

TEST(TfliteQuantized, DequantizesInt32) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}, fb::TensorType::Int16, {{0.5f}, {0}});
  const int wide = b.Tensor("wide", {2}, fb::TensorType::Int32, {{0.25f}, {0}}), y = b.Tensor("y");
  b.Op("QUANTIZE", {x}, {wide});
  b.Op("DEQUANTIZE", {wide}, {y});
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {-3, 7}}})["y"], Floats({-1.5f, 3.5f}));
}

TEST(TfliteQuantized, IntegersWithoutScalesDoNotBecomeOthers) {
  TfliteBuilder b;
  const int x = b.Input("x", {1}, fb::TensorType::Int16),
            y = b.Tensor("y", {1}, fb::TensorType::Int32, {{1}, {0}});
  b.Op("QUANTIZE", {x}, {y});
  b.Output(y);
  const Status status = ImportTflite(b.Bytes()).status;
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), ::testing::HasSubstr("the input has 0 scales"));
}

struct StridedCase {
  std::vector<int32_t> begin, end, stride;
  int begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
  std::vector<int64_t> shape;
  Floats expected;
};

// Of [[1, 2, 3], [4, 5, 6]].
TEST(TfliteStridedSlice, HasEveryMask) {
  const StridedCase cases[] = {
      {{0, 1}, {1, 3}, {1, 1}, 0, 0, 0, 0, 0, {1, 2}, {2, 3}},
      {{0, 0}, {0, 2}, {1, 1}, 0, 1, 0, 0, 0, {2, 2}, {1, 2, 4, 5}},
      {{1, 1}, {2, 3}, {1, 1}, 2, 0, 0, 0, 0, {1, 3}, {4, 5, 6}},
      {{-1, 0}, {0, 3}, {1, 1}, 0, 0, 0, 0, 1, {3}, {4, 5, 6}},
      {{0, 0}, {2, 0}, {1, -1}, 2, 2, 0, 0, 0, {2, 3}, {3, 2, 1, 6, 5, 4}},
      {{0, 2}, {0, 3}, {1, 1}, 0, 0, 1, 0, 2, {2}, {3, 6}},
      {{0, 1, 0}, {0, 2, 3}, {1, 1, 2}, 0, 0, 0, 1, 0, {1, 1, 2}, {4, 6}},
  };
  for (const StridedCase& k : cases) {
    TfliteBuilder b;
    const int x = b.Input("x", {2, 3}), y = b.Tensor("y");
    fb::StridedSliceOptionsT o;
    o.begin_mask = k.begin_mask, o.end_mask = k.end_mask, o.ellipsis_mask = k.ellipsis_mask;
    o.new_axis_mask = k.new_axis_mask, o.shrink_axis_mask = k.shrink_axis_mask;
    b.Op("STRIDED_SLICE",
         {x, b.Integers("begin", k.begin), b.Integers("end", k.end), b.Integers("stride", k.stride)}, {y}, o);
    b.Output(y);
    ImportedTflite result = ImportTflite(b.Bytes());
    ASSERT_TRUE(result.status.ok()) << result.status.message();
    EXPECT_EQ(result.graph().value(result.graph().outputs[0]).shape, k.shape);
    EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}})["y"], k.expected);
  }
}

TEST(TfliteStridedSlice, TakesComputedLimits) {
  TfliteBuilder b;
  const int x = b.Input("x", {-1, 3}), shape = b.Tensor("shape", {}, fb::TensorType::Int32),
            y = b.Tensor("y");
  b.Op("SHAPE", {x}, {shape});
  // Row -1 of x by its shape: begin is [rows, 3] - 1.
  const int begin = b.Tensor("begin", {}, fb::TensorType::Int32);
  b.Op("SUB", {shape, b.Integers("one", {1, 1})}, {begin}, fb::SubOptionsT());
  fb::StridedSliceOptionsT o;
  o.begin_mask = 2;
  o.shrink_axis_mask = 1;
  b.Op("STRIDED_SLICE", {x, begin, shape, b.Integers("stride", {1, 1})}, {y}, o);
  b.Output(y);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  EXPECT_THAT(result.graph().value(result.graph().outputs[0]).shape, ElementsAre(3));
}

TEST(TflitePad, MirrorsWithAndWithoutTheBorder) {
  for (const bool symmetric : {false, true}) {
    TfliteBuilder b;
    const int x = b.Input("x", {3}), y = b.Tensor("y");
    const int pads = b.Constant<int32_t>("pads", {1, 2}, fb::TensorType::Int32, {2, 1});
    fb::MirrorPadOptionsT o;
    o.mode = symmetric ? fb::MirrorPadMode::Symmetric : fb::MirrorPadMode::Reflect;
    b.Op("MIRROR_PAD", {x, pads}, {y}, o);
    b.Output(y);
    const Floats expected = symmetric ? Floats({2, 1, 1, 2, 3, 3}) : Floats({3, 2, 1, 2, 3, 2});
    EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3}}})["y"], expected);
  }
}

TEST(TfliteSplit, TakesSizesAndOneThatIsLeft) {
  TfliteBuilder b;
  const int x = b.Input("x", {5}), sizes = b.Integers("sizes", {1, -1, 2}), axis = b.Integers("axis", {0});
  const int p = b.Tensor("p"), q = b.Tensor("q"), r = b.Tensor("r");
  b.Op("SPLIT_V", {x, sizes, axis}, {p, q, r});
  b.Output(p).Output(q).Output(r);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4, 5}}});
  EXPECT_EQ(outputs["p"], Floats({1}));
  EXPECT_EQ(outputs["q"], Floats({2, 3}));
  EXPECT_EQ(outputs["r"], Floats({4, 5}));
}

TEST(TflitePack, GoesBackAndForth) {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), z = b.Input("z", {2}), both = b.Tensor("both");
  const int u = b.Tensor("u"), v = b.Tensor("v");
  fb::PackOptionsT pack;
  pack.axis = -1;
  fb::UnpackOptionsT unpack;
  unpack.axis = 0;
  b.Op("PACK", {x, z}, {both}, pack);
  b.Op("UNPACK", {both}, {u, v}, unpack);
  b.Output(u).Output(v);
  auto outputs = RunTflite(b, {{"x", {1, 2}}, {"z", {3, 4}}});
  EXPECT_EQ(outputs["u"], Floats({1, 3}));
  EXPECT_EQ(outputs["v"], Floats({2, 4}));
}

TEST(TfliteFloorDiv, RoundsDownAndModHasTheSignOfTheDivisor) {
  TfliteBuilder b;
  const int x = b.Input("x", {4}), z = b.Floats("z", {4}, {3, 3, -3, -3}), q = b.Tensor("q"),
            r = b.Tensor("r");
  b.Op("FLOOR_DIV", {x, z}, {q});
  b.Op("FLOOR_MOD", {x, z}, {r});
  b.Output(q).Output(r);
  auto outputs = RunTflite(b, {{"x", {7, -7, 7, -7}}});
  EXPECT_EQ(outputs["q"], Floats({2, -3, -3, 2}));
  EXPECT_EQ(outputs["r"], Floats({1, 2, -2, -1}));
}

TEST(TfliteSpaceToBatch, GoesBackAndForth) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 2, 3, 1}), block = b.Integers("block", {2, 2});
  const int pads = b.Constant<int32_t>("pads", {2, 2}, fb::TensorType::Int32, {0, 0, 0, 1});
  const int batch = b.Tensor("batch"), y = b.Tensor("y");
  b.Op("SPACE_TO_BATCH_ND", {x, block, pads}, {batch});
  b.Op("BATCH_TO_SPACE_ND", {batch, block, pads}, {y});
  b.Output(batch).Output(y);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}});
  EXPECT_EQ(outputs["batch"], Floats({1, 3, 2, 0, 4, 6, 5, 0}));
  EXPECT_EQ(outputs["y"], Floats({1, 2, 3, 4, 5, 6}));
}

// One convolution, with dilation 2.
TEST(TfliteSpaceToBatch, AroundAConvolutionIsItsDilation) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 5, 1}), block = b.Integers("block", {1, 2});
  const int pads = b.Constant<int32_t>("pads", {2, 2}, fb::TensorType::Int32, {0, 0, 2, 3});
  const int crops = b.Constant<int32_t>("crops", {2, 2}, fb::TensorType::Int32, {0, 0, 0, 1});
  const int batch = b.Tensor("batch"), inner = b.Tensor("inner"), y = b.Tensor("y");
  b.Op("SPACE_TO_BATCH_ND", {x, block, pads}, {batch});
  b.Op("CONV_2D", {batch, b.Floats("w", {1, 1, 3, 1}, {1, 10, 100})}, {inner},
       ConvOptions(fb::Padding::Valid, 1));
  b.Op("BATCH_TO_SPACE_ND", {inner, block, crops}, {y});
  b.Output(y);
  ImportedTflite result = ImportTflite(b.Bytes());
  ASSERT_TRUE(result.status.ok()) << result.status.message();
  ASSERT_EQ(result.graph().nodes.size(), 1u);
  EXPECT_EQ(result.graph().nodes[0]->as<schema::Conv2DOptionsT>().dilation_w, 2);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 2, 3, 4, 5}}})["y"], Floats({310, 420, 531, 42, 53}));
}

TEST(TfliteNormalization, LocalResponseSumsNeighbours) {
  TfliteBuilder b;
  const int x = b.Input("x", {1, 1, 1, 3}), y = b.Tensor("y");
  fb::LocalResponseNormalizationOptionsT o;
  o.radius = 1;
  o.bias = 1;
  o.alpha = 1;
  o.beta = 1;
  b.Op("LOCAL_RESPONSE_NORMALIZATION", {x}, {y}, o);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", {1, 1, 2}}})["y"], Floats({1.0f / 3, 1.0f / 7, 2.0f / 6}));
}

TEST(TfliteSelection, ReversesSequencesAndMakesOneHots) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 3}), lengths = b.Integers("lengths", {2, 3}), y = b.Tensor("y"),
            h = b.Tensor("h");
  fb::ReverseSequenceOptionsT o;
  o.seq_dim = 1;
  b.Op("REVERSE_SEQUENCE", {x, lengths}, {y}, o);
  fb::OneHotOptionsT hot;
  hot.axis = -1;
  b.Op("ONE_HOT", {lengths, b.Integers("depth", {4}), b.Floats("on", {}, {5}), b.Floats("off", {}, {0})}, {h},
       hot);
  b.Output(y).Output(h);
  auto outputs = RunTflite(b, {{"x", {1, 2, 3, 4, 5, 6}}});
  EXPECT_EQ(outputs["y"], Floats({2, 1, 3, 6, 5, 4}));
  EXPECT_EQ(outputs["h"], Floats({0, 0, 5, 0, 0, 0, 0, 5}));
}

TEST(TfliteSelection, ReversesSequencesOfOpenAndOfLargeSizes) {
  TfliteBuilder b;
  const int open = b.Input("open", {-1, 2}), large = b.Input("large", {1 << 30, 2}, fb::TensorType::Int8);
  const int y = b.Tensor("y"), z = b.Tensor("z", {}, fb::TensorType::Int8);
  fb::ReverseSequenceOptionsT o;
  o.seq_dim = 0, o.batch_dim = 1;
  b.Op("REVERSE_SEQUENCE", {open, b.Integers("lengths", {2, 3})}, {y}, o);
  b.Op("REVERSE_SEQUENCE", {large, b.Integers("all", {1 << 30, 1 << 30})}, {z}, o);
  b.Output(y).Output(z);
  const ImportedTflite imported = ImportTflite(b.Bytes());
  ASSERT_TRUE(imported.status.ok()) << imported.status.message();
}

TEST(TfliteReduce, AnyAndAllAreOfTruthValues) {
  TfliteBuilder b;
  const int x = b.Input("x", {2, 2}), t = b.Tensor("t", {}, fb::TensorType::Bool);
  const int any = b.Tensor("any", {}, fb::TensorType::Bool), all = b.Tensor("all", {}, fb::TensorType::Bool);
  const int axis = b.Integers("axis", {1});
  b.Op("GREATER", {x, b.Floats("zero", {}, {0})}, {t});
  b.Op("REDUCE_ANY", {t, axis}, {any});
  b.Op("REDUCE_ALL", {t, axis}, {all});
  b.Output(any).Output(all);
  auto outputs = RunTflite(b, {{"x", {1, -1, 2, 3}}});
  EXPECT_EQ(outputs["any"], Floats({1, 1}));
  EXPECT_EQ(outputs["all"], Floats({0, 1}));
}

}  // namespace
}  // namespace micrort::testing
