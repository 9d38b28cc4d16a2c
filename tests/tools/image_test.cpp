#include "tools/io/image.h"

#include <gtest/gtest.h>

#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tests/tools/png.h"

namespace micrort::io {
namespace {

using testing::BytesOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::PngFile;
using testing::Values;

// Two pixels beside each other, red 1, 4; green 2, 5; blue 3, 6.
const std::vector<uint8_t> kTwoPixels = PngFile(2, 1, 3, {1, 2, 3, 4, 5, 6});

NamedArray Load(const std::vector<uint8_t>& file, const ImageTarget& target,
                const Preprocess& preprocess = {}) {
  NamedArray array;
  EXPECT_THAT(LoadImage("some.png", BytesOf(file), target, preprocess, &array), IsOk());
  return array;
}

TEST(LoadImage, TellsTheLayoutFromTheShape) {
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {1, 3, 1, 2}})),
              ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {3, 1, 2}})), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {1, -1, 2, 3}})),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {-1, 2, 3}})), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(LoadImage, MakesGreyOfColour) {
  const std::vector<uint8_t> file = PngFile(2, 1, 3, {10, 10, 10, 255, 255, 255});
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{1, 2}, {1, 1, 1, 2}, {1, -1, 2, 1}}) {
    EXPECT_THAT(Values<float>(Load(file, {DType::kFloat32, shape})), ElementsAre(10, 255));
  }
}

TEST(LoadImage, TakesThePicturesSizeForDynamicDimensions) {
  const NamedArray array = Load(kTwoPixels, {DType::kFloat32, {-1, 3, -1, -1}});
  EXPECT_EQ(array.shape, (std::vector<int64_t>{1, 3, 1, 2}));
}

TEST(LoadImage, NormalizesByOneValueOrOneAChannel) {
  Preprocess preprocess;
  preprocess.mean = {1};
  preprocess.scale = {0.5f};
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {1, -1, 2, 3}}, preprocess)),
              ElementsAre(0, 0.5, 1, 1.5, 2, 2.5));
  preprocess.mean = {1, 2, 3};
  preprocess.scale = {1, 10, 100};
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {1, -1, 2, 3}}, preprocess)),
              ElementsAre(0, 0, 0, 3, 30, 300));
}

TEST(LoadImage, AppliesMeanAndScaleInTheOrderOfTheNetwork) {
  Preprocess preprocess;
  preprocess.color = Color::kBgr;
  preprocess.mean = {3, 2, 1};
  EXPECT_THAT(Values<float>(Load(kTwoPixels, {DType::kFloat32, {1, -1, 2, 3}}, preprocess)),
              ElementsAre(0, 0, 0, 3, 3, 3));
}

TEST(LoadImage, RoundsAndSaturatesForIntegers) {
  Preprocess preprocess;
  preprocess.mean = {3.4f};
  preprocess.scale = {100};
  EXPECT_THAT(Values<int8_t>(Load(kTwoPixels, {DType::kInt8, {1, -1, 2, 3}}, preprocess)),
              ElementsAre(-128, -128, -40, 60, 127, 127));
  EXPECT_THAT(Values<uint8_t>(Load(kTwoPixels, {DType::kUInt8, {1, -1, 2, 3}}, preprocess)),
              ElementsAre(0, 0, 0, 60, 160, 255));
}

TEST(LoadImage, StretchesWithoutKeepingTheAspect) {
  EXPECT_THAT(Values<float>(Load(PngFile(4, 2, 1, std::vector<uint8_t>(8, 77)), {DType::kFloat32, {3, 3}})),
              Each(77));
  // Averages over the pixels that a new one covers.
  EXPECT_THAT(Values<float>(Load(PngFile(4, 1, 1, {0, 0, 200, 200}), {DType::kFloat32, {1, 1}})),
              ElementsAre(100));
}

