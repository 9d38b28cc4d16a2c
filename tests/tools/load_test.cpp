#include "tools/io/load.h"

#include <gtest/gtest.h>

#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tests/tools/png.h"
#include "tests/tools/temporary_folder.h"
#include "tests/tools/zip_writer.h"
#include "tools/io/file.h"
#include "tools/io/npy.h"

namespace micrort::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::TemporaryFolder;
using testing::Values;

class Load : public ::testing::Test {
 protected:
  // A .npy file of the numbers 0, 1, 2 ...
  template <typename T = float>
  std::string WriteCounting(const std::vector<int64_t>& shape, const std::string& name = "a.npy") {
    NamedArray array{"", kDTypeOf<T>, shape, {}};
    std::vector<T> values(array.elements());
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(i);
    return Write(name, FormatNpy(array.dtype, shape, values.data()));
  }
  std::string Write(const std::string& name, const std::vector<uint8_t>& bytes) {
    const std::string path = folder_.File(name);
    EXPECT_THAT(WriteFileAtomically(path, testing::BytesOf(bytes)), IsOk());
    return path;
  }
  Status Samples(const std::string& path, const std::vector<int64_t>& shape) {
    samples_.clear();
    return LoadSamples(path, {"x", DType::kFloat32, shape}, {}, &samples_);
  }

  TemporaryFolder folder_;
  NamedArray array_;
  std::vector<NamedArray> samples_;
};

TEST_F(Load, ConvertsElementsToTheInputsType) {
  const std::string path = WriteCounting<uint8_t>({1, 3});
  ASSERT_THAT(LoadInput(path, {"x", DType::kFloat32, {1, 3}}, {}, &array_), IsOk());
  EXPECT_THAT(Values<float>(array_), ElementsAre(0, 1, 2));
}

TEST_F(Load, TakesTheMemberOfTheInputsName) {
  const auto npy = [](float value) {
    const std::vector<uint8_t> bytes = FormatNpy(DType::kFloat32, {1}, &value);
    return std::string(bytes.begin(), bytes.end());
  };
  const auto write = [&](const std::vector<testing::ZipMember>& members) {
    const std::string bytes = testing::WriteZip(members).bytes;
    return Write("a.npz", {bytes.begin(), bytes.end()});
  };
  const InputSpec spec{"x", DType::kFloat32, {1}};
  ASSERT_THAT(LoadInput(write({{"w.npy", npy(1)}, {"x.npy", npy(2)}}), spec, {}, &array_), IsOk());
  EXPECT_THAT(Values<float>(array_), ElementsAre(2));
  ASSERT_THAT(LoadInput(write({{"only.npy", npy(3)}}), spec, {}, &array_), IsOk());
  EXPECT_THAT(Values<float>(array_), ElementsAre(3));
  EXPECT_THAT(LoadInput(write({{"v.npy", npy(1)}, {"w.npy", npy(2)}}), spec, {}, &array_),
              IsError(StatusCode::kInvalidArgument, HasSubstr("expected an array 'x'")));
}

TEST_F(Load, ReadsPicturesByPreprocess) {
  Preprocess preprocess;
  preprocess.mean = {100};
  const std::string path = Write("a.PNG", testing::PngFile(2, 1, 1, {100, 103}));
  ASSERT_THAT(LoadInput(path, {"x", DType::kFloat32, {1, 1, 1, 2}}, preprocess, &array_), IsOk());
  EXPECT_THAT(Values<float>(array_), ElementsAre(0, 3));
}

TEST_F(Load, NamesInputExpectedAndFound) {
  const std::string path = WriteCounting({2, 3});
  EXPECT_THAT(
      LoadInput(path, {"x", DType::kFloat32, {-1, 4}}, {}, &array_),
      IsError(StatusCode::kInvalidArgument, HasSubstr(path + ": input 'x': expected shape ?x4, found 2x3")));
  EXPECT_THAT(LoadInput(WriteCounting({300}), {"x", DType::kInt8, {300}}, {}, &array_),
              IsError(StatusCode::kInvalidArgument, HasSubstr("input 'x': element 128")));
  EXPECT_THAT(LoadInput(folder_.File("a.txt"), {"x", DType::kFloat32, {1}}, {}, &array_),
              IsError(StatusCode::kIo));
  EXPECT_THAT(LoadInput(Write("a.txt", {'x'}), {"x", DType::kFloat32, {1}}, {}, &array_),
              IsError(StatusCode::kInvalidArgument, HasSubstr("expected .npy")));
}

TEST_F(Load, OneSampleThatFits) {
  ASSERT_THAT(Samples(WriteCounting({1, 2}), {1, 2}), IsOk());
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0].shape, (std::vector<int64_t>{1, 2}));
}

TEST_F(Load, CutsALongerFirstAxis) {
  ASSERT_THAT(Samples(WriteCounting({6, 2}), {2, 2}), IsOk());
  ASSERT_EQ(samples_.size(), 3u);
  EXPECT_EQ(samples_[2].shape, (std::vector<int64_t>{2, 2}));
  EXPECT_THAT(Values<float>(samples_[2]), ElementsAre(8, 9, 10, 11));
}

TEST_F(Load, CutsADynamicBatchIntoSamplesOfOne) {
  ASSERT_THAT(Samples(WriteCounting({3, 2}), {-1, 2}), IsOk());
  ASSERT_EQ(samples_.size(), 3u);
  EXPECT_EQ(samples_[1].shape, (std::vector<int64_t>{1, 2}));
  EXPECT_THAT(Values<float>(samples_[1]), ElementsAre(2, 3));
}

TEST_F(Load, CutsAnExtraAxis) {
  ASSERT_THAT(Samples(WriteCounting({3, 1, 2}), {1, 2}), IsOk());
  ASSERT_EQ(samples_.size(), 3u);
  EXPECT_EQ(samples_[0].shape, (std::vector<int64_t>{1, 2}));
}

TEST_F(Load, RefusesSamplesThatDoNotFit) {
  for (const std::vector<int64_t>& shape :
       std::vector<std::vector<int64_t>>{{5, 2}, {2, 3}, {2}, {2, 2, 3}, {}}) {
    EXPECT_THAT(Samples(WriteCounting(shape), {2, 2}),
                IsError(StatusCode::kInvalidArgument, HasSubstr("expected shape 2x2")))
        << ShapeText(shape);
  }
}

}  // namespace
}  // namespace micrort::io
