// Loading from files and buffers.

#include "micrort/model.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "tests/runtime/model_builder.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

ModelFile Small() {
  ModelBuilder b;
  b.Output(b.Constant<float>("c", {3}, {1, 2, 3}));
  return b.Finish();
}

// A file that is deleted at the end of the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const void* data, size_t size) : path(::testing::TempDir() + name) {
    std::ofstream(path, std::ios::binary)
        .write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  ~TemporaryFile() { std::remove(path.c_str()); }

  const std::string path;
};

TEST(Model, FromFile) {
  const ModelFile content = Small();
  const TemporaryFile file("small.fb", content.data(), content.size());
  auto model = Model::FromFile(file.path.c_str());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->file_bytes(), content.size());
  EXPECT_EQ(model->weight_bytes(), 12u);
  EXPECT_EQ(model->packed_bytes(), 0u);
  EXPECT_EQ(model->file().size(), content.size());
}

TEST(Model, BufferIsUsedInPlace) {
  const ModelFile content = Small();
  auto model = Model::FromBuffer(content.data(), content.size());
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(model->file().data(), content.data());
}

TEST(Model, TrustedFilesAreLookedAtNoFurtherThanTheirHeader) {
  const ModelFile content = Small();
  auto model = Model::FromTrustedBuffer(content.data(), content.size());
  ASSERT_TRUE(model.ok()) << model.status().message();
  EXPECT_EQ(model->file().data(), content.data());
  EXPECT_EQ(model->weight_bytes(), 12u);
  EXPECT_EQ(Model::FromTrustedBuffer(nullptr, 64).status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Model::FromTrustedBuffer(content.data(), 4).status().code(), StatusCode::kInvalidModel);
  std::string bytes(static_cast<const char*>(static_cast<const void*>(content.data())), content.size());
  bytes[4] = 'X';
  const ModelFile other(bytes.data(), bytes.size());
  const Status status = Model::FromTrustedBuffer(other.data(), other.size()).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), HasSubstr("identifier"));
}

TEST(Model, MovesKeepTheFile) {
  const ModelFile content = Small();
  auto first = Model::FromBuffer(content.data(), content.size());
  Model second = std::move(first.value());
  EXPECT_EQ(second.file_bytes(), content.size());
}

TEST(Model, FilesThatCannotBeRead) {
  for (const char* path : {"/nonexistent/model.fb", "/", "/dev/null"}) {
    const Status status = Model::FromFile(path).status();
    EXPECT_EQ(status.code(), StatusCode::kIo) << path;
    EXPECT_THAT(status.message(), StartsWith(path));
  }
  EXPECT_EQ(Model::FromFile(nullptr).status().code(), StatusCode::kInvalidArgument);
}

TEST(Model, EmptyAndForeignFiles) {
  const TemporaryFile empty("empty.fb", "", 0);
  EXPECT_EQ(Model::FromFile(empty.path.c_str()).status().code(), StatusCode::kInvalidModel);
  const TemporaryFile text("text.fb", "just some text", 14);
  const Status status = Model::FromFile(text.path.c_str()).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), StartsWith(text.path));
  EXPECT_THAT(status.message(), HasSubstr("not a MicroRT model"));
}

// Of a path that fills the message, the end is shown, and the reason behind it.
TEST(Model, LongPathsLeaveRoomForTheReason) {
  const TemporaryFile text(std::string(200, 'x') + ".fb", "just some text", 14);
  const Status status = Model::FromFile(text.path.c_str()).status();
  EXPECT_THAT(status.message(), HasSubstr("xxx.fb: not a MicroRT model"));
}

}  // namespace
}  // namespace micrort::testing
