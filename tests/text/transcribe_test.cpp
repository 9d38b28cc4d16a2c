// Recognizers of every form that exporters write, beside plain loops that compute all tokens anew.

#include "micrort/text/transcribe.h"

#include <algorithm>
#include <thread>

#include "tests/text/speech_c_use.h"
#include "tests/text/transcribe_fixture.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using Form = SpeechNetwork::Form;

class Transcribing : public TranscribeFixture {
 protected:
  static text::Audio AudioOf(const std::vector<float>& samples, int rate = kRate) { return {rate, samples}; }

  // The tokens of the only segment.
  static std::vector<int32_t> TokensOf(text::Transcriber* transcriber, const std::vector<float>& samples,
                                       const text::TranscribeOptions& options) {
    auto made = transcriber->Transcribe(AudioOf(samples), options);
    EXPECT_TRUE(made.ok()) << made.status().message();
    if (!made.ok() || made->segments.size() != 1) return {};
    return made->segments[0].tokens;
  }

  void ExpectAsPlain(const SpeechNetwork& network, const text::SpeechFiles& files) {
    auto model = text::SpeechModel::FromFiles(files);
    ASSERT_TRUE(model.ok()) << model.status().message();
    auto transcriber = text::Transcriber::Create(*model);
    ASSERT_TRUE(transcriber.ok()) << transcriber.status().message();
    text::TranscribeOptions options;
    options.max_tokens = 20;
    std::vector<std::vector<int32_t>> all;
    for (const uint32_t seed : {1, 2, 3, 4}) {
      const std::vector<float> samples = Sound(seed == 2 ? 0.6 : 1.0, seed);
      all.push_back(TokensOf(&*transcriber, samples, options));
      EXPECT_EQ(all.back(), Expected(network, samples, 20)) << seed;
    }
    std::sort(all.begin(), all.end());
    EXPECT_NE(all.front(), all.back()) << "the sound decides nothing";
    options.language = "de";
    EXPECT_EQ(TokensOf(&*transcriber, Sound(1, 1), options),
              Expected(network, Sound(1, 1), 20, SpeechNetwork::kGerman));
  }

  text::SpeechFiles FilesInFolder() const { return text::SpeechFilesIn(folder_.path()); }
};

TEST_F(Transcribing, AnEncoderThatWritesKeysOfCrossAttention) {
  const SpeechNetwork network(1);
  for (const char* cache : {"", "f32"}) {
    WriteModel(network,
               *cache == 0 ? std::vector<std::string>() : std::vector<std::string>{"--kv-cache", "32"});
    ExpectAsPlain(network, FilesInFolder());
  }
}

TEST_F(Transcribing, TheThreeFilesOfOptimum) {
  const SpeechNetwork network(2);
  Convert(network.Encoder(false), "encoder_model");
  // As the two forms in one file, of which one was chosen, it keeps caches that nothing reads.
  testing::OnnxBuilder cross = network.Decoder(Form::kNoPast);
  cross.Input("past_key_values.0.decoder.key", {"batch", "2", "past", "8"});
  cross.Input("past_key_values.0.encoder.key", {"batch", "2", "50", "8"});
  Convert(network.Decoder(Form::kNoPast), "decoder_model");
  WriteTokenizer();
  // Without the third, all tokens are read again for each.
  ExpectAsPlain(network, FilesInFolder());
  for (const bool keeps : {false, true}) {
    Convert(network.Decoder(Form::kWithPast), "decoder_with_past_model",
            keeps ? std::vector<std::string>{"--kv-cache", "32"} : std::vector<std::string>());
    const text::SpeechFiles files = FilesInFolder();
    EXPECT_THAT(files.decoder, HasSubstr("decoder_with_past_model.fb"));
    EXPECT_THAT(files.cross, HasSubstr("decoder_model.fb"));
    ExpectAsPlain(network, files);
  }
  Convert(cross, "cross");
  const text::SpeechFiles files = FilesInFolder();
  EXPECT_THAT(files.cross, HasSubstr("cross.fb"));
  ExpectAsPlain(network, files);
  // Keys and values alone, without tokens.
  const std::string before = "present.", key = ".encoder.key", value = ".encoder.value";
  const std::string fetches =
      before + "0" + key + "," + before + "0" + value + "," + before + "1" + key + "," + before + "1" + value;
  Convert(network.Decoder(Form::kNoPast), "cross", {"--fetches", fetches});
  ExpectAsPlain(network, files);
}

