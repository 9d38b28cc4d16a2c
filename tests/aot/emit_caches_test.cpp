// Decoders that append to caches, as C++: the bits of the interpreter, token after token.

#include <algorithm>

#include "micrort/micrort.h"
#include "tests/aot/emit_cpp_fixture.h"
#include "tests/programs/stories.h"

namespace micrort::test::aot {
namespace {

constexpr int kTokensOfRoom = 6;

class EmitCaches : public EmitCpp {
 protected:
  // One token with 32 numbers, four heads of eight, of which two share keys and values: past and present of
  // an Attention between products.
  static OnnxBuilder Decoder() {
    OnnxBuilder b(23);
    b.Input("x", {"1", "1", "32"});
    for (const char* past : {"past_key", "past_value"}) b.Input(past, {"1", "2", "past", "8"});
    b.Weights("wq", {32, 32}).Weights("wk", {32, 16}).Weights("wv", {32, 16});
    b.Node("MatMul", {"x", "wq"}, {"q"})
        .Node("MatMul", {"x", "wk"}, {"k"})
        .Node("MatMul", {"x", "wv"}, {"v"});
    b.Node("Attention", {"q", "k", "v", "", "past_key", "past_value"},
           {"seen", "present_key", "present_value"});
    b.Int("is_causal", 1).Int("q_num_heads", 4).Int("kv_num_heads", 2).Float("scale", 0.01f);
    b.Weights("wo", {32, 32}).Node("MatMul", {"seen", "wo"}, {"y"});
    return b.Output("y").Output("present_key").Output("present_value");
  }

  // The same by GroupQueryAttention, which turns queries and keys by their positions in the cache.
  static OnnxBuilder Rotating(int64_t window, float softcap) {
    OnnxBuilder b(17);
    auto* contrib = b.model.add_opset_import();
    contrib->set_domain("com.microsoft");
    contrib->set_version(1);
    b.Input("x", {"1", "1", "32"}).Integers("last", {1, 1}, {0}).Integers("total", {}, {1});
    for (const char* past : {"past_key", "past_value"}) b.Input(past, {"1", "2", "past", "8"});
    b.Weights("wq", {32, 32}).Weights("wk", {32, 16}).Weights("wv", {32, 16});
    b.Weights("cos", {8, 4}).Weights("sin", {8, 4});
    b.Node("MatMul", {"x", "wq"}, {"q"})
        .Node("MatMul", {"x", "wk"}, {"k"})
        .Node("MatMul", {"x", "wv"}, {"v"});
    b.Node("GroupQueryAttention", {"q", "k", "v", "past_key", "past_value", "last", "total", "cos", "sin"},
           {"seen", "present_key", "present_value"});
    b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("com.microsoft");
    b.Int("num_heads", 4).Int("kv_num_heads", 2).Int("do_rotary", 1).Int("local_window_size", window);
    if (softcap != 0) b.Float("softcap", softcap).Int("smooth_softmax", 1);
    b.Float("scale", 0.01f).Weights("wo", {32, 32}).Node("MatMul", {"seen", "wo"}, {"y"});
    return b.Output("y").Output("present_key").Output("present_value");
  }

  // Of token t.
  static std::vector<float> Token(int t) {
    std::vector<float> x(32);
    for (int i = 0; i < 32; ++i)
      x[static_cast<size_t>(i)] = static_cast<float>((t * 37 + i * 11) % 19 - 9) / 8;
    return x;
  }

