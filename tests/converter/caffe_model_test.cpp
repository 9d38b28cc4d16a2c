// How Caffe networks are put together: forms of old and new, inputs, phases, weights, and what is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "converter/frontend/caffe/caffe.pb.h"
#include "tests/converter/caffe_net.h"

namespace micrort {
namespace {

using testing::BlobText;
using testing::Floats;
using ::testing::HasSubstr;
using testing::ImportedNet;
using testing::ImportNet;
using testing::InputText;
using testing::LayerText;
using testing::RunNet;

std::string Relu(const std::string& bottom, const std::string& top, const std::string& rest = "") {
  return "layer { name: \"" + top + "_relu\" type: \"ReLU\" bottom: \"" + bottom + "\" top: \"" + top +
         "\" " + rest + " }\n";
}

TEST(CaffeInputs, FourWays) {
  EXPECT_EQ(
      ImportNet("input: 'x' input_dim: 1 input_dim: 2 input_dim: 3 input_dim: 4 " + Relu("x", "y")).outputs(),
      "y 1x2x3x4");
  EXPECT_EQ(ImportNet(InputText("x", {5, 6}) + Relu("x", "y")).outputs(), "y 5x6");
  EXPECT_EQ(ImportNet("layer { type: 'Input' name: 'i' top: 'x' input_param { shape { dim: 7 } } }" +
                      Relu("x", "y"))
                .outputs(),
            "y 7");
  const std::string data =
      "layer { type: 'Data' name: 'd' top: 'x' top: 'l' include { phase: TRAIN } data_param { batch_size: 64 "
      "} }"
      "layer { type: 'Data' name: 'd' top: 'x' top: 'l' include { phase: TEST } data_param { batch_size: 2 }"
      " transform_param { crop_size: 8 mirror: true mean_value: 104 } }"
      "layer { type: 'SoftmaxWithLoss' name: 'loss' bottom: 'y' bottom: 'l' top: 'loss' }";
  ImportedNet net = ImportNet(data + Relu("x", "y"));
  EXPECT_EQ(net.outputs(), "y 2x3x8x8");
  EXPECT_EQ(net.graph().inputs.size(), 1u);
}

TEST(CaffeInputs, ShapeMayComeFromTheUser) {
  const std::string text = "layer { type: 'Input' name: 'i' top: 'x' }" + Relu("x", "y");
  EXPECT_THAT(ImportNet(text).message(), HasSubstr("--input-shape"));
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {1, 4}}};
  EXPECT_EQ(ImportNet(text, options).outputs(), "y 1x4");
}

TEST(CaffeInputs, Nonsense) {
  EXPECT_THAT(ImportNet("input: 'x' input_dim: 1 " + Relu("x", "y")).message(), HasSubstr("input_dim"));
  EXPECT_EQ(ImportNet("input: 'x' input_dim: 1 " + Relu("x", "y")).status.code(), StatusCode::kInvalidModel);
  EXPECT_EQ(ImportNet(InputText("x", {1, 0}) + Relu("x", "y")).status.code(), StatusCode::kInvalidModel);
  EXPECT_EQ(ImportNet(InputText("x", {2000000000, 2000000000}) + Relu("x", "y")).status.code(),
            StatusCode::kInvalidModel);
}

TEST(CaffePhases, LayersForTrainingAreLeftOut) {
  const std::string text = InputText("x", {2}) + Relu("x", "a", "include { phase: TRAIN }") +
                           Relu("x", "b", "exclude { phase: TRAIN }") +
                           Relu("x", "c", "exclude { phase: TEST }") +
                           Relu("x", "d", "include { stage: 'deploy' }");
  EXPECT_EQ(ImportNet(text).outputs(), "b 2");
  EXPECT_EQ(ImportNet("state { stage: 'deploy' }" + text).outputs(), "b 2, d 2");
  EXPECT_EQ(
      ImportNet(text + Relu("x", "e", "include { phase: TEST } exclude { phase: TRAIN }")).status.code(),
      StatusCode::kInvalidModel);
}

