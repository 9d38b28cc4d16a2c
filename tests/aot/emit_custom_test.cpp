// Operators of the program's own in emitted C++: functions that it links.

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::test::aot {
namespace {

using ::testing::HasSubstr;

// One source for mnnconvert and for the program. Mix: y = factors[0] * x + k, by several threads and through
// scratch, and z: how long its texts are. Above: the elements above zero, as many as there are.
constexpr char kOperators[] = R"(
#include <stddef.h>
#include <string.h>
#include "micrort/custom_op.h"

static micrort_status SameShape(micrort_custom_call* call) {
  call->outputs[0].dtype = call->inputs[0].dtype;
  call->outputs[0].shape = call->inputs[0].shape;
  return MICRORT_OK;
}
static micrort_status PrepareMix(micrort_custom_call* call) {
  call->scratch_bytes = call->inputs[0].bytes;
  call->outputs[1].dtype = MICRORT_INT64;
  call->outputs[1].shape.rank = 0;
  return SameShape(call);
}
static void Part(void* argument, size_t i, int32_t worker) {
  const micrort_custom_call* call = (const micrort_custom_call*)argument;
  float* scratch = (float*)call->scratch;
  (void)worker;
  scratch[i] = micrort_find_attribute(call, "factors")->floats[0] * ((const float*)call->inputs[0].data)[i];
  ((float*)call->outputs[0].data)[i] = scratch[i] + ((const float*)call->inputs[2].data)[0];
}
static micrort_status RunMix(micrort_custom_call* call) {
  size_t i;
  int64_t length = 0;
  const micrort_shape shape = call->inputs[0].shape;
  if (call->struct_bytes != sizeof *call || call->user != NULL || call->message_bytes == 0) return MICRORT_INTERNAL;
  if (call->input_count != 3 || call->output_count != 2 || call->workers < 1) return MICRORT_INTERNAL;
  if (call->inputs[1].name != NULL || strcmp(call->inputs[0].name, "x") != 0) return MICRORT_INTERNAL;
  if (shape.rank != 2 || shape.dims[0] != 3 || shape.dims[1] != 4) return MICRORT_INTERNAL;
  if (micrort_find_attribute(call, "steps")->ints[1] != -5000000000) return MICRORT_INTERNAL;
  if (((const float*)call->inputs[0].data)[0] < -100) {
    strncpy(call->message, "a text that is longer than what there is place for, which is no more than it says",
            call->message_bytes - 1);
    return MICRORT_INVALID_ARGUMENT;
  }
  for (i = 0; i < call->attribute_count; ++i) length += (int64_t)call->attributes[i].text_bytes;
  *(int64_t*)call->outputs[1].data = length;
  call->parallel_for(call, call->inputs[0].bytes / sizeof(float), Part, call);
  return MICRORT_OK;
}
static micrort_status PrepareAbove(micrort_custom_call* call) {
  call->open_dims[0] = 1;
  return SameShape(call);
}
static micrort_status RunAbove(micrort_custom_call* call) { (void)call; return MICRORT_OK; }
static const micrort_custom_op kMix = {sizeof(micrort_custom_op), "com.acme", "Mix", NULL, PrepareMix, RunMix, 0};
static const micrort_custom_op kAbove = {sizeof(micrort_custom_op), "com.acme", "Above", NULL, PrepareAbove, RunAbove, 0};
const micrort_custom_op* const* micrort_custom_ops(size_t* count) {
  static const micrort_custom_op* const all[] = {&kMix, &kAbove};
  *count = 2;
  return all;
}
micrort_status micrort_custom_com_acme_Mix(micrort_custom_call* call) { return RunMix(call); }
)";

class EmitCustom : public EmitCpp {
 protected:
  EmitCustom() {
    WriteFile(folder_ / "ops.c", kOperators);
    Shell("cd " + folder_.path() + " && " + kCompileC + " -fPIC -shared ops.c -o ops.so && " + kCompileC +
          " -c ops.c -o ops.o");
  }

  // Compiles `main`, what was emitted and the operators.
  std::string Built(const std::string& main, const std::string& operators) {
    WriteFile(cpp_ + "/main.cpp", main);
    return Compile("-I" MICRORT_SOURCE_FOLDER "/runtime/include main.cpp net.cpp net_weights.S " + operators);
  }

  ProcessResult Convert(const std::string& model, std::vector<std::string> flags) {
    flags.insert(flags.begin(), {model, "-o", cpp_, "--emit", "cpp", "--cpp-class", "ns::Net", "--quiet"});
    return RunProgram("mnnconvert", flags);
  }

  const std::string kCompileC =
      "cc -std=c99 -Wall -Wextra -Werror -I" MICRORT_SOURCE_FOLDER "/runtime/include";
};

OnnxBuilder Acme(OnnxBuilder b, const std::vector<std::string>& dims = {"3", "4"}) {
  auto* opset = b.model.add_opset_import();
  opset->set_domain("com.acme");
  opset->set_version(1);
  return b.Input("x", dims).Floats("k", {1}, {0.25f});
}

OnnxBuilder Mix(const std::vector<std::string>& dims = {"3", "4"}) {
  OnnxBuilder b = Acme(OnnxBuilder(), dims);
  b.Node("Mix", {"x", "", "k"}, {"m", "z"}).Ints("steps", {3, -5000000000}).String("mode", "so\"ft\n");
  auto* factors = b.graph().mutable_node(0)->add_attribute();
  factors->set_name("factors");
  factors->set_type(::onnx::AttributeProto::FLOATS);
  factors->add_floats(2.5f);
  auto* words = b.graph().mutable_node(0)->add_attribute();
  words->set_name("words");
  words->set_type(::onnx::AttributeProto::STRINGS);
  words->add_strings("one");
  words->add_strings("four");
  b.graph().mutable_node(0)->set_domain("com.acme");
  return b.Node("Neg", {"m"}, {"y"}).Output("y").Output("z");
}

TEST_F(EmitCustom, FunctionsOfTheProgram) {
  WriteFile(model_, Mix().Bytes());
  Emit(model_, "ns::Net", {"--custom-domain", "com.acme", "--custom-ops", folder_ / "ops.so"});
  const std::string program = Built(R"(#include "net.h"
    #include <cstring>
    ns::Net net;
    int main() {
      for (int i = 0; i < 12; ++i) net.arg0_data()[i] = static_cast<float>(i) - 3;
      if (!net.Run() || *net.result1_data() != 13) return 1;
      for (int i = 0; i < 12; ++i) {
        if (net.result0_data()[i] != -(2.5f * (static_cast<float>(i) - 3) + 0.25f)) return 2;
      }
      for (int i = 0; i < 12; ++i) net.arg0_data()[i] = -101;
      if (net.Run() || std::strstr(net.error_msg(), "micrort_custom_com_acme_Mix did not return") == nullptr) return 3;
      return 0;
    })",
                                    folder_ / "ops.o");
  Shell(program);
  EXPECT_THAT(
      ReadFile(cpp_ + "/net.h"),
      HasSubstr(
          "micrort_status micrort_custom_com_acme_Mix(micrort_custom_call* call);  // Mix of com.acme"));
  EXPECT_THAT(ReadFile(cpp_ + "/CMakeLists.txt"), HasSubstr("net_OPERATORS"));
}

