#include "tests/converter/tflite_opinion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "converter/pipeline/pipeline.h"
#include "tests/support/random.h"

namespace micrort::testing {
namespace opinion {
namespace {

namespace fs = std::filesystem;

std::string Read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

size_t ElementBytes(fb::TensorType type) {
  switch (type) {
    case fb::TensorType::Int8:
    case fb::TensorType::UInt8:
    case fb::TensorType::Bool:
      return 1;
    case fb::TensorType::Int16:
      return 2;
    default:
      return 4;
  }
}

template <typename T>
void Append(float value, std::string* bytes) {
  const T element = static_cast<T>(value);
  bytes->append(reinterpret_cast<const char*>(&element), sizeof element);
}

void AppendElement(fb::TensorType type, float value, std::string* bytes) {
  switch (type) {
    case fb::TensorType::Int8:
      return Append<int8_t>(value, bytes);
    case fb::TensorType::UInt8:
    case fb::TensorType::Bool:
      return Append<uint8_t>(value, bytes);
    case fb::TensorType::Int16:
      return Append<int16_t>(value, bytes);
    case fb::TensorType::Int32:
      return Append<int32_t>(value, bytes);
    default:
      return Append<float>(value, bytes);
  }
}

template <typename T>
double ElementAt(const char* p) {
  T element;
  std::memcpy(&element, p, sizeof element);
  return static_cast<double>(element);
}

double ElementOf(fb::TensorType type, const char* p) {
  switch (type) {
    case fb::TensorType::Int8:
      return ElementAt<int8_t>(p);
    case fb::TensorType::UInt8:
    case fb::TensorType::Bool:
      return ElementAt<uint8_t>(p);
    case fb::TensorType::Int16:
      return ElementAt<int16_t>(p);
    case fb::TensorType::Int32:
      return ElementAt<int32_t>(p);
    default:
      return ElementAt<float>(p);
  }
}

float Draw(fb::TensorType type, Random* random, float lo, float hi) {
  switch (type) {
    case fb::TensorType::Int8:
      return static_cast<float>(random->Integer(-128, 127));
    case fb::TensorType::UInt8:
      return static_cast<float>(random->Integer(0, 255));
    case fb::TensorType::Int16:
      return static_cast<float>(random->Integer(-32768, 32767));
    case fb::TensorType::Bool:
      return static_cast<float>(random->Integer(0, 1));
    case fb::TensorType::Int32:
      return static_cast<float>(random->Integer(static_cast<int64_t>(lo), static_cast<int64_t>(hi)));
    default:
      return random->Float(lo, hi);
  }
}

// Ours, as the program converts the model; of a first run.
std::map<std::string, Floats> Ours(const TfliteBuilder& builder, std::map<std::string, Floats> inputs) {
  std::map<std::string, Floats> outputs;
  ImportedTflite imported = ImportTflite(builder.Bytes());
  EXPECT_TRUE(imported.status.ok()) << imported.status.message();
  if (!imported.status.ok()) return outputs;
  passes::PipelineOptions options;
  options.tflite_rounding = true;
  Status status = passes::Optimize(imported.module, options);
  const ir::Graph& graph = imported.graph();
  for (size_t i = graph.caller_inputs(); i < graph.inputs.size(); ++i) {
    const ir::Value& state = graph.value(graph.inputs[i]);
    inputs[state.name] = Floats(static_cast<size_t>(state.elements()));
  }
  if (status.ok()) status = Evaluate(imported.graph(), inputs, &outputs);
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

}  // namespace
}  // namespace opinion

std::string TfliteOpinion::WasmFolder(TflitePackage package) {
  const bool is_lite_rt = package == TflitePackage::kLiteRt;
  const char* given = std::getenv(is_lite_rt ? "MICRORT_LITERT_WASM" : "MICRORT_TFLITE_WASM");
  const std::string folder = given != nullptr ? given
                             : is_lite_rt     ? MICRORT_SOURCE_FOLDER "/build/bench-data/litert/package/wasm"
                                              : MICRORT_SOURCE_FOLDER
                                 "/build/bench-data/tfjs-tflite/package/wasm";
  const std::string file = is_lite_rt ? "litert_wasm_compat_internal.wasm" : "tflite_web_api_cc_simd.wasm";
  const bool has_node = std::system("command -v node >/dev/null 2>&1") == 0;
  return has_node && std::filesystem::exists(folder + "/" + file) ? folder : "";
}

void TfliteOpinion::Add(const std::string& name, TfliteBuilder builder, double tolerance, float lo,
                        float hi) {
  Case c = {name, std::move(builder), tolerance, {}, {}};
  Random random(static_cast<uint32_t>(cases_.size()) + 1);
  for (const int index : c.builder.graph().inputs) {
    const fb::TensorT& tensor = c.builder.tensor(index);
    size_t elements = 1;
    for (const int32_t dim : tensor.shape) elements *= static_cast<size_t>(dim);
    Floats& values = c.inputs[tensor.name];
    for (size_t i = 0; i < elements; ++i) {
      values.push_back(opinion::Draw(tensor.type, &random, lo, hi));
      opinion::AppendElement(tensor.type, values.back(), &c.input_bytes);
    }
  }
  cases_.push_back(std::move(c));
}

void TfliteOpinion::Compare(const std::set<std::string>& refused) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) /
                                       "micrort_tflite_opinion" /
                                       ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const Case& c : cases_) {
    opinion::Write(folder / (c.name + ".tflite"), c.builder.Bytes());
    opinion::Write(folder / (c.name + ".in"), c.input_bytes);
  }
  const std::string script = package_ == TflitePackage::kLiteRt ? "run_litert.js" : "run_tflite.js";
  const std::string command = "node '" MICRORT_SOURCE_FOLDER "/tests/converter/" + script + "' '" +
                              WasmFolder(package_) + "' '" + folder.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  for (const Case& c : cases_) {
    SCOPED_TRACE(c.name);
    if (refused.count(c.name) == 0) {
      CompareOne(c, folder / c.name);
    } else {
      EXPECT_TRUE(std::filesystem::exists(folder / (c.name + ".err"))) << "TensorFlow Lite runs it";
    }
  }
  std::filesystem::remove_all(folder);
}

void TfliteOpinion::CompareOne(const Case& c, const std::string& file) const {
  ASSERT_FALSE(std::filesystem::exists(file + ".err")) << "TensorFlow Lite: " << opinion::Read(file + ".err");
  const std::string bytes = opinion::Read(file + ".out");
  std::map<std::string, Floats> ours = opinion::Ours(c.builder, c.inputs);
  const char* expected = bytes.data();
  auto builder = &const_cast<TfliteBuilder&>(c.builder);
  for (const int index : builder->graph().outputs) {
    const fb::TensorT& tensor = builder->tensor(index);
    const Floats& found = ours[tensor.name];
    const size_t size = opinion::ElementBytes(tensor.type);
    ASSERT_LE(found.size() * size, static_cast<size_t>(bytes.data() + bytes.size() - expected));
    const bool is_float = tensor.type == fb::TensorType::Float32;
    for (size_t i = 0; i < found.size(); ++i, expected += size) {
      const double theirs = opinion::ElementOf(tensor.type, expected);
      const double allowed = is_float ? c.tolerance * std::max(1.0, std::fabs(theirs)) : c.tolerance;
      ASSERT_NEAR(static_cast<double>(found[i]), theirs, allowed) << tensor.name << " element " << i;
    }
  }
  EXPECT_EQ(expected, bytes.data() + bytes.size()) << "outputs of another size";
}

}  // namespace micrort::testing
