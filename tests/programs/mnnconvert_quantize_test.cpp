// mnnconvert's types and calibration through its command line.

#include <nlohmann/json.hpp>

#include "tests/programs/mnnconvert_fixture.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST_F(Mnnconvert, SaysOneLineAboutCalibrationWithoutIt) {
  const ProcessResult result = Convert(Network(), {"--quant", "int8"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("calibration data makes"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
  EXPECT_THAT(result.out, HasSubstr("int8"));
}

TEST_F(Mnnconvert, CalibratesOnAFolderOfPictures) {
  const std::vector<std::string> flags = {"--quant", "int8", "--calib", Pictures(), "--color", "gray"};
  const ProcessResult unscaled = Convert(Network(), flags);
  ASSERT_EQ(unscaled.exit_code, 0) << unscaled.err;
  EXPECT_THAT(unscaled.err, HasSubstr("check --mean and --scale"));

  std::vector<std::string> scaled_flags = flags;
  scaled_flags.insert(scaled_flags.end(), {"--mean", "127", "--scale", "0.0078125"});
  const ProcessResult scaled = Convert(Network(), scaled_flags);
  ASSERT_EQ(scaled.exit_code, 0) << scaled.err;
  EXPECT_THAT(scaled.err, IsEmpty());
}

TEST_F(Mnnconvert, RoundsFourBitWeightsForSamplesElseForRandomInputs) {
  const ProcessResult without = Convert(Network(), {"--quant", "int4-weights"});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  EXPECT_THAT(without.err, HasSubstr("rounded for random inputs"));
  const std::string for_noise = ReadFile(output_);
  const ProcessResult with = Convert(Network(), {"--quant", "int4-weights", "--calib", Pictures(), "--color",
                                                 "gray", "--mean", "127", "--scale", "0.0078125"});
  ASSERT_EQ(with.exit_code, 0) << with.err;
  EXPECT_THAT(with.err, IsEmpty());
  EXPECT_NE(ReadFile(output_), for_noise);
  EXPECT_THAT(Convert(Network(), {"--quant", "int4-weights", "--repair", "balance"}).err, IsEmpty());
}

TEST_F(Mnnconvert, StoresWeightsInFewerBytes) {
  ASSERT_EQ(Convert(Network()).exit_code, 0);
  const size_t bytes = ReadFile(output_).size();
  ASSERT_EQ(Convert(Network(), {"--quant", "fp16"}).exit_code, 0);
  const size_t half_bytes = ReadFile(output_).size();
  ASSERT_EQ(Convert(Network(), {"--quant", "int8-weights"}).exit_code, 0);
  EXPECT_LT(half_bytes, bytes);
  EXPECT_LT(ReadFile(output_).size(), half_bytes);
}

TEST_F(Mnnconvert, ChoosesTypesWithinTheLossThatIsAllowed) {
  const std::string json = out_folder_ / "r.json";
  const auto loss_with = [&](const std::string& max_loss) {
    const ProcessResult result =
        Convert(Network(), {"--quant", "auto", "--max-loss", max_loss, "--calib", Pictures(), "--color",
                            "gray", "--mean", "127", "--scale", "0.0078125", "--report", json});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const double snr = nlohmann::json::parse(ReadFile(json))["outputs"][0]["snr_db"].get<double>();
    EXPECT_GT(snr, -10 * std::log10(std::stod(max_loss)) - 0.5);
    return snr;
  };
  EXPECT_GE(loss_with("0.00001"), loss_with("0.1"));
}

TEST_F(Mnnconvert, AutoNeedsSamplesAndSoDoItsFlags) {
  ExpectFailure(Convert(Network(), {"--quant", "auto"}), 1, "--quant auto needs --calib");
  ExpectFailure(Convert(Network(), {"--quant", "int8", "--max-loss", "0.1"}), 1, "needs --quant auto");
  ExpectFailure(Convert(Network(), {"--keep-float", "a"}), 1, "need --quant");
}

TEST_F(Mnnconvert, HalfArithmeticNeedsHalfWeights) {
  ExpectFailure(Convert(Network(), {"--fp16-compute"}), 1, "--fp16-compute needs --quant fp16 or auto");
  ExpectFailure(Convert(Network(), {"--quant", "int8", "--fp16-compute"}), 1, "--fp16-compute needs");
  EXPECT_EQ(Convert(Network(), {"--quant", "fp16", "--fp16-compute"}).exit_code, 0);
}

TEST_F(Mnnconvert, ProductsOfIntegersNeedInt4Weights) {
  ExpectFailure(Convert(Network(), {"--int8-compute"}), 1,
                "--int8-compute needs --quant int4-weights: no layer of the source model has 4-bit weights");
  const ProcessResult result = Convert(Network(), {"--quant", "int4-weights", "--int8-compute", "--verify"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

void SetAttribute(onnx::NodeProto* node, const char* name, int64_t value) {
  onnx::AttributeProto* attribute = node->add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

// y = x [1,64] by 64x64 weights of 4 bits in groups of 32.
onnx::ModelProto ProductOf4Bits() {
  onnx::ModelProto model = ReluModel();
  onnx::OperatorSetIdProto* domain = model.add_opset_import();
  domain->set_domain("com.microsoft");
  domain->set_version(1);
  onnx::GraphProto& graph = *model.mutable_graph();
  for (onnx::ValueInfoProto* value : {graph.mutable_input(0), graph.mutable_output(0)})
    value->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim(1)->set_dim_value(64);
  onnx::TensorProto& weights = *graph.add_initializer();
  weights.set_name("w");
  weights.set_data_type(onnx::TensorProto::UINT8);
  for (const int64_t dim : {64, 2, 16}) weights.add_dims(dim);
  for (int i = 0; i < 64 * 2 * 16; ++i)
    weights.mutable_raw_data()->push_back(static_cast<char>(i * 37 + i / 29));
  onnx::TensorProto& scales = *graph.add_initializer();
  scales.set_name("s");
  scales.set_data_type(onnx::TensorProto::FLOAT);
  scales.add_dims(128);
  for (int i = 0; i < 128; ++i) scales.add_float_data(0.01f * static_cast<float>(1 + i % 5));
  onnx::NodeProto* node = graph.mutable_node(0);
  node->set_op_type("MatMulNBits");
  node->set_domain("com.microsoft");
  node->add_input("w");
  node->add_input("s");
  for (const char* name : {"K", "N"}) SetAttribute(node, name, 64);
  SetAttribute(node, "bits", 4);
  SetAttribute(node, "block_size", 32);
  return model;
}

TEST_F(Mnnconvert, ProductsOfIntegersTakeInt4WeightsOfTheSource) {
  const std::string model = WriteModel("product.onnx", ProductOf4Bits());
  const std::string json = out_folder_ / "r.json";
  const auto snr = [&](std::vector<std::string> flags, const std::string& note) {
    flags.insert(flags.end(), {"--report", json});
    const ProcessResult result = Convert(model, flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr("1 layers keep the 4-bit weights that the source model has" + note));
    return nlohmann::json::parse(ReadFile(json))["outputs"][0]["snr_db"];
  };
  EXPECT_TRUE(snr({}, "\n").is_null());  // no difference
  const nlohmann::json of_integers = snr({"--int8-compute"}, "; 1 of them multiply integers\n");
  ASSERT_TRUE(of_integers.is_number());
  EXPECT_GT(of_integers.get<double>(), 30);
}

TEST_F(Mnnconvert, HalfActivationsNeedHalfWeightsAndTellWhereTheyGain) {
  ExpectFailure(Convert(Network(), {"--fp16-activations"}), 1, "--fp16-activations needs --quant fp16");
  ExpectFailure(Convert(Network(), {"--quant", "auto", "--calib", Pictures(), "--fp16-activations"}), 1,
                "--fp16-activations needs --quant fp16");
  const std::string json = out_folder_ / "r.json";
  const ProcessResult halves =
      Convert(Network(), {"--quant", "fp16", "--fp16-activations", "--report", json});
  ASSERT_EQ(halves.exit_code, 0) << halves.err;
  const nlohmann::json report = nlohmann::json::parse(ReadFile(json));
  EXPECT_GT(report["outputs"][0]["snr_db"], 40.0);
  EXPECT_EQ(report["layers"][1]["computes"], "float16");
}

}  // namespace
}  // namespace micrort::test
