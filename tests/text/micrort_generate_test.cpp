// micrort-generate as a user runs it, with a model that counts and with a trained one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <micrort/micrort.h>
#include <micrort/text/decoder.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/converter/onnx_builder.h"
#include "tests/programs/counting_decoder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tests/programs/stories.h"
#include "tests/text/text_c_use.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

class MicrortGenerate : public ::testing::Test {
 protected:
  std::string Convert(const testing::OnnxBuilder& builder, const std::string& name,
                      const std::vector<std::string>& more = {}) {
    std::ofstream(folder_ / name, std::ios::binary) << builder.Bytes();
    std::vector<std::string> flags = {folder_ / name, "-o", folder_ / (name + ".fb"), "--quiet"};
    flags.insert(flags.end(), more.begin(), more.end());
    const ProcessResult converted = RunProgram("mnnconvert", flags);
    EXPECT_EQ(converted.exit_code, 0) << converted.err;
    return folder_ / (name + ".fb");
  }
  std::string WriteLetters() {
    std::ofstream(folder_ / "tokenizer.json") << Letters().dump();
    return folder_ / "tokenizer.json";
  }

  TemporaryFolder folder_;
};

TEST_F(MicrortGenerate, CountsOnFromItsCache) {
  for (const char* tokens_a_run : {"tokens", "1"}) {
    const std::string model = Convert(Counting(tokens_a_run), std::string("counting_") + tokens_a_run);
    const ProcessResult r = RunProgram("micrort-generate", {model, "--ids", "1,2,3", "--max-tokens", "9"});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(r.out, "4 5 6 7 8 9 10 11 12\n");
    EXPECT_THAT(r.err, HasSubstr("prefill 3 tokens, "));
    EXPECT_THAT(r.err, HasSubstr("decode 8 tokens, "));
  }
}

// Tokens would be written behind an input of no elements.
TEST_F(MicrortGenerate, RefusesAModelThatHasNoRoomForATokenInARun) {
  testing::OnnxBuilder builder(17);
  builder.Input("input_ids", {"1", "0"}, ::onnx::TensorProto::INT64)
      .Floats("table", {3, 2}, {0, 1, 2, 3, 4, 5})
      .Integers("axis", {1}, {1})
      .Node("Gather", {"table", "input_ids"}, {"rows"})
      .Node("ReduceSum", {"rows", "axis"}, {"logits"})
      .Int("keepdims", 0)
      .Output("logits");
  const ProcessResult r =
      RunProgram("micrort-generate", {Convert(builder, "no_room"), "--ids", "1,2,1", "--max-tokens", "3"});
  EXPECT_EQ(r.exit_code, 3) << r.err;
  EXPECT_THAT(r.err, HasSubstr("input 'input_ids' has no room for a token"));
}

TEST_F(MicrortGenerate, CountsOnFromACacheThatTheInterpreterKeeps) {
  for (const char* tokens_a_run : {"tokens", "1"}) {
    const std::string model =
        Convert(Counting(tokens_a_run), std::string("keeping_") + tokens_a_run, {"--kv-cache", "11"});
    const ProcessResult r = RunProgram("micrort-generate", {model, "--ids", "1,2,3", "--max-tokens", "9"});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_EQ(r.out, "4 5 6 7 8 9 10 11 12\n");
    const ProcessResult full =
        RunProgram("micrort-generate", {model, "--ids", "1,2,3", "--max-tokens", "10"});
    EXPECT_NE(full.exit_code, 0);
    EXPECT_THAT(full.err, HasSubstr("the cache has 11 rows: 11 are taken, and 1 more do not fit"));
  }
}

