// TorchScript archives from anywhere: archives, pickles and code that are broken, or want too much.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/converter/torch_archive.h"

namespace micrort::testing {
namespace {

using ::testing::HasSubstr;

const char kMethods[] =
    "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
    "    y = [torch.relu(x), torch.add(self.w, 1)]\n"
    "    if torch.eq(torch.len(y), 2):\n"
    "      z = torch.cat(y, -1)\n"
    "    else:\n"
    "      z = x\n"
    "    return z\n";

TorchArchive Model() { return TorchArchive(kMethods).Tensor("w", {1, 2}, {1, 2}); }

Status Import(const std::string& bytes) {
  frontend::ImportOptions options;
  options.input_shapes = {{"x", {1, 3}}};
  return ImportTorch(bytes, options).status;
}

Status ImportPickle(const std::string& pickle) {
  return Import(Model().Entry("data.pkl", "\x80\x02" + pickle).Bytes());
}

std::string Net(const std::string& attribute) {
  return PickledGlobal("__torch__", "Net") + ")\x81}(" + PickledText("w") + attribute + "ub.";
}

TEST(TorchscriptArchive, CutShortAnywhereIsRefused) {
  const std::string bytes = Model().Bytes();
  ASSERT_TRUE(Import(bytes).ok());
  for (size_t n = 4; n < bytes.size(); n += 3) EXPECT_FALSE(Import(bytes.substr(0, n)).ok()) << n;
}

// Whatever is changed, the import ends with a status; under the sanitizers, without reading outside.
TEST(TorchscriptArchive, AnyByteOfAModelMayBeWrong) {
  const std::string bytes = Model().Bytes();
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int change : {1, 0x80, 0xff}) {
      std::string wrong = bytes;
      wrong[i] = static_cast<char>(wrong[i] ^ change);
      const Status status = Import(wrong);
      EXPECT_TRUE(status.ok() || std::string(status.message()).size() > 10) << i;
    }
  }
}

TEST(TorchscriptArchive, EntriesThatOverlapAreRefused) {
  std::string bytes = Model().Bytes();
  // The directory's second entry is made the first one once more.
  const size_t directory = bytes.find("PK\x01\x02"), second = bytes.find("PK\x01\x02", directory + 4);
  bytes.replace(second + 42, 4, std::string(4, '\0'));
  EXPECT_EQ(Import(bytes).code(), StatusCode::kInvalidModel);
}

TEST(TorchscriptPickle, CodeIsNotRun) {
  const Status status = ImportPickle(Net(PickledGlobal("os", "system") + "(" + PickledText("true") + "tR"));
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("'os system'"));
}

TEST(TorchscriptPickle, TensorsStayInsideTheirStorage) {
  for (const auto& [shape, strides, offset] :
       std::vector<std::tuple<std::vector<int64_t>, std::vector<int64_t>, int64_t>>{
           {{1, 2}, {2, 1}, 1},
           {{3}, {1}, 0},
           {{2, 2}, {2, 1}, 0},
           {{1, 2}, {2, 2000000000}, 0},
           {{2000000000, 2000000000, 2000000000}, {0, 0, 0}, 0},
           {{100000, 100000}, {0, 0}, 0},
           {{2}, {1, 1}, 0}}) {
    EXPECT_EQ(ImportPickle(Net(PickledTensor("0", shape, strides, offset, 2))).code(),
              StatusCode::kInvalidModel);
  }
  // The pickle says more elements than the entry has.
  EXPECT_EQ(ImportPickle(Net(PickledTensor("0", {1, 2}, {2, 1}, 6, 8))).code(), StatusCode::kInvalidModel);
}

TEST(TorchscriptPickle, ContainersInsideEachOtherAreBounded) {
  std::string deep = ")";
  for (int i = 0; i < 100000; ++i) deep += "\x85";
  EXPECT_EQ(ImportPickle(deep + ".").code(), StatusCode::kInvalidModel);
  // Each tuple holds the last one twice.
  std::string wide = ")q" + std::string(1, '\0');
  for (int i = 0; i < 60; ++i)
    wide += "h" + std::string(1, static_cast<char>(i)) + "\x86q" + std::string(1, static_cast<char>(i + 1));
  EXPECT_EQ(ImportPickle(wide + ".").code(), StatusCode::kInvalidModel);
  EXPECT_EQ(ImportPickle("]q" + std::string(1, '\0') + "h" + std::string(1, '\0') + "a.").code(),
            StatusCode::kInvalidModel);
}

TEST(TorchscriptCode, NestingAndWorkAreBounded) {
  const auto import = [](const std::string& body) {
    return Import(TorchArchive("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body).Bytes());
  };
  EXPECT_EQ(import("    return " + std::string(50000, '(') + "x\n").code(), StatusCode::kUnsupported);
  EXPECT_EQ(import("    return " + std::string(50000, '-') + "1\n").code(), StatusCode::kInvalidModel);
  std::string sum = "x";
  for (int i = 0; i < 50000; ++i) sum += "+x";
  EXPECT_FALSE(import("    return " + sum + "\n").ok());
  EXPECT_EQ(import("    return (self).forward(x, )\n").code(), StatusCode::kUnsupported);
  EXPECT_EQ(import("    while True:\n      pass\n    return x\n").code(), StatusCode::kUnsupported);
  const Status of_list =
      import("    y = [1, 2]\n    for i in range(1000):\n      y = torch.add(y, y)\n    return x\n");
  EXPECT_EQ(of_list.code(), StatusCode::kUnsupported);
  EXPECT_THAT(of_list.message(), HasSubstr("a list of more than 1048576 elements"));
}

TEST(TorchscriptArchive, WhatHoldsNoCodeSaysWhatToCall) {
  const auto message = [](const std::map<std::string, std::string>& entries) {
    return std::string(Import(ZipOf(entries)).message());
  };
  const std::string dictionary = "\x80\x02" + PickledGlobal("collections", "OrderedDict") + ")R(" +
                                 PickledText("w") + PickledTensor("0", {2}, {1}, 0, 2) + "u.";
  EXPECT_THAT(message({{"data.pkl", dictionary}, {"version", "3"}}), HasSubstr("state_dict"));
  // Beside the weights, today's torch.save keeps versions of modules as an attribute of the dictionary.
  const std::string versions = "}(" + PickledText("_metadata") + "}u" + "b.";
  EXPECT_THAT(
      message({{"data.pkl", dictionary.substr(0, dictionary.size() - 1) + versions}, {"version", "3"}}),
      HasSubstr("state_dict"));
  EXPECT_THAT(
      message({{"data.pkl", "\x80\x02" + PickledGlobal("models", "Net") + ")\x81."}, {"version", "3"}}),
      HasSubstr("torch.jit.trace"));
  EXPECT_THAT(message({{"a.txt", "hello"}, {"b.txt", "hello"}}), HasSubstr("no model of PyTorch"));
  EXPECT_THAT(Import(std::string("\x10\0\0\0PTMF", 8)).message(), HasSubstr("flatbuffer"));
}

}  // namespace
}  // namespace micrort::testing
