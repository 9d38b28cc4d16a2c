// Decoders whose caches are rings, as C++: the bits of the interpreter, and no position that a ring has lost.

#include <algorithm>

#include "micrort/micrort.h"
#include "tests/aot/emit_cpp_fixture.h"

namespace micrort::test::aot {
namespace {

constexpr int kRuns = 24, kWindow = 5, kRows = 8;

struct RingsCase {
  const char* type;
  int tokens;  // of a run
  bool rotates;
};

class EmitRings : public EmitCpp, public ::testing::WithParamInterface<RingsCase> {
 protected:
  // GroupQueryAttention between products, of four heads of eight, of which two share keys and values.
  static OnnxBuilder Decoder(int tokens, bool rotates) {
    OnnxBuilder b(17);
    auto* contrib = b.model.add_opset_import();
    contrib->set_domain("com.microsoft");
    contrib->set_version(1);
    b.Input("x", {"1", std::to_string(tokens), "32"});
    b.Integers("last", {1, 1}, {tokens - 1}).Integers("total", {}, {tokens});
    for (const char* past : {"past_key", "past_value"}) b.Input(past, {"1", "2", "past", "8"});
    b.Weights("wq", {32, 32}).Weights("wk", {32, 16}).Weights("wv", {32, 16});
    b.Weights("cos", {100, 4}).Weights("sin", {100, 4});
    b.Node("MatMul", {"x", "wq"}, {"q"})
        .Node("MatMul", {"x", "wk"}, {"k"})
        .Node("MatMul", {"x", "wv"}, {"v"});
    std::vector<std::string> inputs = {"q", "k", "v", "past_key", "past_value", "last", "total"};
    if (rotates) inputs.insert(inputs.end(), {"cos", "sin"});
    b.Node("GroupQueryAttention", inputs, {"seen", "present_key", "present_value"});
    b.graph().mutable_node(b.graph().node_size() - 1)->set_domain("com.microsoft");
    b.Int("num_heads", 4).Int("kv_num_heads", 2).Int("do_rotary", rotates ? 1 : 0);
    b.Int("local_window_size", kWindow).Float("scale", 0.01f);
    b.Weights("wo", {32, 32}).Node("MatMul", {"seen", "wo"}, {"y"});
    return b.Output("y").Output("present_key").Output("present_value");
  }

  static std::vector<std::string> Flags() {
    return {"--kv-cache", "90",           "--kv-chunk", std::to_string(kRows - kWindow + 1),
            "--kv-type",  GetParam().type};
  }

  // y of runs, by the interpreter.
  std::string Expected() {
    std::vector<std::string> convert = {model_, "-o", folder_ / "model.fb", "--quiet"};
    for (const std::string& flag : Flags()) convert.push_back(flag);
    EXPECT_EQ(RunProgram("mnnconvert", convert).exit_code, 0);
    auto model = Model::FromFile((folder_ / "model.fb").c_str());
    EXPECT_TRUE(model.ok());
    auto interpreter = Interpreter::Create(*model);
    EXPECT_TRUE(interpreter.ok());
    EXPECT_EQ(interpreter->state(1).shape[1], kRows);
    std::string all;
    for (int t = 0; t < kRuns; ++t) {
      for (int i = 0; i < GetParam().tokens * 32; ++i)
        interpreter->input(0).as<float>()[i] = static_cast<float>((t * 37 + i * 11) % 19 - 9) / 8;
      EXPECT_TRUE(interpreter->Run().ok());
      all += BytesOf(interpreter->output(0));
    }
    return all;
  }