TEST_F(MicrortGenerate, ALongPromptTakesTheMemoryOfAShortOne) {
  Result<Model> model = Model::FromFile(Convert(Counting("tokens"), "long", {"--kv-cache", "1000"}).c_str());
  ASSERT_TRUE(model.ok()) << model.status().message();
  Result<text::Decoder> decoder = text::Decoder::Create(*model);
  ASSERT_TRUE(decoder.ok()) << decoder.status().message();
  const std::vector<int32_t> prompt(1000, 3);
  Span<float> logits;
  ASSERT_TRUE(decoder->Read({prompt.data(), 128}, &logits).ok());
  const size_t bytes = decoder->memory_bytes();
  ASSERT_TRUE(decoder->Read({prompt.data() + 128, prompt.size() - 128}, &logits).ok());
  EXPECT_EQ(decoder->tokens(), 1000u);
  EXPECT_LT(decoder->memory_bytes(), bytes + 1000);  // for 872 more tokens
  // Twice the mean, after all of them.
  EXPECT_EQ(std::max_element(logits.begin(), logits.end()) - logits.begin(), 6);
}

TEST_F(MicrortGenerate, WritesTextUntilAStopWord) {
  const std::string model = Convert(Counting("tokens"), "counting"), tokenizer = WriteLetters();
  const auto run = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {model, "--tokenizer", tokenizer, "--prompt", "abc"});
    return RunProgram("micrort-generate", flags);
  };
  EXPECT_EQ(run({"--max-tokens", "4"}).out, "defg\n");
  EXPECT_EQ(run({"--max-tokens", "20", "--stop", "hi"}).out, "defg\n");
  const nlohmann::json document = nlohmann::json::parse(run({"--max-tokens", "3", "--json"}).out);
  EXPECT_EQ(document["text"], "def");
  EXPECT_EQ(document["tokens"], nlohmann::json({4, 5, 6}));
  EXPECT_EQ(document["stop_reason"], "length");
  EXPECT_EQ(document["prompt_tokens"], 3);
  const std::vector<std::string> drawn = {"--max-tokens", "12", "--temperature", "9",
                                          "--top-k",      "20", "--seed",        "3"};
  const ProcessResult first = run(drawn);
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.out, run(drawn).out);
  EXPECT_NE(first.out, "defghijklmno\n");
}

TEST_F(MicrortGenerate, AProgramInCMakesText) {
  const std::string kept = Convert(Counting("tokens"), "kept", {"--kv-cache", "11"}),
                    growing = Convert(Counting("tokens"), "growing");
  const char* error = UseTextCApi(kept.c_str(), growing.c_str(), WriteLetters().c_str());
  EXPECT_EQ(error, nullptr) << (error == nullptr ? "" : error);
}

TEST_F(MicrortGenerate, SaysWhatIsMissing) {
  const std::string model = Convert(Counting("tokens"), "counting");
  const ProcessResult no_tokenizer = RunProgram("micrort-generate", {model, "--prompt", "abc"});
  EXPECT_EQ(no_tokenizer.exit_code, 1);
  EXPECT_THAT(no_tokenizer.err, HasSubstr("expected --tokenizer"));
  const ProcessResult no_file =
      RunProgram("micrort-generate", {model, "--prompt", "abc", "--tokenizer", folder_ / "none"});
  EXPECT_EQ(no_file.exit_code, 1);
  EXPECT_THAT(no_file.err, HasSubstr(folder_ / "none"));
  const ProcessResult no_token = RunProgram(
      "micrort-generate", {model, "--chat", "phi3", "--prompt", "abc", "--tokenizer", WriteLetters()});
  EXPECT_EQ(no_token.exit_code, 1);
  EXPECT_THAT(no_token.err, HasSubstr("no token '<|user|>'"));
  const ProcessResult no_decoder =
      RunProgram("micrort-generate", {Convert(testing::OneRelu(), "relu"), "--ids", "1"});
  EXPECT_EQ(no_decoder.exit_code, 3);
  EXPECT_THAT(no_decoder.err, HasSubstr("input 'x' is neither tokens"));
}

