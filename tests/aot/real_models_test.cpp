// Real models as C++: the bits of the interpreter, and no heap.

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/models/model_under_test.h"

namespace micrort::test::aot {
namespace {

struct ModelCase {
  const char* source;
  std::vector<std::string> flags;
  int64_t integers = 1;  // of every input of type int64
};

void PrintTo(const ModelCase& c, std::ostream* out) { *out << c.source; }

const ModelCase kModels[] = {
    {"models/onnx/fastestdet.onnx", {}},
    {"models/onnx/resnet8.onnx", {}},
    {"models/onnx/silero_vad_16k_op15.onnx",
     {"--input-shape", "input=1x576", "--input-shape", "state=2x1x128"},
     16000},
    {"models/onnx/ultraface_rfb_320.onnx", {}},
    {"models/tflite/kws_int8.tflite", {}},
    {"models/tflite/mobilenet_v1_0.25_128_quant.tflite", {}},
    {"models/tflite/resnet8_int8.tflite", {}},
    {"models/tflite/vww_int8.tflite", {}},
    {"models/tensorflow/t2o_lstm.pb", {}},
};

class EmitRealModel : public EmitCpp, public ::testing::WithParamInterface<ModelCase> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(EmitRealModel, GivesTheBitsOfTheInterpreterWithoutHeap) {
  const ModelCase& c = GetParam();
  ModelUnderTest model(c.source, c.flags);
  ASSERT_TRUE(model.ok());
  Emit(ModelData(c.source), "ns::Net", c.flags);
  const std::string program =
      Compile("-ffunction-sections -Wl,--gc-sections net.cpp net_test.cpp net_weights.S");
  Interpreter& interpreter = model.interpreter();
  std::string command = program + " " + folder_.path();
  for (size_t i = 0; i < interpreter.input_count(); ++i) {
    FillWithSeed(interpreter.input(i), c.integers);
    const std::string file = folder_ / ("arg" + std::to_string(i));
    WriteFile(file, BytesOf(interpreter.input(i)));
    command += " " + file;
  }
  ASSERT_TRUE(interpreter.Run().ok());
  Shell(command);
  for (size_t i = 0; i < interpreter.output_count(); ++i) {
    EXPECT_TRUE(ReadFile(folder_ / ("result" + std::to_string(i) + ".bin")) == BytesOf(interpreter.output(i)))
        << "result " << i;
  }
  const std::string symbols = Shell("nm -C " + program);
  for (const char* heap : {"malloc", "calloc", "operator new", "aligned_alloc"})
    EXPECT_THAT(symbols, ::testing::Not(::testing::HasSubstr(heap)));
}

INSTANTIATE_TEST_SUITE_P(Models, EmitRealModel, ::testing::ValuesIn(kModels));

}  // namespace
}  // namespace micrort::test::aot
