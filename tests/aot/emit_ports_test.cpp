// Names of arguments, results and variables of emitted C++.

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::test::aot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EmitPorts : public EmitCpp {
 protected:
  // Emits and compiles it with a `main` of this body, which sees `net`.
  void ExpectRuns(const std::string& model, const std::string& body,
                  const std::vector<std::string>& flags = {}) {
    std::vector<std::string> all = {model, "-o", cpp_, "--emit", "cpp", "--cpp-class", "ns::Net"};
    all.insert(all.end(), flags.begin(), flags.end());
    const ProcessResult result = RunProgram("mnnconvert", all);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, Not(HasSubstr("is called")));
    WriteFile(cpp_ + "/main.cpp",
              "#include \"net.h\"\n#include <cstring>\nstatic ns::Net net;\nint main() {\n" + body +
                  "\nreturn 0; }\n");
    Shell(Compile("main.cpp net.cpp net_weights.S"));
  }
};

// A GraphDef of y = x * w, where w += x before, in the order of tfcompile's examples.
constexpr char kAccumulates[] = R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "w" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "k" op: "VarHandleOp" attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "shape" value { shape { dim { size: 2 } } } } }
node { name: "add" op: "AssignAddVariableOp" input: "w" input: "x" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "r" op: "ReadVariableOp" input: "w" input: "^add" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "rk" op: "ReadVariableOp" input: "k" attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "scaled" op: "Mul" input: "r" input: "rk" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "y" op: "Mul" input: "x" input: "scaled" attr { key: "T" value { type: DT_FLOAT } } }
)";
constexpr char kConfig[] = R"(
feed { id { node_name: "x" } shape { dim { size: 2 } } name: "value" }
fetch { id { node_name: "y" } name: "value" }
variable { node_name: "w" name: "weights" shape { dim { size: 2 } } type: DT_FLOAT }
variable { node_name: "k" shape { dim { size: 2 } } type: DT_FLOAT readonly: true }
)";

TEST_F(EmitPorts, VariablesOfTfcompile) {
  WriteFile(folder_ / "graph.pbtxt", kAccumulates);
  WriteFile(folder_ / "config.pbtxt", kConfig);
  ExpectRuns(folder_ / "graph.pbtxt", R"(
    static_assert(ns::Net::kNumArgs == 1 && ns::Net::kNumResults == 1);
    if (net.var_weights(1) != 0 || net.var_k_count() != 2) return 1;  // nobody gave them values
    net.var_k(0) = 1;
    net.var_k(1) = 10;
    net.var_weights(0) = 5;
    for (int run = 1; run <= 3; ++run) {
      net.arg_value(0) = 2;
      net.arg_value(1) = 3;
      if (!net.Run()) return 2;
      if (net.var_weights(0) != 5 + 2 * static_cast<float>(run)) return 3;
      if (net.result_value(0) != 2 * net.var_weights(0) || net.result_value(1) != 30 * net.var_weights(1)) return 4;
      if (net.var_k(1) != 10) return 5;
    }
    net.ResetState();
    if (net.var_weights(0) != 0 || net.var_k(1) != 0) return 6;)",
             {"--config", folder_ / "config.pbtxt"});
}

TEST_F(EmitPorts, ResultsCalledAsArgumentsAre) {
  OnnxBuilder same;  // an argument as it came
  same.Input("x", {"2"}).Node("Neg", {"x"}, {"y"}).Output("x").Output("y");
  WriteFile(model_, same.Bytes());
  ExpectRuns(model_, R"(
    net.arg_x(1) = 7;
    if (!net.Run() || net.result_x(1) != 7 || net.result_y(1) != -7) return 1;
    if (net.LookupResultIndex("x") != 0 || net.LookupArgIndex("x") != 0) return 2;)");
}

TEST_F(EmitPorts, ResultsOfTflite) {
  testing::TfliteBuilder b;
  const int x = b.Input("x", {2}), y = b.Tensor("y", {2});
  b.Op("NEG", {x}, {y});
  b.Output(y).Output(x);
  WriteFile(folder_ / "x.tflite", b.Bytes());
  ExpectRuns(folder_ / "x.tflite", R"(
    net.arg_x(1) = 7;
    if (!net.Run() || net.result_y(1) != -7 || net.result_x(1) != 7) return 1;
    if (net.LookupResultIndex("x") != 1) return 2;)");
}

TEST_F(EmitPorts, ResultsOfCaffe) {
  WriteFile(folder_ / "net.prototxt", R"(
    input: "x" input_shape { dim: 1 dim: 2 }
    layer { name: "relu" type: "ReLU" bottom: "x" top: "x" })");
  ExpectRuns(folder_ / "net.prototxt", R"(
    net.arg_x(0, 0) = -7;
    net.arg_x(0, 1) = 7;
    if (!net.Run() || net.result_x(0, 0) != 0 || net.result_x(0, 1) != 7) return 1;)");
}

// Two results of one name are told apart.
TEST_F(EmitPorts, ResultsOfOneNameAreToldApart) {
  testing::TfliteBuilder b;
  const int x = b.Input("x", {2}), y = b.Tensor("z", {2}), z = b.Tensor("z", {2});
  b.Op("NEG", {x}, {y});
  b.Op("ABS", {x}, {z});
  b.Output(y).Output(z);
  WriteFile(folder_ / "x.tflite", b.Bytes());
  std::vector<std::string> flags = {folder_ / "x.tflite", "-o",     cpp_, "--emit", "cpp",
                                    "--cpp-class",        "ns::Net"};
  const ProcessResult result = RunProgram("mnnconvert", flags);
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("output 'z' is called 'z_1'"));
  const std::string header = ReadFile(cpp_ + "/net.h");
  EXPECT_THAT(header, HasSubstr("kResultNames[] = {\"z\", \"z_1\"}"));
}

}  // namespace
}  // namespace micrort::test::aot
