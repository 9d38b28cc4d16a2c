#include "tools/io/npy.h"

#include <gtest/gtest.h>

#include "tests/status_matchers.h"
#include "tests/tools/arrays.h"
#include "tests/tools/npy_bytes.h"

namespace micrort::io {
namespace {

using testing::BytesOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsError;
using testing::IsOk;
using testing::NpyFile;
using testing::NpyHeader;
using testing::Values;

constexpr DType kWritten[] = {DType::kFloat32, DType::kFloat16, DType::kInt8,    DType::kUInt8,
                              DType::kInt16,   DType::kUInt16,  DType::kInt32,   DType::kUInt32,
                              DType::kInt64,   DType::kUInt64,  DType::kFloat64, DType::kBool};
const std::vector<int64_t> kShapes[] = {{}, {0}, {1}, {7}, {2, 3}, {2, 0, 3}, {1, 2, 3, 4, 1, 1, 1, 2}};

TEST(Npy, ReadsWhatItWrote) {
  for (DType dtype : kWritten) {
    for (const auto& shape : kShapes) {
      NamedArray array{"", dtype, shape, {}};
      for (size_t i = 0; i < array.elements() * SizeOf(dtype); ++i)
        array.data.push_back(static_cast<uint8_t>(i));
      NamedArray read;
      const std::vector<uint8_t> file = FormatNpy(dtype, shape, array.data.data());
      ASSERT_THAT(ParseNpy("x.npy", BytesOf(file), &read), IsOk()) << Name(dtype) << ShapeText(shape);
      EXPECT_EQ(read.dtype, dtype);
      EXPECT_EQ(read.shape, shape);
      EXPECT_EQ(read.data, array.data);
    }
  }
}

TEST(Npy, DataStartAtAMultipleOf64) {
  for (const auto& shape : kShapes) {
    NamedArray array{"", DType::kInt8, shape, {}};
    const std::vector<int8_t> data(array.elements());
    EXPECT_EQ((FormatNpy(DType::kInt8, shape, data.data()).size() - data.size()) % 64, 0u)
        << ShapeText(shape);
  }
}

TEST(Npy, WritesBFloat16AsItsBitPatterns) {
  const uint16_t bits[] = {0x3f80, 0xc000};
  NamedArray read;
  ASSERT_THAT(ParseNpy("x.npy", BytesOf(FormatNpy(DType::kBFloat16, {2}, bits)), &read), IsOk());
  EXPECT_EQ(read.dtype, DType::kUInt16);
  EXPECT_THAT(Values<uint16_t>(read), ElementsAre(0x3f80, 0xc000));
}

TEST(Npy, ReordersFortranOrder) {
  NamedArray read;
  ASSERT_THAT(ParseNpy("x.npy", BytesOf(NpyFile(NpyHeader("|u1", "2, 3", true), "adbecf")), &read), IsOk());
  EXPECT_EQ(read.shape, (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(Values<char>(read), ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
  ASSERT_THAT(
      ParseNpy("x.npy",
               BytesOf(NpyFile(NpyHeader("<i2", "2, 1, 2", true), std::string("\1\0\3\0\2\0\4\0", 8))),
               &read),
      IsOk());
  EXPECT_THAT(Values<int16_t>(read), ElementsAre(1, 2, 3, 4));
}

TEST(Npy, ReadsEveryVersionAndPython2Longs) {
  for (int version : {1, 2, 3}) {
    NamedArray read;
    ASSERT_THAT(ParseNpy("x.npy", BytesOf(NpyFile(NpyHeader("|i1", "3L,"), "abc", version)), &read), IsOk())
        << version;
    EXPECT_EQ(read.shape, std::vector<int64_t>{3});
  }
}

struct BrokenFile {
  const char* why;
  std::string bytes, message;
};

TEST(Npy, RefusesBrokenFiles) {
  std::string claims_longer_header = NpyFile(NpyHeader("|u1", "1"), "a");
  claims_longer_header[9] = '\x7f';
  std::string long_length = NpyFile(NpyHeader("|u1", "1"), "a", 2);
  long_length[11] = '\xff';
  const BrokenFile files[] = {
      {"empty", "", "not a .npy"},
      {"magic only", "\x93NUMPY", "not a .npy"},
      {"other file", "GIF89a, and then some more bytes", "not a .npy"},
      {"version 0", NpyFile(NpyHeader("|u1", "1"), "a", 0), "broken .npy header"},
      {"version 4", NpyFile(NpyHeader("|u1", "1"), "a", 4), "broken .npy header"},
      {"header longer than file", claims_longer_header, "broken .npy header"},
      {"header of 4 GB", long_length, "broken .npy header"},
      {"empty header", NpyFile("", "aaaaaaaa"), "element type"},
      {"not a dictionary", NpyFile("hello, world", "a"), "element type"},
      {"big endian", NpyFile(NpyHeader(">f4", "1"), "aaaa"), "big-endian elements"},
      {"complex", NpyFile(NpyHeader("<c8", "1"), "aaaaaaaa"), "element type"},
      {"structured", NpyFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "aaaa"),
       "element type"},
      {"no shape", NpyFile("{'descr': '|u1', 'fortran_order': False}", "a"), "broken .npy header"},
      {"no order", NpyFile("{'descr': '|u1', 'shape': (1,)}", "a"), "broken .npy header"},
      {"open shape", NpyFile("{'descr': '|u1', 'fortran_order': False, 'shape': (1, ", "a"),
       "broken .npy header"},
      {"negative dimension", NpyFile(NpyHeader("|u1", "-1"), "a"), "broken .npy header"},
      {"dimension over 64 bits", NpyFile(NpyHeader("|u1", "99999999999999999999"), "a"),
       "broken .npy header"},
      {"product over 64 bits", NpyFile(NpyHeader("<f8", "4294967296, 4294967296"), "a"),
       "not a possible array"},
      {"rank 9", NpyFile(NpyHeader("|u1", "1, 1, 1, 1, 1, 1, 1, 1, 1"), "a"), "at most 8"},
      {"data too short", NpyFile(NpyHeader("<f4", "2"), "aaaabbb"), "needs 8 bytes of data, found 7"},
      {"data too long", NpyFile(NpyHeader("<f4", "1"), "aaaab"), "needs 4 bytes of data, found 5"},
  };
  for (const BrokenFile& file : files) {
    NamedArray read;
    EXPECT_THAT(ParseNpy("some.npy", BytesOf(file.bytes), &read),
                IsError(StatusCode::kInvalidArgument, AllOf(HasSubstr("some.npy"), HasSubstr(file.message))))
        << file.why;
  }
}

TEST(Npy, NeverReadsBehindATruncatedFile) {
  const float values[] = {1, 2, 3, 4, 5, 6};
  const std::vector<uint8_t> whole = FormatNpy(DType::kFloat32, {2, 3}, values);
  for (size_t n = 0; n < whole.size(); ++n) {
    const std::vector<uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n));
    NamedArray read;
    EXPECT_THAT(ParseNpy("x.npy", BytesOf(part), &read), IsError(StatusCode::kInvalidArgument)) << n;
  }
}

}  // namespace
}  // namespace micrort::io
