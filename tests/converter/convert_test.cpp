// The whole way, in process: ONNX bytes in, a model that runs out.

#include "converter/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cmath>

#include "kernels/base/target.h"
#include "micrort/micrort.h"
#include "tests/converter/converted.h"

namespace micrort {
namespace {

using ::testing::HasSubstr;

void SetTensorType(onnx::ValueInfoProto* value, const std::string& name, const std::vector<int64_t>& shape) {
  value->set_name(name);
  auto* type = value->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  for (const int64_t d : shape) {
    auto* dim = type->mutable_shape()->add_dim();
    d < 0 ? dim->set_dim_param("N") : dim->set_dim_value(d);
  }
}

void AddWeights(onnx::GraphProto* graph, const std::string& name, const std::vector<int64_t>& shape) {
  onnx::TensorProto* tensor = graph->add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(onnx::TensorProto::FLOAT);
  int64_t n = 1;
  for (const int64_t d : shape) {
    tensor->add_dims(d);
    n *= d;
  }
  for (int64_t i = 0; i < n; ++i) tensor->add_float_data(0.02f * static_cast<float>((i * 37 + 11) % 97 - 48));
}

void AddNode(onnx::GraphProto* graph, const std::string& op, const std::vector<std::string>& inputs,
             const std::string& output) {
  onnx::NodeProto* node = graph->add_node();
  node->set_op_type(op);
  node->set_name(output);
  for (const std::string& input : inputs) node->add_input(input);
  node->add_output(output);
}

// Two convolutions with a Relu between them on [batch,4,9,9].
std::string Network(int64_t batch) {
  onnx::ModelProto model;
  model.set_ir_version(7);
  model.add_opset_import()->set_version(13);
  onnx::GraphProto* graph = model.mutable_graph();
  SetTensorType(graph->add_input(), "x", {batch, 4, 9, 9});
  SetTensorType(graph->add_output(), "y", {batch, 6, 5, 5});
  AddWeights(graph, "w1", {8, 4, 3, 3});
  AddWeights(graph, "b1", {8});
  AddWeights(graph, "w2", {6, 8, 3, 3});
  AddNode(graph, "Conv", {"x", "w1", "b1"}, "c");
  AddNode(graph, "Relu", {"c"}, "r");
  AddNode(graph, "Conv", {"r", "w2"}, "y");
  return model.SerializeAsString();
}

Status ConvertModel(const std::string& onnx, const ConvertOptions& options, ConvertResult* result) {
  return ConvertBytes("test.onnx", {reinterpret_cast<const uint8_t*>(onnx.data()), onnx.size()}, options,
                      result);
}

ConvertResult ConvertOk(const std::string& onnx, const ConvertOptions& options) {
  ConvertResult result;
  const Status status = ConvertModel(onnx, options, &result);
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

struct Precision {
  QuantMode quant;
  double least_snr;  // dB
  double least_cosine = 0.999;
};

class ConvertPrecision : public ::testing::TestWithParam<Precision> {};

TEST_P(ConvertPrecision, StaysCloseToTheSourceModel) {
  for (const int64_t batch : {int64_t{1}, int64_t{-1}}) {
    ConvertOptions options;
    options.quant = GetParam().quant;
    options.verify = VerifyMode::kLayers;
    const ConvertResult result = ConvertOk(Network(batch), options);
    ASSERT_FALSE(result.verification.empty());
    EXPECT_EQ(result.verification.back().name, "y");
    for (const report::ComparedTensor& tensor : result.verification) {
      EXPECT_GT(tensor.similarity.Snr(), GetParam().least_snr) << tensor.name;
      EXPECT_GT(tensor.similarity.Cosine(), GetParam().least_cosine) << tensor.name;
    }
    EXPECT_EQ(result.summary.is_dynamic, batch < 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ConvertPrecision,
                         ::testing::Values(Precision{QuantMode::kNone, 100}, Precision{QuantMode::kFp16, 60},
                                           Precision{QuantMode::kInt8Weights, 35},
                                           Precision{QuantMode::kInt4Weights, 16, 0.98},
                                           Precision{QuantMode::kInt8, 30}));

TEST(Convert, KeepsTheLayoutOfInputsAndOutputsUnlessAskedOtherwise) {
  ConvertOptions options;
  const ConvertResult keep = ConvertOk(Network(1), options);
  options.io_layout = IoLayout::kNhwc;
  options.verify = VerifyMode::kOutputs;
  const ConvertResult nhwc = ConvertOk(Network(1), options);
  EXPECT_GT(nhwc.verification[0].similarity.Snr(), 100);
  EXPECT_EQ(nhwc.summary.transposes, 0u);

  const auto shape_of_input = [](const ConvertResult& result) {
    auto model = Model::FromBuffer(result.file.data(), result.file.size());
    auto interpreter = Interpreter::Create(*model);
    return std::string(ShapeString(interpreter->input(0).shape).c_str());
  };
  EXPECT_EQ(shape_of_input(keep), "1x4x9x9");
  EXPECT_EQ(shape_of_input(nhwc), "1x9x9x4");
}

// What is added may lie in the memory of the sum.
TEST(Convert, ProductsOfNoElementsAreWhatIsAddedToThem) {
  testing::OnnxBuilder builder;
  builder.Input("a", {"2", "0"}).Weights("b", {0, 2}).Input("c", {"2", "2"}).Node("Neg", {"c"}, {"d"});
  builder.Node("Gemm", {"a", "b", "d"}, {"p"}).Node("Abs", {"p"}, {"y"});
  EXPECT_EQ(testing::Converted(builder).Run({testing::Array<float>({2, 0}, {}), testing::Counting({2, 2})}),
            "2x2: 1 2 3 4");
}

TEST(Convert, FillsTheSummary) {
  ConvertOptions options;
  options.quant = QuantMode::kInt8;
  const ConvertResult result = ConvertOk(Network(1), options);
  EXPECT_EQ(result.summary.file_bytes, result.file.size());
  EXPECT_GT(result.summary.weight_bytes, 0u);
  EXPECT_GT(result.summary.ops_before, result.summary.ops_after);
  EXPECT_GE(result.summary.arena_bytes, result.summary.arena_lower_bound);
  EXPECT_EQ(result.summary.quantization.layers, 2);
  EXPECT_THAT(report::SummaryText(result.summary), HasSubstr("int8"));
  EXPECT_EQ(result.notes.size(), 1u);
}

TEST(Convert, NamesTheModelInErrors) {
  ConvertResult result;
  const Status status = ConvertModel("not a model", {}, &result);
  EXPECT_EQ(status.code(), StatusCode::kInvalidModel);
  EXPECT_THAT(status.message(), ::testing::StartsWith("test.onnx: "));
}

TEST(Convert, StatesTheSmallestArenaPossible) {
  ConvertOptions options;
  options.max_arena = 1;
  ConvertResult result;
  const Status status = ConvertModel(Network(1), options, &result);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  const std::string message = status.message();
  ASSERT_THAT(message, HasSubstr("--max-arena 1: the smallest arena possible is "));
  options.max_arena = std::stoull(message.substr(message.find("possible is ") + 12));
  const Status with_weights = ConvertModel(Network(1), options, &result);
  EXPECT_EQ(with_weights.code(), StatusCode::kUnsupported) << "weights are packed into RAM as well";
  EXPECT_THAT(with_weights.message(), HasSubstr("--target packs them in the file"));
  options.max_arena = *options.max_arena + result.summary.packed_in_ram_bytes;
  ASSERT_TRUE(ConvertModel(Network(1), options, &result).ok());
  EXPECT_LE(result.summary.ram_bytes(), *options.max_arena);
}

target::Target TargetOf(const std::string& name) {
  target::Target target;
  target.name = name;
  EXPECT_TRUE(name.empty() || ParseTarget(name.c_str(), &target.features)) << name;
  return target;
}

TEST(Convert, CountsAllThatIsInRamUnderMaxArena) {
  for (const char* name : {"", "avx2", "cortex-m7"}) {
    SCOPED_TRACE(name);
    ConvertOptions options;
    options.quant = QuantMode::kInt8;
    options.target = TargetOf(name);
    const ConvertResult unlimited = ConvertOk(Network(1), options);
    const uint64_t needed = unlimited.summary.ram_bytes();
    EXPECT_GT(unlimited.summary.arena_bytes, 0u);
    options.max_arena = 2 * needed;  // layers fused by stripes may take less without a limit
    ConvertResult fits;
    Status status = ConvertModel(Network(1), options, &fits);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_LE(fits.summary.ram_bytes(), *options.max_arena);

    options.max_arena = fits.summary.ram_bytes() - fits.summary.arena_bytes;  // nothing for the arena
    ConvertResult none;
    status = ConvertModel(Network(1), options, &none);
    EXPECT_EQ(status.code(), StatusCode::kUnsupported);
    EXPECT_THAT(status.message(), HasSubstr("--max-arena"));
  }
}

TEST(Convert, CountsWhatAMicrocontrollerHasBesideTheArena) {
  ConvertOptions options;
  options.quant = QuantMode::kInt8;
  options.target = TargetOf("cortex-m7");
  const ConvertResult unlimited = ConvertOk(Network(1), options);
  ASSERT_GT(unlimited.summary.ram_bytes(), unlimited.summary.arena_bytes);
  options.max_arena = unlimited.summary.arena_lower_bound;  // enough for the arena at best
  ConvertResult result;
  const Status status = ConvertModel(Network(1), options, &result);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("interpreter and model"));
}

TEST(Convert, NamesInputShapeWhereTheLimitMeetsADynamicBatch) {
  ConvertOptions options;
  options.max_arena = 1;
  ConvertResult result;
  const Status status = ConvertModel(Network(-1), options, &result);
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("--input-shape"));
  ConvertResult of_one;
  EXPECT_THAT(ConvertModel(Network(1), options, &of_one).message(),
              ::testing::Not(HasSubstr("--input-shape")));
  options.max_arena = 1 << 30;
  EXPECT_THAT(ConvertOk(Network(-1), options).notes, ::testing::Contains(HasSubstr("--input-shape")));
}

}  // namespace
}  // namespace micrort