TEST_F(Transcribing, OneModelThatHasBoth) {
  const SpeechNetwork network(13);
  WriteTokenizer();
  text::SpeechFiles files;
  files.decoder = Convert(network.Decoder(Form::kWhole), "whole");
  files.tokenizer = folder_ / "tokenizer.json";
  ExpectAsPlain(network, files);
}

TEST_F(Transcribing, OtherRatesAndThreadsHearTheSame) {
  const SpeechNetwork network(4);
  WriteModel(network, {"--kv-cache", "32"});
  auto model = text::SpeechModel::FromFiles(FilesInFolder());
  ASSERT_TRUE(model.ok()) << model.status().message();
  InterpreterOptions two;
  two.threads = 2;
  auto transcriber = text::Transcriber::Create(*model, two);
  ASSERT_TRUE(transcriber.ok());
  text::TranscribeOptions options;
  options.max_tokens = 12;
  const std::vector<float> samples = Sound(1, 5);
  EXPECT_EQ(TokensOf(&*transcriber, samples, options), Expected(network, samples, 12));
  auto up = text::Resample({samples.data(), samples.size()}, kRate, 44100);
  auto made = transcriber->Transcribe(AudioOf(*up, 44100), options);
  ASSERT_TRUE(made.ok());
  auto back = text::Resample({up->data(), up->size()}, 44100, kRate);
  EXPECT_EQ(made->segments[0].tokens, Expected(network, *back, 12));
}

TEST_F(Transcribing, WritesTextAsItComes) {
  const SpeechNetwork network(5);
  WriteModel(network);
  auto model = text::SpeechModel::FromFiles(FilesInFolder());
  auto transcriber = text::Transcriber::Create(*model);
  ASSERT_TRUE(transcriber.ok());
  text::TranscribeOptions options;
  options.max_tokens = 10;
  std::vector<std::string> pieces;
  text::TranscribeCallbacks callbacks;
  callbacks.on_text = [&](const std::string& piece) {
    pieces.push_back(piece);
    return true;
  };
  auto made = transcriber->Transcribe(AudioOf(Sound(1, 1)), options, callbacks);
  ASSERT_TRUE(made.ok());
  std::string all;
  for (const std::string& piece : pieces) all += piece;
  EXPECT_EQ(all, made->text);
  EXPECT_GT(pieces.size(), 3u);
  EXPECT_EQ(made->tokens, 10u);
  EXPECT_FALSE(made->was_stopped);
  EXPECT_DOUBLE_EQ(made->audio_seconds, 1.0);
  // The callback ends it, or another thread.
  size_t calls = 0;
  callbacks.on_text = [&](const std::string&) { return ++calls < 2; };
  auto stopped = transcriber->Transcribe(AudioOf(Sound(1, 1)), options, callbacks);
  ASSERT_TRUE(stopped.ok());
  EXPECT_TRUE(stopped->was_stopped);
  EXPECT_EQ(calls, 2u);
  callbacks.on_text = [&](const std::string&) {
    std::thread([&] { transcriber->Cancel(); }).join();
    return true;
  };
  EXPECT_EQ(transcriber->Transcribe(AudioOf(Sound(1, 1)), options, callbacks).status().code(),
            StatusCode::kCancelled);
  EXPECT_EQ(TokensOf(&*transcriber, Sound(1, 1), options), Expected(network, Sound(1, 1), 10));
}

