// Files of `micrort-bench --tune`, good and bad ones.

#include "micrort/tuned_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/conv2d/algorithm_variants.h"
#include "micrort/micrort_c.h"
#include "tests/runtime/layer_model.h"
#include "tests/tools/temporary_folder.h"

namespace micrort {
namespace {

using ::testing::HasSubstr;

constexpr char kGemm[] = "implicit_gemm_f32/scalar_4x8", kWinograd[] = "winograd_2x2_f32/scalar_4x8";
const AlgorithmInfo kAlgorithms[] = {{kGemm, 1.0, 0, 0, FindVariant(kGemm)},
                                     {kWinograd, 2.0, 0, 0, FindVariant(kWinograd)}};

LayerAlgorithms Question(uint64_t layer) { return {layer, 0, 2, kAlgorithms, 0}; }

constexpr char kFile[] =
    "micrort-tuned 1\n"
    "cpu scalar threads 2 layers 2\n"
    "00000000000000a1 winograd_2x2_f32/scalar_4x8 Conv2D 1x8x8x4 first layer\n"
    "00000000000000b2 implicit_gemm_f32/scalar_4x8\n"
    "end\n";

Result<TunedChoices> Parse(const std::string& text) {
  return TunedChoices::FromText({text.data(), text.size()}, "tuned.txt");
}

TEST(TunedChoices, ChoosesWhatTheFileSaysAndTheCheapestElsewhere) {
  const auto choices = Parse(kFile);
  ASSERT_TRUE(choices.ok()) << choices.status().message();
  EXPECT_EQ(choices.value().layers(), 2u);
  EXPECT_STREQ(choices.value().cpu(), "scalar");
  EXPECT_EQ(choices.value().threads(), 2);
  for (const auto& [layer, expected] : {std::pair<uint64_t, size_t>{0xa1, 1}, {0xb2, 0}, {0xc3, 0}, {0, 0}}) {
    size_t choice = 9;
    ASSERT_TRUE(choices.value().Choose(Question(layer), &choice).ok());
    EXPECT_EQ(choice, expected);
  }
}

TEST(TunedChoices, OfAnotherDeviceAreRefused) {
  const auto choices = Parse(kFile);
  size_t choice = 0;
  LayerAlgorithms question = Question(0xa1);
  question.threads = 1;
  Status status = choices.value().Choose(question, &choice);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(),
              HasSubstr("tuned.txt: measured on scalar with 2 threads, wanted for scalar with 1"));
  question = Question(0xa1);
  question.features = kCpuNeon;
  status = choices.value().Choose(question, &choice);
  EXPECT_THAT(status.message(), HasSubstr("wanted for neon with 2"));
}

TEST(TunedChoices, ThatCannotComputeTheLayerAreRefused) {
  const auto choices = Parse("micrort-tuned 1\ncpu scalar threads 2 layers 1\na1 fourier/scalar\nend\n");
  ASSERT_TRUE(choices.ok()) << choices.status().message();
  size_t choice = 0;
  const Status status = choices.value().Choose(Question(0xa1), &choice);
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("'fourier/scalar' cannot compute layer 00000000000000a1"));
  EXPECT_TRUE(choices.value().Choose(Question(0xa2), &choice).ok());
}

TEST(TunedChoices, CutAnywhereAreRefused) {
  const std::string whole = kFile;
  for (size_t n = 0; n < whole.size(); ++n) {
    EXPECT_EQ(Parse(whole.substr(0, n)).status().code(), StatusCode::kInvalidArgument) << n;
  }
}

TEST(TunedChoices, ThatAreNotWellFormedAreRefusedWithTheLine) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"", "the file ends within line 1"},
      {"PK\x03\x04\n", "line 1: expected text, found byte 3"},
      {"micrort-tuned 2\n", "line 1: expected '1', found '2'"},
      {"micrort-tuned 1\ncpu z80 threads 1 layers 0\nend\n", "expected one of scalar"},
      {"micrort-tuned 1\ncpu scalar threads -1 layers 0\nend\n", "found '-1'"},
      {"micrort-tuned 1\ncpu scalar threads 1 layers 99999999999999999999\nend\n", "line 2: layers"},
      {"micrort-tuned 1\ncpu scalar threads 1 layers 60000\nend\n", "line 3"},
      {"micrort-tuned 1\ncpu scalar threads 1 layers 2\nb a/s\na a/s\nend\n",
       "line 4: expected a layer's number"},
      {"micrort-tuned 1\ncpu scalar threads 1 layers 1\n11112222333344445 a/s\nend\n", "line 3"},
      {"micrort-tuned 1\ncpu scalar threads 1 layers 1\na\nend\n", "line 3: expected an algorithm"},
      {"micrort-tuned 1\ncpu scalar threads 1 layers 0\nend\nmore\n", "end of the file after line 3"},
  };
  for (const auto& c : kCases) {
    const Status status = Parse(c.text).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << c.text;
    EXPECT_THAT(status.message(), HasSubstr(c.message));
  }
}

