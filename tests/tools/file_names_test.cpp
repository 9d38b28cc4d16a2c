// Files whose names are not ASCII: names are UTF-8 on every system.

#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/base/platform/mapped_file.h"
#include "tests/status_matchers.h"
#include "tests/tools/temporary_folder.h"
#include "tools/io/file.h"

namespace micrort::io {
namespace {

using testing::IsError;
using testing::IsOk;
using testing::TemporaryFolder;

constexpr char kForeignName[] = "mod\u00e8le-\u6a21\u578b-\U0001f600.fb";

TEST(FileNames, AreUtf8) {
  const TemporaryFolder folder;
  const std::string path = folder.File(kForeignName);
  ASSERT_THAT(WriteFileAtomically(path, std::string("first")), IsOk());
  ASSERT_THAT(WriteFileAtomically(path, std::string("second")), IsOk());
  std::vector<uint8_t> bytes;
  ASSERT_THAT(ReadFile(path, &bytes), IsOk());
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "second");
  MappedFile mapped;
  ASSERT_THAT(mapped.Open(path.c_str()), IsOk());
  EXPECT_EQ(mapped.bytes().size(), bytes.size());
  EXPECT_TRUE(std::filesystem::exists(std::filesystem::u8path(path)));
}

TEST(FileNames, AreListedAsTheyAreGiven) {
  const TemporaryFolder folder;
  ASSERT_THAT(WriteFileAtomically(folder.File(kForeignName), std::string("x")), IsOk());
  std::vector<std::string> files;
  ASSERT_THAT(ListFiles(folder.path(), &files), IsOk());
  ASSERT_EQ(files.size(), 1u);
  std::vector<uint8_t> bytes;
  EXPECT_THAT(ReadFile(files[0], &bytes), IsOk());
  EXPECT_NE(files[0].find(kForeignName), std::string::npos);
  EXPECT_EQ(Extension(files[0]), "fb");
}

TEST(FileNames, ThatDifferNameOneFileIfTheyLeadToIt) {
  const TemporaryFolder folder;
  const std::string path = folder.File(kForeignName), other = folder.File(std::string("./") + kForeignName);
  ASSERT_THAT(WriteFileAtomically(path, std::string("x")), IsOk());
  EXPECT_THAT(CheckOutputFiles({other}, {path}), IsError(StatusCode::kInvalidArgument));
  EXPECT_THAT(CheckOutputFiles({folder.File("new"), folder.File("./new")}, {}),
              IsError(StatusCode::kInvalidArgument));
  EXPECT_THAT(CheckOutputFiles({folder.File("new")}, {path}), IsOk());
}

}  // namespace
}  // namespace micrort::io
