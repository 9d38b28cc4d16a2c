// Programs where the system refuses memory at any point: an error that says so, also where there is none left
// for a message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::StartsWith;

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Thousands of small blocks: the one that is refused is as small as what a message takes.
void WriteManyNodes(const std::string& path) {
  onnx::ModelProto model = ReluModel();
  std::string last = "y";
  for (int i = 0; i < 2000; ++i) {
    const std::string next = "y" + std::to_string(i);
    AddNode(&model, "Exp", next, last, next);
    last = next;
  }
  model.mutable_graph()->mutable_output(0)->set_name(last);
  WriteFile(path, model.SerializeAsString());
}

class LittleMemory : public ::testing::Test {
 protected:
  LittleMemory() { WriteManyNodes(source_); }

  ProcessResult Convert(uint64_t address_space) const {
    ProcessLimits limits;
    limits.address_space = address_space;
    return RunProgram("mnnconvert", {source_, "-o", folder_ / "model.fb", "--quiet"}, limits);
  }

  const TemporaryFolder folder_;
  const std::string source_ = folder_ / "model.onnx";
};

TEST_F(LittleMemory, EndsWithAMessageWhereverItIsRefused) {
  if (Convert(1024 * kMiB).exit_code != 0) GTEST_SKIP() << "skipped: sanitizers take terabytes of addresses";
  int refused = 0;
  for (uint64_t bytes = 16 * kMiB; bytes < 128 * kMiB; bytes += kMiB / 2) {
    const ProcessResult r = Convert(bytes);
    if (r.exit_code == 0) break;
    if (r.exit_code != 1) continue;  // it has not started, as its libraries found no room
    ++refused;
    EXPECT_THAT(r.err, StartsWith("mnnconvert: error: ")) << bytes;
  }
  EXPECT_GT(refused, 0);
}

// 64 MiB of weights in a file beside the model, which are zeros but for two of each layer.
void WriteLayers(const TemporaryFolder& folder) {
  constexpr int kLayers = 16, kSide = 1024;
  constexpr int64_t kLayerBytes = int64_t{kSide} * kSide * 4;
  onnx::ModelProto model = ReluModel();
  std::ofstream file(folder / "weights.bin", std::ios::binary);
  onnx::GraphProto* const graph = model.mutable_graph();
  graph->clear_node();
  for (auto* const info : {graph->mutable_input(0), graph->mutable_output(0)}) {
    auto* const shape = info->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape->clear_dim();
    for (const int dim : {1, kSide}) shape->add_dim()->set_dim_value(dim);
  }
  std::string last = graph->input(0).name();
  for (int i = 0; i < kLayers; ++i) {
    const std::string weights = "w" + std::to_string(i), next = "y" + std::to_string(i);
    onnx::TensorProto* const tensor = graph->add_initializer();
    tensor->set_name(weights);
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    for (int d = 0; d < 2; ++d) tensor->add_dims(kSide);
    tensor->set_data_location(onnx::TensorProto::EXTERNAL);
    for (const auto& [key, value] : {std::pair<const char*, std::string>{"location", "weights.bin"},
                                     {"offset", std::to_string(i * kLayerBytes)}}) {
      auto* const entry = tensor->add_external_data();
      entry->set_key(key);
      entry->set_value(value);
    }
    onnx::NodeProto* const node = graph->add_node();
    node->set_op_type("MatMul");
    node->add_input(last);
    node->add_input(weights);
    node->add_output(next);
    last = next;
    for (const int64_t at : {i * kLayerBytes + 8 * i, (i + 1) * kLayerBytes - 4}) {
      const float element = 1.0f + static_cast<float>(i);
      file.seekp(at);
      file.write(reinterpret_cast<const char*>(&element), sizeof element);
    }
  }
  graph->mutable_output(0)->set_name(last);
  WriteFile(folder / "layers.onnx", model.SerializeAsString());
}

// Floats are there once, and beside them what they become: 64 and 16 MiB.
TEST(LittleMemoryForWeights, HoldsThemOnce) {
  const TemporaryFolder folder;
  WriteLayers(folder);
  const auto convert = [&](uint64_t address_space) {
    ProcessLimits limits;
    limits.address_space = address_space;
    return RunProgram("mnnconvert",
                      {folder / "layers.onnx", "-o", folder / "layers.fb", "--quiet", "--quant",
                       "int8-weights", "--repair", "none"},
                      limits);
  };
  if (convert(1024 * kMiB).exit_code != 0) GTEST_SKIP() << "skipped: sanitizers take terabytes of addresses";
  const ProcessResult r = convert(145 * kMiB);  // of which program and libraries take about 50
  EXPECT_EQ(r.exit_code, 0) << r.err;
}

}  // namespace
}  // namespace micrort::test
