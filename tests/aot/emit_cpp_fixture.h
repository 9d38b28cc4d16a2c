#pragma once
// mnnconvert --emit cpp: what it writes, compiled, run and compared with the interpreter.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "micrort/tensor_view.h"
#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::aot {

using testing::OnnxBuilder;

inline std::string Shell(const std::string& command) {
  const ProcessResult result = RunCommand({"sh", "-c", command});
  EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.out << result.err;
  return result.out;
}

// Seeded numbers; `integers`: every element of an int64 tensor.
inline void FillWithSeed(const TensorView& input, int64_t integers) {
  uint32_t state = 7;
  for (size_t i = 0; i < input.elements(); ++i) {
    state = state * 1664525u + 1013904223u;
    if (input.dtype == DType::kFloat32) {
      input.as<float>()[i] = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
    } else if (input.dtype == DType::kInt64) {
      input.as<int64_t>()[i] = integers;
    } else {
      ASSERT_EQ(SizeOf(input.dtype), 1u);
      static_cast<uint8_t*>(input.data)[i] = static_cast<uint8_t>(state >> 24);
    }
  }
}
inline std::string BytesOf(const TensorView& view) {
  return std::string(static_cast<const char*>(view.data), view.bytes());
}
// What follows the header, whose length is in bytes 8 and 9.
inline std::string DataOfNpy(const std::string& npy) {
  if (npy.size() < 10) return "no array";
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(npy[i])); };
  return npy.substr(10 + byte(8) + 256 * byte(9));
}

class EmitCpp : public ::testing::Test {
 protected:
  void Emit(const std::string& model, const std::string& name, std::vector<std::string> flags = {}) {
    flags.insert(flags.begin(), {model, "-o", cpp_, "--emit", "cpp", "--cpp-class", name, "--quiet"});
    const ProcessResult result = RunProgram("mnnconvert", flags);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  // Of all source files that are named, with the kernels alone.
  std::string Compile(const std::string& sources) {
    const std::string program = folder_ / "program";
    Shell("cd " + cpp_ +
          " && " MICRORT_CXX " -std=c++17 -Wall -Wextra -Werror -O1 -I. -I" MICRORT_SOURCE_FOLDER " " +
          sources + " " MICRORT_KERNEL_ARCHIVE " -o " + program);
    return program;
  }

  // What the emitted class makes of seeded numbers is what the interpreter does, bit for bit.
  void ExpectAsInterpreter(const std::string& model, const std::string& weights,
                           const std::vector<std::string>& flags = {}) {
    Emit(model, "ns::Net", flags);
    const std::string program = Compile("net.cpp net_test.cpp " + weights);
    EXPECT_EQ(Shell(program), "Success\n");

    std::vector<std::string> convert = {model, "-o", folder_ / "model.fb", "--quiet"};
    for (size_t i = 0; i < flags.size(); i += 2) {
      if (flags[i] != "--weights-as" && flags[i] != "--thread-pool")
        convert.insert(convert.end(), {flags[i], flags[i + 1]});
    }
    ASSERT_EQ(RunProgram("mnnconvert", convert).exit_code, 0);
    WriteFile(folder_ / "x.npy", NpyOf(Input()));
    WriteFile(folder_ / "x.bin", Input());
    std::filesystem::create_directory(folder_ / "out");
    ASSERT_EQ(RunProgram("micrort-run", {folder_ / "model.fb", "--input", "#0=" + (folder_ / "x.npy"),
                                         "--output-dir", folder_ / "out"})
                  .exit_code,
              0);
    Shell(program + " " + folder_.path() + " " + (folder_ / "x.bin"));
    const std::string expected = ReadFile(folder_ / "out/y.npy"), found = ReadFile(folder_ / "result0.bin");
    ASSERT_GT(found.size(), 0u);
    ASSERT_GT(expected.size(), found.size());
    EXPECT_TRUE(expected.substr(expected.size() - found.size()) == found);
  }

  // float32[1,8,8,4], in the source's layout [1,4,8,8].
  static std::string Input() {
    std::string bytes;
    uint32_t state = 7;
    for (int i = 0; i < 256; ++i) {
      state = state * 1664525u + 1013904223u;
      const float value = static_cast<float>(state >> 8) / 8388608.0f - 1.0f;
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
  }
  static std::string NpyOf(const std::string& data, const std::string& shape = "1, 4, 8, 8") {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
    header.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + data;
  }

  const TemporaryFolder folder_;
  const std::string cpp_ = folder_ / "cpp";
  const std::string model_ = folder_ / "model.onnx";
};

}  // namespace micrort::test::aot
