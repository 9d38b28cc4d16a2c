// What mnnconvert writes beside model files: arrays, resolvers, files of flatc laid out again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "schema/micrort_generated.h"
#include "tests/programs/process.h"

namespace micrort::test {
namespace {

using ::testing::HasSubstr;

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class MnnconvertEmit : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(RunProgram("mnnconvert", {source_, "-o", model_, "--quiet"}).exit_code, 0);
  }

  const TemporaryFolder folder_;
  const std::string source_ = SourceFile("examples/meter_reader/meter_digits.onnx");
  const std::string model_ = folder_ / "digits.fb";
};

TEST_F(MnnconvertEmit, WritesTheFileAsAnArrayOfTheSameBytes) {
  const std::string header = folder_ / "my-digits.h";
  const ProcessResult r = RunProgram("mnnconvert", {source_, "-o", header, "--emit", "array", "--quiet"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const std::string text = BytesOf(header), model = BytesOf(model_);
  EXPECT_THAT(text, HasSubstr("alignas(64) static const unsigned char my_digits[" +
                              std::to_string(model.size()) + "]"));
  std::istringstream numbers(text.substr(text.find("= {") + 3));
  std::string bytes, number;
  while (std::getline(numbers, number, ',') && number.find('}') == std::string::npos)
    bytes += static_cast<char>(std::stoi(number));
  EXPECT_EQ(bytes, model);
}

TEST_F(MnnconvertEmit, WritesAResolverWithTheOperatorsOfAllModels) {
  const std::string other = folder_ / "int8.fb", header = folder_ / "ops.h";
  ASSERT_EQ(RunProgram("mnnconvert", {source_, "-o", other, "--quiet", "--quant", "int8", "--calib",
                                      SourceFile("examples/meter_reader/calibration"), "--color", "gray"})
                .exit_code,
            0);
  ASSERT_EQ(RunProgram("mnnconvert", {"--emit", "resolver", model_, "-o", header}).exit_code, 0);
  const std::string of_one = BytesOf(header);
  EXPECT_THAT(of_one, HasSubstr("inline micrort::OpResolver ModelOps() {"));
  EXPECT_THAT(of_one, HasSubstr(".AddConv2D(micrort::kPlainFloat32)"));
  EXPECT_THAT(of_one, HasSubstr(".AddReshape()"));
  EXPECT_EQ(of_one.find(".AddQuantize()"), std::string::npos);
  EXPECT_EQ(of_one.find(".AddLoop()"), std::string::npos);
  const ProcessResult r =
      RunProgram("mnnconvert", {"--emit=resolver", model_, other, "-o", header, "--function", "AllModels"});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(BytesOf(header), HasSubstr("AllModels()"));
  EXPECT_THAT(BytesOf(header), HasSubstr(".AddQuantize()"));
  EXPECT_THAT(BytesOf(header), HasSubstr(".AddConv2D(micrort::kPlainFloat32 | micrort::kInt8)"));
}

TEST_F(MnnconvertEmit, ResolversNameTheTypesOfWeights) {
  const std::pair<std::vector<std::string>, const char*> kKinds[] = {
      {{"--quant", "fp16"}, "kPlainFloat32 | micrort::kNarrowWeights"},
      {{"--quant", "int8-weights"}, "kPlainFloat32 | micrort::kNarrowWeights"},
      {{"--quant", "int4-weights"}, ".AddConv2D(micrort::kFloat32)"},
  };
  const std::string other = folder_ / "other.fb", header = folder_ / "ops.h";
  for (const auto& [flags, types] : kKinds) {
    std::vector<std::string> command = {source_, "-o", other, "--quiet"};
    command.insert(command.end(), flags.begin(), flags.end());
    ASSERT_EQ(RunProgram("mnnconvert", command).exit_code, 0);
    ASSERT_EQ(RunProgram("mnnconvert", {"--emit", "resolver", other, "-o", header}).exit_code, 0);
    EXPECT_THAT(BytesOf(header), HasSubstr(types)) << types;
  }
}

TEST_F(MnnconvertEmit, ResolversAreOfModelFilesAndNamedAsFunctionsAre) {
  const std::string header = folder_ / "ops.h";
  EXPECT_EQ(RunProgram("mnnconvert", {"--emit", "resolver", source_, "-o", header}).exit_code, 2);
  EXPECT_EQ(RunProgram("mnnconvert", {"--emit", "resolver", model_, "-o", model_}).exit_code, 1);
  EXPECT_EQ(
      RunProgram("mnnconvert", {"--emit", "resolver", model_, "-o", header, "--function", "a b"}).exit_code,
      1);
  EXPECT_EQ(RunProgram("mnnconvert", {"--emit", "resolver", "-o", header}).exit_code, 1);
  EXPECT_EQ(BytesOf(header), "");
}

// As flatc writes it, which knows alignments up to 32 bytes: here 4.
std::string Misaligned(const std::string& file) {
  flatbuffers::FlatBufferBuilder builder;
  const auto model = schema::UnPackModel(file.data());
  std::vector<flatbuffers::Offset<schema::Buffer>> buffers;
  for (const auto& buffer : model->buffers)
    buffers.push_back(schema::CreateBuffer(builder, builder.CreateVector(buffer->data)));
  std::vector<flatbuffers::Offset<schema::Subgraph>> subgraphs;
  for (const auto& subgraph : model->subgraphs)
    subgraphs.push_back(schema::CreateSubgraph(builder, subgraph.get()));
  const auto list = builder.CreateVector(subgraphs);
  const auto data = builder.CreateVector(buffers);
  schema::ModelBuilder made(builder);
  made.add_schema_version(model->schema_version);
  made.add_subgraphs(list);
  made.add_buffers(data);
  schema::FinishModelBuffer(builder, made.Finish());
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

TEST_F(MnnconvertEmit, RealignsWhatTheRuntimeRefuses) {
  const std::string edited = folder_ / "edited.fb", aligned = folder_ / "aligned.fb";
  std::ofstream(edited, std::ios::binary) << Misaligned(BytesOf(model_));
  EXPECT_EQ(RunProgram("micrort-run", {edited}).exit_code, 2);
  const ProcessResult r = RunProgram("mnnconvert", {"--realign", edited, "-o", aligned});
  ASSERT_EQ(r.exit_code, 0) << r.err;
  const ProcessResult expected = RunProgram("micrort-run", {model_}),
                      found = RunProgram("micrort-run", {aligned});
  EXPECT_EQ(found.exit_code, 0) << found.err;
  EXPECT_EQ(found.out, expected.out);
}

// Four bytes further lie a list of one number, which is the second half of the first pad and the first half
// of the next.
std::string PadsThatAreNotAligned() {
  schema::ModelT model;
  schema::PadOptionsT pads;
  pads.pads = {1, 2, 3, 4};
  auto op = std::make_unique<schema::OperatorT>();
  op->options.Set(pads);
  model.subgraphs.push_back(std::make_unique<schema::SubgraphT>());
  model.subgraphs[0]->operators.push_back(std::move(op));
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::CreateModel(builder, &model));
  uint8_t* bytes = builder.GetBufferPointer();
  const auto* written = schema::GetModel(bytes)->subgraphs()->Get(0)->operators()->Get(0);
  const auto* table = static_cast<const flatbuffers::Table*>(written->options());
  const uint8_t* offset = table->GetAddressOf(schema::PadOptions::VT_PADS);
  bytes[offset - bytes] += 4;
  return {reinterpret_cast<const char*>(bytes), builder.GetSize()};
}

TEST_F(MnnconvertEmit, RealignRefusesListsOfNumbersThatAreNotAligned) {
  const std::string broken = folder_ / "pads.fb", out = folder_ / "pads_out.fb";
  std::ofstream(broken, std::ios::binary) << PadsThatAreNotAligned();
  const ProcessResult r = RunProgram("mnnconvert", {"--realign", broken, "-o", out});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_NE(r.err.find("a list of numbers that is not aligned"), std::string::npos) << r.err;
}

// 1.2 MB that would be 20 GB.
std::string OperatorsThatShareAList() {
  flatbuffers::FlatBufferBuilder builder;
  const auto list = builder.CreateVector(std::vector<int32_t>(250000));
  std::vector<flatbuffers::Offset<schema::Operator>> operators;
  for (int i = 0; i < 20000; ++i) {
    schema::OperatorBuilder op(builder);
    op.add_inputs(list);
    operators.push_back(op.Finish());
  }
  const auto all = builder.CreateVector(operators);
  schema::SubgraphBuilder subgraph(builder);
  subgraph.add_operators(all);
  const auto graph = subgraph.Finish();
  const auto graphs = builder.CreateVector(&graph, 1);
  schema::ModelBuilder model(builder);
  model.add_subgraphs(graphs);
  schema::FinishModelBuffer(builder, model.Finish());
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

TEST_F(MnnconvertEmit, RealignTakesMemoryByTheSizeOfTheFile) {
  const std::string shared = folder_ / "shared.fb", out = folder_ / "shared_out.fb";
  const std::string bytes = OperatorsThatShareAList();
  std::ofstream(shared, std::ios::binary) << bytes;
  const ProcessResult r = RunProgram("mnnconvert", {"--realign", shared, "-o", out});
  EXPECT_EQ(r.exit_code, 3) << r.err;
  EXPECT_NE(r.err.find(std::to_string((64 << 20) + 64 * bytes.size())), std::string::npos) << r.err;
}

TEST_F(MnnconvertEmit, RealignsOwnFilesToTheSameBytes) {
  const std::string again = folder_ / "again.fb";
  ASSERT_EQ(RunProgram("mnnconvert", {"--realign", model_, "-o", again}).exit_code, 0);
  EXPECT_EQ(BytesOf(again), BytesOf(model_));
}

TEST_F(MnnconvertEmit, RealignRefusesWhatIsNoModel) {
  const std::string out = folder_ / "out.fb", broken = folder_ / "broken.fb";
  EXPECT_EQ(RunProgram("mnnconvert", {"--realign", source_, "-o", out}).exit_code, 2);
  std::string bytes = BytesOf(model_);
  std::ofstream(broken, std::ios::binary) << bytes.substr(0, bytes.size() / 2);
  EXPECT_EQ(RunProgram("mnnconvert", {"--realign", broken, "-o", out}).exit_code, 2);
  EXPECT_EQ(RunProgram("mnnconvert", {"--realign", model_, "-o", out, "--quant", "fp16"}).exit_code, 1);
  EXPECT_EQ(RunProgram("mnnconvert", {"--realign", model_, "-o", model_}).exit_code, 1);
  EXPECT_EQ(BytesOf(out), "");
}

}  // namespace
}  // namespace micrort::test
