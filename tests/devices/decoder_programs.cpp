#include "tests/devices/decoder_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "micrort/micrort.h"
#include "tests/converter/onnx_builder.h"
#include "tests/programs/process.h"
#include "tests/programs/stories.h"
#include "tests/support/random.h"

namespace micrort::test::devices {
namespace {

constexpr uint64_t kMostFlashOfDecoder = 140 * 1024;  // beside the weights
constexpr uint64_t kMostStackOfDecoder = 6 * 1024;
constexpr int kWords = 26, kRoom = 20;

std::vector<std::string> FlagsFor(int tokens) {
  return {"--quant", "int8", "--kv-cache", std::to_string(tokens), "--kv-type", "int8"};
}

// 26 words, four heads of eight numbers, of which two share keys and values.
testing::OnnxBuilder SmallDecoder() {
  testing::OnnxBuilder b(17);
  testing::Random random(3);
  auto* contrib = b.model.add_opset_import();
  contrib->set_domain("com.microsoft");
  contrib->set_version(1);
  const auto matrix = [&](const std::string& name, int64_t rows, int64_t columns) {
    std::vector<float> elements(static_cast<size_t>(rows * columns));
    random.Fill(elements, -1.0f, 1.0f);
    b.Floats(name, {rows, columns}, elements);
  };
  b.Input("input_ids", {"1", "tokens"}, ::onnx::TensorProto::INT64);
  for (const char* past : {"past_key", "past_value"}) b.Input(past, {"1", "2", "past", "8"});
  b.Integers("last", {1, 1}, {0}).Integers("total", {}, {1});
  matrix("table", kWords, 32);
  matrix("wq", 32, 32);
  matrix("wk", 32, 16);
  matrix("wv", 32, 16);
  matrix("wo", 32, 32);
  matrix("head", 32, kWords);
  matrix("cos", kRoom, 4);
  matrix("sin", kRoom, 4);
  b.Node("Gather", {"table", "input_ids"}, {"x"});
  for (const std::string name : {"q", "k", "v"}) b.Node("MatMul", {"x", "w" + name}, {name});
  b.Node("GroupQueryAttention", {"q", "k", "v", "past_key", "past_value", "last", "total", "cos", "sin"},
         {"seen", "present_key", "present_value"});
  b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("com.microsoft");
  b.Int("num_heads", 4).Int("kv_num_heads", 2).Int("do_rotary", 1).Float("scale", 0.35f);
  b.Node("MatMul", {"seen", "wo"}, {"o"}).Node("Add", {"x", "o"}, {"y"});
  b.Node("MatMul", {"y", "head"}, {"logits"});
  return b.Output("logits").Output("present_key").Output("present_value");
}

std::string LettersOf(const std::string& tokens) {
  std::string text;
  for (size_t i = 0; i < tokens.size(); i += sizeof(int32_t))
    text += static_cast<char>('a' + *reinterpret_cast<const int32_t*>(&tokens[i]));
  return text;
}

}  // namespace

DecoderPrograms::DecoderPrograms(DevicePrograms* programs) : programs_(*programs) {
  const std::string small = folder_ / "small.onnx";
  WriteFile(small, SmallDecoder().Bytes());
  Add({"small_decoder", small, kRoom, 8 * 1024, true});
  std::string pieces = "constexpr const char* kPieces[] = {";
  for (int i = 0; i < kWords; ++i) pieces += std::string("\"") + static_cast<char>('a' + i) + "\", ";
  WriteFile(programs_.EmittedTo("small_decoder") + "/pieces.h", pieces + "};\n");
  if (!HasModelData() || !WriteStories(folder_.path())) return;
  Add({"stories_decoder", folder_ / "models/stories_gqa.onnx", 128, 72 * 1024, false});
}

void DecoderPrograms::Add(const Decoder& decoder) {
  programs_.AddEmitted(decoder.name, decoder.source, FlagsFor(decoder.tokens));
  decoders_.push_back(decoder);
}

std::string DecoderPrograms::ByInterpreter(const Decoder& decoder) const {
  const std::string file = folder_ / (decoder.name + ".fb");
  std::vector<std::string> arguments = {decoder.source,  "-o",           file, "--quiet",
                                        "--input-shape", "input_ids=1x1"};
  const std::vector<std::string> flags = FlagsFor(decoder.tokens);
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const ProcessResult converted = RunProgram("mnnconvert", arguments);
  EXPECT_EQ(converted.exit_code, 0) << converted.err;
  auto model = Model::FromFile(file.c_str());
  if (!model.ok()) return "";
  auto interpreter = Interpreter::Create(*model);
  if (!interpreter.ok()) return "";
  std::string all;
  int32_t token = 1;
  for (int i = 0; i < decoder.tokens; ++i) {
    *interpreter->input(0).as<int64_t>() = token;
    EXPECT_TRUE(interpreter->Run().ok());
    const TensorView logits = interpreter->output(0);
    const float* const scores = logits.as<float>();
    token = static_cast<int32_t>(std::max_element(scores, scores + logits.elements()) - scores);
    all.append(reinterpret_cast<const char*>(&token), sizeof token);
  }
  return all;
}

void DecoderPrograms::Check(const Board& board) const {
  for (const Decoder& decoder : decoders_) {
    SCOPED_TRACE(decoder.name);
    // As decoder_main.cpp reads them: tokens to write, and a prompt of one.
    const int32_t request[16] = {decoder.tokens, 1, 1};
    const BoardRun run = RunOn(board, programs_.ProgramOf(decoder.name + "_cpp"),
                               {reinterpret_cast<const char*>(request), sizeof request});
    if (run.figures.empty()) continue;
    const std::string expected = ByInterpreter(decoder);
    EXPECT_TRUE(run.outputs == expected) << "other tokens than on this machine";
    if (decoder.shows_letters) {
      EXPECT_EQ(run.text.substr(0, run.text.find('\n')), LettersOf(expected));
    }
    std::printf("%s %s: flash %" PRIu64 " beside the weights' %" PRIu64 ", memory %" PRIu64 ", stack %" PRIu64
                " bytes; %" PRIu64 " instructions for the last of %d tokens\n",
                board.core, decoder.name.c_str(), run.figures.at("flash"), run.figures.at("model"),
                run.figures.at("memory"), run.figures.at("stack"), run.figures.at("instructions"),
                decoder.tokens);
    EXPECT_LE(run.figures.at("memory"), decoder.most_bytes);
    EXPECT_LE(run.figures.at("flash"), kMostFlashOfDecoder);
    EXPECT_LE(run.figures.at("stack"), kMostStackOfDecoder);
  }
}

}  // namespace micrort::test::devices