TEST_F(Transcribing, LongSoundInWindowsWithTimes) {
  const SpeechNetwork network(20);
  WriteModel(network, {"--kv-cache", "40"});
  auto model = text::SpeechModel::FromFiles(FilesInFolder());
  auto transcriber = text::Transcriber::Create(*model);
  ASSERT_TRUE(transcriber.ok());
  text::TranscribeOptions options;
  options.max_tokens = 16;
  options.timestamps = true;
  std::vector<text::SpeechSegment> told;
  std::string text;
  text::TranscribeCallbacks callbacks;
  callbacks.on_segment = [&](const text::SpeechSegment& segment) {
    told.push_back(segment);
    return true;
  };
  callbacks.on_text = [&](const std::string& piece) {
    text += piece;
    return true;
  };
  auto made = transcriber->Transcribe(AudioOf(Sound(3.5, 3)), options, callbacks);
  ASSERT_TRUE(made.ok()) << made.status().message();
  const std::vector<text::SpeechSegment> expected = ExpectedSegments(network, Sound(3.5, 3), 16);
  ASSERT_GE(made->segments.size(), 3u);
  ASSERT_EQ(made->segments.size(), expected.size());
  EXPECT_EQ(told.size(), expected.size());
  EXPECT_EQ(text, made->text);
  std::string joined;
  for (size_t i = 0; i < expected.size(); ++i) {
    const text::SpeechSegment& segment = made->segments[i];
    EXPECT_EQ(segment.tokens, expected[i].tokens) << i;
    EXPECT_NEAR(segment.begin, expected[i].begin, 1e-9);
    EXPECT_NEAR(segment.end, expected[i].end, 1e-9);
    joined += segment.text;
  }
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  joined.erase(std::remove(joined.begin(), joined.end(), ' '), joined.end());
  EXPECT_EQ(joined, text);
  // Where the tokenizer has no times, windows follow each other.
  nlohmann::json timeless = SpeechNetwork::Tokenizer(false);
  timeless["added_tokens"].erase(8);
  WriteTokenizer(timeless);
  auto other = text::SpeechModel::FromFiles(FilesInFolder());
  auto plain = text::Transcriber::Create(*other);
  ASSERT_TRUE(plain.ok()) << plain.status().message();
  EXPECT_EQ(plain->Transcribe(AudioOf(Sound(3.5, 3)), options).status().code(), StatusCode::kInvalidArgument);
  options.timestamps = false;
  auto windows = plain->Transcribe(AudioOf(Sound(3.5, 3)), options);
  ASSERT_TRUE(windows.ok());
  EXPECT_EQ(windows->segments.size(), 4u);
}

TEST_F(Transcribing, TokensOfAGenerationConfigAreNoText) {
  const SpeechNetwork network(7);
  WriteModel(network);
  const std::vector<int32_t> expected = Expected(network, Sound(1, 1), 4);
  ASSERT_FALSE(expected.empty());
  const nlohmann::json config = {{"suppress_tokens", {expected[0], -1, 99999}},
                                 {"begin_suppress_tokens", nullptr}};
  WriteFile(folder_ / "generation_config.json", config.dump());
  auto model = text::SpeechModel::FromFiles(FilesInFolder());
  ASSERT_TRUE(model.ok()) << model.status().message();
  auto transcriber = text::Transcriber::Create(*model);
  ASSERT_TRUE(transcriber.ok()) << transcriber.status().message();
  text::TranscribeOptions options;
  options.max_tokens = 12;
  for (const int32_t token : TokensOf(&*transcriber, Sound(1, 1), options)) EXPECT_NE(token, expected[0]);
  // English alone.
  WriteFile(folder_ / "generation_config.json", R"({"is_multilingual": false})");
  auto english = text::SpeechModel::FromFiles(FilesInFolder());
  auto one = text::Transcriber::Create(*english);
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->Transcribe(AudioOf(Sound(1, 1)), options)->language, "");
  options.language = "de";
  EXPECT_THAT(one->Transcribe(AudioOf(Sound(1, 1)), options).status().message(),
              HasSubstr("the model has no tokens of languages"));
  options.language = "en";
  EXPECT_TRUE(one->Transcribe(AudioOf(Sound(1, 1)), options).ok());
  WriteFile(folder_ / "generation_config.json", R"({"suppress_tokens": ["a"]})");
  auto broken = text::SpeechModel::FromFiles(FilesInFolder());
  EXPECT_THAT(text::Transcriber::Create(*broken).status().message(),
              HasSubstr("expected tokens, found string"));
}

TEST_F(Transcribing, ATextBeforeTheSpeechIsAPrompt) {
  const SpeechNetwork network(14);
  WriteModel(network, {"--kv-cache", "40"});
  auto model = text::SpeechModel::FromFiles(FilesInFolder());
  auto transcriber = text::Transcriber::Create(*model);
  ASSERT_TRUE(transcriber.ok());
  text::TranscribeOptions options;
  options.max_tokens = 12;
  const std::vector<float> samples = Sound(1, 2);
  const std::vector<int32_t> plain = Expected(network, samples, 12);
  EXPECT_EQ(TokensOf(&*transcriber, samples, options), plain);
  options.prompt = "xyz";
  const std::vector<int32_t> prompted =
      Expected(network, samples, 12, -1, {SpeechNetwork::kPrevious, 26, 'x' - 'a', 'y' - 'a', 'z' - 'a'});
  EXPECT_NE(prompted, plain);
  EXPECT_EQ(TokensOf(&*transcriber, samples, options), prompted);
  nlohmann::json without = SpeechNetwork::Tokenizer();
  without["added_tokens"].erase(6);
  WriteTokenizer(without);
  auto other = text::SpeechModel::FromFiles(FilesInFolder());
  auto refuses = text::Transcriber::Create(*other);
  ASSERT_TRUE(refuses.ok()) << refuses.status().message();
  EXPECT_THAT(refuses->Transcribe(AudioOf(samples), options).status().message(),
              HasSubstr("the tokenizer has no token '<|startofprev|>'"));
}