TEST_F(EmitCustom, SeveralBatchesShareThem) {
  OnnxBuilder b = Acme(OnnxBuilder(), {"N", "4"});
  b.Node("Zero", {"x"}, {"y"}).Output("y");
  b.graph().mutable_node(0)->set_domain("com.acme");
  b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(
      ::onnx::TensorProto::FLOAT);
  auto* shape = b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
  shape->add_dim()->set_dim_param("N");
  shape->add_dim()->set_dim_value(4);
  WriteFile(model_, b.Bytes());
  Emit(model_, "ns::Net", {"--custom-domain", "com.acme", "--batch", "1,3"});
  Shell(Built(R"(#include "net.h"
    extern "C" micrort_status micrort_custom_com_acme_Zero(micrort_custom_call* call) {
      const int64_t rows = call->inputs[0].shape.dims[0];
      for (int64_t i = 0; i < 4 * rows; ++i) static_cast<float*>(call->outputs[0].data)[i] = static_cast<float>(rows);
      return call->outputs[0].bytes == static_cast<size_t>(16 * rows) ? MICRORT_OK : MICRORT_INTERNAL;
    }
    ns::Net net;
    int main() {
      for (int batch = 1; batch <= 3; batch += 2) {
        if (!net.set_batch(batch) || !net.Run() || net.result0_data()[4 * batch - 1] != static_cast<float>(batch)) return 1;
      }
      return 0;
    })",
              ""));
}

