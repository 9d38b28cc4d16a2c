#include "tests/converter/caffe_net.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/kept_seeds.h"

namespace micrort::testing {

Floats CaffeValues(size_t count, uint32_t seed) {
  Floats values;
  uint32_t state = seed * 2654435761u + 12345u;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(static_cast<int>((state >> 16) % 33) - 16) / 16);
  }
  return values;
}

std::string BlobText(const std::vector<int64_t>& shape, const Floats& values) {
  std::ostringstream text;
  text << "blobs { shape {";
  for (const int64_t dim : shape) text << " dim: " << dim;
  text << " }";
  for (const float v : values) text << " data: " << v;
  text << " }\n";
  return text.str();
}

std::string InputText(const std::string& name, const std::vector<int64_t>& shape) {
  std::string text = "input: \"" + name + "\" input_shape {";
  for (const int64_t dim : shape) text += " dim: " + std::to_string(dim);
  return text + " }\n";
}

std::string LayerText(const std::string& type, const std::vector<std::string>& bottoms,
                      const std::string& rest) {
  std::string text = "layer { name: \"layer\" type: \"" + type + "\" top: \"y\"";
  for (const std::string& bottom : bottoms) text += " bottom: \"" + bottom + "\"";
  return text + " " + rest + " }\n";
}

std::string ImportedNet::outputs() {
  if (!status.ok()) return status.message();
  std::string text;
  for (const ir::ValueId id : graph().outputs) {
    const ir::Value& value = graph().value(id);
    text += (text.empty() ? "" : ", ") + value.name + " ";
    for (size_t i = 0; i < value.shape.size(); ++i) {
      text += (i == 0 ? "" : "x") + (value.shape[i] < 0 ? std::string("?") : std::to_string(value.shape[i]));
    }
  }
  return text;
}

ImportedNet ImportNet(const std::string& bytes, const frontend::ImportOptions& options) {
  KeepSeed("caffe", bytes);
  ImportedNet net;
  const Span<const uint8_t> span(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  net.status = frontend::ImportModel("net", span, frontend::SourceFormat::kCaffe, options, &net.module,
                                     &net.diagnostics);
  return net;
}

std::map<std::string, Floats> RunNet(const std::string& text, const std::map<std::string, Floats>& inputs) {
  ImportedNet net = ImportNet(text);
  std::map<std::string, Floats> outputs;
  EXPECT_TRUE(net.status.ok()) << net.message();
  if (!net.status.ok()) return outputs;
  const Status status = Evaluate(net.graph(), inputs, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

Floats RunLayer(const std::string& type, const std::vector<int64_t>& shape, const Floats& x,
                const std::string& rest) {
  return RunNet(InputText("x", shape) + LayerText(type, {"x"}, rest), {{"x", x}})["y"];
}

void ExpectAllNear(const Floats& expected, const Floats& found, float tolerance) {
  ASSERT_EQ(expected.size(), found.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(expected[i], found[i], tolerance * std::max(1.0f, std::fabs(expected[i]))) << "element " << i;
  }
}

}  // namespace micrort::testing
