// What a file of so many names, entries, fields or nodes costs grows with their number: sizes at which the
// square of it would take minutes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test::costs {
namespace {

using ::micrort::testing::OnnxBuilder;
using ::testing::AnyOf;

// Seconds of a processor; each takes a small part of them.
constexpr ProcessLimits kLimits = {uint64_t{4} << 30, 20};

std::string Times(int count, const std::function<std::string(int)>& part) {
  std::string all;
  for (int i = 0; i < count; ++i) all += part(i);
  return all;
}

class UntrustedCosts : public ::testing::Test {
 protected:
  void ExpectEnd(const std::string& program, const std::vector<std::string>& arguments) {
    const ProcessResult r = RunProgram(program, arguments, kLimits);
    EXPECT_THAT(r.exit_code, AnyOf(0, 1, 2, 3))
        << program << " " << arguments[1] << ": " << r.err.substr(0, 500);
  }

  // Converted with more flags, and looked at and run where that went well.
  void ExpectEndOfAll(const std::string& file, const std::string& bytes,
                      const std::vector<std::string>& flags = {}) {
    SCOPED_TRACE(file);
    WriteFile(folder_ / file, bytes);
    const std::string model = folder_ / (file + ".fb");
    std::vector<std::string> convert = {folder_ / file, "-o", model, "--quiet"};
    convert.insert(convert.end(), flags.begin(), flags.end());
    ExpectEnd("mnnconvert", convert);
    if (ReadFile(model).empty()) return;
    for (const std::vector<std::string>& how : {std::vector<std::string>{"--json"},
                                                {"--plan"},
                                                {"--program"},
                                                {"--dot"},
                                                {"--onnx", folder_ / "0"}}) {
      std::vector<std::string> arguments = {model};
      arguments.insert(arguments.end(), how.begin(), how.end());
      ExpectEnd("micrort-info", arguments);
    }
    ExpectEnd("micrort-run", {model, "--json", "-"});
    ExpectEnd("micrort-run", {model, "--output-dir", folder_ / "0_outputs"});
  }

  const TemporaryFolder folder_;
};

OnnxBuilder Relu() {
  OnnxBuilder b;
  b.Input("x", {"4"}).Node("Relu", {"x"}, {"y"}).Output("y");
  return b;
}

TEST_F(UntrustedCosts, OfMetadata) {
  OnnxBuilder b = Relu();
  for (int i = 0; i < 200000; ++i) {
    auto* entry = b.model.add_metadata_props();
    entry->set_key("key" + std::to_string(i));
    entry->set_value("value");
  }
  ExpectEndOfAll("metadata.onnx", b.Bytes());
}

TEST_F(UntrustedCosts, OfOutputsAndInputs) {
  OnnxBuilder apart = Relu(), alike = Relu(), inputs = Relu();
  for (int i = 0; i < 3000; ++i) {
    const std::string n = std::to_string(i);
    apart.Node("Relu", {"x"}, {"y" + n}).Output("y" + n);
    // The same, once they are names of files.
    const std::string name = std::string(120, '/') + n;
    alike.Node("Relu", {"x"}, {name}).Output(name);
    inputs.Input("x" + n, {"4"});
  }
  ExpectEndOfAll("outputs.onnx", apart.Bytes());
  ExpectEndOfAll("files.onnx", alike.Bytes());
  ExpectEndOfAll("inputs.onnx", inputs.Bytes());
}

TEST_F(UntrustedCosts, OfConstantsThatAreAdded) {
  OnnxBuilder b;
  b.Input("x", {"4"}).Floats("c", {4}, {1, 2, 3, 4});
  std::string last = "x";
  for (int i = 0; i < 20000; ++i) {
    const std::string next = "a" + std::to_string(i);
    b.Node("Add", {last, "c"}, {next});
    last = next;
  }
  ExpectEndOfAll("chain.onnx", b.Output(last).Bytes());
}

TEST_F(UntrustedCosts, OfConstantsOfOneSum) {
  OnnxBuilder b;
  b.Input("x", {"4"}).Floats("c", {4}, {1, 2, 3, 4});
  std::vector<std::string> terms(20000, "c");
  terms.push_back("x");
  ExpectEndOfAll("sum.onnx", b.Node("Sum", terms, {"y"}).Output("y").Bytes());
}

// Each is required to be as long as the others.
TEST_F(UntrustedCosts, OfOpenInputs) {
  OnnxBuilder b;
  std::vector<std::string> terms;
  for (int i = 0; i < 6000; ++i) {
    const std::string n = std::to_string(i);
    b.Input("x" + n, {"n" + n});
    terms.push_back("x" + n);
  }
  ExpectEndOfAll("open.onnx", b.Node("Sum", terms, {"y"}).Output("y").Bytes());
}

// Their Transposes cancel in places far from each other.
TEST_F(UntrustedCosts, OfLayers) {
  OnnxBuilder b;
  b.Input("x", {"1", "2", "2", "2"}).Floats("w", {2, 2, 1, 1}, {1, 2, 3, 4});
  std::string last = "x";
  for (int i = 0; i < 4000; ++i) {
    const std::string n = std::to_string(i);
    b.Node("Conv", {last, "w"}, {"c" + n}).Node("Relu", {"c" + n}, {"r" + n});
    last = "r" + n;
  }
  ExpectEndOfAll("layers.onnx", b.Output(last).Bytes());
}

TEST_F(UntrustedCosts, OfText) {
  const std::string input = "input: \"x\" input_dim: 1 input_dim: 1 input_dim: 2 input_dim: 2\n";
  const std::string relu = "layer { name: \"l\" type: \"ReLU\" bottom: \"x\" top: \"y\" ";
  const auto numbered = [](const char* before, const char* after) {
    return [before, after](int i) { return before + std::to_string(i) + after; };
  };
  ExpectEndOfAll(
      "layers.prototxt",
      input + Times(20000, numbered("layer { name: \"l", "\" type: \"ReLU\" bottom: \"x\" top: \"x\" }\n")));
  ExpectEndOfAll("fields.prototxt", input + relu + "}" + Times(200000, numbered("unknown", ": 1\n")));
  ExpectEndOfAll("messages.prototxt",
                 input + relu + Times(200000, numbered("acme_param { a: ", " }\n")) + "}");
  ExpectEndOfAll("dimensions.prototxt", input + Times(200000, numbered("input_dim: ", "\n")) + relu + "}");
  ExpectEndOfAll("texts.prototxt", "name: " + Times(200000, numbered("\"a", "\" ")) + input + relu + "}");
  ExpectEndOfAll("deep.prototxt", input + Times(200000, [](int) { return "acme { "; }));
}

TEST_F(UntrustedCosts, OfJson) {
  const auto expect_end = [this](const std::string& json) {
    WriteFile(folder_ / "0.json", json);
    ExpectEndOfAll("relu.onnx", Relu().Bytes(), {"--quant", "int8", "--layer-types", folder_ / "0.json"});
  };
  const auto layer = [](int i) { return (i == 0 ? "\"y" : ",\"y") + std::to_string(i) + "\":\"float32\""; };
  expect_end("{\"layers\":{" + Times(200000, layer) + "}}");
  expect_end(std::string(1000000, '['));
  expect_end(Times(100000, [](int) { return "{\"layers\":"; }));
  expect_end("{\"layers\":{\"" + std::string(1 << 24, 'a') + "\":\"float32\"}}");
}

}  // namespace
}  // namespace micrort::test::costs
