// Small files that ask for much: every program ends soon, with an exit code of its own and a message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "schema/micrort_generated.h"
#include "tests/converter/onnx_builder.h"
#include "tests/programs/onnx_file.h"
#include "tests/programs/process.h"
#include "tests/tools/png.h"

namespace micrort::test {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// A tenth of a second is usual.
constexpr ProcessLimits kLimits = {uint64_t{8} << 30, 20};

std::string FileOf(const schema::ModelT& model) {
  flatbuffers::FlatBufferBuilder builder;
  schema::FinishModelBuffer(builder, schema::Model::Pack(builder, &model));
  return std::string(reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize());
}

// NAME_y = |NAME|, both float32 of this shape.
schema::ModelT AbsModelOf(const std::vector<int32_t>& shape, const std::string& name) {
  schema::ModelT model;
  model.schema_version = 1;
  model.buffers.push_back(std::make_unique<schema::BufferT>());
  auto graph = std::make_unique<schema::SubgraphT>();
  for (const std::string& tensor_name : {name, name + "_y"}) {
    auto tensor = std::make_unique<schema::TensorT>();
    tensor->name = tensor_name;
    tensor->dtype = schema::DType::Float32;
    tensor->shape = shape;
    graph->tensors.push_back(std::move(tensor));
  }
  auto op = std::make_unique<schema::OperatorT>();
  schema::UnaryOptionsT unary;
  unary.kind = schema::UnaryKind::Abs;
  op->code = schema::OpCode::Unary;
  op->options.Set(unary);
  op->inputs = {0};
  op->outputs = {1};
  op->name = name;
  graph->operators.push_back(std::move(op));
  graph->inputs = {0};
  graph->outputs = {1};
  model.subgraphs.push_back(std::move(graph));
  return model;
}

std::string AbsModel(const std::vector<int32_t>& shape, const std::string& name) {
  return FileOf(AbsModelOf(shape, name));
}

class UntrustedFiles : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) {
    WriteFile(folder_ / name, bytes);
    return folder_ / name;
  }
  std::string Picture(int width, int height) {
    const std::vector<uint8_t> png =
        testing::PngFile(width, height, 1, std::vector<uint8_t>(static_cast<size_t>(width) * height, 100));
    return Write("picture.png", std::string(png.begin(), png.end()));
  }
  const TemporaryFolder folder_;
};

// Protobuf does not survive a refusal: the program must not unwind through it.
TEST_F(UntrustedFiles, EndWithAMessageWhereverMemoryIsRefused) {
  const std::string onnx = SourceFile("examples/meter_reader/meter_digits.onnx");
  const std::string graph_def = SourceFile("examples/custom_op/zero_out.pbtxt");
  for (const std::string& model : {onnx, graph_def}) {
    for (int limit = 1; limit < 100000; limit = limit * 5 / 4 + 200) {
      const ProcessResult result = RunProgram(
          "mnnconvert", {model, "-o", folder_ / "out.fb", "--max-memory", std::to_string(limit)}, kLimits);
      if (result.exit_code == 0) break;
      EXPECT_EQ(result.exit_code, 3) << model << ", " << limit;
      EXPECT_THAT(result.err, HasSubstr("mnnconvert: error: ")) << model << ", " << limit;
    }
  }
}

TEST_F(UntrustedFiles, InputsLargerThanATensorMayBeAreRefusedBeforeTheyAreMade) {
  for (const std::vector<int32_t>& shape : {std::vector<int32_t>{1 << 30, 4},
                                            {1 << 20, 1 << 20},
                                            {INT32_MAX, INT32_MAX},
                                            {1, INT32_MAX, 3},
                                            {0, INT32_MAX, INT32_MAX}}) {
    const std::string model = Write("model.fb", AbsModel(shape, "x"));
    const ProcessResult r = RunProgram("micrort-run", {model}, kLimits);
    EXPECT_THAT(r.exit_code, AnyOf(2, 3)) << r.err;
    EXPECT_THAT(r.err, HasSubstr("x"));
  }
}

TEST_F(UntrustedFiles, MaxMemoryBoundsATensor) {
  const std::string model = Write("model.fb", AbsModel({1000}, "x"));
  const ProcessResult small = RunProgram("micrort-run", {model, "--max-memory", "3999"}, kLimits);
  EXPECT_EQ(small.exit_code, 3);
  EXPECT_THAT(small.err, HasSubstr("--max-memory"));
}

TEST_F(UntrustedFiles, MaxWorkBoundsARun) {
  const std::string model = Write("model.fb", AbsModel({1000}, "x"));
  const ProcessResult r = RunProgram("micrort-run", {model, "--max-work", "1000"}, kLimits);
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_THAT(r.err, HasSubstr("--max-work"));
}