  // A class and a main() of `body`, which has Net, net, out, kTokens and Run(net, t, out).
  std::string Build(const std::string& body) {
    Emit(model_, "ns::Net", Flags());
    WriteFile(cpp_ + "/main.cpp", R"(#include "net.h"
      #include <cstdio>
      #include <cstring>
      #include <initializer_list>
      using ns::Net;
      constexpr int kTokens = )" + std::to_string(GetParam().tokens) +
                                      R"(, kRuns = )" + std::to_string(kRuns) + R"(;
      static bool Run(Net& net, int t, std::FILE* out) {
        for (int i = 0; i < kTokens * 32; ++i)
          net.arg_x_data()[i] = static_cast<float>((t * 37 + i * 11) % 19 - 9) / 8;
        if (!net.Run()) return false;
        if (out != nullptr) std::fwrite(net.result_y_data(), sizeof(float), kTokens * 32, out);
        return true;
      }
      int main(int, char** files) {
        Net net;
        std::FILE* const out = std::fopen(files[1], "wb");
)" + body + "return std::fclose(out); }");
    return Compile("main.cpp net.cpp net_weights.S");
  }
};

// A ring that wraps, and a second sequence.
TEST_P(EmitRings, GiveTheBitsOfTheInterpreter) {
  WriteFile(model_, Decoder(GetParam().tokens, GetParam().rotates).Bytes());
  const std::string expected = Expected();
  const std::string program = Build("constexpr int kRowsOfHeads = " +
                                    std::to_string(2 * kRows * (GetParam().type[0] == 'i' ? 12 : 8)) + R"(;
    if (net.var1_count() != kRowsOfHeads) return 1;
    for (int sequence = 0; sequence < 2; ++sequence) {
      net.ResetState();
      for (int t = 0; t < kRuns; ++t) {
        if (!Run(net, t, out)) return 2;
        if (net.var_kv_length(0) != (t + 1) * kTokens) return 3;
      }
    }
)");
  Shell(program + " " + (folder_ / "y.bin"));
  EXPECT_TRUE(ReadFile(folder_ / "y.bin") == expected + expected);
}

// What comes after a length that was set back is what came before; a length whose tokens are gone is an
// error, and so is one that no cache has.
TEST_P(EmitRings, GoBackAsFarAsTheRingHasRows) {
  WriteFile(model_, Decoder(GetParam().tokens, GetParam().rotates).Bytes());
  const std::string expected = Expected();
  const std::string program = Build(R"(
    const int back = 4 / kTokens, first = kRuns - back;  // runs
    for (int t = 0; t < kRuns; ++t) {
      if (!Run(net, t, nullptr)) return 1;
    }
    net.var_kv_length(0) = kRuns * kTokens - 5;
    if (Run(net, 0, nullptr) || std::strstr(net.error_msg(), "lost rows") == nullptr) return 2;
    net.var_kv_length(0) = first * kTokens;
    for (int t = first; t < kRuns; ++t) {
      if (!Run(net, t, out)) return 3;
    }
    for (const int64_t length : {int64_t{-1}, int64_t{90}, INT64_MAX, INT64_MIN}) {
      net.var_kv_length(0) = length;
      if (Run(net, 0, nullptr)) return 4;
    }
    net.var_kv_length(0) = 0;
    for (int t = 0; t < first; ++t) {
      if (!Run(net, t, nullptr)) return 5;
    }
    for (int t = first; t < kRuns; ++t) {
      if (!Run(net, t, out)) return 6;
    }
)");
  Shell(program + " " + (folder_ / "y.bin"));
  const int tokens = GetParam().tokens, runs = 4 / tokens;
  const size_t bytes = static_cast<size_t>(tokens * 32 * runs) * sizeof(float);
  const std::string last = expected.substr(expected.size() - bytes);
  EXPECT_TRUE(ReadFile(folder_ / "y.bin") == last + last);
}

INSTANTIATE_TEST_SUITE_P(Types, EmitRings,
                         ::testing::Values(RingsCase{"f32", 1, true}, RingsCase{"f32", 3, false},
                                           RingsCase{"f16", 3, true}, RingsCase{"int8", 1, false},
                                           RingsCase{"int8", 3, true}));

}  // namespace
}  // namespace micrort::test::aot
