#include "tools/io/file.h"

#include <gtest/gtest.h>

#include "tests/status_matchers.h"
#include "tests/tools/temporary_folder.h"

namespace micrort::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::TemporaryFolder;

TEST(File, ReadsWhatWasWrittenAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const std::string path = folder.File("a.txt");
  ASSERT_THAT(WriteFileAtomically(path, std::string("first")), IsOk());
  ASSERT_THAT(WriteFileAtomically(path, std::string(100000, 'x')), IsOk());
  std::vector<uint8_t> bytes;
  ASSERT_THAT(ReadFile(path, &bytes), IsOk());
  EXPECT_EQ(bytes, std::vector<uint8_t>(100000, 'x'));
  std::vector<std::string> files;
  ASSERT_THAT(ListFiles(folder.path(), &files), IsOk());
  EXPECT_THAT(files, ElementsAre(path));
}

TEST(File, NamesThePathAndTheReason) {
  const TemporaryFolder folder;
  std::vector<uint8_t> bytes;
  std::vector<std::string> files;
  const std::string missing = folder.File("missing/file");
  EXPECT_THAT(ReadFile(missing, &bytes),
              IsError(StatusCode::kIo, AllOf(HasSubstr(missing), HasSubstr("No such file"))));
  EXPECT_THAT(ReadFile(folder.path(), &bytes), IsError(StatusCode::kIo, HasSubstr("found a folder")));
  EXPECT_THAT(WriteFileAtomically(missing, std::string("x")),
              IsError(StatusCode::kIo, HasSubstr("No such file")));
  EXPECT_THAT(WriteFileAtomically(folder.path(), std::string("x")),
              IsError(StatusCode::kIo, HasSubstr("found a folder")));
  EXPECT_THAT(ListFiles(missing, &files), IsError(StatusCode::kIo, HasSubstr("cannot list")));
}

TEST(File, MakesFoldersAndListsOnlyFilesSorted) {
  const TemporaryFolder folder;
  ASSERT_THAT(MakeDirectories(folder.File("x/y")), IsOk());
  ASSERT_THAT(MakeDirectories(folder.File("x/y")), IsOk());
  for (const char* name : {"x/b", "x/a", "x/c"})
    ASSERT_THAT(WriteFileAtomically(folder.File(name), std::string()), IsOk());
  std::vector<std::string> files;
  ASSERT_THAT(ListFiles(folder.File("x"), &files), IsOk());
  EXPECT_THAT(files, ElementsAre(folder.File("x/a"), folder.File("x/b"), folder.File("x/c")));
  EXPECT_THAT(MakeDirectories(folder.File("x/a")), IsError(StatusCode::kIo));
}

TEST(File, ExtensionIsLowerCase) {
  EXPECT_EQ(Extension("a.b/c.PNG"), "png");
  EXPECT_EQ(Extension("a.tar.gz"), "gz");
  EXPECT_EQ(Extension("a.b/c"), "");
}

}  // namespace
}  // namespace micrort::io
