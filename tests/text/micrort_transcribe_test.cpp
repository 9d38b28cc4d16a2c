// micrort-transcribe as a user runs it, with small recognizers of random weights.

#include <nlohmann/json.hpp>

#include "tests/text/transcribe_fixture.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class MicrortTranscribe : public TranscribeFixture {
 protected:
  ProcessResult Run(std::vector<std::string> flags) { return RunProgram("micrort-transcribe", flags); }
  void Refuse(const std::vector<std::string>& flags, int exit_code, const std::string& message) {
    const ProcessResult r = Run(flags);
    EXPECT_EQ(r.exit_code, exit_code) << r.err;
    EXPECT_EQ(r.out, "");
    EXPECT_THAT(r.err, HasSubstr(message));
  }
  static std::string TextOf(const std::vector<int32_t>& tokens) {
    std::string text;
    for (const int32_t token : tokens) text += token == 26 ? ' ' : static_cast<char>('a' + token);
    return text;
  }
};

TEST_F(MicrortTranscribe, PrintsTextSegmentsAndJson) {
  const SpeechNetwork network(11);
  WriteModel(network, {"--kv-cache", "40"});
  const std::vector<float> samples = Sound(1, 2);
  const std::string sound = WriteSound(samples);
  const std::vector<int32_t> expected = Expected(network, samples, 9, SpeechNetwork::kEnglish);
  const std::vector<std::string> flags = {folder_.path(), sound, "--language", "en", "--max-tokens", "9"};
  const ProcessResult text = Run(flags);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_EQ(text.out, TextOf(expected) + "\n");
  EXPECT_THAT(text.err, HasSubstr("audio 1.0 s, "));
  EXPECT_THAT(text.err, HasSubstr("decode 9 tokens, "));

  std::vector<std::string> more = flags;
  more.push_back("--json");
  const nlohmann::json document = nlohmann::json::parse(Run(more).out);
  EXPECT_EQ(document["text"], TextOf(expected));
  EXPECT_EQ(document["language"], "en");
  ASSERT_EQ(document["segments"].size(), 1u);
  EXPECT_EQ(document["segments"][0]["tokens"], nlohmann::json(expected));
  EXPECT_EQ(document["segments"][0]["end"], 1.0);
  EXPECT_GT(document["real_time_factor"], 0.0);

  more = flags;
  more.push_back("--timestamps");
  const ProcessResult segments = Run(more);
  EXPECT_EQ(segments.exit_code, 0) << segments.err;
  EXPECT_THAT(segments.out, MatchesRegex("(\\[00:0[01]\\.[0-9]{2}0 --> 00:0[01]\\.[0-9]{2}0\\] [a-z ]+\n)+"));

  more.back() = "--subtitles";
  more.push_back("srt");
  const ProcessResult srt = Run(more);
  EXPECT_THAT(srt.out, MatchesRegex("1\n00:00:00,[0-9]{2}0 --> 00:00:0[01],[0-9]{2}0\n[a-z ]+\n\n(.|\n)*"));
  more.back() = "vtt";
  EXPECT_THAT(Run(more).out,
              MatchesRegex("WEBVTT\n\n00:00:00\\.[0-9]{2}0 --> 00:00:0[01]\\.[0-9]{2}0\n[a-z ]+\n\n(.|\n)*"));

  // Single files, too, and the other task.
  const ProcessResult named =
      Run({folder_ / "encoder.fb", sound, "--decoder", folder_ / "decoder.fb", "--tokenizer",
           folder_ / "tokenizer.json", "--language", "en", "--max-tokens", "9"});
  EXPECT_EQ(named.out, text.out) << named.err;
  more = flags;
  more.insert(more.end(), {"--task", "translate", "--temperature", "2", "--seed", "4"});
  const ProcessResult drawn = Run(more);
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_EQ(drawn.out, Run(more).out);
  EXPECT_NE(drawn.out, text.out);
}

TEST_F(MicrortTranscribe, SaysWhatIsMissing) {
  const SpeechNetwork network(12);
  const std::string sound = WriteSound(Sound(1, 1)), folder = folder_.path();
  Refuse({folder, sound}, 1, folder + ": expected decoder.fb, ");
  Convert(network.Encoder(true), "encoder");
  Convert(network.Decoder(SpeechNetwork::Form::kSelfAndCross), "decoder");
  Refuse({folder, sound}, 1, "expected tokenizer.json in the folder, or --tokenizer FILE");
  Refuse({folder_ / "encoder.fb", sound}, 1, "expected --tokenizer FILE");
  WriteTokenizer();
  const std::string tokenizer = folder_ / "tokenizer.json";
  Refuse({folder_ / "encoder.fb", sound, "--tokenizer", tokenizer}, 3, "encoder.fb: no input takes tokens");
  Refuse({folder_ / "none.fb", sound, "--tokenizer", tokenizer}, 1, "none.fb");
  Refuse({folder_ / "decoder.onnx", sound, "--tokenizer", tokenizer}, 2, "mnnconvert");
  Refuse({folder, folder_ / "none.wav"}, 1, "none.wav: cannot be opened");
  Refuse({folder, tokenizer}, 2, "tokenizer.json: expected a WAV file: it does not begin as one");
  WriteFile(folder_ / "speech.mp3", "ID3\x04");
  Refuse({folder, folder_ / "speech.mp3"}, 2, "speech.mp3: expected a WAV file, found an MP3 file; `ffmpeg");
  WriteFile(folder_ / "empty.wav", WavFile({}, ""));
  Refuse({folder, folder_ / "empty.wav"}, 2, "it has no samples");
  Refuse({folder, sound, "--language", "fr"}, 1, "language 'fr': expected auto or one of en, de");
  Refuse({folder, sound, "--task", "sing"}, 1, "--task");
  Refuse({folder}, 1, "audio is required");
  WriteFile(folder_ / "generation_config.json", "[]");
  Refuse({folder, sound}, 2, "generation_config.json: expected a JSON object");
}

TEST_F(MicrortTranscribe, HelpHasAnExample) {
  const ProcessResult help = Run({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, HasSubstr("micrort-transcribe whisper-base speech.wav"));
  EXPECT_EQ(Run({"--version"}).exit_code, 0);
}

TEST_F(MicrortTranscribe, HearsRealSpeechToItsEnd) {
  MICRORT_NEEDS_MODEL_DATA();
  WriteModel(SpeechNetwork(13), {"--kv-cache", "40"});
  const ProcessResult r =
      Run({folder_.path(), ModelData("audio/speech_16k.wav"), "--timestamps", "--max-tokens", "12"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.err, HasSubstr("audio 60.0 s, "));
  EXPECT_THAT(r.out, HasSubstr("[00:5"));
}

}  // namespace
}  // namespace micrort::test