TEST(CaffeNet, LayersMayWriteToWhatTheyRead) {
  const std::string text = InputText("x", {3}) +
                           "layer { name: 'p' type: 'Power' bottom: 'x' top: 'a' power_param { shift: -1 } }"
                           "layer { name: 'r' type: 'ReLU' bottom: 'a' top: 'a' }"
                           "layer { name: 'd' type: 'Dropout' bottom: 'a' top: 'a' }"
                           "layer { name: 's' type: 'Power' bottom: 'a' top: 'y' power_param { scale: 2 } }";
  EXPECT_EQ(RunNet(text, {{"x", {0, 2, 3}}})["y"], Floats({0, 2, 4}));
  EXPECT_EQ(ImportNet(text).outputs(), "y 3");
}

TEST(CaffeNet, OutputsAreTopsThatNoLayerReads) {
  const std::string text =
      InputText("x", {2}) + "layer { name: 's' type: 'Split' bottom: 'x' top: 'a' top: 'b' }" +
      Relu("a", "c") + "layer { name: 'q' type: 'Silence' bottom: 'b' }" + Relu("c", "d");
  EXPECT_EQ(ImportNet(text).outputs(), "d 2");
  frontend::ImportOptions options;
  options.outputs = {"c"};
  EXPECT_EQ(ImportNet(text, options).outputs(), "c 2");
}

TEST(CaffeNet, BrokenStructure) {
  const auto code = [](const std::string& text) { return ImportNet(text).status.code(); };
  const std::string x = InputText("x", {2});
  EXPECT_EQ(code(x + Relu("z", "y")), StatusCode::kInvalidModel);
  EXPECT_THAT(ImportNet(x + Relu("z", "y")).message(), HasSubstr("'z'"));
  EXPECT_EQ(code(x + Relu("b", "a") + Relu("a", "b")), StatusCode::kInvalidModel);
  EXPECT_EQ(code(x + Relu("x", "y") + Relu("x", "y")), StatusCode::kInvalidModel);
  EXPECT_EQ(code("name: 'nothing'"), StatusCode::kInvalidModel);
  EXPECT_EQ(code(x + "layer { type: "), StatusCode::kInvalidModel);
  EXPECT_THAT(ImportNet(x + "layer { type: ").message(), HasSubstr("line 2"));
  std::string deep = x;
  for (int i = 0; i < 200000; ++i) deep += "acme { ";
  EXPECT_EQ(code(deep), StatusCode::kInvalidModel);
  EXPECT_EQ(code(x + LayerText("Concat", {"x"}, "concat_param { axis: 9 }")), StatusCode::kInvalidModel);
}

