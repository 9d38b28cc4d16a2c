// Blobs of weights of each layer that has some: in all forms that Caffe writes, and refused where they are
// not those of the layer.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "converter/frontend/caffe/caffe.pb.h"
#include "converter/frontend/caffe/registry.h"
#include "tests/converter/caffe_net.h"

namespace micrort::testing::caffe_blobs {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using Dims = std::vector<int64_t>;

struct BlobCase {
  std::string type;
  std::vector<Dims> bottoms;
  std::string parameters;
  std::vector<Dims> blobs;
};

const BlobCase kCases[] = {
    {"Convolution",
     {{1, 4, 5, 5}},
     "convolution_param { num_output: 2 kernel_size: 3 }",
     {{2, 4, 3, 3}, {2}}},
    {"Convolution",
     {{1, 4, 5, 5}},
     "convolution_param { num_output: 2 kernel_size: 3 group: 2 bias_term: false }",
     {{2, 2, 3, 3}}},
    {"ConvolutionDepthwise",
     {{1, 4, 5, 5}},
     "convolution_param { num_output: 4 kernel_size: 3 group: 4 }",
     {{4, 1, 3, 3}, {4}}},
    {"DepthwiseConvolution",
     {{1, 4, 5, 5}},
     "convolution_param { num_output: 4 kernel_size: 3 group: 4 bias_term: false }",
     {{4, 1, 3, 3}}},
    {"Deconvolution",
     {{1, 4, 5, 5}},
     "convolution_param { num_output: 2 kernel_size: 2 stride: 2 }",
     {{4, 2, 2, 2}, {2}}},
    {"InnerProduct", {{1, 6}}, "inner_product_param { num_output: 3 }", {{3, 6}, {3}}},
    {"InnerProduct",
     {{1, 6}},
     "inner_product_param { num_output: 3 bias_term: false transpose: true }",
     {{6, 3}}},
    {"Embed", {{4}}, "embed_param { num_output: 2 input_dim: 3 }", {{3, 2}, {2}}},
    {"Embed", {{4}}, "embed_param { num_output: 2 input_dim: 3 bias_term: false }", {{3, 2}}},
    {"PReLU", {{1, 4, 2, 2}}, "", {{4}}},
    {"PReLU", {{1, 4, 2, 2}}, "prelu_param { channel_shared: true }", {{}}},
    {"Scale", {{1, 4, 2, 2}}, "", {{4}}},
    {"Scale", {{1, 4, 2, 2}}, "scale_param { bias_term: true }", {{4}, {4}}},
    {"Scale", {{1, 4, 2, 2}}, "scale_param { num_axes: 0 }", {{}}},
    {"Scale", {{1, 4, 2, 2}, {4}}, "scale_param { bias_term: true }", {{4}}},
    {"Bias", {{1, 4, 2, 2}}, "", {{4}}},
    {"BatchNorm", {{1, 4, 2, 2}}, "", {{4}, {4}, {1}}},
    {"BatchNorm", {{1, 4, 2, 2}}, "batch_norm_param { scale_bias: true }", {{4}, {4}, {1}, {4}, {4}}},
    {"BN", {{1, 4, 2, 2}}, "", {{1, 4, 1, 1}, {1, 4, 1, 1}, {1, 4, 1, 1}, {1, 4, 1, 1}}},
    {"BN", {{1, 4, 2, 2}}, "bn_param { bn_mode: INFERENCE }", {{1, 4, 1, 1}, {1, 4, 1, 1}}},
    {"Normalize", {{1, 4, 2, 2}}, "norm_param { channel_shared: false }", {{4}}},
    {"Normalize", {{1, 4, 2, 2}}, "norm_param { channel_shared: true }", {{}}},
    {"LSTM", {{2, 1, 3}, {2, 1}}, "recurrent_param { num_output: 2 }", {{8, 3}, {8}, {8, 2}}},
    {"RNN", {{2, 1, 3}, {2, 1}}, "recurrent_param { num_output: 2 }", {{2, 3}, {2}, {2, 2}, {2, 2}, {2}}},
    {"Parameter", {}, "parameter_param { shape { dim: 2 dim: 3 } }", {{2, 3}}},
};

size_t Elements(const Dims& shape) {
  size_t count = 1;
  for (const int64_t dim : shape) count *= static_cast<size_t>(dim);
  return count;
}

// Positive, as variances are.
Floats Values(const Dims& shape, uint32_t seed) {
  Floats values = CaffeValues(Elements(shape), seed);
  for (float& v : values) v = std::fabs(v) + 0.5f;
  return values;
}

// How a file says which shape a blob has.
enum class Form { kShape, kFour, kScalarWithoutShape };

std::string BlobOf(const Dims& shape, uint32_t seed, Form form = Form::kShape) {
  std::ostringstream text;
  if (form == Form::kShape || (form == Form::kScalarWithoutShape && !shape.empty()))
    return BlobText(shape, Values(shape, seed));
  text << "blobs {";
  if (form == Form::kFour) {
    Dims four(4 - shape.size(), 1);
    four.insert(four.end(), shape.begin(), shape.end());
    text << " num: " << four[0] << " channels: " << four[1] << " height: " << four[2]
         << " width: " << four[3];
  }
  for (const float v : Values(shape, seed)) text << " data: " << v;
  text << " }\n";
  return text.str();
}

std::string BlobsOf(const std::vector<Dims>& shapes, Form form = Form::kShape) {
  std::string text;
  for (size_t i = 0; i < shapes.size(); ++i) text += BlobOf(shapes[i], static_cast<uint32_t>(i), form);
  return text;
}

std::vector<std::string> BottomNames(const BlobCase& c) {
  std::vector<std::string> names;
  for (size_t i = 0; i < c.bottoms.size(); ++i) names.emplace_back(1, static_cast<char>('a' + i));
  return names;
}

std::string InputsText(const BlobCase& c) {
  std::string text;
  const std::vector<std::string> names = BottomNames(c);
  for (size_t i = 0; i < names.size(); ++i) text += InputText(names[i], c.bottoms[i]);
  return text;
}

std::string NetText(const BlobCase& c, const std::string& blobs) {
  return InputsText(c) + LayerText(c.type, BottomNames(c), c.parameters + " " + blobs);
}

class CaffeBlobs : public ::testing::TestWithParam<BlobCase> {
 protected:
  Floats Run(const std::string& text) const {
    const std::vector<std::string> names = BottomNames(GetParam());
    std::map<std::string, Floats> inputs;
    for (size_t i = 0; i < names.size(); ++i) {
      inputs[names[i]] = CaffeValues(Elements(GetParam().bottoms[i]), 9);
      if (GetParam().type != "Embed") continue;
      for (float& v : inputs[names[i]]) v = v < 0 ? 0 : 2;
    }
    return RunNet(text, inputs)["y"];
  }

