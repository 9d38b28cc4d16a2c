#include "tests/converter/tensorflow_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/converter/converted.h"
#include "tests/kept_seeds.h"
#include "tests/status_matchers.h"

namespace micrort::testing {

namespace {

std::string ShapeText(const std::vector<int64_t>& shape) {
  std::string text;
  for (const int64_t d : shape) text += "dim { size: " + std::to_string(d) + " } ";
  return text;
}

}  // namespace

std::string TfNode(const std::string& name, const std::string& op, const std::vector<std::string>& inputs,
                   const std::vector<std::string>& attributes) {
  std::string text = "node { name: '" + name + "' op: '" + op + "' ";
  for (const std::string& input : inputs) text += "input: '" + input + "' ";
  for (const std::string& attribute : attributes) {
    const size_t space = attribute.find(' ');
    text += "attr { key: '" + attribute.substr(0, space) + "' value " + attribute.substr(space) + " } ";
  }
  return text + "}\n";
}

std::string TfInput(const std::string& name, const std::vector<int64_t>& shape) {
  return TfNode(name, "Placeholder", {},
                {"dtype { type: DT_FLOAT }", "shape { shape { " + ShapeText(shape) + "} }"});
}

std::string TfFloats(const std::string& name, const std::vector<int64_t>& shape, const Floats& elements) {
  std::string values;
  for (const float v : elements) {
    char text[32];
    std::snprintf(text, sizeof text, "float_val: %.9g ", static_cast<double>(v));
    values += text;
  }
  return TfNode(name, "Const", {},
                {"dtype { type: DT_FLOAT }", "value { tensor { dtype: DT_FLOAT tensor_shape { " +
                                                 ShapeText(shape) + "} " + values + "} }"});
}

std::string TfIntegers(const std::string& name, const std::vector<int32_t>& elements, bool is_scalar) {
  std::string values;
  for (const int32_t v : elements) values += "int_val: " + std::to_string(v) + " ";
  const std::string shape = is_scalar ? "" : ShapeText({static_cast<int64_t>(elements.size())});
  return TfNode(name, "Const", {},
                {"dtype { type: DT_INT32 }",
                 "value { tensor { dtype: DT_INT32 tensor_shape { " + shape + "} " + values + "} }"});
}

ImportedTf ImportTf(const std::string& bytes, const frontend::ImportOptions& options) {
  KeepSeed("graphdef", bytes);
  ImportedTf result;
  result.status = frontend::ImportModel(
      "model.pb", {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()},
      frontend::SourceFormat::kTensorflow, options, &result.module, &result.diagnostics);
  return result;
}

std::map<std::string, Floats> RunTf(const std::string& text, const std::map<std::string, Floats>& inputs,
                                    const frontend::ImportOptions& options) {
  ImportedTf imported = ImportTf(text, options);
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  std::map<std::string, Floats> outputs;
  if (!imported.status.ok()) return outputs;
  const Status status = Evaluate(imported.module.entry(), inputs, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

std::map<std::string, Floats> ConvertAndRunTf(const std::string& text,
                                              const std::map<std::string, Floats>& inputs,
                                              const frontend::ImportOptions& options) {
  ConvertOptions convert;
  for (const auto& entry : options.input_shapes) convert.input_shapes.push_back({entry.first, entry.second});
  convert.fetches = options.outputs;
  Converted converted("graph.pbtxt", text, convert);
  std::map<std::string, Floats> outputs;
  EXPECT_THAT(converted.status(), IsOk());
  if (!converted.status().ok()) return outputs;
  auto interpreter = Interpreter::Create(converted.model());
  EXPECT_THAT(interpreter.status(), IsOk());
  if (!interpreter.ok()) return outputs;
  for (size_t i = 0; i < interpreter->input_count(); ++i) {
    const TensorView view = interpreter->input(i);
    const Floats& values = inputs.at(view.name);
    EXPECT_EQ(values.size(), view.elements());
    std::copy(values.begin(), values.end(), view.as<float>());
  }
  EXPECT_THAT(interpreter->Run(), IsOk());
  for (size_t i = 0; i < interpreter->output_count(); ++i) {
    const TensorView view = interpreter->output(i);
    outputs[view.name].assign(view.as<float>(), view.as<float>() + view.elements());
  }
  return outputs;
}

}  // namespace micrort::testing