// The outputs' range is found without a copy of them.
TEST_F(UntrustedFiles, AnOutputTakesItsOwnMemoryAlone) {
  micrort::testing::OnnxBuilder b;
  b.Input("x", {"1"}).Integers("shape", {1}, {64 << 20}).Node("Expand", {"x", "shape"}, {"y"}).Output("y");
  const std::string source = Write("wide.onnx", b.Bytes());
  const ProcessResult converted =
      RunProgram("mnnconvert", {source, "-o", folder_ / "wide.fb", "--quiet"}, kLimits);
  ASSERT_EQ(converted.exit_code, 0) << converted.err;
  const ProcessResult r = RunProgram("micrort-run", {folder_ / "wide.fb"}, {uint64_t{450} << 20, 20});
  EXPECT_EQ(r.exit_code, 0) << r.err;
}

// Each would be looked through and written, whatever it shares with others.
TEST_F(UntrustedFiles, OutputsThatAreOneTensorCountEachTime) {
  schema::ModelT model = AbsModelOf({1 << 20}, "x");
  model.subgraphs[0]->outputs.resize(2000, 1);
  const ProcessResult r = RunProgram("micrort-run", {Write("model.fb", FileOf(model))}, kLimits);
  EXPECT_EQ(r.exit_code, 3);
  EXPECT_THAT(r.err, HasSubstr("2000 outputs have more than"));
}

// The file is some kilobytes and one megabyte, what is written of it many times that.
TEST_F(UntrustedFiles, TensorsThatShareABufferAreNotWrittenEachInFull) {
  schema::ModelT model = AbsModelOf({4}, "x");
  model.buffers.push_back(std::make_unique<schema::BufferT>());
  model.buffers[1]->data.resize(1 << 20);
  for (int i = 0; i < 200; ++i) {
    auto tensor = std::make_unique<schema::TensorT>();
    tensor->name = std::to_string(i);
    tensor->dtype = schema::DType::UInt8;
    tensor->shape = {1 << 20};
    tensor->buffer = 1;
    model.subgraphs[0]->tensors.push_back(std::move(tensor));
  }
  const std::string file = Write("model.fb", FileOf(model));
  const ProcessResult r = RunProgram("micrort-info", {file, "--onnx", folder_ / "model.onnx"}, kLimits);
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("would be far larger as ONNX"));
}

// Passes draw on the budget, as the import does.
TEST_F(UntrustedFiles, ChangesOfAGraphAreBounded) {
  micrort::testing::OnnxBuilder b;
  std::string last = "x";
  b.Input(last, {"4"});
  for (int i = 0; i < 4000; ++i) {
    const std::string gate = "gate" + std::to_string(i), next = "y" + std::to_string(i);
    b.Node("Sigmoid", {last}, {gate}).Node("Mul", {last, gate}, {next});
    last = next;
  }
  b.Output(last);
  const std::string model = Write("gates.onnx", b.Bytes());
  const auto convert = [&](const char* max_work) {
    return RunProgram("mnnconvert", {model, "-o", folder_ / "gates.fb", "--quiet", "--max-work", max_work},
                      kLimits);
  };
  const ProcessResult few = convert("100000000000"), enough = convert("1000000000000");
  EXPECT_EQ(few.exit_code, 3) << few.err;
  EXPECT_THAT(few.err, AllOf(HasSubstr("after pass "), HasSubstr("a fifth of --max-work")));
  EXPECT_EQ(enough.exit_code, 0) << enough.err;
}

// An index that is data ends a run, and a conversion that computes what is known, as broken models do.
TEST_F(UntrustedFiles, IndicesOutOfRangeAreInvalid) {
  for (const bool is_known : {false, true}) {
    micrort::testing::OnnxBuilder b;
    b.Integers("indices", {1}, {1 << 20});
    if (is_known) {
      b.Weights("x", {3});
    } else {
      b.Input("x", {"3"});
    }
    b.Node("Gather", {"x", "indices"}, {"y"}).Output("y");
    const std::string source = Write("gather.onnx", b.Bytes());
    const ProcessResult converted =
        RunProgram("mnnconvert", {source, "-o", folder_ / "gather.fb", "--quiet"}, kLimits);
    const ProcessResult last =
        is_known ? converted : RunProgram("micrort-run", {folder_ / "gather.fb"}, kLimits);
    EXPECT_EQ(last.exit_code, 2) << last.err;
    EXPECT_THAT(last.err, HasSubstr("index 1048576"));
  }
}

TEST_F(UntrustedFiles, PicturesOfAnyAspectAreCropped) {
  const std::string model = Write("model.fb", AbsModel({1, 224, 224, 1}, "x"));
  for (const auto& [width, height] : {std::pair<int, int>{1, 32000}, {32000, 1}, {3, 20000}}) {
    const ProcessResult r = RunProgram(
        "micrort-run", {model, "--input", "x=" + Picture(width, height), "--resize", "crop"}, kLimits);
    EXPECT_EQ(r.exit_code, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("100"));
  }
}

