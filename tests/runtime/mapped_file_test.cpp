// Files mapped for reading.

#include "kernels/base/platform/mapped_file.h"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "tests/runtime/allocation_hook.h"
#include "tests/tools/temporary_folder.h"

namespace micrort {
namespace {

constexpr size_t kPages = 3 * 65536;  // of every size that systems have

std::string Content() {
  std::string content(kPages, ' ');
  for (size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>('a' + i % 23);
  return content;
}

TEST(MappedFile, PartsThatAreReleasedCanBeReadAgain) {
  const testing::TemporaryFolder folder;
  const std::string content = Content();
  std::ofstream(folder.File("file")) << content;
  MappedFile file;
  ASSERT_TRUE(file.Open((folder.File("file")).c_str()).ok());
  ASSERT_EQ(std::memcmp(file.bytes().data(), content.data(), content.size()), 0);
  file.Release(file.bytes().data() + 100, content.size() - 200);
  file.Release(file.bytes().data(), content.size());
  EXPECT_EQ(std::memcmp(file.bytes().data(), content.data(), content.size()), 0);
}

TEST(MappedFile, HasTheSameBytesSparsely) {
  const testing::TemporaryFolder folder;
  std::string content;
  for (int i = 0; i < 15; ++i) content += Content();
  content += "end";
  std::ofstream(folder.File("file")) << content;
  MappedFile file;
  ASSERT_TRUE(file.Open((folder.File("file")).c_str()).ok());
  const Span<const uint8_t> sparse = file.sparse_bytes();
  ASSERT_EQ(sparse.size(), content.size());
  EXPECT_EQ(std::memcmp(sparse.data(), content.data(), content.size()), 0);
#if defined(__linux__) && UINTPTR_MAX > UINT32_MAX
  EXPECT_EQ(reinterpret_cast<uintptr_t>(sparse.data()) % (uintptr_t{2} << 20), kPages / 3);
#endif
  file.Release(sparse.data() + 100, content.size() - 200);
  EXPECT_EQ(std::memcmp(sparse.data(), content.data(), content.size()), 0);
  EXPECT_EQ(MappedFile().sparse_bytes().size(), 0u);
}

TEST(MappedFile, SaysWhyNot) {
  const testing::TemporaryFolder folder;
  MappedFile file;
  EXPECT_THAT(file.Open((folder.File("none")).c_str()).message(), ::testing::HasSubstr("cannot be opened"));
  EXPECT_THAT(file.Open(folder.File(".").c_str()).message(), ::testing::HasSubstr("expected a regular file"));
#if !defined(_WIN32)  // where only operator new is watched
  std::ofstream(folder.File("file")) << Content();
  const std::string path = folder.File("file");
  Status status;
  {
    const testing::AllocationHook no_memory(0);
    status = file.Open(path.c_str());
  }
  EXPECT_THAT(status.message(), ::testing::HasSubstr("cannot be mapped"));
#endif
}

TEST(MappedFile, ReleasesNothingButItsOwnPages) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.File("file")) << Content();
  MappedFile file, closed;
  ASSERT_TRUE(file.Open((folder.File("file")).c_str()).ok());
  std::string other = Content();
  file.Release(other.data(), other.size());
  closed.Release(other.data(), other.size());
  closed.Release(nullptr, 0);
  EXPECT_EQ(other, Content());
}

}  // namespace
}  // namespace micrort
