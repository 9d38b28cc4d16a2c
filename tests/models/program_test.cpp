// Real models, converted for this machine: the file's decisions run, and nothing is sought on the device.

#include <gtest/gtest.h>

#include "kernels/base/target.h"
#include "runtime/interpreter/inspect.h"
#include "tests/models/model_under_test.h"

namespace micrort::test {
namespace {

struct ProgramCase {
  const char* model;
  std::vector<std::string> flags;
};

void PrintTo(const ProgramCase& c, std::ostream* out) { *out << c.model; }

const ProgramCase kPrograms[] = {
    {"onnx/fastestdet.onnx", {}},
    {"onnx/resnet8.onnx", {}},
    {"onnx/silero_vad_16k_op15.onnx", {"--input-shape", "input=1x576", "--input-shape", "state=2x1x128"}},
    {"onnx/ultraface_rfb_320.onnx", {}},
    {"onnx/ultraface_rfb_320_nopost.onnx", {}},
    {"onnx/vww.onnx", {}},
    {"tflite/ad_dynamic_range.tflite", {}},
    {"tflite/ad_float.tflite", {}},
    {"tflite/ad_int8.tflite", {}},
    {"tflite/ds_cnn_small_int16.tflite", {}},
    {"tflite/dtln_quant_1.tflite", {}},
    {"tflite/face_detection_full_range_sparse.tflite", {}},
    {"tflite/face_detection_short_range.tflite", {}},
    {"tflite/keras_lstm_mnist_ptq.tflite", {}},
    {"tflite/kws_float.tflite", {}},
    {"tflite/kws_int8.tflite", {}},
    {"tflite/mcunet_vww.tflite", {}},
    {"tflite/micro_speech_int8.tflite", {}},
    {"tflite/mobilenet_v1_0.25_128_quant.tflite", {}},
    {"tflite/mww_okay_nabu_v2.tflite", {}},
    {"tflite/person_detect.tflite", {}},
    {"tflite/recommendation_rnn_i10o100.tflite", {}},
    {"tflite/resnet8_int8.tflite", {}},
    {"tflite/split_concat.tflite", {}},
    {"tflite/two_signatures.tflite", {}},
    {"tflite/ultraface_rfb_320.tflite", {}},
    {"tflite/vww_int8.tflite", {}},
    {"caffe/hyperlpr_Segmentation.prototxt", {"--weights", "caffe/hyperlpr_Segmentation.caffemodel"}},
    {"caffe/mtcnn_det3.prototxt", {"--weights", "caffe/mtcnn_det3.caffemodel"}},
    {"caffe/yufacedetect_v1.prototxt", {"--weights", "caffe/yufacedetect_v1.caffemodel"}},
    {"tensorflow/ESPCN_x2.pb", {}},
    {"tensorflow/kws_ref_model", {}},
    {"tensorflow/mtcnn_pnet.pb", {"--input-shape", "#0=1x48x64x3"}},
    {"tensorflow/t2o_lstm.pb", {}},
};

class FileProgram : public ::testing::TestWithParam<ProgramCase> {
 protected:
  void SetUp() override { MICRORT_NEEDS_MODEL_DATA(); }
};

TEST_P(FileProgram, RunsOnItsTargetWithoutASearch) {
  std::vector<std::string> flags = GetParam().flags;
  if (!flags.empty() && flags[0] == "--weights") flags[1] = ModelData("models/" + flags[1]);
  const std::string target = TargetName(AvailableFeatures(~CpuFeatures{0}));
  const std::string source = std::string("models/") + GetParam().model;
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--target", target}, {"--target", "scalar," + target}, {}}) {
    flags.insert(flags.end(), more.begin(), more.end());
    ModelUnderTest model(source, flags);
    flags.resize(flags.size() - more.size());
    ASSERT_TRUE(model.ok());
    EXPECT_TRUE(EntryOf(model.interpreter()).is_decided());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, FileProgram, ::testing::ValuesIn(kPrograms));

}  // namespace
}  // namespace micrort::test
