// mnnconvert --emit cpp: steps that pick elements by indices or coordinates, transform an axis, or take what
// others have as constants; they give the bits of the interpreter.

#include "tests/aot/emit_cpp_fixture.h"

namespace micrort::test::aot {
namespace {

using ::onnx::TensorProto;
using ::testing::HasSubstr;

class EmitSampling : public EmitCpp {
 protected:
  // Of x, [1, 4, 8, 8], whose step calls the function.
  void ExpectCall(const std::string& function, OnnxBuilder network) {
    SCOPED_TRACE(function);
    network.model.mutable_opset_import(0)->set_version(18);
    WriteFile(model_, network.Output("y").Bytes());
    std::filesystem::remove_all(folder_ / "out");
    ExpectAsInterpreter(model_, "net_weights.S");
    EXPECT_THAT(ReadFile(cpp_ + "/net.cpp"), HasSubstr("micrort::" + function + "("));
  }
};

OnnxBuilder Pixels() {
  OnnxBuilder b;
  b.Input("x", {"1", "4", "8", "8"});
  return b;
}

TEST_F(EmitSampling, TuplesOfIndices) {
  OnnxBuilder gathers = Pixels();
  gathers.Integers("i", {3, 3}, {0, 1, 7, 0, -1, 2, 0, 0, 0}).Node("GatherND", {"x", "i"}, {"y"});
  ExpectCall("RunGatherND", gathers);
  for (const char* reduction : {"none", "add"}) {
    OnnxBuilder scatters = Pixels();
    scatters.Integers("i", {3, 2}, {0, 1, 0, -1, 0, 1}).Node("Exp", {"x"}, {"e"});
    scatters.Integers("starts", {1}, {1}).Integers("ends", {1}, {4}).Integers("axes", {1}, {1});
    scatters.Node("Slice", {"e", "starts", "ends", "axes"}, {"s"}).Integers("shape", {3}, {3, 8, 8});
    scatters.Node("Reshape", {"s", "shape"}, {"u"}).Node("ScatterND", {"x", "i", "u"}, {"y"});
    ExpectCall("RunScatterND", scatters.String("reduction", reduction));
  }
}

TEST_F(EmitSampling, IndicesOfElements) {
  std::vector<int32_t> indices(4 * 3 * 8);
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<int32_t>(i * 5 % 16) - 8;
  OnnxBuilder gathers = Pixels();
  gathers.Narrow("i", TensorProto::INT32, {1, 4, 3, 8}, indices);
  gathers.Node("GatherElements", {"x", "i"}, {"y"}).Int("axis", 2);
  ExpectCall("RunGatherElements", gathers);
  for (const char* reduction : {"none", "mul"}) {
    OnnxBuilder scatters = Pixels();
    scatters.Narrow("i", TensorProto::INT32, {1, 4, 3, 8}, indices).Node("Exp", {"x"}, {"e"});
    scatters.Integers("starts", {1}, {2}).Integers("ends", {1}, {5}).Integers("axes", {1}, {2});
    scatters.Node("Slice", {"e", "starts", "ends", "axes"}, {"u"});
    scatters.Node("ScatterElements", {"x", "i", "u"}, {"y"}).Int("axis", 2);
    ExpectCall("RunScatterElements", scatters.String("reduction", reduction));
  }
}

TEST_F(EmitSampling, WrongIndicesAreErrors) {
  OnnxBuilder b = Pixels();
  b.model.mutable_opset_import(0)->set_version(18);
  b.Input("i", {"2", "4"}, TensorProto::INT64).Node("GatherND", {"x", "i"}, {"y"}).Output("y");
  WriteFile(model_, b.Bytes());
  Emit(model_, "ns::Net");
  const std::string program = Compile("net.cpp net_test.cpp net_weights.S");
  WriteFile(folder_ / "x.bin", Input());
  std::string indices(64, '\0');
  indices[56] = 8;
  WriteFile(folder_ / "i.bin", indices);
  const ProcessResult result = RunCommand({program, folder_.path(), folder_ / "x.bin", folder_ / "i.bin"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.out + result.err, HasSubstr("an index is outside of the data"));
}

TEST_F(EmitSampling, SumsAndTransforms) {
  OnnxBuilder sums = Pixels();
  sums.Integers("axis", {}, {2}).Node("CumSum", {"x", "axis"}, {"y"}).Int("reverse", 1);
  ExpectCall("RunCumulativeSum", sums);
  OnnxBuilder spectra = Pixels();
  spectra.Integers("shape", {3}, {4, 64, 1}).Node("Reshape", {"x", "shape"}, {"lines"});
  spectra.Node("DFT", {"lines"}, {"y"}).Int("axis", 1).Int("onesided", 1);
  ExpectCall("TransformAxis", spectra);
  OnnxBuilder frames = Pixels();
  frames.Integers("shape", {3}, {1, 256, 1}).Node("Reshape", {"x", "shape"}, {"signal"});
  frames.Integers("step", {}, {24}).Weights("window", {40});
  frames.Node("STFT", {"signal", "step", "window"}, {"y"});
  ExpectCall("TransformAxis", frames);
}

TEST_F(EmitSampling, Coordinates) {
  OnnxBuilder grid = Pixels();
  grid.Integers("shape", {4}, {1, 8, 16, 2}).Node("Reshape", {"x", "shape"}, {"grid"});
  grid.Node("GridSample", {"x", "grid"}, {"y"}).String("padding_mode", "reflection");
  ExpectCall("GridSample", grid);
  for (const int64_t ratio : {0, 2}) {
    OnnxBuilder rois = Pixels();
    rois.Floats("rois", {2, 4}, {0, 0, 7, 5, 1.5f, 2, 6, 7.5f}).Integers("images", {2}, {0, 0});
    rois.Node("RoiAlign", {"x", "rois", "images"}, {"y"});
    rois.Int("output_height", 3).Int("output_width", 2).Int("sampling_ratio", ratio);
    ExpectCall("RoiAlign", rois);
  }
}

TEST_F(EmitSampling, WeightsThatAreComputed) {
  OnnxBuilder conv = Pixels();
  conv.Integers("shape", {4}, {4, 4, 4, 4}).Node("Reshape", {"x", "shape"}, {"w"}).Weights("b", {4});
  conv.Node("Conv", {"x", "w", "b"}, {"c"}).Ints("pads", {1, 1, 1, 1}).Node("Relu", {"c"}, {"y"});
  ExpectCall("RunConvLayer", conv);
  OnnxBuilder depthwise = Pixels();
  depthwise.Integers("starts", {2}, {2, 1}).Integers("ends", {2}, {5, 4}).Integers("axes", {2}, {2, 3});
  depthwise.Node("Slice", {"x", "starts", "ends", "axes"}, {"s"}).Integers("shape", {4}, {4, 1, 3, 3});
  depthwise.Node("Reshape", {"s", "shape"}, {"w"}).Node("Conv", {"x", "w"}, {"y"}).Int("group", 4);
  ExpectCall("RunConvLayer", depthwise);
  OnnxBuilder transposed = Pixels();
  transposed.Integers("shape", {4}, {4, 4, 4, 4}).Node("Reshape", {"x", "shape"}, {"w"});
  transposed.Node("ConvTranspose", {"x", "w"}, {"y"}).Ints("strides", {2, 2});
  ExpectCall("RunConvLayer", transposed);
}

TEST_F(EmitSampling, BordersThatAreComputed) {
  OnnxBuilder b = Pixels();
  b.Integers("pads", {8}, {0, 0, 1, 2, 0, 0, 2, 0}).Node("ReduceMax", {"x"}, {"value"}).Int("keepdims", 0);
  ExpectCall("Pad", b.Node("Pad", {"x", "pads", "value"}, {"y"}));
}

}  // namespace
}  // namespace micrort::test::aot
