// mnnconvert through its command line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/programs/mnnconvert_fixture.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tools/io/npy.h"

namespace micrort::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST_F(Mnnconvert, PrintsHelpWithAnExample) {
  const ProcessResult result = RunProgram("mnnconvert", {"--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("--quant"), HasSubstr("Example"), HasSubstr("--calib")));
}

TEST_F(Mnnconvert, ListsWhatAModelOffers) {
  const ProcessResult result = RunProgram("mnnconvert", {Network(), "--list"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("input  '"), HasSubstr("float32 ["), HasSubstr("\noutput '")));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Mnnconvert, RefusesWhatTheFormatDoesNotKnow) {
  const std::string caffe = in_folder_ / "net.prototxt";
  WriteFile(caffe, "layer { name: 'data' type: 'Input' top: 'x' input_param { shape { dim: 1 dim: 2 } } }\n");
  const std::string of_onnx = ": a model of the format onnx ";
  ExpectFailure(Convert(Network(), {"--signature", "s"}), 1, "--signature" + of_onnx);
  ExpectFailure(Convert(Network(), {"--tag-set", "serve"}), 1, "--tag-set" + of_onnx);
  ExpectFailure(Convert(Network(), {"--config", Network()}), 1, "--config" + of_onnx);
  ExpectFailure(Convert(Network(), {"--weights", Network()}), 1, "--weights" + of_onnx);
  ExpectFailure(Convert(Network(), {"--input-type", "input=int64"}), 1, "--input-type" + of_onnx);
  ExpectFailure(Convert(caffe, {"--custom-domain", "a"}), 1, "--custom-domain: a model of the format caffe ");
}

TEST_F(Mnnconvert, ListsOrWrites) {
  ExpectFailure(Convert(Network(), {"--list"}), 1, "--list writes nothing");
  ExpectFailure(RunProgram("mnnconvert", {Network()}), 1, "--output is required");
  ExpectFailure(RunProgram("mnnconvert", {SourceFile("LICENSE"), "--list"}), 2, "format is not known");
}

TEST_F(Mnnconvert, PrintsItsVersion) {
  const ProcessResult result = RunProgram("mnnconvert", {"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, StartsWith("mnnconvert "));
}

TEST_F(Mnnconvert, ConvertsAndSummarizes) {
  const ProcessResult result = Convert(Network());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(FilesIn(out_folder_.path()), ElementsAre("out.fb"));
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("operators"), HasSubstr("file"), HasSubstr("arena"), HasSubstr("packed")));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Mnnconvert, WritesItsSummaryAsJsonAloneOnStdout) {
  const ProcessResult result =
      Convert(Network(), {"--json", "-", "--quant", "int8", "--calib", Pictures(), "--mean", "127", "--scale",
                          "0.0078125", "--color", "gray", "--verify"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_GT(json["operators_before"], json["operators_after"]);
  EXPECT_EQ(json["file_bytes"], ReadFile(output_).size());
  EXPECT_GE(json["arena_bytes"], json["arena_lower_bound"]);
  EXPECT_EQ(json["ram_bytes"], json["arena_bytes"].get<size_t>() + json["packed_bytes"].get<size_t>());
  EXPECT_EQ(json["target"], "portable");
  EXPECT_GT(json["int8_layers"], 0);
  ASSERT_EQ(json["verify"]["outputs"].size(), 1u);
  EXPECT_GT(json["verify"]["outputs"][0]["cosine"], 0.99);
}

TEST_F(Mnnconvert, GivesInputsAndOutputsTheTypesThatAreAskedFor) {
  for (const char* type : {"int8", "uint8"}) {
    const ProcessResult result =
        Convert(Network(), {"--json", "-", "--quant", "int8", "--calib", Pictures(), "--mean", "127",
                            "--scale", "0.0078125", "--color", "gray", "--io-type", type, "--verify"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    // Samples in float are read by the bytes' quantization: what is lost is what they round.
    EXPECT_GT(nlohmann::json::parse(result.out)["verify"]["outputs"][0]["snr_db"], 40.0) << type;
    const ProcessResult info = RunProgram("micrort-info", {output_});
    EXPECT_THAT(info.out, HasSubstr("'input' " + std::string(type) + " 1x1x32x24 scale"));
    EXPECT_THAT(info.out, HasSubstr("'output' " + std::string(type) + " 1x10 scale"));
  }
}

TEST_F(Mnnconvert, SaysWhatBytesOfInputsNeed) {
  ExpectFailure(Convert(Network(), {"--io-type", "int8"}), 1, "input 'input' is float32");
}

TEST_F(Mnnconvert, WritesItsSummaryAsJsonToAFile) {
  const std::string path = in_folder_ / "summary.json";
  const ProcessResult result = Convert(Network(), {"--json", path});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("operators"));
  const auto json = nlohmann::json::parse(ReadFile(path), nullptr, false);
  ASSERT_TRUE(json.is_object());
  EXPECT_EQ(json["int8_layers"], 0);
  EXPECT_TRUE(json["verify"].is_null());
}

TEST_F(Mnnconvert, DumpsTheGraphAfterEachPassThatChangedIt) {
  const std::string folder = in_folder_ / "passes";
  const ProcessResult result = Convert(Network(), {"--dump-passes", folder, "--quant", "fp16"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> files = FilesIn(folder);
  ASSERT_GT(files.size(), 3u);
  EXPECT_EQ(files.front(), "000-import.txt");
  EXPECT_THAT(files.back(), HasSubstr("-quantize.txt"));
  EXPECT_THAT(ReadFile(folder + "/000-import.txt"), AllOf(HasSubstr("input "), HasSubstr("Conv2D(")));
  EXPECT_NE(ReadFile(folder + "/000-import.txt"), ReadFile(folder + "/" + files.back()));
}

TEST_F(Mnnconvert, RefusesToDumpPassesAmongOtherFiles) {
  WriteFile(in_folder_ / "notes.txt", "mine");
  ExpectFailure(Convert(Network(), {"--dump-passes", in_folder_.path()}), 1, "empty or a new folder");
}

TEST_F(Mnnconvert, GivesTheSameBytesForTheSameInputAndFlags) {
  for (const char* quant : {"int8", "int4-weights"}) {
    ASSERT_EQ(Convert(Network(), {"--quant", quant}).exit_code, 0);
    const std::string first = ReadFile(output_);
    ASSERT_EQ(Convert(Network(), {"--quant", quant}).exit_code, 0);
    EXPECT_EQ(ReadFile(output_), first);
  }
}

TEST_F(Mnnconvert, IsQuietWhenAsked) {
  const ProcessResult result = Convert(Network(), {"--quant", "int8", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Mnnconvert, VerifiesOutputsAndLayers) {
  const ProcessResult outputs = Convert(Network(), {"--verify"});
  ASSERT_EQ(outputs.exit_code, 0) << outputs.err;
  EXPECT_THAT(outputs.out, AllOf(HasSubstr("SNR"), HasSubstr("cosine")));
  const ProcessResult layers = Convert(Network(), {"--verify=layers"});
  ASSERT_EQ(layers.exit_code, 0) << layers.err;
  EXPECT_GT(layers.out.size(), outputs.out.size());
}

TEST_F(Mnnconvert, WritesAReportForBrowsersAndOneForPrograms) {
  const std::string page = out_folder_ / "r.html", json = out_folder_ / "r.json";
  const ProcessResult result =
      Convert(Network(), {"--quant", "int8", "--calib", Pictures(), "--color", "gray", "--mean", "127",
                          "--scale", "0.0078125", "--report", page, "--report", json});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(FilesIn(out_folder_.path()), ElementsAre("out.fb", "r.html", "r.json"));
  EXPECT_THAT(ReadFile(page), AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("<svg")));
  const auto report = nlohmann::json::parse(ReadFile(json));
  EXPECT_EQ(report["quant"], "int8");
  EXPECT_GT(report["outputs"][0]["snr_db"].get<double>(), 20);
}

TEST_F(Mnnconvert, TellsProgramsOfItsProgress) {
  const ProcessResult result = Convert(Network(), {"--verify", "--json-events"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json event =
      nlohmann::json::parse(result.err.substr(0, result.err.find('\n')), nullptr, false);
  ASSERT_TRUE(event.is_object()) << result.err;
  EXPECT_EQ(event["event"], "progress");
  EXPECT_EQ(event["step"], "verifying");
  EXPECT_EQ(event["done"], event["total"]);
  EXPECT_EQ(Convert(Network(), {"--verify", "--json-events", "--quiet"}).err, "");
}

TEST_F(Mnnconvert, CountsRightAnswersByLabels) {
  const std::string json = out_folder_ / "r.json", labels = in_folder_ / "labels.npy";
  const std::vector<int64_t> digits(20, 3);
  const std::vector<uint8_t> npy = io::FormatNpy(DType::kInt64, {20}, digits.data());
  WriteFile(labels, {npy.begin(), npy.end()});
  const ProcessResult result =
      Convert(Network(), {"--quant", "int8", "--calib", Pictures(), "--color", "gray", "--mean", "127",
                          "--scale", "0.0078125", "--labels", labels, "--verify", "--report", json});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("right answers: "));
  const nlohmann::json accuracy = nlohmann::json::parse(ReadFile(json))["accuracy"];
  EXPECT_EQ(accuracy["samples"], 20);
  EXPECT_EQ(accuracy["same_answers"], 1.0);
  EXPECT_GT(accuracy["float"], 0.0);
  EXPECT_LT(accuracy["float"], 0.5);
  EXPECT_EQ(accuracy["float"], accuracy["converted"]);
}

TEST_F(Mnnconvert, ReportsWrongMeanAndScaleAsTheLikelyCause) {
  const std::string json = out_folder_ / "r.json";
  const ProcessResult result =
      Convert(Network(), {"--quant", "int8", "--calib", Pictures(), "--color", "gray", "--report", json});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(ReadFile(json));
  EXPECT_EQ(report["findings"][0]["kind"], "cause");
  EXPECT_THAT(report["findings"][0]["text"].get<std::string>(), HasSubstr("--mean and --scale"));
}

TEST_F(Mnnconvert, AnOptionIsNoValueOfAnother) {
  ExpectFailure(Convert(Network(), {"--json", "--quiet"}), 1,
                "--json: expected FILE, found the option --quiet");
}

TEST_F(Mnnconvert, KeepsLayersInFloatAndListsNamesNearToUnknownOnes) {
  const std::string json = out_folder_ / "r.json";
  ASSERT_EQ(Convert(Network(), {"--quant", "int8", "--report", json}).exit_code, 0);
  const std::string layer = nlohmann::json::parse(ReadFile(json))["layers"][0]["node"];
  const ProcessResult kept = Convert(Network(), {"--quant", "int8", "--keep-float", layer});
  EXPECT_THAT(kept.out, HasSubstr("float32, as asked"));
  const ProcessResult unknown = Convert(Network(), {"--quant", "int8", "--keep-float", layer + "x"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("'" + layer + "'"));
}

TEST_F(Mnnconvert, RefusesReportsThatItCannotWrite) {
  ExpectFailure(Convert(Network(), {"--report", out_folder_ / "r.pdf"}), 1, "FILE.html or FILE.json");
  const ProcessResult result = Convert(Network(), {"--report", "/no/such/folder/r.html"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("/no/such/folder/r.html"));
}

TEST_F(Mnnconvert, RefusesUnknownFlagsAndValues) {
  ExpectFailure(Convert(Network(), {"--bogus"}), 1, "--bogus");
  ExpectFailure(Convert(Network(), {"--quant", "int3"}), 1, "int3");
  ExpectFailure(Convert(Network(), {"--calib-method", "best"}), 1, "best");
  ExpectFailure(Convert(Network(), {"--calib-method", "kl"}), 1, "--calib");
  ExpectFailure(Convert(Network(), {"--calib", Pictures()}), 1, "--quant int8");
  ExpectFailure(Convert(Network(), {"--input-shape", "x"}), 1, "NAME=1x3x224x224");
  ExpectFailure(Convert(Network(), {"--verify=all"}), 1, "all");
  ExpectFailure(RunProgram("mnnconvert", {Network()}), 1, "output");
  ExpectFailure(RunProgram("mnnconvert", {"-o", output_}), 1, "MODEL");
}

TEST_F(Mnnconvert, RefusesFilesThatItCannotReadOrWrite) {
  ExpectFailure(Convert(in_folder_ / "missing.onnx"), 1, "missing.onnx");
  ExpectFailure(RunProgram("mnnconvert", {Network(), "-o", out_folder_ / "no/such/out.fb"}), 1, "no/such");
  ExpectFailure(Convert(Network(), {"--quant", "int8", "--calib", in_folder_ / "none"}), 1, "none");
}

TEST_F(Mnnconvert, RefusesFilesThatAreNoModel) {
  WriteFile(in_folder_ / "empty.onnx", "");
  WriteFile(in_folder_ / "text.onnx", "these are words, not a network\n");
  const std::string whole = ReluModel().SerializeAsString();
  WriteFile(in_folder_ / "truncated.onnx", whole.substr(0, whole.size() / 2));
  for (const char* name : {"empty.onnx", "text.onnx", "truncated.onnx"}) {
    ExpectFailure(Convert(in_folder_ / name), 2, name);
  }
}

TEST_F(Mnnconvert, NeverReplacesWhatItReads) {
  const std::string model = WriteModel("relu.onnx", ReluModel()), bytes = ReadFile(model);
  const ProcessResult result = RunProgram("mnnconvert", {model, "-o", model});
  ExpectFailure(result, 1, "which is read");
  ExpectFailure(Convert(model, {"--report", output_ + "/../out.fb"}), 1, "FILE.html");
  ExpectFailure(Convert(model, {"--json", output_}), 1, "two outputs");
  EXPECT_EQ(ReadFile(model), bytes);

  std::filesystem::create_directories(in_folder_ / "samples");
  const std::string sample = in_folder_ / "samples/7.png";
  std::filesystem::copy_file(Pictures() + "/digit_03.png", sample);
  const std::string picture = ReadFile(sample);
  ExpectFailure(RunProgram("mnnconvert", {Network(), "-o", sample, "--quant", "int8", "--calib",
                                          in_folder_ / "samples", "--color", "gray"}),
                1, "which is read");
  EXPECT_EQ(ReadFile(sample), picture);
}

TEST_F(Mnnconvert, SaysThatSettingsForPicturesDoNotTouchArrays) {
  const float x[4] = {-1, 0, 1, 2};
  const std::vector<uint8_t> npy = io::FormatNpy(DType::kFloat32, {1, 4}, x);
  WriteFile(in_folder_ / "x.npy", std::string(npy.begin(), npy.end()));
  const std::string model = WriteModel("relu.onnx", ReluModel());
  const ProcessResult result = Convert(model, {"--verify", "--calib", in_folder_ / "x.npy", "--mean", "127"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("x.npy"), HasSubstr("taken as it is")));
}

TEST_F(Mnnconvert, WritesNoModelBelowTheSnrThatIsAskedFor) {
  const std::string json = in_folder_ / "r.json";
  const ProcessResult result =
      Convert(Network(), {"--quant", "int8", "--verify", "--min-snr", "300", "--report", json});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("output 'output' has "), HasSubstr("300 dB"), HasSubstr("--min-snr")));
  EXPECT_THAT(FilesIn(out_folder_.path()), IsEmpty());
  EXPECT_TRUE(nlohmann::json::parse(ReadFile(json), nullptr, false).is_object());
  EXPECT_EQ(Convert(Network(), {"--quant", "int8", "--verify", "--min-snr", "-10"}).exit_code, 0);
}

TEST_F(Mnnconvert, VerifiesAtSizesAtWhichTheModelRuns) {
  onnx::ModelProto model = ReluModel();
  for (auto& dim : *model.mutable_graph()
                        ->mutable_input(0)
                        ->mutable_type()
                        ->mutable_tensor_type()
                        ->mutable_shape()
                        ->mutable_dim())
    dim.clear_dim_value();
  auto* node = model.mutable_graph()->mutable_node(0);
  node->set_op_type("Slice");
  model.mutable_graph()->mutable_output(0)->clear_type();
  node->clear_input();
  for (const char* input : {"x", "zero", "five", "one"}) node->add_input(input);
  const std::pair<const char*, int64_t> constants[] = {{"zero", 0}, {"five", 5}, {"one", 1}};
  for (const auto& [name, value] : constants) {
    auto* tensor = model.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::INT64);
    tensor->add_dims(1);
    tensor->add_int64_data(value);
  }
  // Five columns, which smaller inputs do not have.
  AddNode(&model, "Reshape", "reshape", "y", "z");
  auto* reshape = model.mutable_graph()->mutable_node(1);
  reshape->add_input("shape");
  auto* shape = model.mutable_graph()->add_initializer();
  shape->set_name("shape");
  shape->set_data_type(onnx::TensorProto::INT64);
  shape->add_dims(1);
  shape->add_int64_data(5);
  const std::string path = WriteModel("five.onnx", model);
  const ProcessResult result = Convert(path, {"--verify", "--report", in_folder_ / "r.html"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::remove(output_.c_str());
  ExpectFailure(Convert(path, {"--input-shape", "x=1x3"}), 1, "--input-shape does not fit the model");
  ExpectFailure(Convert(path, {"--input-shape", "X=1x3"}), 1, "inputs are 'x' (?x?)");
  ExpectFailure(Convert(path, {"--target", "cortex-m7"}), 1,
                "fixes dynamic dimensions at 1, which does not fit the model: give sizes by --input-shape");
}

TEST_F(Mnnconvert, SaysWhatMayBeMeantByACommandLineThatMakesNoSense) {
  const std::string model = WriteModel("relu.onnx", ReluModel());
  ExpectFailure(RunProgram("mnnconvert", {"--quant", "int8", "--calib", Pictures(), model, "-o", output_}), 1,
                "--calib took '" + model + "'");
  ExpectFailure(Convert(model, {"--verify", "layers"}), 1, "write --verify=layers");
  ExpectFailure(Convert(model, {"--fetches", "yy"}), 1, "names like it: 'y'");
  ExpectFailure(Convert(model, {"--feeds", "xx"}), 1, "names like it: 'x'");
  ExpectFailure(Convert(model, {"--max-arena", "-5"}), 1, "210K");
  ExpectFailure(Convert(model, {"--scale", "0"}), 1, "other than 0");
  ExpectFailure(Convert(model, {"--mean", "nan"}), 1, "finite");
  ExpectFailure(Convert(model, {"--min-snr", "3"}), 1, "needs --verify");
  EXPECT_EQ(Convert(model, {"--max-arena", "1K"}).exit_code, 0);
}

TEST_F(Mnnconvert, NamesFoldersCyclesAndNodesOutOfOrder) {
  ExpectFailure(Convert(in_folder_.path()), 1, "found a folder");

  onnx::ModelProto cycle = ReluModel();
  cycle.mutable_graph()->mutable_node(0)->set_input(0, "b");
  AddNode(&cycle, "Relu", "second", "y", "b");
  ExpectFailure(Convert(WriteModel("cycle.onnx", cycle)), 2, "make a cycle");
  onnx::ModelProto order = ReluModel();
  order.mutable_graph()->mutable_node(0)->set_input(0, "b");
  AddNode(&order, "Relu", "second", "x", "b");
  ExpectFailure(Convert(WriteModel("order.onnx", order)), 2, "of the later node 'second'");
  onnx::ModelProto missing = ReluModel();
  missing.mutable_graph()->mutable_node(0)->set_input(0, "xx");
  ExpectFailure(Convert(WriteModel("missing.onnx", missing)), 2, "names like it: 'x'");
}

TEST_F(Mnnconvert, ListsEveryUnsupportedOperator) {
  onnx::ModelProto model = ReluModel();
  AddNode(&model, "Blur", "blur_1", "x", "a");
  AddNode(&model, "Sharpen", "sharpen_1", "a", "b");
  AddNode(&model, "Blur", "blur_2", "b", "c");
  const ProcessResult result = Convert(WriteModel("unsupported.onnx", model));
  ExpectFailure(result, 3, "unsupported.onnx");
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("Blur"), HasSubstr("2 nodes"), HasSubstr("'blur_1'"), HasSubstr("'blur_2'"),
                    HasSubstr("Sharpen"), HasSubstr("1 node:"), HasSubstr("'sharpen_1'")));
}

TEST_F(Mnnconvert, KeepsWithinTheGivenArena) {
  ExpectFailure(Convert(Network(), {"--max-arena", "100"}), 3,
                "--max-arena 100: the smallest arena possible is");
  EXPECT_EQ(Convert(Network(), {"--max-arena", "100000000"}).exit_code, 0);
}

TEST_F(Mnnconvert, CutsOutASubgraph) {
  onnx::ModelProto model = ReluModel();
  model.mutable_graph()->mutable_node(0)->set_output(0, "middle");
  AddNode(&model, "Sigmoid", "sigmoid", "middle", "y");
  AddNode(&model, "Blur", "unsupported", "middle", "z");
  const std::string path = WriteModel("two.onnx", model);
  EXPECT_EQ(Convert(path, {"--feeds", "middle", "--fetches", "y"}).exit_code, 0);
  EXPECT_EQ(Convert(path, {"--fetches", "middle,y"}).exit_code, 0);
  std::remove(output_.c_str());
  ExpectFailure(Convert(path, {"--fetches", "nowhere"}), 1, "'nowhere'");
}

TEST_F(Mnnconvert, GivesInputsTheWantedShape) {
  const std::string path = WriteModel("relu.onnx", ReluModel());
  const ProcessResult result = Convert(path, {"--input-shape", "x=?x7"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("dynamic"));
  EXPECT_THAT(RunProgram("micrort-info", {output_}).out, Not(HasSubstr("1x4")));
  std::remove(output_.c_str());
  ExpectFailure(Convert(path, {"--input-shape", "z=1x7"}), 1, "'z'");
}

}  // namespace
}  // namespace micrort::test
