// Networks as C++ for every microcontroller, by its compiler, whose int32_t is long.

#include <algorithm>

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/aot/networks.h"

namespace micrort::test::aot {
namespace {

// Chains of element-wise functions, each of which runs as one and ends in an output.
OnnxBuilder ElementwiseChains() {
  OnnxBuilder b;
  b.Input("x", {"1", "3", "8", "8"}).Input("i", {"4", "8"}, ::onnx::TensorProto::INT32);
  b.Floats("a", {1, 3, 1, 1}, {2, 3, 4}).Floats("c", {1, 3, 1, 1}, {1, -1, 0}).Floats("half", {}, {0.5f});
  int chains = 0;
  const auto chain = [&](const std::vector<std::string>& ops) {
    const std::string name = "chain" + std::to_string(chains++);
    std::string last = "x";
    for (size_t i = 0; i < ops.size(); ++i) {
      const std::string next = name + "_" + std::to_string(i), &op = ops[i];
      const bool is_binary = op == "Mul" || op == "Add" || op == "Sub" || op == "Div" || op == "Max" ||
                             op == "Min" || op == "Pow" || op == "PRelu";
      const std::string operand = op == "Mul" || op == "PRelu" ? "a" : op == "Pow" ? "half" : "c";
      b.Node(op, is_binary ? std::vector<std::string>{last, operand} : std::vector<std::string>{last},
             {next});
      last = next;
    }
    b.Output(last);
  };
  chain({"Mul", "Add", "Relu"});
  chain({"Sub", "Mul"});
  chain({"Abs", "Sqrt"});
  chain({"Max", "Min"});
  chain({"Tanh", "Mul"});
  chain({"HardSigmoid", "Mul", "Add"});
  chain({"Exp", "Neg", "Sigmoid"});
  chain({"Round", "Floor", "Ceil"});
  chain({"Abs", "Log", "Erf"});
  chain({"Sin", "Cos", "Softplus"});
  chain({"Abs", "Pow", "PRelu", "Elu"});
  b.Node("Add", {"i", "i"}, {"i2"}).Node("Mul", {"i2", "i"}, {"i3"}).Node("Neg", {"i3"}, {"integers"});
  b.Output("integers");
  return b;
}

struct Core {
  std::string target, flags;
};
void PrintTo(const Core& core, std::ostream* out) { *out << core.target; }

struct BoardNetwork {
  std::string name;
  OnnxBuilder (*make)();
  std::vector<std::string> flags;
};
void PrintTo(const BoardNetwork& network, std::ostream* out) { *out << network.name; }

class EmitForBoard : public EmitCpp, public ::testing::WithParamInterface<std::tuple<BoardNetwork, Core>> {};

TEST_P(EmitForBoard, CompilesWithoutWarnings) {
  if (RunCommand({"sh", "-c", "arm-none-eabi-g++ --version"}).exit_code != 0)
    GTEST_SKIP() << "skipped: no arm-none-eabi-g++";
  const auto& [network, core] = GetParam();
  WriteFile(model_, network.make().Bytes());
  std::vector<std::string> flags = {"--thread-pool", "none", "--target", core.target};
  flags.insert(flags.end(), network.flags.begin(), network.flags.end());
  Emit(model_, "ns::Net", flags);
  Shell("cd " + cpp_ + " && arm-none-eabi-g++ -std=c++17 -Os -mthumb " + core.flags +
        " -fno-exceptions -fno-rtti -Wall -Wextra -Werror -I. -I" MICRORT_SOURCE_FOLDER
        " -c net.cpp -o net.o");
}

INSTANTIATE_TEST_SUITE_P(
    All, EmitForBoard,
    ::testing::Combine(
        ::testing::Values(BoardNetwork{"chains", ElementwiseChains, {}},
                          BoardNetwork{"transformer", Transformer, {}},
                          BoardNetwork{"transformer_int8", Transformer, {"--quant", "int8"}},
                          BoardNetwork{"embedding", TiedEmbedding, {"--quant", "int8"}},
                          BoardNetwork{"mobilenet", MobilenetV2, {"--quant", "int8"}}),
        ::testing::Values(Core{"cortex-m0plus", "-mcpu=cortex-m0plus"}, Core{"cortex-m3", "-mcpu=cortex-m3"},
                          Core{"cortex-m4", "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16"},
                          Core{"cortex-m7", "-mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16"},
                          Core{"cortex-m33", "-mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16"},
                          Core{"cortex-m55", "-mcpu=cortex-m55 -mfloat-abi=hard"})),
    [](const auto& info) {
      std::string name = std::get<0>(info.param).name + "_" + std::get<1>(info.param).target;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

// Kernels of int8 layers alone would read nothing where a table's halves are.
class EmitTables : public EmitCpp {};
TEST_F(EmitTables, OfHalvesDoNotCompileWithoutLayersOfFloats) {
  WriteFile(model_, TiedEmbedding().Bytes());
  const std::string needs = "static_assert(micrort::kHasNarrowTables";
  for (const auto& [quant, is_narrow] : {std::pair<const char*, bool>{"fp16", true}, {"int8", false}}) {
    Emit(model_, "ns::Net", {"--thread-pool", "none", "--target", "cortex-m7", "--quant", quant});
    EXPECT_EQ(ReadFile(cpp_ + "/net.cpp").find(needs) != std::string::npos, is_narrow) << quant;
  }
}

}  // namespace
}  // namespace micrort::test::aot