TEST_F(Transcribing, AProgramInCHearsTheSame) {
  const SpeechNetwork network(5);
  WriteModel(network, {"--kv-cache", "40"});
  std::string expected;
  for (const int32_t token : Expected(network, Sound(1, 1), 8, SpeechNetwork::kEnglish))
    expected += token == 26 ? ' ' : static_cast<char>('a' + token);
  ASSERT_EQ(expected.size(), 8u);
  const char* error =
      UseSpeechCApi(folder_.path().c_str(), WriteSound(Sound(1, 1)).c_str(), expected.c_str());
  EXPECT_EQ(error, nullptr) << (error == nullptr ? "" : error);
}

TEST_F(Transcribing, RefusesOptionsOutOfRange) {
  const SpeechNetwork network(8);
  WriteModel(network);
  auto model = text::SpeechModel::FromFiles(FilesInFolder());
  auto transcriber = text::Transcriber::Create(*model);
  ASSERT_TRUE(transcriber.ok());
  const auto refuse = [&](const text::Audio& audio, text::TranscribeOptions options, const char* message) {
    auto made = transcriber->Transcribe(audio, options);
    EXPECT_EQ(made.status().code(), StatusCode::kInvalidArgument) << message;
    EXPECT_THAT(made.status().message(), HasSubstr(message));
  };
  refuse({kRate, {}}, {}, "no samples");
  refuse({10, {0.0f}}, {}, "found 10");
  refuse({kRate, {0.0f, NAN}}, {}, "sample 1 is no finite number");
  text::TranscribeOptions wrong;
  wrong.language = "xx";
  refuse(AudioOf(Sound(1, 1)), wrong, "language 'xx': expected auto or one of en, de");
  wrong = {};
  wrong.max_tokens = 0;
  refuse(AudioOf(Sound(1, 1)), wrong, "max_tokens is 0");
  wrong = {};
  wrong.sampling.temperature = -1;
  refuse(AudioOf(Sound(1, 1)), wrong, "temperature is -1");
}

TEST_F(Transcribing, RefusesFilesOfTwoModels) {
  const SpeechNetwork network(9), other(9, 32);
  WriteModel(network);
  Convert(other.Encoder(true), "encoder");
  auto mixed = text::SpeechModel::FromFiles(FilesInFolder());
  ASSERT_TRUE(mixed.ok());
  auto transcriber = text::Transcriber::Create(*mixed);
  EXPECT_EQ(transcriber.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(transcriber.status().message(),
              HasSubstr("decoder.fb: input 'past_key_cross_0': expected float32"));
  EXPECT_THAT(transcriber.status().message(), HasSubstr("are they files of one model?"));
  text::SpeechFiles files = FilesInFolder();
  std::swap(files.encoder, files.decoder);
  auto swapped = text::SpeechModel::FromFiles(files);
  EXPECT_THAT(text::Transcriber::Create(*swapped).status().message(),
              HasSubstr("expected an encoder with one input"));
  files = FilesInFolder();
  files.encoder = "";
  auto alone = text::SpeechModel::FromFiles(files);
  EXPECT_THAT(text::Transcriber::Create(*alone).status().message(), HasSubstr("expected an encoder, too"));
  files.decoder = folder_ / "encoder.fb";
  auto encoder_alone = text::SpeechModel::FromFiles(files);
  EXPECT_THAT(text::Transcriber::Create(*encoder_alone).status().message(),
              HasSubstr("expected a decoder, too"));
  nlohmann::json letters = SpeechNetwork::Tokenizer();
  letters["added_tokens"].erase(1);
  Convert(network.Encoder(true), "encoder");
  WriteTokenizer(letters);
  auto no_start = text::SpeechModel::FromFiles(FilesInFolder());
  EXPECT_THAT(text::Transcriber::Create(*no_start).status().message(),
              HasSubstr("it has no token '<|startoftranscript|>'"));
}

}  // namespace
}  // namespace micrort::test