  // y of all tokens, by the interpreter.
  std::string Expected(const std::string& capacity, const std::string& type = "f32") {
    EXPECT_EQ(RunProgram("mnnconvert", {model_, "-o", folder_ / "model.fb", "--quiet", "--kv-cache", capacity,
                                        "--kv-type", type})
                  .exit_code,
              0);
    auto model = Model::FromFile((folder_ / "model.fb").c_str());
    EXPECT_TRUE(model.ok());
    auto interpreter = Interpreter::Create(*model);
    EXPECT_TRUE(interpreter.ok());
    std::string all;
    for (int t = 0; t < kTokensOfRoom; ++t) {
      const std::vector<float> x = Token(t);
      std::copy(x.begin(), x.end(), interpreter->input(0).as<float>());
      EXPECT_TRUE(interpreter->Run().ok());
      all += BytesOf(interpreter->output(0));
    }
    return all;
  }
};

struct CachesCase {
  bool rotates;
  const char* type;
  int64_t window = -1;  // of those that rotate
  float softcap = 0;    // of these; not 0: with sinks, too
};
class EmitCachesOf : public EmitCaches, public ::testing::WithParamInterface<CachesCase> {};

// Twice, the second time from ResetState() on; a token more finds no room, and is an error that changes
// nothing.
TEST_P(EmitCachesOf, GiveTheBitsOfTheInterpreter) {
  WriteFile(model_,
            (GetParam().rotates ? Rotating(GetParam().window, GetParam().softcap) : Decoder()).Bytes());
  const std::string expected = Expected("6", GetParam().type);
  Emit(model_, "ns::Net", {"--kv-cache", "6", "--kv-type", GetParam().type});
  WriteFile(cpp_ + "/main.cpp", R"(#include "net.h"
    #include <cstdio>
    #include <cstring>
    int main(int, char** files) {
      ns::Net net;
      std::FILE* const out = std::fopen(files[1], "wb");
      for (int sequence = 0; sequence < 2; ++sequence) {
        net.ResetState();
        for (int t = 0; t < 6; ++t) {
          for (int i = 0; i < 32; ++i) net.arg_x(0, 0, i) = static_cast<float>((t * 37 + i * 11) % 19 - 9) / 8;
          if (!net.Run()) return 1;
          if (net.var_kv_length(0) != t + 1) return 2;
          std::fwrite(&net.result_y(0, 0, 0), sizeof(float), 32, out);
        }
        if (net.Run() || net.var_kv_length(0) != 6) return 3;
        if (std::strstr(net.error_msg(), "no room") == nullptr) return 4;
      }
      return std::fclose(out);
    })");
  Shell(Compile("main.cpp net.cpp net_weights.S") + " " + (folder_ / "y.bin"));
  EXPECT_TRUE(ReadFile(folder_ / "y.bin") == expected + expected);
}

INSTANTIATE_TEST_SUITE_P(Types, EmitCachesOf,
                         ::testing::Values(CachesCase{false, "f32"}, CachesCase{false, "f16"},
                                           CachesCase{false, "int8"}, CachesCase{true, "f32"},
                                           CachesCase{true, "int8"}, CachesCase{true, "f32", 3},
                                           CachesCase{true, "int8", 4}, CachesCase{true, "f32", -1, 2},
                                           CachesCase{true, "f16", 3, 0.5f}));

// Caches keep their capacity where other open sizes are fixed at 1, and attention of one query links no more
// than it needs.
TEST_F(EmitCaches, AreForMicrocontrollers) {
  WriteFile(model_, Rotating(-1, 0).Bytes());
  for (const auto& [type, attend] : {std::pair<const char*, const char*>{"f32", "micrort::AttendFew("},
                                     {"int8", "micrort::AttendFewNarrow("}}) {
    Emit(model_, "ns::Net",
         {"--kv-cache", "6", "--kv-type", type, "--quant", "int8", "--target", "cortex-m7", "--thread-pool",
          "none"});
    const std::string code = ReadFile(cpp_ + "/net.cpp");
    EXPECT_NE(code.find(attend), std::string::npos);
    EXPECT_EQ(code.find("micrort::Attention("), std::string::npos);
  }
}

// The first tokens stay, and others come behind them.
TEST_F(EmitCaches, GoBackToALength) {
  WriteFile(model_, Decoder().Bytes());
  const std::string expected = Expected("8");
  Emit(model_, "ns::Net", {"--kv-cache", "8"});
  WriteFile(cpp_ + "/main.cpp", R"(#include "net.h"
    #include <cstdio>
    int main(int, char** files) {
      ns::Net net;
      std::FILE* const out = std::fopen(files[1], "wb");
      const int tokens[] = {0, 1, 2, 5, 4, -1, 3, 4, 5};
      for (const int t : tokens) {
        if (t < 0) net.var_kv_length(0) = 3;
        for (int i = 0; i < 32; ++i) net.arg_x(0, 0, i) = static_cast<float>((t * 37 + i * 11) % 19 - 9) / 8;
        if (t >= 0 && !net.Run()) return 1;
        if (t >= 0) std::fwrite(&net.result_y(0, 0, 0), sizeof(float), 32, out);
      }
      return std::fclose(out);
    })");
  Shell(Compile("main.cpp net.cpp net_weights.S") + " " + (folder_ / "y.bin"));
  const std::string found = ReadFile(folder_ / "y.bin");
  constexpr size_t kToken = 32 * sizeof(float);
  ASSERT_EQ(found.size(), 8 * kToken);
  EXPECT_TRUE(found.substr(0, 3 * kToken) == expected.substr(0, 3 * kToken));
  EXPECT_TRUE(found.substr(5 * kToken) == expected.substr(3 * kToken));
}

// The tokens of stories260K that are the most probable, by the interpreter and by a program.
class EmitStories : public EmitCpp {
 protected:
  static constexpr int kTokens = 256;