TEST(CaffeNet, UnsupportedLayersAreAllListed) {
  ImportedNet net = ImportNet(InputText("x", {2}) + LayerText("Python", {"x"}, "") + Relu("y", "z") +
                              "layer { name: 'k' type: 'Acme' bottom: 'x' top: 'u' }"
                              "layer { name: 'w' type: 'InnerProduct' bottom: 'x' top: 'v'"
                              " inner_product_param { num_output: 1 axis: 0 } }");
  EXPECT_EQ(net.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(net.diagnostics.unsupported.size(), 2u);
  EXPECT_EQ(net.diagnostics.unsupported[0].op, "Python");
  EXPECT_EQ(net.diagnostics.unsupported[1].op, "Acme");
}

TEST(CaffeNet, FieldsOfForksAreNamedWhereTheyMatter) {
  const std::string x = InputText("x", {1, 1, 4, 4});
  const auto with = [&](const std::string& inside, const std::string& beside) {
    return x + LayerText("Pooling", {"x"}, "pooling_param { kernel_size: 2 " + inside + " } " + beside);
  };
  EXPECT_EQ(ImportNet(with("engine: CUDNN", "param { lr_mult: 1 } loss_weight: 0")).outputs(), "y 1x1x3x3");
  ImportedNet net = ImportNet(with("weird_mode: 3", ""));
  EXPECT_EQ(net.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(net.message(), HasSubstr("weird_mode"));
}

TEST(CaffeWeights, MissingOnesSayWhatToGive) {
  const std::string layer = "inner_product_param { num_output: 1 }";
  ImportedNet net = ImportNet(InputText("x", {1, 2}) + LayerText("InnerProduct", {"x"}, layer));
  EXPECT_EQ(net.status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(net.message(), HasSubstr("--weights"));
}

TEST(CaffeWeights, WrongShapes) {
  const std::string layer = "inner_product_param { num_output: 2 bias_term: false }";
  const auto with = [&](const std::string& blobs) {
    return ImportNet(InputText("x", {1, 2}) + LayerText("InnerProduct", {"x"}, layer + blobs)).status.code();
  };
  EXPECT_EQ(with(BlobText({2, 2}, {1, 2, 3, 4})), StatusCode::kOk);
  EXPECT_EQ(with("blobs { num: 1 channels: 1 height: 2 width: 2 double_data: [1, 2, 3, 4] }"),
            StatusCode::kOk);
  EXPECT_EQ(with(BlobText({2, 2}, {1, 2, 3})), StatusCode::kInvalidModel);
  EXPECT_EQ(with(BlobText({4}, {1, 2, 3, 4})), StatusCode::kInvalidModel);
  EXPECT_EQ(with(BlobText({2, -2}, {1, 2, 3, 4})), StatusCode::kInvalidModel);
  EXPECT_EQ(with(BlobText({4294967296, 4294967296}, {1})), StatusCode::kInvalidModel);
}

// The same network: a convolution without bias.
const char kBlob[] = " num: 1 channels: 1 height: 1 width: 1 data: 3 ";
const char kInput[] = "input: 'x' input_dim: 1 input_dim: 1 input_dim: 1 input_dim: 2 ";

// For quantization without data: y has this mean and deviation on the data that the network was trained with.
TEST(CaffeWeights, BatchNormAndScaleTellTheTrainedOutput) {
  const std::string norm = "layer { name: 'n' type: 'BatchNorm' bottom: 'x' top: 'n' " +
                           BlobText({2}, {1, 2}) + BlobText({2}, {4, 9}) + BlobText({1}, {1}) + "}";
  const std::string scale = LayerText(
      "Scale", {"n"}, "scale_param { bias_term: true }" + BlobText({2}, {-3, 4}) + BlobText({2}, {5, 6}));
  ImportedNet net = ImportNet(InputText("x", {1, 2, 3, 3}) + norm + scale);
  ASSERT_TRUE(net.status.ok()) << net.message();
  const ir::TrainedOutput& trained = net.graph().nodes.back()->trained;
  EXPECT_EQ(trained.means, Floats({5, 6}));
  EXPECT_EQ(trained.deviations, Floats({3, 4}));
}

TEST(CaffeOldForms, V1Layers) {
  const std::string text =
      std::string(kInput) + "layers { name: 'c' type: CONVOLUTION bottom: 'x' top: 'c' blobs {" + kBlob +
      "} blobs_lr: 1 weight_decay: 0 convolution_param { num_output: 1 kernel_size: 1 bias_term: "
      "false } } layers { name: 'r' type: RELU bottom: 'c' top: 'c' }";
  EXPECT_EQ(RunNet(text, {{"x", {1, -1}}})["c"], Floats({3, 0}));
}

TEST(CaffeOldForms, V0LayersWithPadding) {
  const std::string text =
      std::string(kInput) +
      "layers { layer { name: 'p' type: 'padding' pad: 1 } bottom: 'x' top: 'p' }"
      "layers { layer { name: 'c' type: 'conv' num_output: 1 kernelsize: 1 biasterm: false blobs {" +
      kBlob + "} } bottom: 'p' top: 'c' }";
  EXPECT_EQ(RunNet(text, {{"x", {1, -1}}})["c"], Floats({0, 0, 0, 0, 0, 3, -3, 0, 0, 0, 0, 0}));
}

TEST(CaffeOldForms, BothFormsAtOnceAreNone) {
  EXPECT_EQ(ImportNet(kInput + Relu("x", "y") + "layers { name: 'r' type: RELU bottom: 'y' top: 'z' }")
                .status.code(),
            StatusCode::kInvalidModel);
  EXPECT_EQ(ImportNet(std::string(kInput) + "layers { name: 'r' bottom: 'x' top: 'z' }").status.code(),
            StatusCode::kInvalidModel);
}

::caffe::NetParameter BinaryNet() {
  ::caffe::NetParameter net;
  net.set_name("n");
  net.add_input("x");
  auto* shape = net.add_input_shape();
  for (const int dim : {1, 2}) shape->add_dim(dim);
  auto* layer = net.add_layer();
  layer->set_name("ip");
  layer->set_type("InnerProduct");
  layer->add_bottom("x");
  layer->add_top("y");
  layer->mutable_inner_product_param()->set_num_output(1);
  layer->mutable_inner_product_param()->set_bias_term(false);
  auto* blob = layer->add_blobs();
  for (const int dim : {1, 2}) blob->mutable_shape()->add_dim(dim);
  for (const float v : {2.0f, 3.0f}) blob->add_data(v);
  return net;
}

TEST(CaffeModelFile, ItsLayersAreEnoughWithAnInput) {
  EXPECT_EQ(RunNet(BinaryNet().SerializeAsString(), {{"x", {10, 1}}})["y"], Floats({23}));
}

TEST(CaffeModelFile, MayHoldHalvesAsBytes) {
  ::caffe::NetParameter net = BinaryNet();
  auto* blob = net.mutable_layer(0)->mutable_blobs(0);
  blob->clear_data();
  blob->set_raw_data_type(::caffe::BlobProto::FLOAT16);
  blob->set_raw_data(std::string("\x00\x40\x00\x42", 4));  // 2 and 3
  EXPECT_EQ(RunNet(net.SerializeAsString(), {{"x", {10, 1}}})["y"], Floats({23}));
  blob->set_raw_data_type(::caffe::BlobProto::INT);
  EXPECT_EQ(ImportNet(net.SerializeAsString()).status.code(), StatusCode::kUnsupported);
}

TEST(CaffeModelFile, WithoutAnInputItNamesThePrototxt) {
  ::caffe::NetParameter net = BinaryNet();
  net.clear_input();
  net.clear_input_shape();
  EXPECT_THAT(ImportNet(net.SerializeAsString()).message(), HasSubstr(".prototxt"));
}

TEST(CaffeModelFile, GivesWeightsToTheText) {
  const std::string file = BinaryNet().SerializeAsString();
  const std::string text = InputText("x", {1, 2}) +
                           "layer { name: '%' type: 'InnerProduct' bottom: 'x' top: 'y'"
                           " inner_product_param { num_output: 1 bias_term: false } }";
  const auto named = [&](const std::string& name) {
    return std::string(text).replace(text.find('%'), 1, name);
  };
  frontend::ImportOptions options;
  options.weights = {"net.caffemodel", {reinterpret_cast<const uint8_t*>(file.data()), file.size()}};
  EXPECT_EQ(ImportNet(named("ip"), options).outputs(), "y 1x1");
  ImportedNet other = ImportNet(named("other"), options);
  EXPECT_EQ(other.status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(other.message(), HasSubstr("has no weights for"));
  options.weights->bytes = {reinterpret_cast<const uint8_t*>(file.data()), file.size() - 3};
  EXPECT_EQ(ImportNet(named("ip"), options).status.code(), StatusCode::kInvalidModel);
}

TEST(CaffeFormat, IsToldFromTheContent) {
  const auto format = [](const std::string& bytes) {
    frontend::SourceFormat found = frontend::SourceFormat::kUnknown;
    const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    EXPECT_TRUE(frontend::DetectFormat(span, &found).ok());
    return found;
  };
  const auto caffe = frontend::SourceFormat::kCaffe;
  EXPECT_EQ(format("# a comment\nname: \"net\"\n" + Relu("x", "y")), caffe);
  EXPECT_EQ(format("layers {\n}\n"), caffe);
  EXPECT_EQ(format(BinaryNet().SerializeAsString()), caffe);
  ::caffe::NetParameter nameless = BinaryNet();
  nameless.clear_name();
  EXPECT_EQ(format(nameless.SerializeAsString()), caffe);
  nameless.clear_input();
  nameless.clear_input_shape();
  EXPECT_EQ(format(nameless.SerializeAsString()), caffe);
}

}  // namespace
}  // namespace micrort
