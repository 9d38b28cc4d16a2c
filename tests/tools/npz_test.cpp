#include <gtest/gtest.h>

#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tests/tools/npy_bytes.h"
#include "tests/tools/zip_writer.h"
#include "tools/io/npy.h"

namespace micrort::io {
namespace {

using testing::BytesOf;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::NpyFile;
using testing::NpyHeader;
using testing::Zip;

std::string NpyOf(const std::string& letters) {
  return NpyFile(NpyHeader("|u1", std::to_string(letters.size()) + ","), letters);
}

// Long and repetitive, so that deflate has something to do.
std::string Letters() {
  std::string letters;
  for (int i = 0; i < 5000; ++i) letters += static_cast<char>('a' + i % 7 + i % 13);
  return letters;
}

Status Parse(const std::string& bytes, std::vector<NamedArray>* arrays) {
  arrays->clear();
  return ParseNpz("some.npz", BytesOf(bytes), arrays);
}

TEST(Npz, ReadsStoredAndDeflatedMembers) {
  const Zip zip = testing::WriteZip({{"stored.npy", NpyOf("abc")}, {"deflated.npy", NpyOf(Letters()), true}});
  std::vector<NamedArray> arrays;
  ASSERT_THAT(Parse(zip.bytes, &arrays), IsOk());
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_EQ(arrays[0].name, "stored");
  EXPECT_EQ(std::string(arrays[0].data.begin(), arrays[0].data.end()), "abc");
  EXPECT_EQ(arrays[1].name, "deflated");
  EXPECT_EQ(std::string(arrays[1].data.begin(), arrays[1].data.end()), Letters());
}

// Short streams, of which the decoder wants to read more than there is.
TEST(Npz, ReadsDeflatedMembersOfAnyLength) {
  for (size_t n = 1; n < 100; ++n) {
    const std::string content(n, 'a');
    std::vector<NamedArray> arrays;
    ASSERT_THAT(Parse(testing::WriteZip({{"x.npy", NpyOf(content), true}}).bytes, &arrays), IsOk()) << n;
    ASSERT_EQ(arrays.size(), 1u);
    EXPECT_EQ(std::string(arrays[0].data.begin(), arrays[0].data.end()), content);
  }
}

TEST(Npz, PassesOverOtherMembersAndAComment) {
  Zip zip = testing::WriteZip({{"readme.txt", "hello"}, {".npy", "hello"}, {"x.npy", NpyOf("abc")}});
  zip.bytes += "a comment behind the archive";
  std::vector<NamedArray> arrays;
  ASSERT_THAT(Parse(zip.bytes, &arrays), IsOk());
  ASSERT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays[0].name, "x");
}

TEST(Npz, NamesTheBrokenMember) {
  std::vector<NamedArray> arrays;
  EXPECT_THAT(Parse(testing::WriteZip({{"x.npy", "hello"}}).bytes, &arrays),
              IsError(StatusCode::kInvalidArgument, HasSubstr("some.npz:x.npy: not a .npy file")));
}

struct BrokenField {
  const char* why;
  bool in_end_record;  // else in the first entry of the directory
  size_t offset;
  uint64_t value;
  int bytes;
};

TEST(Npz, RefusesMalformedFields) {
  const BrokenField fields[] = {
      {"more entries than there are", true, testing::kZipEndCount, 2, 2},
      {"directory behind the file", true, testing::kZipEndDirectory, 0xffffff00, 4},
      {"directory at something else", true, testing::kZipEndDirectory, 0, 4},
      {"name behind the file", false, testing::kZipEntryName, 0xffff, 2},
      {"header behind the file", false, testing::kZipEntryHeader, 0xffffffff, 4},
      {"header at something else", false, testing::kZipEntryHeader, 3, 4},
      {"packed bytes behind the file", false, testing::kZipEntryPacked, 0xffffffff, 4},
      {"unpacked to 4 GB", false, testing::kZipEntryBytes, 0xffffffff, 4},
      {"unpacked to more than there is", false, testing::kZipEntryBytes, 100000, 4},
      {"unpacked to less than there is", false, testing::kZipEntryBytes, 100, 4},
      {"unpacked to nothing", false, testing::kZipEntryBytes, 0, 4},
      {"unknown method", false, testing::kZipEntryMethod, 12, 2},
  };
  for (const BrokenField& field : fields) {
    Zip zip = testing::WriteZip({{"x.npy", NpyOf(Letters()), true}});
    zip.Set((field.in_end_record ? zip.end_at : zip.directory_at) + field.offset, field.value, field.bytes);
    std::vector<NamedArray> arrays;
    EXPECT_THAT(Parse(zip.bytes, &arrays), IsError(StatusCode::kInvalidArgument, HasSubstr("some.npz")))
        << field.why;
  }
}

// A small archive would become an array thousands of times.
TEST(Npz, RefusesMembersOfTheSameBytes) {
  Zip zip = testing::WriteZip({{"x.npy", NpyOf(Letters()), true}});
  const std::string entry = zip.bytes.substr(zip.directory_at, zip.end_at - zip.directory_at);
  for (int i = 1; i < 10000; ++i) {
    zip.bytes.insert(zip.end_at, entry);
    zip.end_at += entry.size();
  }
  zip.Set(zip.end_at + testing::kZipEndCount, 10000, 2);
  std::vector<NamedArray> arrays;
  EXPECT_THAT(Parse(zip.bytes, &arrays), IsError(StatusCode::kInvalidArgument, HasSubstr("broken .npz")));
}

TEST(Npz, NeverReadsBehindATruncatedFile) {
  const std::string whole =
      testing::WriteZip({{"x.npy", NpyOf("abcdef"), true}, {"y.npy", NpyOf("ab")}}).bytes;
  for (size_t n = 0; n < whole.size(); ++n) {
    // Kept in a block of exactly its size, so that a sanitizer sees every byte read too much.
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    std::vector<NamedArray> arrays;
    EXPECT_THAT(ParseNpz("some.npz", BytesOf(part), &arrays), IsError(StatusCode::kInvalidArgument)) << n;
  }
}

TEST(Npz, SurvivesEveryFlippedBit) {
  const std::string whole =
      testing::WriteZip({{"x.npy", NpyOf(Letters()), true}, {"y.npy", NpyOf("ab")}}).bytes;
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::vector<uint8_t> flipped(whole.begin(), whole.end());
    flipped[bit / 8] ^= static_cast<uint8_t>(1 << (bit % 8));
    std::vector<NamedArray> arrays;
    const Status status = ParseNpz("some.npz", BytesOf(flipped), &arrays);
    if (status.ok()) {
      for (const NamedArray& array : arrays)
        EXPECT_EQ(array.data.size(), array.elements() * SizeOf(array.dtype));
    }
  }
}

}  // namespace
}  // namespace micrort::io
