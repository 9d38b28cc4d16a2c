// Models that SentencePiece's own trainer makes: the same tokens and texts as SentencePiece's own programs
// give.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "micrort/text/tokenizer.h"
#include "tests/programs/process.h"
#include "tests/text/corpus.h"
#include "tests/text/streamed.h"

namespace micrort::test {
namespace {

void WriteLines(const std::string& path, const std::vector<std::string>& lines) {
  std::ofstream file(path, std::ios::binary);
  for (const std::string& line : lines) file << line << '\n';
}

std::vector<std::string> ReadLines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::string IdsInALine(const std::vector<int32_t>& ids) {
  std::ostringstream line;
  for (size_t i = 0; i < ids.size(); ++i) line << (i == 0 ? "" : " ") << ids[i];
  return line.str();
}

class SentencePieceOracle : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (RunCommand({"spm_train", "--help"}).exit_code != 0) GTEST_SKIP() << "skipped: no spm_train";
    WriteLines(folder_ / "corpus", MixedLines(4000, 1));
    std::vector<std::string> command = {"spm_train", "--input=" + (folder_ / "corpus"),
                                        "--model_prefix=" + (folder_ / "m")};
    std::istringstream flags(GetParam());
    for (std::string flag; flags >> flag;) command.push_back(flag);
    const ProcessResult trained = RunCommand(command);
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    auto tokenizer = text::Tokenizer::FromFile((folder_ / "m.model").c_str());
    ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().message();
    tokenizer_ = std::make_unique<text::Tokenizer>(std::move(*tokenizer));
  }

  // The results of the program for these lines.
  std::vector<std::string> Oracle(const std::string& program, const std::string& flag,
                                  const std::vector<std::string>& lines) {
    WriteLines(folder_ / "in", lines);
    const ProcessResult result = RunCommand({program, "--model=" + (folder_ / "m.model"), flag,
                                             "--input=" + (folder_ / "in"), "--output=" + (folder_ / "out")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ReadLines(folder_ / "out");
  }

  TemporaryFolder folder_;
  std::unique_ptr<text::Tokenizer> tokenizer_;
};

TEST_P(SentencePieceOracle, TenThousandLinesAreTheSameThereAndBack) {
  std::vector<std::string> lines = MixedLines(10000, 2);
  lines[7] = "cut \xF0\x9F\x98 off \xFF and \xC0\x80 over";
  lines[8] = "  <sep>spaces  <s> around</s> keep  ";
  lines[9] = "spaces \xE2\x96\x81   \xE2\x96\x81\xE2\x96\x81\xE2\x96\x81 inside  ";
  const std::vector<std::string> expected = Oracle("spm_encode", "--output_format=id", lines);
  ASSERT_EQ(expected.size(), lines.size());
  text::EncodeOptions plain;
  plain.add_special = false;
  std::vector<std::vector<int32_t>> encoded;
  for (size_t i = 0; i < lines.size(); ++i) {
    std::vector<int32_t> ids;
    ASSERT_TRUE(tokenizer_->Encode(lines[i], &ids, plain).ok());
    ASSERT_EQ(IdsInALine(ids), expected[i]) << "line " << i << ": " << lines[i];
    encoded.push_back(ids);
  }
  const std::vector<std::string> decoded = Oracle("spm_decode", "--input_format=id", expected);
  ASSERT_EQ(decoded.size(), lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string text;
    ASSERT_TRUE(tokenizer_->Decode({encoded[i].data(), encoded[i].size()}, &text).ok());
    ASSERT_EQ(text, decoded[i]) << "line " << i << ": " << lines[i];
    ASSERT_EQ(Streamed(*tokenizer_, encoded[i]), text) << "line " << i << ": " << lines[i];
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, SentencePieceOracle,
    ::testing::Values(
        "--model_type=bpe --vocab_size=900 --byte_fallback --character_coverage=0.98 "
        "--user_defined_symbols=<sep>,keep --normalization_rule_name=identity",
        "--model_type=unigram --vocab_size=900 --character_coverage=0.98 --user_defined_symbols=<sep>,keep",
        "--model_type=unigram --vocab_size=1100 --byte_fallback --remove_extra_whitespaces=false "
        "--normalization_rule_name=nfkc_cf --add_dummy_prefix=false",
        "--model_type=bpe --vocab_size=700 --treat_whitespace_as_suffix"));

}  // namespace
}  // namespace micrort::test