// Bytes of a TFLite file's options are an attribute.
TEST_F(EmitCustom, OfTflite) {
  testing::TfliteBuilder b;
  const int x = b.Input("x", {1, 4}), y = b.Tensor("y", {1, 4});
  b.Op("Blur", {x}, {y}).custom_options = {1, 2, 0, 255};
  b.Output(y);
  WriteFile(folder_ / "x.tflite", b.Bytes());
  Emit(folder_ / "x.tflite", "ns::Net", {"--custom-domain", "tflite"});
  Shell(Built(R"(#include "net.h"
    #include <cstring>
    extern "C" micrort_status micrort_custom_tflite_Blur(micrort_custom_call* call) {
      const micrort_attribute* const options = micrort_find_attribute(call, "custom_options");
      if (options == nullptr || options->text_bytes != 4 || std::memcmp(options->text, "\1\2\0\377", 5) != 0)
        return MICRORT_INVALID_MODEL;
      std::memcpy(call->outputs[0].data, call->inputs[0].data, call->inputs[0].bytes);
      return MICRORT_OK;
    }
    ns::Net net;
    int main() {
      net.arg0(0, 2) = 5;
      return net.Run() && net.result0(0, 2) == 5 ? 0 : 1;
    })",
              ""));
}

// A GraphDef states no types: the operator does.
TEST_F(EmitCustom, OfTensorflow) {
  Emit(MICRORT_SOURCE_FOLDER "/examples/custom_op/zero_out.pbtxt", "ns::Net",
       {"--custom-domain", "tensorflow", "--custom-ops", MICRORT_PROGRAMS_FOLDER "/zero_out.so"});
  Shell(Built(R"(#include "net.h"
    extern "C" micrort_status micrort_custom_tensorflow_ZeroOut(micrort_custom_call* call) {
      static_cast<int32_t*>(call->outputs[0].data)[0] = static_cast<const int32_t*>(call->inputs[0].data)[3];
      return call->attribute_count == 0 && call->inputs[0].dtype == MICRORT_INT32 ? MICRORT_OK : MICRORT_INTERNAL;
    }
    ns::Net net;
    int main() {
      net.arg0(3) = 7;
      return net.Run() && net.result0(0) == 7 ? 0 : 1;
    })",
              ""));
}

TEST_F(EmitCustom, RefusesSizesThatDataDecide) {
  OnnxBuilder b = Acme(OnnxBuilder(), {"4"});
  b.Node("Above", {"x"}, {"y"}).Output("y");
  b.graph().mutable_node(0)->set_domain("com.acme");
  WriteFile(model_, b.Bytes());
  const ProcessResult result =
      Convert(model_, {"--custom-domain", "com.acme", "--custom-ops", folder_ / "ops.so"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("data decide sizes of the custom operator Above of domain 'com.acme'"));
  EXPECT_FALSE(std::filesystem::exists(cpp_));
}

TEST_F(EmitCustom, RefusesTwoOfOneFunction) {
  OnnxBuilder b;
  b.Input("x", {"4"}).Node("a_B", {"x"}, {"h"}).Node("a.B", {"h"}, {"y"}).Output("y");
  for (int i = 0; i < 2; ++i) b.graph().mutable_node(i)->set_domain("com.acme");
  auto* opset = b.model.add_opset_import();
  opset->set_domain("com.acme");
  opset->set_version(1);
  auto* info = b.graph().add_value_info();
  info->set_name("h");
  for (auto* type : {info->mutable_type(), b.graph().mutable_output(0)->mutable_type()}) {
    type->mutable_tensor_type()->set_elem_type(::onnx::TensorProto::FLOAT);
    type->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(4);
  }
  WriteFile(model_, b.Bytes());
  const ProcessResult result = Convert(model_, {"--custom-domain", "com.acme"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("would both be the function micrort_custom_com_acme_a_B: rename one"));
}

}  // namespace
}  // namespace micrort::test::aot
