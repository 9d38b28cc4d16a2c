// Files whose constants lie behind the flatbuffer, as those of over 2 GiB do: small ones of every kind.

#include <gmock/gmock.h>

#include <fstream>

#include "converter/cli/realign_command.h"
#include "converter/emit/build_model.h"
#include "kernels/base/target.h"
#include "tests/converter/converted.h"
#include "tests/converter/whole_file.h"
#include "tests/status_matchers.h"
#include "tests/tools/temporary_folder.h"

namespace micrort {
namespace {

using testing::Converted;
using testing::Counting;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::OnnxBuilder;
using testing::WholeFile;

// Products of any number of rows, a convolution's worth of weights each, and what a run leaves for the next
// one.
OnnxBuilder Network() {
  OnnxBuilder b;
  b.Input("x", {"n", "64"}).Input("h", {"1", "64"}).Weights("w", {64, 64}).Weights("bias", {64});
  b.Weights("v", {64, 64});
  b.Node("MatMul", {"x", "w"}, {"a"}).Node("Add", {"a", "bias"}, {"c"}).Node("Relu", {"c"}, {"d"});
  b.Node("MatMul", {"d", "v"}, {"e"}).Node("Add", {"e", "h"}, {"y"});
  b.Node("ReduceMean", {"y"}, {"g"}).Ints("axes", {0}).Int("keepdims", 1);
  return b;
}

ConvertOptions With(QuantMode quant) {
  ConvertOptions options;
  options.quant = quant;
  options.correction.rounding = false;
  options.states = {{"g", "h"}};
  return options;
}

Converted Convert(const ConvertOptions& options) {
  OnnxBuilder network = Network();
  return Converted(network, {"y", "g"}, options);
}

// The same model in both forms computes the same.
void ExpectSame(const ConvertOptions& options) {
  Converted inside = Convert(options);
  const emit::SmallFileLimits limits;
  Converted outer = Convert(options);
  ASSERT_THAT(inside.status(), IsOk());
  ASSERT_THAT(outer.status(), IsOk());
  EXPECT_TRUE(inside.result().file.outer().empty());
  EXPECT_FALSE(outer.result().file.outer().empty());
  EXPECT_EQ(outer.result().summary.file_bytes, outer.model().file_bytes());
  EXPECT_EQ(schema::GetModel(outer.result().file.data())->schema_version(),
            emit::kSchemaVersionOfOuterBuffers);
  EXPECT_LT(schema::GetModel(inside.result().file.data())->schema_version(),
            emit::kSchemaVersionOfOuterBuffers);
  EXPECT_EQ(inside.model().weight_bytes(), outer.model().weight_bytes());
  EXPECT_EQ(inside.model().packed_file_bytes(), outer.model().packed_file_bytes());
  for (const int64_t rows : {3, 1}) {
    const std::string result = inside.Run({Counting({rows, 64})});
    ASSERT_TRUE(inside.ran()) << result;
    EXPECT_EQ(outer.Run({Counting({rows, 64})}), result);
  }
}

TEST(OuterBuffers, HoldWeightsOfEveryType) {
  for (const QuantMode quant : {QuantMode::kNone, QuantMode::kFp16, QuantMode::kInt8, QuantMode::kInt8Weights,
                                QuantMode::kInt4Weights}) {
    SCOPED_TRACE(static_cast<int>(quant));
    ExpectSame(With(quant));
  }
}

TEST(OuterBuffers, HoldWeightsThatArePacked) {
  for (const bool packed_only : {false, true}) {
    for (const QuantMode quant : {QuantMode::kNone, QuantMode::kInt8, QuantMode::kInt4Weights}) {
      SCOPED_TRACE(packed_only);
      ConvertOptions options = With(quant);
      options.target.features = DetectCpuFeatures();
      options.target.name = TargetName(options.target.features);
      options.target.packed_only = packed_only;
      ExpectSame(options);
    }
  }
}

TEST(OuterBuffers, AreVerifiedMeasuredAndTested) {
  ConvertOptions options = With(QuantMode::kInt8Weights);
  options.verify = VerifyMode::kLayers;
  options.embed_test = true;
  options.max_arena = 1 << 20;
  ExpectSame(options);
}

TEST(OuterBuffers, AreTheSameBytesEachTime) {
  const emit::SmallFileLimits limits;
  const Converted first = Convert(With(QuantMode::kNone)), second = Convert(With(QuantMode::kNone));
  EXPECT_EQ(WholeFile(first.result().file), WholeFile(second.result().file));
}

TEST(OuterBuffers, MoveWithCopiesOfTheFlatbuffer) {
  const emit::SmallFileLimits limits;
  const Converted converted = Convert(With(QuantMode::kNone));
  const AlignedBytes copy = converted.result().file;
  const Result<Model> model = emit::LoadEmitted(copy);
  ASSERT_THAT(model.status(), IsOk());
  EXPECT_EQ(WholeFile(copy), WholeFile(converted.result().file));
}

TEST(OuterBuffers, AreNoneOfCppClasses) {
  const emit::SmallFileLimits limits;
  ConvertOptions options = With(QuantMode::kNone);
  options.input_shapes = {{"x", {1, 64}}};
  options.cpp.emplace();
  options.cpp->class_name = "Net";
  EXPECT_THAT(Convert(options).status().message(), HasSubstr("over 2 GiB"));
}

void Write(const std::string& path, const AlignedBytes& file, size_t bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(bytes));
}

TEST(OuterBuffers, AreMappedAndRealigned) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.path() + "/large.fb";
  AlignedBytes file;
  {
    const emit::SmallFileLimits limits;
    file = WholeFile(Convert(With(QuantMode::kNone)).result().file);
  }
  Write(path, file, file.size());
  EXPECT_THAT(Model::FromFile(path.c_str()).status(), IsOk());
  AlignedBytes inside, outer;
  ASSERT_THAT(cli::Realign(path, &inside), IsOk());
  EXPECT_TRUE(inside.outer().empty());
  {
    const emit::SmallFileLimits limits;
    ASSERT_THAT(cli::Realign(path, &outer), IsOk());
  }
  EXPECT_EQ(WholeFile(outer), file);
  Write(path, file, file.size() - 1);
  EXPECT_THAT(Model::FromFile(path.c_str()).status().message(), HasSubstr("cut off; copy it again"));
  EXPECT_THAT(cli::Realign(path, &inside).message(), HasSubstr("cut off"));
}

}  // namespace
}  // namespace micrort