  static std::string ByInterpreter(const std::string& file) {
    auto model = Model::FromFile(file.c_str());
    EXPECT_TRUE(model.ok());
    auto interpreter = Interpreter::Create(*model);
    EXPECT_TRUE(interpreter.ok());
    std::string all;
    int64_t token = 1;
    for (int t = 0; t < kTokens; ++t) {
      *interpreter->input(0).as<int64_t>() = token;
      if (interpreter->input_count() > 1) *interpreter->input(1).as<int64_t>() = t;
      EXPECT_TRUE(interpreter->Run().ok());
      const TensorView logits = interpreter->output(0);
      const auto* const first = logits.as<float>();
      token = std::max_element(first, first + logits.elements()) - first;
      all += std::to_string(token) + "\n";
    }
    return all;
  }

  void ExpectSame(const std::string& form, const std::string& type) {
    const std::vector<std::string> flags = {"--kv-cache", std::to_string(kTokens), "--kv-type", type};
    const std::string onnx = folder_ / "models/stories_" + form + ".onnx", file = folder_ / "model.fb";
    std::vector<std::string> convert = {onnx, "-o", file, "--quiet"};
    convert.insert(convert.end(), flags.begin(), flags.end());
    ASSERT_EQ(RunProgram("mnnconvert", convert).exit_code, 0);
    Emit(onnx, "ns::Net", flags);
    WriteFile(cpp_ + "/main.cpp", R"(#include "net.h"
      #include <algorithm>
      #include <cstdio>
      int main() {
        ns::Net net;
        int64_t token = 1;
        for (int t = 0; t < 256; ++t) {
          *static_cast<int64_t*>(net.arg_data(0)) = token;
          if (net.kNumArgs > 1) *static_cast<int64_t*>(net.arg_data(1)) = t;
          if (!net.Run()) return 1;
          const float* const logits = net.result_logits_data();
          token = std::max_element(logits, logits + net.result_logits_count()) - logits;
          std::printf("%d\n", static_cast<int>(token));
        }
        return net.Run() ? 2 : 0;
      })");
    EXPECT_EQ(Shell(Compile("main.cpp net.cpp net_weights.S")), ByInterpreter(file)) << form << " " << type;
  }
};

TEST_F(EmitStories, TellWhatTheInterpreterTells) {
  MICRORT_NEEDS_MODEL_DATA();
  if (!WriteStories(folder_.path())) GTEST_SKIP() << "skipped: no python3-onnx";
  for (const char* type : {"f32", "f16", "int8"}) ExpectSame("gqa", type);
  for (const char* type : {"f32", "int8"}) ExpectSame("attn23", type);
}

}  // namespace
}  // namespace micrort::test::aot
