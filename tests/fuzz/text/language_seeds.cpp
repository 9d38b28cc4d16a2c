// Small recognizers in the forms that exporters write, and a decoder that counts.

#include "converter/convert.h"
#include "tests/fuzz/seeds.h"
#include "tests/fuzz/text/language_files.h"
#include "tests/programs/counting_decoder.h"
#include "tests/text/speech_network.h"

namespace micrort::fuzz {
namespace {

using Form = test::SpeechNetwork::Form;

std::string Converted(const testing::OnnxBuilder& source, const ConvertOptions& options) {
  const std::string bytes = source.Bytes();
  ConvertResult result;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (!ConvertBytes("seed", span, options, &result).ok()) return "";
  return {result.file.begin(), result.file.end()};
}

}  // namespace

std::vector<std::string> LanguageSeeds() {
  ConvertOptions plain;
  plain.format = frontend::SourceFormat::kOnnx;
  ConvertOptions cached = plain;
  constexpr int64_t kRows = 24;
  cached.kv_cache = kRows;
  const test::SpeechNetwork network(1);
  const std::string tokenizer = test::SpeechNetwork::Tokenizer().dump(), sound = SoundSeeds()[0];
  const std::string config =
      R"({"suppress_tokens":[3,-1],"begin_suppress_tokens":[26],"is_multilingual":true})";
  const std::string encoder = Converted(network.Encoder(true), plain);
  const std::string decoder = Converted(network.Decoder(Form::kSelfAndCross), cached);
  const std::string whole = Converted(network.Decoder(Form::kWhole), plain);
  cached.kv_type = DType::kInt8;
  const LanguageFiles files[] = {
      {encoder, decoder, "", tokenizer, config, sound},
      {Converted(network.Encoder(false), plain), Converted(network.Decoder(Form::kWithPast), plain),
       Converted(network.Decoder(Form::kNoPast), plain), tokenizer, "", sound},
      {"", whole, "", tokenizer, "", sound},
      {"", Converted(test::Counting("tokens"), plain), "", test::Letters().dump(), "", ""},
      {"", Converted(test::Counting("tokens"), cached), "", test::Letters().dump(), "", ""}};
  std::vector<std::string> seeds;
  for (const LanguageFiles& seed : files) seeds.push_back(JoinFiles(seed));
  return seeds;
}

}  // namespace micrort::fuzz