TEST_F(UntrustedFiles, PicturesAreNotScaledToHugeInputs) {
  for (const std::string resize : {"stretch", "crop", "letterbox"}) {
    const std::string model = Write("model.fb", AbsModel({1, 100000, 100000, 3}, "x"));
    const ProcessResult r =
        RunProgram("micrort-run", {model, "--input", "x=" + Picture(4, 4), "--resize", resize}, kLimits);
    EXPECT_EQ(r.exit_code, 3) << r.err;
  }
}

TEST_F(UntrustedFiles, NamesDoNotReachTheTerminalAsCommands) {
  const std::string evil = "x\x1b]0;title\x07\x1b[31m\n\xc2\x9b";
  const std::string model = Write("model.fb", AbsModel({4}, evil));
  for (const std::vector<std::string>& call : {std::vector<std::string>{"micrort-info", model, "--plan"},
                                               {"micrort-run", model},
                                               {"micrort-run", model, "--max-memory", "1"},
                                               {"micrort-bench", model, "--runs", "1", "--profile"}}) {
    const ProcessResult r = RunProgram(call[0], {call.begin() + 1, call.end()}, kLimits);
    for (const std::string* text : {&r.out, &r.err}) {
      EXPECT_THAT(*text, Not(HasSubstr("\x1b"))) << call[0];
      EXPECT_THAT(*text, Not(HasSubstr("\x07"))) << call[0];
      EXPECT_THAT(*text, Not(HasSubstr("\xc2\x9b"))) << call[0];
    }
    EXPECT_THAT(r.out + r.err, HasSubstr("\\x1b")) << call[0];
  }
}

// Files kept beside the repository, each of which once took minutes, all memory, or ended a program.
class KeptFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(ModelData("untrusted"))) GTEST_SKIP() << "skipped: no such files";
  }
  static std::string Kept(const std::string& name) { return ModelData("untrusted/" + name); }
  static std::vector<std::string> Names(const std::string& extension) {
    std::vector<std::string> names = FilesIn(ModelData("untrusted"));
    const auto is_other = [&](const std::string& name) {
      return std::filesystem::path(name).extension() != extension;
    };
    names.erase(std::remove_if(names.begin(), names.end(), is_other), names.end());
    return names;
  }
  // A refused file ends with 2 or 3; where it is known what is wrong with it, with the one that fits.
  static void ExpectEnd(const std::string& name, const ProcessResult& r) {
    static const std::map<std::string, int> kKnown = {
        {"arena_8GB.fb", 3},          {"image_1e5.fb", 3},
        {"image_intmax.fb", 3},       {"input_16GB.fb", 3},
        {"input_2e18.fb", 3},         {"input_4TB.fb", 3},
        {"loop_nest_hang.fb", 3},     {"loop_infinite_at_load.fb", 2},
        {"trunc_me.fb", 2},           {"image224.fb", 0},
        {"escape_names.fb", 0},       {"dim_names_4000.fb", 0},
        {"ubsan_row_pointers.fb", 0}, {"onnx_manyout.onnx", 3}};
    const auto known = kKnown.find(name);
    if (known == kKnown.end()) {
      EXPECT_THAT(r.exit_code, AnyOf(0, 2, 3)) << name << ": " << r.err;
    } else {
      EXPECT_EQ(r.exit_code, known->second) << name << ": " << r.err;
    }
    EXPECT_THAT(r.err, Not(HasSubstr("terminate called"))) << name;
  }
};

TEST_F(KeptFiles, ModelsEndInRun) {
  for (const std::string& name : Names(".fb")) {
    std::vector<std::vector<std::string>> calls = {{Kept(name)}};
    if (name.rfind("image", 0) == 0) {
      calls.clear();
      for (const char* picture : {"thin.png", "wide.png"})
        calls.push_back({Kept(name), "--input", "#0=" + Kept(picture), "--resize", "crop"});
    }
    for (const auto& call : calls) ExpectEnd(name, RunProgram("micrort-run", call, kLimits));
  }
}

TEST_F(KeptFiles, ModelsEndInInfo) {
  for (const std::string& name : Names(".fb"))
    ExpectEnd(name, RunProgram("micrort-info", {Kept(name), "--plan"}, kLimits));
}

TEST_F(KeptFiles, SourceModelsEndInTheConverter) {
  const TemporaryFolder folder;
  static const std::set<std::string> kOfWeights = {"onnx_int4_badalloc.onnx", "onnx_oom.onnx"};
  for (const std::string& name : Names(".onnx")) {
    std::vector<std::string> call = {Kept(name), "-o", folder / "out.fb", "--quiet"};
    ExpectEnd(name, RunProgram("mnnconvert", call, kLimits));
    if (kOfWeights.count(name) == 0) continue;
    call.insert(call.end(), {"--quant", "int4-weights"});
    ExpectEnd(name, RunProgram("mnnconvert", call, kLimits));
  }
}

}  // namespace
}  // namespace micrort::test