TEST(TunedChoices, ThatAreTooLongAreRefused) {
  const std::string text((size_t{16} << 20) + 1, ' ');
  const Status status = Parse(text).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("expected at most 16777216 bytes"));
}

TEST(TunedChoices, OfNoLayerFitEveryDevice) {
  const auto choices = Parse("micrort-tuned 1\ncpu neon threads 7 layers 0\nend\n");
  ASSERT_TRUE(choices.ok()) << choices.status().message();
  size_t choice = 9;
  EXPECT_TRUE(choices.value().Choose(Question(1), &choice).ok());
  EXPECT_EQ(choice, 0u);
}

TEST(TunedChoices, AreReadFromAFile) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.File("tuned"), std::ios::binary) << kFile;
  EXPECT_TRUE(TunedChoices::FromFile((folder.File("tuned")).c_str()).ok());
  EXPECT_EQ(TunedChoices::FromFile((folder.File("none")).c_str()).status().code(), StatusCode::kIo);
  EXPECT_EQ(TunedChoices::FromFile(nullptr).status().code(), StatusCode::kInvalidArgument);
}

// The text that makes the layer of LayerModel take an algorithm that the estimate does not choose.
std::string OtherChoice(std::string* algorithm) {
  const testing::NamedChooser log("");
  const testing::ModelFile file = testing::LayerModel().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  InterpreterOptions options;
  options.chooser = &log;
  auto interpreter = Interpreter::Create(*model, options);
  EXPECT_TRUE(interpreter.ok());
  *algorithm = log.infos.back().name;
  char text[200];
  std::snprintf(text, sizeof text, "micrort-tuned 1\ncpu %s threads 1 layers 1\n%016llx %s\nend\n",
                IsaName(interpreter->features()), static_cast<unsigned long long>(log.question.layer),
                algorithm->c_str());
  return text;
}

TEST(TunedChoices, AreFollowedByAnInterpreter) {
  std::string algorithm;
  const auto choices = Parse(OtherChoice(&algorithm));
  ASSERT_TRUE(choices.ok()) << choices.status().message();
  const testing::ModelFile file = testing::LayerModel().Finish();
  auto model = Model::FromBuffer(file.data(), file.size());
  testing::AlgorithmObserver observer;
  InterpreterOptions options;
  options.chooser = &choices.value();
  options.observer = &observer;
  auto interpreter = Interpreter::Create(*model, options);
  ASSERT_TRUE(interpreter.ok()) << interpreter.status().message();
  ASSERT_TRUE(interpreter->Run().ok());
  EXPECT_EQ(observer.algorithm, algorithm);
}

TEST(TunedChoices, GoThroughTheCInterface) {
  std::string algorithm;
  const std::string text = OtherChoice(&algorithm);
  const testing::ModelFile file = testing::LayerModel().Finish();
  char message[MICRORT_MESSAGE_BYTES];
  micrort_model* model = nullptr;
  ASSERT_EQ(micrort_model_from_buffer(file.data(), file.size(), &model, message, sizeof message), MICRORT_OK);
  micrort_options options;
  micrort_options_init(&options);
  size_t estimated = 0, tuned = 0;
  ASSERT_EQ(micrort_required_arena_bytes(model, &options, &estimated, nullptr, 0), MICRORT_OK);
  options.tuned = text.data();
  options.tuned_bytes = text.size();
  ASSERT_EQ(micrort_required_arena_bytes(model, &options, &tuned, message, sizeof message), MICRORT_OK)
      << message;
  EXPECT_NE(tuned, estimated);
  micrort_interpreter* interpreter = nullptr;
  ASSERT_EQ(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message), MICRORT_OK);
  EXPECT_EQ(micrort_interpreter_arena_bytes(interpreter), tuned);
  EXPECT_EQ(micrort_interpreter_run(interpreter, message, sizeof message), MICRORT_OK);
  micrort_interpreter_destroy(interpreter);
  options.tuned_bytes -= 2;
  EXPECT_EQ(micrort_interpreter_create(model, &options, &interpreter, message, sizeof message),
            MICRORT_INVALID_ARGUMENT);
  EXPECT_THAT(message, HasSubstr("tuned choices: "));
  micrort_model_destroy(model);
}

}  // namespace
}  // namespace micrort
