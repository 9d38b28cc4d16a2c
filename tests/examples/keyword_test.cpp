// The keyword example on words that espeak-ng speaks, by the networks of MLPerf Tiny.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "examples/keyword/keyword_features.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using examples::KeywordFeatures;
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

// The definition, in double precision: kWindow samples of the last second.
std::vector<double> ByDefinition(const int16_t* samples) {
  constexpr double kPi = 3.14159265358979323846;
  const auto mel = [](double hertz) { return 1127 * std::log(1 + hertz / 700); };
  const double loudest = *std::max_element(samples, samples + KeywordFeatures::kRate);
  const double lowest = mel(20), step = (mel(4000) - lowest) / 41;
  std::vector<double> all;
  for (int frame = 0; frame < KeywordFeatures::kFrames; ++frame) {
    std::vector<double> logs(40, 0.0);
    for (int f = 1; f < 257; ++f) {
      std::complex<double> sum = 0;
      for (int i = 0; i < 480; ++i) {
        const double hann = 0.5 - 0.5 * std::cos(2 * kPi * i / 480);
        sum += samples[frame * 320 + i] / loudest * hann * std::polar(1.0, -2 * kPi * f * i / 512);
      }
      for (int band = 0; band < 40; ++band) {
        const double place = (mel(f * 16000.0 / 512) - lowest) / step - band;
        logs[static_cast<size_t>(band)] += std::max(0.0, std::min(place, 2 - place)) * std::abs(sum);
      }
    }
    for (double& x : logs) x = std::log(x + 1e-6);
    for (int k = 0; k < KeywordFeatures::kCoefficients; ++k) {
      double sum = 0;
      for (int n = 0; n < 40; ++n) sum += logs[static_cast<size_t>(n)] * std::cos(kPi * k * (2 * n + 1) / 80);
      all.push_back(sum * std::sqrt(2 / 40.0));
    }
  }
  return all;
}

TEST(KeywordFeaturesTest, AreThoseOfTheLastSecond) {
  std::vector<int16_t> sound;
  uint32_t seed = 1;
  for (int i = 0; i < KeywordFeatures::kRate + 25 * KeywordFeatures::kStep; ++i) {
    seed = seed * 1103515245 + 12345;
    sound.push_back(static_cast<int16_t>(8000 * std::sin(i * 0.05 + 3 * std::sin(i * 0.0007)) +
                                         static_cast<int>(seed >> 16 & 1023) - 512));
  }
  KeywordFeatures features;
  for (size_t at = 0; at < sound.size(); at += KeywordFeatures::kStep) {
    EXPECT_EQ(features.is_full(), at >= KeywordFeatures::kRate) << at;
    features.Add(&sound[at]);
  }
  std::vector<float> found;
  features.Read([&found](size_t i, float x) {
    EXPECT_EQ(i, found.size());
    found.push_back(x);
  });
  const std::vector<double> expected = ByDefinition(&sound[sound.size() - KeywordFeatures::kRate]);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4) << i;
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
  expect_error({folder_ / "kws.fb", folder_ / "absent.wav"}, "absent.wav: cannot be opened");
}

}  // namespace
}  // namespace micrort::test
