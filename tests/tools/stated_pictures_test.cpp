#include "tools/io/stated_pictures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tests/tools/png.h"
#include "tests/tools/temporary_folder.h"
#include "tools/io/load.h"

namespace micrort::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::Values;

// Of a model whose file states this text.
Status Read(const std::string& text, Preprocess* out) {
  testing::ModelBuilder b;
  const int x = b.Input("x", DType::kFloat32, {1}), y = b.Tensor("y", DType::kFloat32, {1});
  schema::UnaryOptionsT negation;
  negation.kind = schema::UnaryKind::Neg;
  b.Node(negation, {x}, {y});
  b.Output(y);
  b.model.metadata.push_back(std::make_unique<schema::MetadataT>());
  b.model.metadata.back()->key = kPicturesKey;
  b.model.metadata.back()->value = text;
  const testing::ModelFile file = b.Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  MICRORT_RETURN_IF_ERROR(model.status());
  return StatedPreprocess(*model, out);
}

TEST(StatedPictures, AreReadAsTheyWereWritten) {
  Preprocess written, read;
  written.mean = {1.5f, 2, 3};
  written.scale = {0.25f};
  written.color = Color::kBgr;
  written.fit = ResizeFit::kCrop;
  ASSERT_THAT(Read(PicturesJson(written), &read), IsOk());
  EXPECT_EQ(read.mean, written.mean);
  EXPECT_EQ(read.scale, written.scale);
  EXPECT_EQ(read.color, written.color);
  EXPECT_EQ(read.fit, written.fit);
  ASSERT_THAT(Read("{}", &read), IsOk());
  EXPECT_TRUE(read.is_default());
}

TEST(StatedPictures, ThatAreBrokenAreNamed) {
  const std::pair<const char*, const char*> cases[] = {
      {"[", "expected a JSON object"},
      {R"({"mean": []})", "'mean': expected a list of finite numbers"},
      {R"({"mean": ["1"]})", "'mean': expected a list of finite numbers"},
      {R"({"mean": [1e99]})", "'mean': expected a list of finite numbers"},
      {R"({"scale": [0]})", "'scale': expected a list of finite numbers other than 0"},
      {R"({"color": "mauve"})", "'color': expected rgb, bgr or gray"},
      {R"({"resize": 3})", "'resize': expected stretch, letterbox or crop"},
  };
  Preprocess too_long;
  EXPECT_THAT(Read(std::string((256 << 10) + 1, '['), &too_long),
              IsError(StatusCode::kInvalidModel, HasSubstr("expected at most 262144 bytes")));
  for (const auto& [text, expected] : cases) {
    Preprocess read;
    EXPECT_THAT(Read(text, &read), IsError(StatusCode::kInvalidModel, HasSubstr(expected))) << text;
  }
}

// Integers of a scale of 0.5 and a zero point of 3.
TEST(StatedPictures, AreTheIntegersThatStandForTheirNumbers) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.File("a.png");
  const std::vector<uint8_t> png = testing::PngFile(3, 1, 1, {120, 127, 137});
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  Preprocess stated;
  ASSERT_THAT(Read(R"({"mean": [127], "scale": [1], "color": "gray"})", &stated), IsOk());
  NamedArray array;
  ASSERT_THAT(LoadInput(path, {"x", DType::kInt8, {1, 3}, false, 0.5f, 3}, stated, &array), IsOk());
  EXPECT_THAT(Values<int8_t>(array), ElementsAre(-11, 3, 23));
  for (const float scale : {1e-42f, std::nanf(""), std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(LoadInput(path, {"x", DType::kInt8, {1, 3}, false, scale, 3}, stated, &array),
                IsError(StatusCode::kInvalidModel, HasSubstr("input 'x': pictures cannot be quantized")));
  }
  ASSERT_THAT(LoadInput(path, {"x", DType::kFloat32, {1, 3}}, stated, &array), IsOk());
  EXPECT_THAT(Values<float>(array), ElementsAre(-7, 0, 10));
}

}  // namespace
}  // namespace micrort::io