TEST(LoadImage, FillsWithGreyOrCutsToKeepTheAspect) {
  const std::vector<uint8_t> wide = PngFile(4, 2, 1, {1, 200, 200, 9, 1, 200, 200, 9});
  Preprocess preprocess;
  preprocess.fit = ResizeFit::kLetterbox;
  EXPECT_THAT(Values<float>(Load(wide, {DType::kFloat32, {4, 4}}, preprocess)),
              ElementsAre(114, 114, 114, 114, 1, 200, 200, 9, 1, 200, 200, 9, 114, 114, 114, 114));
  preprocess.fit = ResizeFit::kCrop;
  EXPECT_THAT(Values<float>(Load(wide, {DType::kFloat32, {2, 2}}, preprocess)), Each(200));
}

TEST(LoadImage, RefusesWhatDoesNotFit) {
  Preprocess two_means, gray;
  two_means.mean = {1, 2};
  gray.color = Color::kGray;
  const auto load = [](const std::vector<uint8_t>& file, const std::vector<int64_t>& shape,
                       const Preprocess& preprocess = {}) {
    NamedArray array;
    return LoadImage("some.png", BytesOf(file), {DType::kFloat32, shape}, preprocess, &array);
  };
  const auto error = [](const char* text) {
    return IsError(StatusCode::kInvalidArgument, AllOf(HasSubstr("some.png"), HasSubstr(text)));
  };
  EXPECT_THAT(load(kTwoPixels, {10}), error("found shape 10"));
  EXPECT_THAT(load(kTwoPixels, {2, 3, 8, 8}), error("one sample"));
  EXPECT_THAT(load(kTwoPixels, {1, 5, 8, 8}), error("1 or 3 channels"));
  EXPECT_THAT(load(kTwoPixels, {1, 3, 8, 8}, two_means), error("expected 1 or 3 values"));
  EXPECT_THAT(load(kTwoPixels, {1, 3, 8, 8}, gray), error("--color gray"));
  EXPECT_THAT(load({'n', 'o'}, {8, 8}), error("expected a .png"));
  const std::vector<uint8_t> part(kTwoPixels.begin(), kTwoPixels.begin() + 40);
  EXPECT_THAT(load(part, {8, 8}), error("broken picture"));
}

Status LoadStatus(const std::vector<uint8_t>& file) {
  NamedArray array;
  return LoadImage("some.bmp", BytesOf(file), {DType::kFloat32, {1, 3, 4, 4}}, {}, &array);
}

void Append(std::vector<uint8_t>* file, std::initializer_list<int> bytes) {
  for (const int byte : bytes) file->push_back(static_cast<uint8_t>(byte));
}

// A bitmap of 24 bits a pixel, of these sides, with the rows of 2 x 2 pixels.
std::vector<uint8_t> Bitmap(int32_t width, int32_t height) {
  std::vector<uint8_t> file = {'B', 'M', 0, 0, 0, 0, 0, 0, 0, 0};
  for (const int32_t number : {54, 40, width, height, 1 | 24 << 16, 0, 0, 0, 0, 0, 0}) {
    for (int shift = 0; shift < 32; shift += 8) file.push_back(static_cast<uint8_t>(number >> shift & 0xff));
  }
  file.resize(file.size() + 2 * 8, 77);
  return file;
}

TEST(LoadImage, BitmapsHaveTheSidesThatTheirHeadersSay) {
  EXPECT_THAT(LoadStatus(Bitmap(2, 2)), IsOk());
  EXPECT_THAT(LoadStatus(Bitmap(2, -2)), IsOk());
  EXPECT_THAT(LoadStatus(Bitmap(-1, 2)), IsError(StatusCode::kInvalidArgument));
  for (const int32_t side : {0, 3, 32768, 32769, INT32_MAX, INT32_MIN, INT32_MIN + 1}) {
    EXPECT_THAT(LoadStatus(Bitmap(side, 2)), IsError(StatusCode::kInvalidArgument)) << side;
    EXPECT_THAT(LoadStatus(Bitmap(2, side)), IsError(StatusCode::kInvalidArgument)) << side;
  }
  for (size_t size = 0; size < 70; ++size) {
    std::vector<uint8_t> part = Bitmap(2, 2);
    part.resize(size);
    EXPECT_THAT(LoadStatus(part), IsError(StatusCode::kInvalidArgument)) << size;
  }
}