// The numbers of an array of int64.
std::string NumbersIn(const std::string& npy) {
  std::ifstream file(npy, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::ostringstream numbers;
  constexpr size_t kHeader = 128;
  for (size_t at = kHeader; at + sizeof(int64_t) <= bytes.size(); at += sizeof(int64_t)) {
    int64_t number = 0;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    numbers << (at == kHeader ? "" : " ") << number;
  }
  return numbers.str() + "\n";
}

// How many characters the first numbers of a line take.
size_t FirstNumbers(const std::string& line, int count) {
  size_t end = 0;
  for (int i = 0; i < count; ++i) end = line.find(' ', end) + 1;
  return end;
}

TEST_F(MicrortGenerate, TellsTheStoryThatOthersTell) {
  MICRORT_NEEDS_MODEL_DATA();
  if (!WriteStories(folder_.path())) GTEST_SKIP() << "skipped: no python3-onnx";
  const std::string expected = NumbersIn(ModelData("models/language/stories260K_greedy_ids.npy"));
  for (const char* form : {"stories_gqa", "stories_attn23"}) {
    const std::string onnx = folder_ / (std::string("models/") + form + ".onnx"),
                      model = folder_ / (std::string(form) + ".fb");
    for (const char* cache : {"", "f32", "f16", "int8"}) {
      std::vector<std::string> flags = {onnx, "-o", model, "--quiet"};
      if (*cache != 0) flags.insert(flags.end(), {"--kv-cache", "256", "--kv-type", cache});
      const ProcessResult converted = RunProgram("mnnconvert", flags);
      ASSERT_EQ(converted.exit_code, 0) << converted.err;
      const ProcessResult r = RunProgram("micrort-generate", {model, "--ids", "1", "--max-tokens", "256"});
      EXPECT_EQ(r.exit_code, 0) << r.err;
      // Rounding to int8 decides another way where two tokens are about as probable: after 118 here.
      const size_t compared = cache == std::string("int8") ? FirstNumbers(expected, 64) : expected.size();
      EXPECT_EQ(r.out.substr(0, compared), expected.substr(0, compared))
          << form << " with caches of " << cache;
    }
  }
}

// The source with attention that looks back no further than 12 positions.
void NarrowAttention(const std::string& source, const std::string& to) {
  ::onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(ReadFile(source)));
  for (::onnx::NodeProto& node : *model.mutable_graph()->mutable_node()) {
    if (node.op_type() != "GroupQueryAttention") continue;
    ::onnx::AttributeProto& window = *node.add_attribute();
    window.set_name("local_window_size");
    window.set_type(::onnx::AttributeProto::INT);
    window.set_i(12);
  }
  WriteFile(to, model.SerializeAsString());
}

TEST_F(MicrortGenerate, RingsTellWhatCachesOfAllRowsTell) {
  MICRORT_NEEDS_MODEL_DATA();
  if (!WriteStories(folder_.path())) GTEST_SKIP() << "skipped: no python3-onnx";
  const std::string onnx = folder_ / "windows.onnx", model = folder_ / "windows.fb";
  NarrowAttention(folder_ / "models/stories_gqa.onnx", onnx);
  const auto tell = [&](const std::vector<std::string>& caches) {
    std::vector<std::string> flags = {onnx, "-o", model, "--quiet"};
    flags.insert(flags.end(), caches.begin(), caches.end());
    const ProcessResult converted = RunProgram("mnnconvert", flags);
    EXPECT_EQ(converted.exit_code, 0) << converted.err;
    // The prompt is longer than a run may append to a ring.
    const ProcessResult r =
        RunProgram("micrort-generate",
                   {model, "--ids", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "--max-tokens", "200"});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    return r.out;
  };
  const std::string expected = tell({});
  for (const char* type : {"f32", "f16", "int8"}) {
    const std::vector<std::string> all = {"--kv-cache", "256", "--kv-type", type};
    std::vector<std::string> ring = all;
    ring.insert(ring.end(), {"--kv-chunk", "4"});
    EXPECT_EQ(tell(ring), tell(all)) << type;
  }
  EXPECT_EQ(tell({"--kv-cache", "256", "--kv-chunk", "4"}), expected);
}

}  // namespace
}  // namespace micrort::test
