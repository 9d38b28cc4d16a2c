// Folders of recognizers that are not what they seem: micrort-transcribe ends with a message.

#include <sys/stat.h>

#include <filesystem>

#include "tests/text/transcribe_fixture.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

constexpr ProcessLimits kSoon = {uint64_t{4} << 30, 10};

class UntrustedRecognizers : public TranscribeFixture {
 protected:
  ProcessResult Run(const std::vector<std::string>& more = {}) {
    std::vector<std::string> flags = {folder_.path(), folder_ / "sound.wav", "--language",
                                      "en",           "--max-tokens",        "3"};
    flags.insert(flags.end(), more.begin(), more.end());
    return RunProgram("micrort-transcribe", flags, kSoon);
  }
  void WriteAll() {
    WriteModel(SpeechNetwork(14), {"--kv-cache", "40"});
    WriteFile(folder_ / "generation_config.json", "{}");
    WriteSound(Sound(1, 1));
  }
};

TEST_F(UntrustedRecognizers, PipesAndFoldersAreNoFiles) {
  WriteAll();
  ASSERT_EQ(Run().exit_code, 0);
  for (const char* name :
       {"encoder.fb", "decoder.fb", "tokenizer.json", "generation_config.json", "sound.wav"}) {
    const std::string path = folder_ / name, kept = ReadFile(path);
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const ProcessResult pipe = Run();
    EXPECT_EQ(pipe.exit_code, 1) << name;
    EXPECT_THAT(pipe.err, HasSubstr(path)) << name;
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
    const ProcessResult folder = Run();
    EXPECT_EQ(folder.exit_code, 1) << name;
    EXPECT_THAT(folder.err, HasSubstr(path)) << name;
    std::filesystem::remove(path);
    WriteFile(path, kept);
  }
}

TEST_F(UntrustedRecognizers, SizesThatARunDecidesAreRefusedBeforeTheCrossStage) {
  const SpeechNetwork network(15);
  testing::OnnxBuilder encoder(17);
  // 50 rows, of which a run keeps none.
  encoder.Input("input_features", {"1", "80", "100"})
      .Integers("shape", {2}, {-1, SpeechNetwork::kWidth})
      .Integers("flat", {1}, {-1})
      .Integers("axis", {1}, {0})
      .Integers("first", {1}, {0})
      .Integers("last", {1}, {SpeechNetwork::kContext})
      .Floats("limit", {1}, {1000.0f})
      .Node("Reshape", {"input_features", "shape"}, {"all"})
      .Node("Slice", {"all", "first", "last", "axis"}, {"rows"})
      .Node("Reshape", {"input_features", "flat"}, {"values"})
      .Node("Slice", {"values", "first", "last", "axis"}, {"some"})
      .Node("Greater", {"some", "limit"}, {"is_kept"})
      .Node("Compress", {"rows", "is_kept"}, {"kept"})
      .Int("axis", 0)
      .Node("Unsqueeze", {"kept", "axis"}, {"last_hidden_state"})
      .Output("last_hidden_state");
  Convert(encoder, "encoder");
  Convert(network.Decoder(SpeechNetwork::Form::kWithPast), "decoder", {"--kv-cache", "40"});
  Convert(network.Decoder(SpeechNetwork::Form::kNoPast), "cross");
  WriteTokenizer();
  WriteSound(Sound(1, 1));
  const ProcessResult r = Run();
  EXPECT_EQ(r.exit_code, 3) << r.err;
  EXPECT_THAT(r.err, HasSubstr("output 'last_hidden_state' of the encoder has a size that a run decides"));
}

// A run may find 24,000 places, and finds fewer.
TEST_F(UntrustedRecognizers, SizesThatARunOfTheEncoderDecidesAreRefused) {
  WriteAll();
  testing::OnnxBuilder encoder(17);
  encoder.Input("input_features", {"1", "80", "100"})
      .Node("Relu", {"input_features"}, {"positive"})
      .Node("NonZero", {"positive"}, {"places"})
      .Node("Cast", {"places"}, {"last_hidden_state"})
      .Int("to", 1)
      .Output("last_hidden_state");
  Convert(encoder, "encoder");
  testing::OnnxBuilder decoder(17);
  decoder.Input("input_ids", {"1", "tokens"}, ::onnx::TensorProto::INT64)
      .Input("encoder_hidden_states", {"3", "rows"})
      .Floats("table", {1, 1, SpeechNetwork::kVocabulary},
              std::vector<float>(SpeechNetwork::kVocabulary, 1.0f))
      .Node("ReduceSum", {"encoder_hidden_states"}, {"sum"})
      .Int("keepdims", 0)
      .Node("Cast", {"input_ids"}, {"ids"})
      .Int("to", 1)
      .Integers("axis", {1}, {2})
      .Node("Unsqueeze", {"ids", "axis"}, {"columns"})
      .Node("Mul", {"columns", "table"}, {"scaled"})
      .Node("Add", {"scaled", "sum"}, {"logits"})
      .Output("logits");
  Convert(decoder, "decoder");
  const ProcessResult r = Run();
  EXPECT_EQ(r.exit_code, 3) << r.err;
  EXPECT_THAT(r.err, HasSubstr("output 'last_hidden_state' of the encoder has a size that a run decides"));
}

TEST_F(UntrustedRecognizers, OddConfigurationsAreAcceptedOrRefused) {
  WriteAll();
  std::string many = "[1";
  for (int i = 0; i < 1'000'000; ++i) many += ",1";
  const std::string deep(1'000'000, '[');
  const struct {
    std::string config;
    int exit_code;
  } cases[] = {
      {"", 0},
      {"null", 2},
      {deep, 2},
      {R"({"suppress_tokens":)" + many + "]}", 0},
      {R"({"suppress_tokens":[-1,-9223372036854775808,9223372036854775807,18446744073709551615]})", 0},
      {R"({"suppress_tokens":[1e300]})", 2},
      {R"({"suppress_tokens":{"a":1}})", 2},
      {R"({"suppress_tokens":null,"begin_suppress_tokens":null})", 0},
      {R"({"begin_suppress_tokens":["a"]})", 2},
      {R"({"is_multilingual":3})", 2}};
  for (const auto& c : cases) {
    WriteFile(folder_ / "generation_config.json", c.config);
    const ProcessResult r = Run();
    EXPECT_EQ(r.exit_code, c.exit_code) << c.config.substr(0, 90) << "\n" << r.err.substr(0, 300);
    EXPECT_EQ(r.err.find("error: ") == std::string::npos, c.exit_code == 0);
  }
}

}  // namespace
}  // namespace micrort::test
