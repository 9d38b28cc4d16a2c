// Features of sound in TensorFlow, by hand.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/converter/converted.h"
#include "tests/converter/tensorflow_graph.h"

namespace micrort::testing {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

const Floats kOnes(8, 1.0f);

std::string Spectrogram(const std::string& input, int window, bool squared) {
  return TfNode("s", "AudioSpectrogram", {input},
                {"window_size { i: " + std::to_string(window) + " }", "stride { i: 2 }",
                 std::string("magnitude_squared { b: ") + (squared ? "true }" : "false }")});
}

std::string Mfcc(const std::string& highest) {
  return TfIntegers("rate", {16}, true) +
         TfNode("m", "Mfcc", {"x", "rate"},
                {"lower_frequency_limit { f: 0 }", "upper_frequency_limit { f: " + highest + " }",
                 "filterbank_channel_count { i: 1 }", "dct_coefficient_count { i: 1 }"});
}

TEST(TensorflowAudio, SpectrogramsOfWindows) {
  const std::string x = TfInput("x", {8, 1});
  // Hann's window of four is 0, 1/2, 1, 1/2.
  EXPECT_THAT(RunTf(x + Spectrogram("x", 4, true), {{"x", kOnes}})["s"],
              Pointwise(FloatNear(1e-5f), Floats{4, 1, 0, 4, 1, 0, 4, 1, 0}));
  EXPECT_THAT(RunTf(x + Spectrogram("x", 4, false), {{"x", kOnes}})["s"],
              Pointwise(FloatNear(1e-5f), Floats{2, 1, 0, 2, 1, 0, 2, 1, 0}));
  // That of three, 0, 3/4, 3/4, is transformed with a zero behind it.
  EXPECT_THAT(RunTf(x + Spectrogram("x", 3, true), {{"x", kOnes}})["s"],
              Pointwise(FloatNear(1e-5f), Floats{2.25f, 1.125f, 0, 2.25f, 1.125f, 0, 2.25f, 1.125f, 0}));
}

TEST(TensorflowAudio, CoefficientsOfBandsOnTheMelScale) {
  // One band: its triangle rises from 0 to 4 Hz and falls to 8. Steps are 2 Hz, and so low, mels are even.
  const Floats magnitudes = {100, 4, 9, 16, 25};
  const Floats found = RunTf(TfInput("x", {1, 1, 5}) + Mfcc("8"), {{"x", magnitudes}})["m"];
  EXPECT_THAT(found,
              Pointwise(FloatNear(2e-2f), Floats{std::sqrt(2.0f) * std::log(2 * 0.5f + 3 + 4 * 0.5f)}));
}

TEST(TensorflowAudio, BandsBeyondTheSpectrumAreRefused) {
  const ImportedTf imported = ImportTf(TfInput("x", {1, 1, 5}) + Mfcc("11"));
  EXPECT_EQ(imported.status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(imported.status.message(), HasSubstr("bands up to 11 Hz, but the spectrogram ends at 8"));
}

// Of as many samples as come; the frames that fit are what a fixed length gives.
TEST(TensorflowAudio, OfOpenLengths) {
  const std::string rate = TfIntegers("rate", {16}, true) +
                           TfNode("m", "Mfcc", {"s", "rate"},
                                  {"lower_frequency_limit { f: 0 }", "upper_frequency_limit { f: 7 }",
                                   "filterbank_channel_count { i: 2 }", "dct_coefficient_count { i: 2 }"});
  const std::string rest = Spectrogram("x", 5, true) + rate;
  Converted open("graph.pbtxt", TfInput("x", {-1, -1}) + rest);
  ASSERT_TRUE(open.status().ok()) << open.status().message();
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{5, 1}, {16, 2}, {31, 1}}) {
    const std::string found = open.Run({Counting(shape)});
    EXPECT_EQ(found, Converted("graph.pbtxt", TfInput("x", shape) + rest).Run({Counting(shape)}));
    EXPECT_TRUE(open.ran()) << found;
  }
}

// The rate tells which bands there are; a spectrogram whose frequencies are open cannot have them.
TEST(TensorflowAudio, WhatCannotBeOpenSaysWhichFlagFixesIt) {
  const auto error = [](const std::string& graph) {
    const ImportedTf imported = ImportTf(graph);
    EXPECT_EQ(imported.status.code(), StatusCode::kUnsupported);
    return imported.diagnostics.unsupported.empty() ? "" : imported.diagnostics.unsupported[0].reason;
  };
  EXPECT_THAT(error(TfInput("x", {1, -1, -1}) + Mfcc("8")), HasSubstr("--input-shape"));
  EXPECT_THAT(error(TfInput("x", {1, 1, 5}) + TfInput("rate", {1}) +
                    TfNode("m", "Mfcc", {"x", "rate"}, {"filterbank_channel_count { i: 1 }"})),
              HasSubstr("--input-value"));
}

// The sound is decoded outside, its rate given as a number.
TEST(TensorflowAudio, WhatAFileHoldsMayBeFed) {
  const std::string text = TfNode("file", "Placeholder", {}, {"dtype { type: DT_STRING }"}) +
                           TfNode("wav", "DecodeWav", {"file"}) + Spectrogram("wav", 4, true) +
                           TfNode("m", "Mfcc", {"s", "wav:1"},
                                  {"lower_frequency_limit { f: 0 }", "filterbank_channel_count { i: 1 }",
                                   "dct_coefficient_count { i: 1 }", "upper_frequency_limit { f: 8 }"});
  frontend::ImportOptions options;
  options.feeds = {"wav"};
  options.outputs = {"m"};
  options.input_shapes = {{"wav", {8, 1}}};
  options.input_values = {{"wav:1", "16"}};
  const ImportedTf imported = ImportTf(text, options);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
}

}  // namespace
}  // namespace micrort::testing