  std::string Message(const std::vector<Dims>& blobs) const {
    return ImportNet(NetText(GetParam(), BlobsOf(blobs))).message();
  }
};

TEST_P(CaffeBlobs, AreReadInEveryForm) {
  const Floats y = Run(NetText(GetParam(), BlobsOf(GetParam().blobs)));
  ASSERT_FALSE(y.empty());
  for (const Form form : {Form::kFour, Form::kScalarWithoutShape})
    EXPECT_EQ(Run(NetText(GetParam(), BlobsOf(GetParam().blobs, form))), y);
}

TEST_P(CaffeBlobs, AreAsManyAsTheLayerHas) {
  std::vector<Dims> blobs = GetParam().blobs;
  blobs.push_back({4});
  const std::string count = std::to_string(blobs.size());
  EXPECT_THAT(Message(blobs), AnyOf(HasSubstr("it has " + count + " blobs of weights: expected "),
                                    HasSubstr(count + " blobs: expected ")));
  blobs.resize(blobs.size() - 2);
  EXPECT_THAT(Message(blobs), AnyOf(HasSubstr("its weights are missing"), HasSubstr("blobs: expected "),
                                    HasSubstr("blobs of weights, found " + std::to_string(blobs.size()))));
}

TEST_P(CaffeBlobs, AreOfTheSizeThatTheLayerHas) {
  for (size_t i = 0; i < GetParam().blobs.size(); ++i) {
    for (const int by : {1, -1}) {
      std::vector<Dims> blobs = GetParam().blobs;
      if (blobs[i].empty()) blobs[i].push_back(1);
      blobs[i].back() += blobs[i].back() == 1 ? 1 : by;
      EXPECT_THAT(Message(blobs), HasSubstr("blob " + std::to_string(i) + ": expected weights of shape "));
    }
  }
}

// A network that is trained as another, of which the file has one of the layers that share.
TEST_P(CaffeBlobs, AreThoseOfTheLayerThatSharesThem) {
  std::string names;
  for (size_t i = 0; i < GetParam().blobs.size(); ++i)
    names += " param { name: 'p" + std::to_string(i) + "' lr_mult: 0 share_mode: STRICT }";
  const std::string layer =
      LayerText(GetParam().type, BottomNames(GetParam()), GetParam().parameters + names);
  std::string owner = layer;
  owner.replace(owner.find("\"layer\""), 7, "\"owner\"");
  owner.replace(owner.find("\"y\""), 3, "\"owned\"");
  owner.insert(owner.rfind('}'), BlobsOf(GetParam().blobs));
  EXPECT_EQ(Run(InputsText(GetParam()) + owner + layer), Run(NetText(GetParam(), BlobsOf(GetParam().blobs))));
}

INSTANTIATE_TEST_SUITE_P(Layers, CaffeBlobs, ::testing::ValuesIn(kCases));

// Layers that have none refuse them; no layer is missing above.
TEST(CaffeBlobsOfOthers, AreRefused) {
  for (const auto* importer : frontend::caffe::Importers().All()) {
    const std::string type = importer->op;
    const bool has_blobs =
        std::any_of(std::begin(kCases), std::end(kCases), [&](const BlobCase& c) { return c.type == type; });
    if (has_blobs) continue;
    const BlobCase c = {
        type, std::vector<Dims>(static_cast<size_t>(importer->min_inputs), {1, 4, 4, 4}), "", {}};
    EXPECT_FALSE(ImportNet(NetText(c, BlobOf({4}, 1))).status.ok()) << type;
  }
}

// What a file has for the last of the layers that share is what Caffe copies last.
TEST(CaffeSharedBlobs, AreWhatTheFileSaysLast) {
  const auto layer = [](const std::string& name, const std::string& bottom, const std::string& top) {
    return "layer { name: '" + name + "' type: 'Scale' bottom: '" + bottom + "' top: '" + top +
           "' param { name: 'w' } }\n";
  };
  const std::string net = InputText("x", {1, 2}) + layer("first", "x", "m") + layer("second", "m", "y");
  const auto run = [&](const std::vector<std::pair<std::string, Floats>>& stored) {
    ::caffe::NetParameter file;
    for (const auto& [name, values] : stored) {
      auto* added = file.add_layer();
      added->set_name(name);
      auto* blob = added->add_blobs();
      blob->mutable_shape()->add_dim(static_cast<int64_t>(values.size()));
      for (const float v : values) blob->add_data(v);
    }
    const std::string bytes = file.SerializeAsString();
    frontend::ImportOptions options;
    options.weights = {"net.caffemodel", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}};
    ImportedNet imported = ImportNet(net, options);
    if (!imported.status.ok()) return imported.message();
    std::map<std::string, Floats> outputs;
    const Status status = Evaluate(imported.graph(), {{"x", {1, 1}}}, &outputs);
    EXPECT_TRUE(status.ok()) << status.message();
    return ::testing::PrintToString(outputs["y"]);
  };
  EXPECT_EQ(run({{"first", {2, 3}}}), "{ 4, 9 }");
  EXPECT_EQ(run({{"second", {2, 3}}}), "{ 4, 9 }");
  EXPECT_EQ(run({{"first", {2, 3}}, {"second", {5, 7}}}), "{ 25, 49 }");
  EXPECT_EQ(run({{"second", {5, 7}}, {"first", {2, 3}}}), "{ 4, 9 }");
  EXPECT_THAT(run({{"other", {2, 3}}}), HasSubstr("has no weights for it"));
}

// As layers were written before 2014.
TEST(CaffeSharedBlobs, HaveNamesInOldNetworks) {
  const std::string layer =
      "type: INNER_PRODUCT inner_product_param { num_output: 2 bias_term: false } param: 'w' ";
  const std::string net = InputText("x", {1, 2}) + "layers { name: 'a' bottom: 'x' top: 'm' " + layer +
                          BlobText({2, 2}, {1, 2, 3, 4}) + "}\nlayers { name: 'b' bottom: 'm' top: 'y' " +
                          layer + "blob_share_mode: STRICT }\n";
  EXPECT_EQ(RunNet(net, {{"x", {1, 1}}})["y"], Floats({17, 37}));
}

}  // namespace
}  // namespace micrort::testing::caffe_blobs