// A grey one of these sides; the codes of one table have `symbols` symbols, and its scan comes `scans` times.
std::vector<uint8_t> Jpeg(int side, int symbols, int scans = 1) {
  std::vector<uint8_t> file = {0xff, 0xd8, 0xff, 0xdb, 0, 67, 0};
  file.resize(file.size() + 64, 1);
  Append(&file, {0xff, 0xc0, 0, 11, 8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0});
  for (const int table : {0x00, 0x10}) {
    Append(&file, {0xff, 0xff, 0xc4, (19 + symbols) >> 8, (19 + symbols) & 0xff, table});
    Append(&file, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    Append(&file, {std::max(0, symbols - 255), std::min(symbols, 255)});
    file.resize(file.size() + symbols, 0);
  }
  for (int i = 0; i < scans; ++i)
    Append(&file, {0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0, 0, 0, 0, 0xff, 0, 0xff, 0xd0});
  Append(&file, {0xff, 0xd9});
  return file;
}

TEST(LoadImage, TablesOfCodesThatHaveNoRoomAreRefused) {
  for (const int symbols : {257, 300, 510}) {
    EXPECT_THAT(LoadStatus(Jpeg(8, symbols)),
                IsError(StatusCode::kInvalidArgument, HasSubstr("more than 256 symbols")));
  }
  // Behind a comment, too, and between scans.
  std::vector<uint8_t> commented = {0xff, 0xd8, 0xff, 0xfe, 0, 4, 0xff, 0xc4};
  const std::vector<uint8_t> wrong = Jpeg(8, 300);
  commented.insert(commented.end(), wrong.begin() + 2, wrong.end());
  EXPECT_THAT(LoadStatus(commented), IsError(StatusCode::kInvalidArgument, HasSubstr("256 symbols")));
  std::vector<uint8_t> between = Jpeg(8, 256, 3);
  between.resize(between.size() - 2);
  between.insert(between.end(), wrong.begin() + 84, wrong.end());
  EXPECT_THAT(LoadStatus(between), IsError(StatusCode::kInvalidArgument, HasSubstr("256 symbols")));
}

// The decoder would unpack all of what stands behind its pixels first.
TEST(LoadImage, PicturesAreNotUnpackedIntoMoreThanTheirPixels) {
  constexpr int kSide = 2000;
  std::vector<uint8_t> file = PngFile(kSide, kSide, 1, std::vector<uint8_t>(size_t{kSide} * kSide));
  constexpr size_t kWidth = 16, kHeight = 20;
  for (const size_t side : {kWidth, kHeight}) std::fill_n(file.begin() + side, 4, uint8_t{0});
  file[kWidth + 3] = file[kHeight + 3] = 1;
  NamedArray array;
  EXPECT_THAT(LoadImage("some.png", BytesOf(file), {DType::kFloat32, {1, 1}}, {}, &array),
              IsError(StatusCode::kInvalidArgument, HasSubstr("broken picture")));
}

TEST(LoadImage, FilesAreNeitherTooShortNorTooOftenScannedForTheirPixels) {
  EXPECT_THAT(LoadStatus(Jpeg(8000, 10)), IsError(StatusCode::kInvalidArgument, HasSubstr("too short")));
  EXPECT_THAT(LoadStatus(Jpeg(4000, 10, 2000)),
              IsError(StatusCode::kInvalidArgument, HasSubstr("too many scans")));
  EXPECT_THAT(LoadStatus(Jpeg(0, 10)), IsError(StatusCode::kInvalidArgument));
}

TEST(LoadImage, RefusesInputsOfNoElements) {
  NamedArray array;
  EXPECT_THAT(LoadImage("some.png", BytesOf(kTwoPixels), {DType::kFloat32, {1, 3, 0, 2}}, {}, &array),
              IsError(StatusCode::kUnsupported, HasSubstr("the input has shape 1x3x0x2")));
}

}  // namespace
}  // namespace micrort::io
