// Real models and the networks of `./dev bench`: the file's decisions run, nothing is sought on the device,
// and who watches a run changes nothing.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "kernels/base/target.h"
#include "micrort/op_resolver.h"
#include "runtime/interpreter/interpreter_impl.h"
#include "tests/models/model_under_test.h"
#include "tests/runtime/watched_run.h"

namespace micrort::test {
namespace {

struct ProgramCase {
  const char* model;  // below the models of the model data, or of the networks
  std::vector<std::string> flags = {};
  bool is_network = false;
};

void PrintTo(const ProgramCase& c, std::ostream* out) { *out << c.model; }

const ProgramCase kPrograms[] = {
    {"onnx/fastestdet.onnx"},
    {"onnx/fastestdet.onnx", {"--quant", "int8"}},
    {"onnx/resnet8.onnx"},
    {"onnx/silero_vad_16k_op15.onnx", {"--input-shape", "input=1x576", "--input-shape", "state=2x1x128"}},
    {"onnx/ultraface_rfb_320.onnx"},
    {"onnx/ultraface_rfb_320_nopost.onnx"},
    {"onnx/vww.onnx"},
    {"tflite/ad_dynamic_range.tflite"},
    {"tflite/ad_float.tflite"},
    {"tflite/ad_int8.tflite"},
    {"tflite/ds_cnn_small_int16.tflite"},
    {"tflite/dtln_quant_1.tflite"},
    {"tflite/face_detection_full_range_sparse.tflite"},
    {"tflite/face_detection_short_range.tflite"},
    {"tflite/keras_lstm_mnist_ptq.tflite"},
    {"tflite/kws_float.tflite"},
    {"tflite/kws_int8.tflite"},
    {"tflite/mcunet_vww.tflite"},
    {"tflite/micro_speech_int8.tflite"},
    {"tflite/mobilenet_v1_0.25_128_quant.tflite"},
    {"tflite/mww_okay_nabu_v2.tflite"},
    {"tflite/person_detect.tflite"},
    {"tflite/recommendation_rnn_i10o100.tflite"},
    {"tflite/resnet8_float.tflite"},
    {"tflite/resnet8_int8.tflite"},
    {"tflite/split_concat.tflite"},
    {"tflite/two_signatures.tflite"},
    {"tflite/ultraface_rfb_320.tflite"},
    {"tflite/vww_float.tflite"},
    {"tflite/vww_int8.tflite"},
    {"caffe/hyperlpr_Segmentation.prototxt", {"--weights", "caffe/hyperlpr_Segmentation.caffemodel"}},
    {"caffe/mtcnn_det1.prototxt", {"--weights", "caffe/mtcnn_det1.caffemodel"}},
    {"caffe/mtcnn_det2.prototxt", {"--weights", "caffe/mtcnn_det2.caffemodel"}},
    {"caffe/mtcnn_det3.prototxt", {"--weights", "caffe/mtcnn_det3.caffemodel"}},
    {"caffe/ultraface_rfb_320.prototxt", {"--weights", "caffe/ultraface_rfb_320.caffemodel"}},
    {"caffe/yufacedetect_v1.prototxt", {"--weights", "caffe/yufacedetect_v1.caffemodel"}},
    {"tensorflow/aww_pretrained_2020"},
    {"tensorflow/ESPCN_x2.pb"},
    {"tensorflow/kws_ref_model"},
    {"tensorflow/mtcnn_pnet.pb", {"--input-shape", "#0=1x48x64x3"}},
    {"tensorflow/t2o_lstm.pb"},
    {"torchscript/coremltools_demonet.pt", {"--input-shape", "#0=1x3x64x64"}},
    {"torchscript/silero_vad_mini_8k_2021.jit", {"--input-shape", "#0=1x4000"}},
    {"decoder.onnx", {}, true},
    {"efficientnet_b0.onnx", {}, true},
    {"mobilenet_v1.onnx", {}, true},
    {"mobilenet_v2.onnx", {}, true},
    {"mobilenet_v3_small.onnx", {}, true},
    {"resnet18.onnx", {}, true},
    {"resnet50.onnx", {}, true},
    {"shufflenet_v2_x1_0.onnx", {}, true},
    {"squeezenet1_1.onnx", {}, true},
    {"vit_tiny.onnx", {}, true},
    {"mobilenet_v2.onnx", {"--quant", "int8"}, true},
    {"vit_tiny.onnx", {"--quant", "int8"}, true},
};

// What `./dev bench` exports, or a folder that the environment names.
std::string NetworkFile(const std::string& name) {
  const char* folder = std::getenv("MICRORT_NETWORKS");
  return (folder != nullptr ? std::string(folder) : SourceFile("build/bench-data/networks")) + "/" + name;
}

const std::string& ThisTarget() {
  static const std::string name = TargetName(AvailableFeatures(~CpuFeatures{0}));
  return name;
}

// Interpreters for the programs of a file, of whatever CPU.
class FileProgram : public ::testing::TestWithParam<ProgramCase> {
 protected:
  void SetUp() override {
    const ProgramCase& c = GetParam();
    if (c.is_network) {
      source_ = NetworkFile(c.model);
      if (!std::filesystem::exists(source_)) GTEST_SKIP() << "skipped: no networks of ./dev bench";
      return;
    }
    MICRORT_NEEDS_MODEL_DATA();
    source_ = std::string("models/") + c.model;
  }

  ModelUnderTest Convert(const std::vector<std::string>& more) const {
    std::vector<std::string> flags = GetParam().flags;
    if (!flags.empty() && flags[0] == "--weights") flags[1] = ModelData("models/" + flags[1]);
    flags.insert(flags.end(), more.begin(), more.end());
    return ModelUnderTest(source_, flags);
  }

 private:
  std::string source_;
};

// As a device of this class plans it, on which it need not run here.
void ExpectNoSearchFor(const Model& model, const schema::Program& program) {
  InterpreterOptions options;
  options.threads = static_cast<int>(program.workers());
  ASSERT_TRUE(ParseTarget(Text(program.target()), &options.features));
  InterpreterImpl impl;
  ASSERT_TRUE(impl.InitForDevice(model.impl(), AllOps(), options).ok());
  Session session;
  const Status status = impl.MakeFirstSession(options, &session);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_TRUE(session.subgraphs[0].is_decided());
  for (const Subgraph& subgraph : session.subgraphs) {
    EXPECT_EQ(subgraph.graph().searches, 0u) << Text(subgraph.source().name());
  }
}

TEST_P(FileProgram, RunsOnItsTargetsWithoutASearch) {
  const std::string targets = "scalar,neon,armv7-neon," + ThisTarget();
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"--target", targets, "--target-threads", "2"}}) {
    const ModelUnderTest model = Convert(more);
    ASSERT_TRUE(model.ok());
    const auto* programs = model.model().impl().entry().programs();
    ASSERT_EQ(Count(programs), more.empty() ? 1u : 4u);
    for (const schema::Program* program : *programs) {
      SCOPED_TRACE(::testing::Message()
                   << Text(program->target()) << ", " << program->workers() << " threads");
      ExpectNoSearchFor(model.model(), *program);
    }
  }
}

TEST_P(FileProgram, IsTheSameForWhoWatchesIt) {
  const ModelUnderTest model = Convert({});
  ASSERT_TRUE(model.ok());
  EXPECT_EQ(SearchesOf(model.interpreter()), 0u);
  testing::ExpectWatchingChangesNothing(model.model());
}

INSTANTIATE_TEST_SUITE_P(Models, FileProgram, ::testing::ValuesIn(kPrograms));

}  // namespace
}  // namespace micrort::test
