// Custom operators of TFLite files that only the program knows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/tflite_refusals.h"
#include "tests/status_matchers.h"

namespace micrort::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

frontend::ImportOptions WithCustom() {
  frontend::ImportOptions options;
  options.custom_domains = {"tflite"};
  return options;
}

// y = Blur(x), both of float32[-1,4].
TfliteBuilder BlurModel(std::vector<uint8_t> custom_options, const std::string& op = "Blur") {
  TfliteBuilder b;
  const int x = b.Input("x", {-1, 4}), y = b.Tensor("y", {1, 4});
  b.tensor(y).shape_signature = {-1, 4};
  b.Op(op, {x}, {y}).custom_options = std::move(custom_options);
  b.Output(y);
  return b;
}

std::vector<uint8_t> Map() {
  return FlexMap([](flexbuffers::Builder& b) {
    b.Int("radius", 3);
    b.Float("sigma", 1.5f);
    b.Bool("edges", true);
    b.String("mode", "soft");
    b.TypedVector("sizes", [&] {
      b.Int(3);
      b.Int(5);
    });
  });
}

const schema::CustomOptionsT& OptionsOf(ImportedTflite& imported) {
  return imported.graph().nodes.at(0)->as<schema::CustomOptionsT>();
}

TEST(TfliteCustom, IsRefusedWithoutItsDomain) {
  const ImportedTflite imported = ImportTflite(BlurModel(Map()).Bytes());
  EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(imported.diagnostics.unsupported.size(), 1u);
  EXPECT_THAT(imported.diagnostics.unsupported[0].reason, HasSubstr("--custom-domain tflite"));
}

TEST(TfliteCustom, KeepsOptionsAsAttributesAndTheStatedOutput) {
  ImportedTflite imported = ImportTflite(BlurModel(Map()).Bytes(), WithCustom());
  ASSERT_THAT(imported.status, IsOk());
  const schema::CustomOptionsT& options = OptionsOf(imported);
  EXPECT_EQ(options.domain, "tflite");
  EXPECT_EQ(options.name, "Blur");
  ASSERT_EQ(options.attributes.size(), 5u);  // sorted by name
  EXPECT_THAT(options.attributes[0]->ints, ElementsAre(1));
  EXPECT_THAT(options.attributes[1]->texts, ElementsAre("soft"));
  EXPECT_THAT(options.attributes[2]->ints, ElementsAre(3));
  EXPECT_THAT(options.attributes[3]->floats, ElementsAre(1.5f));
  EXPECT_THAT(options.attributes[4]->ints, ElementsAre(3, 5));
  EXPECT_EQ(options.outputs.at(0)->dtype, schema::DType::Float32);
}

TEST(TfliteCustom, HandsOnOptionsThatAreNoMap) {
  ImportedTflite imported = ImportTflite(BlurModel({1, 2, 0, 255}).Bytes(), WithCustom());
  ASSERT_THAT(imported.status, IsOk());
  ASSERT_EQ(OptionsOf(imported).attributes.size(), 1u);
  EXPECT_EQ(OptionsOf(imported).attributes[0]->name, "custom_options");
  EXPECT_EQ(OptionsOf(imported).attributes[0]->texts.at(0), std::string("\1\2\0\377", 4));
}

TEST(TfliteCustom, OwnOperatorsOfTfliteStayWhatTheyAre) {
  ImportedTflite relu = ImportTflite(BlurModel({}, "RELU").Bytes(), WithCustom());
  ASSERT_THAT(relu.status, IsOk());
  EXPECT_NE(relu.graph().nodes.at(0)->code, schema::OpCode::Custom);
  EXPECT_EQ(ImportTflite(BlurModel({}, "SKIP_GRAM").Bytes(), WithCustom()).status.code(),
            StatusCode::kUnsupported);
}

// A list under several names.
std::vector<uint8_t> SharedOptions(int names) {
  return FlexMap([&](flexbuffers::Builder& b) {
    b.TypedVector("0", [&] {
      for (int i = 0; i < 20000; ++i) b.Int(i % 100);
    });
    const flexbuffers::Builder::Value list = b.LastValue();
    for (int i = 1; i < names; ++i) b.ReuseValue(std::to_string(i).c_str(), list);
  });
}

TEST(TfliteCustom, AFewNamesMayShareAList) {
  ImportedTflite few = ImportTflite(BlurModel(SharedOptions(16)).Bytes(), WithCustom());
  ASSERT_THAT(few.status, IsOk());
  EXPECT_EQ(OptionsOf(few).attributes.size(), 16u);
  const ImportedTflite many = ImportTflite(BlurModel(SharedOptions(17)).Bytes(), WithCustom());
  EXPECT_EQ(many.status.code(), StatusCode::kUnsupported);
  ASSERT_EQ(many.diagnostics.unsupported.size(), 1u) << many.status.message();
  EXPECT_EQ(many.diagnostics.unsupported[0].reason, "expected at most 16 custom options, found 17");
}

TEST(TfliteCustom, EachByteOfItsOptionsMayBeWrong) {
  const std::vector<uint8_t> right = Map();
  for (size_t at = 0; at < right.size(); ++at) {
    for (const uint8_t wrong : {0, 1, 2, 0x7f, 0x80, 0xff}) {
      std::vector<uint8_t> options = right;
      options[at] = wrong;
      const ImportedTflite imported = ImportTflite(BlurModel(options).Bytes(), WithCustom());
      EXPECT_TRUE(imported.status.ok() || imported.status.code() == StatusCode::kUnsupported)
          << at << ": " << imported.status.message();
    }
  }
}

TEST(TfliteCustom, MixedListsAreUnsupported) {
  const std::vector<uint8_t> options = FlexMap([](flexbuffers::Builder& b) {
    b.Vector("mixed", [&] {
      b.Int(3);
      b.String("x");
    });
  });
  EXPECT_EQ(ImportTflite(BlurModel(options).Bytes(), WithCustom()).status.code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace micrort::testing
