// Operators of int16 as C++: the bits of the interpreter.

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/converter/tflite_int16.h"

namespace micrort::test::aot {
namespace {

using namespace testing::tflite_int16;  // NOLINT: what these tests have in common
using testing::Quantized;
using testing::TfliteBuilder;
namespace fb = testing::fb;

class EmitInt16 : public EmitCpp {
 protected:
  // int16[1,8,8,4]
  static constexpr size_t kElements = 256;

  EmitInt16() { x_ = b_.Input("x", {1, 8, 8, 4}, Type::Int16, Scale(kScale)); }

  // Adds an operator whose result is an output.
  fb::OperatorT& Add(const std::string& op, std::vector<int32_t> inputs, const std::string& result,
                     const std::vector<int32_t>& shape, const Quantized& q, Type type = Type::Int16) {
    const int y = b_.Tensor(result, shape, type, q);
    b_.Output(y);
    results_.push_back(result);
    return b_.Op(op, std::move(inputs), {y});
  }

  void ExpectSameResults() {
    const std::string model = folder_ / "model.tflite";
    WriteFile(model, b_.Bytes());
    Emit(model, "ns::Net");
    const std::string program = Compile("net.cpp net_test.cpp net_weights.S");
    EXPECT_EQ(Shell(program), "Success\n");
    ASSERT_EQ(RunProgram("mnnconvert", {model, "-o", folder_ / "model.fb", "--quiet"}).exit_code, 0);
    std::filesystem::create_directory(folder_ / "out");
    const std::vector<int16_t> x = RandomInt16(kElements, 9);
    const std::string bytes(reinterpret_cast<const char*>(x.data()), 2 * x.size());
    std::string npy = NpyOf(bytes, "1, 8, 8, 4");
    npy.replace(npy.find("<f4"), 3, "<i2");
    WriteFile(folder_ / "x.bin", bytes);
    WriteFile(folder_ / "x.npy", npy);
    ASSERT_EQ(RunProgram("micrort-run", {folder_ / "model.fb", "--input", "#0=" + (folder_ / "x.npy"),
                                         "--output-dir", folder_ / "out"})
                  .exit_code,
              0);
    Shell(program + " " + folder_.path() + " " + (folder_ / "x.bin"));
    for (size_t i = 0; i < results_.size(); ++i) {
      const std::string expected = DataOfNpy(ReadFile(folder_ / ("out/" + results_[i] + ".npy"))),
                        found = ReadFile(folder_ / ("result" + std::to_string(i) + ".bin"));
      EXPECT_GT(found.size(), 0u) << results_[i];
      EXPECT_TRUE(expected == found) << results_[i];
    }
  }

  static constexpr float kScale = 0.003f;
  TfliteBuilder b_;
  int x_ = 0;
  std::vector<std::string> results_;
};

TEST_F(EmitInt16, SlopesAndComparisons) {
  const int slopes = b_.Constant<int8_t>("slopes", {4}, Type::Int8, {1, -5, 100, 127}, Scale(0.01f)),
            limits = b_.Constant<int16_t>("limits", {4}, Type::Int16, {0, -5, 1000, 12700}, Scale(0.01f));
  const std::vector<int32_t> shape = {1, 8, 8, 4};
  Add("PRELU", {x_, slopes}, "sloped", shape, Scale(0.002f));
  Add("GREATER", {x_, limits}, "is_greater", shape, {}, Type::Bool);
  ExpectSameResults();
}

TEST_F(EmitInt16, Products) {
  const int other =
      b_.Constant<int16_t>("other", {4, 3}, Type::Int16,
                           {100, 200, -300, 32767, -32768, 0, 1, 2, 3, 4000, 5000, -6000}, Scale(0.001f));
  fb::BatchMatMulOptionsT transposed;
  transposed.adj_y = true;
  Add("BATCH_MATMUL", {x_, other}, "product", {1, 8, 8, 3}, Scale(0.05f))
      .builtin_options.Set(fb::BatchMatMulOptionsT());
  Add("BATCH_MATMUL", {x_, x_}, "squares", {1, 8, 8, 8}, Scale(0.5f)).builtin_options.Set(transposed);
  ExpectSameResults();
}

TEST_F(EmitInt16, FloatsBecomeInt16) {
  const int real = b_.Tensor("real", {1, 8, 8, 4});
  b_.Op("DEQUANTIZE", {x_}, {real});
  Add("QUANTIZE", {real}, "other", {1, 8, 8, 4}, Scale(0.0017f));
  ExpectSameResults();
}

TEST_F(EmitInt16, SumsAndMeans) {
  const int image = b_.Integers("image", {1, 2}), last = b_.Integers("last", {3});
  Add("MEAN", {x_, image}, "mean", {1, 4}, Scale(0.001f)).builtin_options.Set(fb::ReducerOptionsT());
  Add("SUM", {x_, last}, "sum", {1, 8, 8}, Scale(0.01f)).builtin_options.Set(fb::ReducerOptionsT());
  Add("REDUCE_MAX", {x_, image}, "largest", {1, 4}, Scale(kScale)).builtin_options.Set(fb::ReducerOptionsT());
  ExpectSameResults();
}

}  // namespace
}  // namespace micrort::test::aot
