// Networks as C++ for every platform and by each of its compilers: no warnings, the bits of the platform's
// interpreter, nothing from the heap, and no library but the kernels and C's.

#include <map>
#include <numeric>

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/aot/networks.h"
#include "tools/io/npy.h"
#include "tools/io/session.h"
#include "tools/io/tensor_file_name.h"

namespace micrort::test::aot {
namespace {

// `c` links: what only C++'s library has is not found.
struct Compiler {
  std::string cxx, c;
};

struct Platform {
  std::string name, target;  // "": --target is this machine
  std::string build;         // its folder: kernels/libmicrort_kernels.a and bin/micrort-run
  std::string emulator;
  std::vector<Compiler> compilers;
};

void PrintTo(const Platform& platform, std::ostream* out) { *out << platform.name; }

std::vector<Platform> Platforms() {
  const std::string arm64 = "--target=aarch64-linux-gnu", arm = "--target=arm-linux-gnueabihf -mfpu=neon";
  const std::string lld = " -fuse-ld=lld";
  return {
      {"x86_64", "", MICRORT_BUILD_FOLDER, "", {{"g++", "gcc"}, {"clang++", "clang" + lld}}},
      {"aarch64",
       "dotprod",
       MICRORT_AARCH64_BUILD,
       "qemu-aarch64 -cpu cortex-a76 -L /usr/aarch64-linux-gnu ",
       {{"aarch64-linux-gnu-g++", "aarch64-linux-gnu-gcc"}, {"clang++ " + arm64, "clang " + arm64 + lld}}},
      {"armv7",
       "armv7-neon",
       MICRORT_ARMV7_BUILD,
       "qemu-arm -cpu cortex-a15 -L /usr/arm-linux-gnueabihf ",
       {{"arm-linux-gnueabihf-g++", "arm-linux-gnueabihf-gcc"}, {"clang++ " + arm, "clang " + arm + lld}}},
  };
}

bool IsThere(const std::string& compiler) {
  static std::map<std::string, bool> known;
  const auto [it, is_new] = known.emplace(compiler, false);
  if (is_new) it->second = RunCommand({"sh", "-c", compiler + " --version"}).exit_code == 0;
  return it->second;
}

// Why nothing can be compared on it here; empty: it can.
std::string WhyNot(const Platform& platform) {
  if (platform.build.empty()) return "no build for " + platform.name + "; ./dev test makes it";
  for (const Compiler& compiler : platform.compilers) {
    if (!IsThere(compiler.cxx)) return "no " + compiler.cxx;
  }
  return "";
}

struct NetworkCase {
  std::string name;
  std::string file;  // of the model data; "": `make` builds it
  testing::OnnxBuilder (*make)() = nullptr;
  bool int8 = false;  // quantized by mnnconvert
  std::vector<std::string> flags = {};
};

void PrintTo(const NetworkCase& network, std::ostream* out) { *out << network.name; }

std::vector<NetworkCase> Networks() {
  return {
      {"mobilenet_v1", "", MobilenetV1},
      {"mobilenet_v1_int8", "", MobilenetV1, true},
      {"mobilenet_v2", "", MobilenetV2},
      {"mobilenet_v2_int8", "", MobilenetV2, true},
      {"mobilenet_v2_half", "", MobilenetV2, false, {"--quant", "fp16", "--fp16-activations"}},
      {"mobilenet_v2_int4_by_int8", "", MobilenetV2, false, {"--quant", "int4-weights", "--int8-compute"}},
      {"transformer", "", Transformer},
      {"transformer_int8", "", Transformer, true},
      {"embedding_half", "", TiedEmbedding, false, {"--quant", "fp16"}},
      {"embedding_int8", "", TiedEmbedding, false, {"--quant", "int8"}},
      {"embedding_int4", "", TiedEmbedding, false, {"--quant", "int4-weights"}},
      {"resnet8", "models/onnx/resnet8.onnx"},
      {"resnet8_half", "models/onnx/resnet8.onnx", nullptr, false, {"--quant", "fp16", "--fp16-activations"}},
      {"resnet8_int8", "models/tflite/resnet8_int8.tflite"},
      {"ultraface", "models/onnx/ultraface_rfb_320.onnx"},
      {"fastestdet", "models/onnx/fastestdet.onnx"},
      {"silero_vad",
       "models/onnx/silero_vad_16k_op15.onnx",
       nullptr,
       false,
       {"--input-shape", "input=1x576", "--input-shape", "state=2x1x128"}}};
}

class EmitForPlatform : public EmitCpp,
                        public ::testing::WithParamInterface<std::tuple<NetworkCase, Platform>> {
 protected:
  void SetUp() override {
    if (!network_.file.empty()) MICRORT_NEEDS_MODEL_DATA();
    if (const std::string why = WhyNot(platform_); !why.empty()) GTEST_SKIP() << "skipped: " << why;
  }

  // Emits the network, and converts it for the interpreter.
  void Convert() {
    const std::string source = network_.make == nullptr ? ModelData(network_.file) : model_;
    if (network_.make != nullptr) WriteFile(source, network_.make().Bytes());
    std::vector<std::string> flags = network_.flags;
    if (!platform_.target.empty()) flags.insert(flags.end(), {"--target", platform_.target});
    if (network_.int8) {
      WriteSample(source);
      flags.insert(flags.end(), {"--quant", "int8", "--calib", folder_ / "sample.npy"});
    }
    Emit(source, "ns::Net", flags);
    flags.insert(flags.begin(), {source, "-o", folder_ / "model.fb", "--quiet"});
    const ProcessResult converted = RunProgram("mnnconvert", flags);
    ASSERT_EQ(converted.exit_code, 0) << converted.err;
  }

  // Seeded inputs as files of both, and the interpreter's results.
  void Interpret() {
    auto model = Model::FromFile((folder_ / "model.fb").c_str());
    ASSERT_TRUE(model.ok()) << model.status().message();
    std::string command = platform_.emulator + platform_.build + "/bin/micrort-run " +
                          (folder_ / "model.fb") + " --output-dir " + folder_.path();
    std::vector<io::NamedArray> arrays;
    for (const io::InputSpec& spec : io::InputSpecs(*model)) {
      arrays.push_back(SeededInput(spec));
      const io::NamedArray& array = arrays.back();
      const std::string n = std::to_string(arrays.size() - 1), npy = folder_ / ("arg" + n + ".npy");
      WriteFile(npy, Text(io::FormatNpy(array.dtype, array.shape, array.data.data())));
      WriteFile(folder_ / ("arg" + n + ".bin"), Text(array.data));
      command += " --input '#" + n + "=" + npy + "'";
    }
    Shell(command);
    auto here = io::CreateFor(*model, arrays, {});
    ASSERT_TRUE(here.ok()) << here.status().message();
    for (const std::string& name : io::FileSafeNames(io::OutputNames(*here)))
      expected_.push_back(DataOfNpy(ReadFile(folder_ / (name + ".npy"))));
  }

  void ExpectSameBits(const Compiler& compiler) {
    SCOPED_TRACE(compiler.cxx);
    Build(compiler);
    Shell(platform_.emulator + (cpp_ + "/program ") + folder_.path());
    for (size_t i = 0; i < expected_.size(); ++i) {
      const std::string found = ReadFile(folder_ / ("result" + std::to_string(i) + ".bin"));
      ASSERT_GT(found.size(), 0u);
      EXPECT_TRUE(found == expected_[i]) << "result " << i;
      EXPECT_NE(found.find_first_not_of(found[0]), std::string::npos) << "result " << i << " is constant";
      std::filesystem::remove(folder_ / ("result" + std::to_string(i) + ".bin"));
    }
  }

  const NetworkCase& network_ = std::get<0>(GetParam());
  const Platform& platform_ = std::get<1>(GetParam());
  std::vector<std::string> expected_;  // of the interpreter, one a result

 private:
  static std::string Text(const std::vector<uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

  static io::NamedArray SeededInput(const io::InputSpec& spec) {
    std::vector<int64_t> shape = spec.shape;
    for (int64_t& d : shape) d = d < 0 ? 1 : d;
    io::NamedArray array = io::RandomArray(spec.name, spec.dtype, shape, 1);
    if (spec.dtype == DType::kInt64) {  // a sample rate
      const int64_t rate = 16000;
      for (size_t i = 0; i < array.elements(); ++i)
        std::memcpy(array.data.data() + i * sizeof rate, &rate, sizeof rate);
    }
    return array;
  }

  // What an int8 network is calibrated with: its input's shape as in the source.
  void WriteSample(const std::string& source) {
    ::onnx::ModelProto model;
    ASSERT_TRUE(model.ParseFromString(ReadFile(source)));
    std::vector<int64_t> shape;
    for (const auto& d : model.graph().input(0).type().tensor_type().shape().dim())
      shape.push_back(d.dim_value());
    const io::NamedArray array = io::RandomArray("x", DType::kFloat32, shape, 2);
    WriteFile(folder_ / "sample.npy", Text(io::FormatNpy(array.dtype, shape, array.data.data())));
  }

  void Build(const Compiler& compiler) {
    std::string sizes;
    for (size_t i = 0; i < expected_.size(); ++i)
      sizes += (i == 0 ? "ns::Net::result" : ",ns::Net::result") + std::to_string(i) + "_size()";
    const std::string flags =
        " -std=c++17 -Wall -Wextra -Werror -O1 -ffunction-sections -I. -I" MICRORT_SOURCE_FOLDER;
    // Programs that nobody runs here are read for their warnings.
    Shell("cd " + cpp_ + " && rm -f *.o && " + compiler.cxx + flags +
          " -fsyntax-only net_test.cpp net_benchmark.cpp && " + compiler.cxx + flags +
          " -c net.cpp net_weights.S && " + compiler.cxx + flags + " -fno-builtin -DRESULT_BYTES='" + sizes +
          "' -c " MICRORT_SOURCE_FOLDER "/tests/aot/counted/main.cpp && " + compiler.c +
          " -Wl,--gc-sections main.o net.o net_weights.o " + platform_.build +
          "/kernels/libmicrort_kernels.a -lm -pthread -o program");
  }
};

TEST_P(EmitForPlatform, GivesTheBitsOfItsInterpreterWithoutHeap) {
  Convert();
  ASSERT_FALSE(HasFailure());
  Interpret();
  ASSERT_FALSE(HasFailure());
  for (const Compiler& compiler : platform_.compilers) ExpectSameBits(compiler);
}

std::string NameOf(const ::testing::TestParamInfo<EmitForPlatform::ParamType>& info) {
  return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(All, EmitForPlatform,
                         ::testing::Combine(::testing::ValuesIn(Networks()),
                                            ::testing::ValuesIn(Platforms())),
                         NameOf);

}  // namespace
}  // namespace micrort::test::aot
