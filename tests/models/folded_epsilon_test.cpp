// The detector from ONNX and from TFLite: one training, whose batch normalizations TFLite's file has folded
// with Keras' epsilon, not with that which ONNX's file states.

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string>

#include "tests/models/model_under_test.h"
#include "tools/io/file.h"

namespace micrort::test {
namespace {

constexpr float kKerasEpsilon = 1.001e-5f;

// The ONNX model with another epsilon in all of its batch normalizations.
std::string WithEpsilon(float epsilon) {
  std::vector<uint8_t> bytes;
  EXPECT_TRUE(io::ReadFile(ModelData("models/onnx/ultraface_rfb_320_nopost.onnx"), &bytes).ok());
  ::onnx::ModelProto model;
  EXPECT_TRUE(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    if (node.op_type() != "BatchNormalization") continue;
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.name() == "epsilon") attribute.set_f(epsilon);
    }
  }
  return model.SerializeAsString();
}

io::NamedArray Picture(const std::string& model, const std::string& name, const std::string& input) {
  return ReadNpy(ModelData("golden/" + model + "/" + name + "/in/" + input));
}

TEST(FoldedEpsilon, MakesTheDetectorOfOnnxThatOfTflite) {
  MICRORT_NEEDS_MODEL_DATA();
  const TemporaryFolder folder;
  const std::string changed = folder / "keras.onnx";
  ASSERT_TRUE(io::WriteFileAtomically(changed, WithEpsilon(kKerasEpsilon)).ok());
  ModelUnderTest onnx(changed, {}), tflite("models/tflite/ultraface_rfb_320.tflite", {});
  ASSERT_TRUE(onnx.ok() && tflite.ok());
  for (const char* name : {"2", "9", "12"}) {
    const auto expected = tflite.Run({Picture("ultraface_rfb_320_tflite", name, "input_1.npy")});
    for (const io::NamedArray& output : onnx.Run({Picture("ultraface_rfb_320", name, "input.npy")})) {
      const auto same = std::find_if(expected.begin(), expected.end(),
                                     [&](const io::NamedArray& e) { return e.shape == output.shape; });
      ASSERT_NE(same, expected.end()) << output.name;
      EXPECT_LE(LargestDifference(*same, output), 1e-4) << name << " " << output.name;
    }
  }
}

}  // namespace
}  // namespace micrort::test
