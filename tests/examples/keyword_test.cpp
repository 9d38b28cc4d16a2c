// The keyword example on words that espeak-ng speaks, by the networks of MLPerf Tiny.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

class Keyword : public ::testing::Test {
 protected:
  std::string Convert(const std::string& model) {
    const ProcessResult result =
        RunProgram("mnnconvert", {ModelData("models/tflite/" + model), "-o", folder_ / "kws.fb", "--quiet"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return folder_ / "kws.fb";
  }
  // False if there is no speech synthesizer.
  bool Speak(const std::string& word) {
    const std::string command =
        "espeak-ng -s 140 -w '" + (folder_ / "word.wav") + "' " + word + " 2>/dev/null";
    return std::system(command.c_str()) == 0;
  }

  TemporaryFolder folder_;
};

TEST_F(Keyword, HearsWhatIsSpoken) {
  MICRORT_NEEDS_MODEL_DATA();
  if (!Speak("yes")) GTEST_SKIP() << "skipped: no espeak-ng";
  for (const char* file : {"kws_int8.tflite", "kws_float.tflite"}) {
    const std::string model = Convert(file);
    for (const char* word : {"go", "left", "off", "right", "up", "yes"}) {
      ASSERT_TRUE(Speak(word));
      const ProcessResult result = RunProgram("keyword", {model, folder_ / "word.wav"});
      EXPECT_EQ(result.exit_code, 0) << result.err;
      EXPECT_THAT(result.out, HasSubstr(std::string("s  ") + word + " ")) << file;
      EXPECT_THAT(result.out, HasSubstr("\n1 words\n")) << file;
    }
  }
}

TEST_F(Keyword, HearsNothingInSilence) {
  MICRORT_NEEDS_MODEL_DATA();
  // A header, and two seconds of zeros at 16 kHz.
  std::string wav = "RIFF____WAVEfmt ";
  const auto add = [&](uint32_t v, int bytes) {
    for (int i = 0; i < bytes; ++i) wav += static_cast<char>(v >> (8 * i) & 255);
  };
  add(16, 4), add(1, 2), add(1, 2), add(16000, 4), add(32000, 4), add(2, 2), add(16, 2);
  wav += "data";
  add(64000, 4);
  std::ofstream(folder_ / "silence.wav", std::ios::binary) << wav << std::string(64000, '\0');
  const ProcessResult result = RunProgram("keyword", {Convert("kws_int8.tflite"), folder_ / "silence.wav"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "0 words\n");
}

TEST_F(Keyword, RefusesOtherNetworksAndFiles) {
  const auto expect_error = [](const std::vector<std::string>& arguments, const std::string& message) {
    const ProcessResult result = RunProgram("keyword", arguments);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.err, HasSubstr(message));
  };
  const std::string digits = SourceFile("examples/meter_reader/meter_digits.onnx");
  ASSERT_EQ(RunProgram("mnnconvert", {digits, "-o", folder_ / "digits.fb", "--quiet"}).exit_code, 0);
  expect_error({folder_ / "digits.fb", digits}, "expected a keyword network with an input of 49x10");
  MICRORT_NEEDS_MODEL_DATA();
  expect_error({Convert("kws_int8.tflite"), digits}, "expected a WAV file");
  expect_error({folder_ / "kws.fb", folder_ / "absent.wav"}, "absent.wav: cannot read it");
}

}  // namespace
}  // namespace micrort::test
