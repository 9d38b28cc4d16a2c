// Small files of so many operators, statements or open dimensions that no program would load what they
// become: they are refused, with what was expected and found, before they have taken long.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/converter/onnx_builder.h"
#include "tests/converter/tflite_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tests/tools/zip_writer.h"

namespace micrort::test::chains {
namespace {

using ::micrort::testing::OnnxBuilder;
using ::micrort::testing::TfliteBuilder;
using ::testing::HasSubstr;

// Each takes a second or two of a processor that does nothing else; time that grows with the square, minutes.
constexpr ProcessLimits kLimits = {uint64_t{1} << 30, 20};
constexpr int kNodes = 60000;
const char kRefusal[] = "expected at most 16384 operators, found 60000";

std::string Number(int i) { return std::to_string(i); }

class UntrustedChains : public ::testing::Test {
 protected:
  ProcessResult Convert(const std::string& file, const std::string& bytes,
                        const std::vector<std::string>& flags = {}) {
    WriteFile(folder_ / file, bytes);
    std::vector<std::string> arguments = {folder_ / file, "-o", folder_ / "out.fb", "--quiet"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return RunProgram("mnnconvert", arguments, kLimits);
  }

  // Refused, or converted where the message is "".
  void ExpectRefused(const std::string& file, const std::string& bytes, const std::string& message,
                     const std::vector<std::string>& flags = {}) {
    const ProcessResult r = Convert(file, bytes, flags);
    EXPECT_EQ(r.exit_code, message.empty() ? 0 : 3) << file << ": " << r.err.substr(0, 500);
    EXPECT_THAT(r.err, HasSubstr(message)) << file;
  }

  const TemporaryFolder folder_;
};

std::string OnnxChain(const std::string& op, const std::vector<std::string>& more = {}) {
  OnnxBuilder b;
  b.Input("x", {"4"}).Floats("c", {4}, {1, 2, 3, 4});
  std::string last = "x";
  for (int i = 0; i < kNodes; ++i) {
    std::vector<std::string> inputs = {last};
    inputs.insert(inputs.end(), more.begin(), more.end());
    last = "a" + Number(i);
    b.Node(op, inputs, {last});
  }
  return b.Output(last).Bytes();
}

TEST_F(UntrustedChains, OfOnnx) {
  ExpectRefused("relu.onnx", OnnxChain("Relu"), kRefusal);
  ExpectRefused("add.onnx", OnnxChain("Add", {"x"}), kRefusal);
  // These become one operator, or two.
  ExpectRefused("identity.onnx", OnnxChain("Identity"), "");
  ExpectRefused("sum.onnx", OnnxChain("Add", {"c"}), "");
  ExpectRefused("product.onnx", OnnxChain("Mul", {"c"}), "");
}

// Where they compute the same, each is found in the first one, which cannot take a second name.
TEST_F(UntrustedChains, OfOnnxOutputs) {
  for (const char* op : {"Relu", "Identity"}) {
    OnnxBuilder b;
    b.Input("x", {"4"});
    for (int i = 0; i < kNodes; ++i) b.Node(op, {"x"}, {"y" + Number(i)}).Output("y" + Number(i));
    ExpectRefused(std::string(op) + ".onnx", b.Bytes(), kRefusal);
  }
}

TEST_F(UntrustedChains, OfCaffe) {
  std::string net = "input: \"x\" input_dim: 1 input_dim: 1 input_dim: 2 input_dim: 2\n", last = "x";
  for (int i = 0; i < kNodes; ++i) {
    const std::string next = "y" + Number(i);
    net += "layer { name: \"" + next + "\" type: \"ReLU\" bottom: \"" + last + "\" top: \"" + next + "\" }\n";
    last = next;
  }
  ExpectRefused("relu.prototxt", net, kRefusal);
}

TEST_F(UntrustedChains, OfTensorflow) {
  std::string graph =
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } "
      "attr { key: 'shape' value { shape { dim { size: 4 } } } } }\n";
  std::string last = "x";
  for (int i = 0; i < kNodes; ++i) {
    const std::string next = "y" + Number(i);
    graph += "node { name: '" + next + "' op: 'Relu' input: '" + last +
             "' attr { key: 'T' value { type: DT_FLOAT } } }\n";
    last = next;
  }
  ExpectRefused("relu.pbtxt", graph, kRefusal);
}

TEST_F(UntrustedChains, OfTflite) {
  TfliteBuilder b;
  int last = b.Input("x", {4});
  for (int i = 0; i < kNodes; ++i) {
    const int next = b.Tensor("y" + Number(i), {4});
    b.Op("RELU", {last}, {next});
    last = next;
  }
  ExpectRefused("relu.tflite", b.Output(last).Bytes(), kRefusal);
}

// What torch.jit.save writes of a module without parameters whose method has these lines.
std::string Torchscript(int count, const std::function<std::string(int)>& line) {
  std::string code =
      "class Net(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
      "  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n";
  for (int i = 0; i < count; ++i) code += "    " + line(i) + "\n";
  const std::string object = std::string("\x80\x02") + "c__torch__\nNet\n)\x81}b.";
  return testing::WriteZip({{"a/version", "3\n"},
                            {"a/data.pkl", object},
                            {"a/code/__torch__.py", code + "    return x\n"},
                            {"a/constants.pkl", "\x80\x02)."}})
      .bytes;
}

TEST_F(UntrustedChains, OfTorchscript) {
  const std::vector<std::string> shape = {"--input-shape", "#0=4"};
  ExpectRefused("chain.pt", Torchscript(kNodes, [](int) { return "x = torch.relu(x)"; }), kRefusal, shape);
  ExpectRefused("apart.pt", Torchscript(200000, [](int i) { return "x" + Number(i) + " = torch.relu(x)"; }),
                "expected at most 65536 operators", shape);
  ExpectRefused(
      "numbers.pt",
      Torchscript(200000, [](int i) { return "n" + Number(i) + " = torch.add(1, " + Number(i) + ")"; }), "",
      shape);
}

// Each dimension but the one along which they are joined has to be that of all others.
TEST_F(UntrustedChains, OfOpenDimensions) {
  OnnxBuilder joined, added;
  std::vector<std::string> inputs;
  for (int i = 0; i < 8000; ++i) {
    const std::string n = Number(i);
    inputs.push_back("x" + n);
    for (OnnxBuilder* b : {&joined, &added}) b->Input("x" + n, {"n" + n, "m" + n});
  }
  joined.Node("Concat", inputs, {"y"}).Int("axis", 1).Output("y");
  ExpectRefused("joined.onnx", joined.Bytes(), "expected at most 1024 inputs, found 8000");
  added.Node("Sum", inputs, {"y"}).Output("y");
  ExpectRefused("added.onnx", added.Bytes(), "");
}

}  // namespace
}  // namespace micrort::test::chains
