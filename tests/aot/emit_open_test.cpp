// Models whose sizes data decide, as C++: the shapes and bits of the interpreter.

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/converter/tflite_builder.h"

namespace micrort::test::aot {
namespace {

using ::onnx::TensorProto;
using ::testing::HasSubstr;

class EmitOpen : public EmitCpp {
 protected:
  // Results of both, of an input of ones and zeros that are about as many.
  void ExpectSameResults(OnnxBuilder& builder, const std::vector<std::string>& outputs,
                         const std::vector<std::string>& flags = {}) {
    for (const std::string& output : outputs) builder.Output(output);
    ExpectSameResultsOfFile(model_, builder.Bytes(), outputs, flags);
  }
  void ExpectSameResultsOfFile(const std::string& model, const std::string& bytes,
                               const std::vector<std::string>& outputs,
                               const std::vector<std::string>& flags) {
    WriteFile(model, bytes);
    Emit(model, "ns::Net", flags);
    const std::string program = Compile("net.cpp net_test.cpp net_weights.S");
    EXPECT_EQ(Shell(program), "Success\n");
    std::vector<std::string> convert = {model, "-o", folder_ / "model.fb", "--quiet"};
    convert.insert(convert.end(), flags.begin(), flags.end());
    ASSERT_EQ(RunProgram("mnnconvert", convert).exit_code, 0);
    std::filesystem::create_directory(folder_ / "out");
    const std::string signs = Input();
    for (const std::string& x : {signs, std::string(signs.size(), '\0')}) {
      WriteFile(folder_ / "x.bin", x);
      WriteFile(folder_ / "x.npy", NpyOf(x));
      ASSERT_EQ(RunProgram("micrort-run", {folder_ / "model.fb", "--input", "#0=" + (folder_ / "x.npy"),
                                           "--output-dir", folder_ / "out"})
                    .exit_code,
                0);
      Shell(program + " " + folder_.path() + " " + (folder_ / "x.bin"));
      for (size_t i = 0; i < outputs.size(); ++i) {
        const std::string expected = ReadFile(folder_ / ("out/" + outputs[i] + ".npy")),
                          found = ReadFile(folder_ / ("result" + std::to_string(i) + ".bin"));
        EXPECT_EQ(DataOfNpy(expected).size(), found.size()) << outputs[i];
        EXPECT_TRUE(DataOfNpy(expected) == found) << outputs[i];
      }
    }
  }

  // x: [1, 4, 8, 8]
  static OnnxBuilder Model() { return OnnxBuilder().Input("x", {"1", "4", "8", "8"}); }
};

TEST_F(EmitOpen, CoordinatesOfElements) {
  OnnxBuilder b = Model();
  b.Floats("zero", {1}, {0}).Integers("flat", {1}, {-1});
  b.Node("Max", {"x", "zero"}, {"positive"}).Node("NonZero", {"positive"}, {"where"});
  b.Node("Transpose", {"where"}, {"rows"}).Ints("perm", {1, 0});
  b.Node("Reshape", {"x", "flat"}, {"values"});
  b.Integers("column", {1}, {3}).Node("Gather", {"rows", "column"}, {"last"}).Int("axis", 1);
  b.Integers("shape", {2}, {0, -1}).Node("Reshape", {"last", "shape"}, {"same"});
  b.Integers("list", {1}, {-1}).Node("Reshape", {"same", "list"}, {"indices"});
  b.Node("Gather", {"values", "indices"}, {"picked"});
  b.Node("Add", {"picked", "picked"}, {"sum"}).Node("Exp", {"sum"}, {"exp"});
  b.Floats("three", {3, 1}, {1, 2, 3}).Node("Mul", {"three", "exp"}, {"table"});
  b.Integers("starts", {1}, {1})
      .Integers("ends", {1}, {1000})
      .Integers("axis0", {1}, {1})
      .Integers("steps", {1}, {2});
  b.Node("Slice", {"table", "starts", "ends", "axis0", "steps"}, {"half"});
  b.Node("Concat", {"table", "half"}, {"joined"}).Int("axis", 1);
  b.Node("Cast", {"indices"}, {"floats"}).Int("to", TensorProto::FLOAT);
  ExpectSameResults(b, {"rows", "picked", "half", "joined", "floats"});
}

// As many rows as there are elements above zero.
TEST_F(EmitOpen, RowsOfNarrowTables) {
  for (const char* type : {"fp16", "int8-weights", "int4-weights"}) {
    OnnxBuilder b = Model();
    b.Floats("zero", {1}, {0})
        .Integers("row", {1}, {2})
        .Integers("list", {1}, {-1})
        .Weights("table", {8, 64});
    b.Node("Max", {"x", "zero"}, {"positive"}).Node("NonZero", {"positive"}, {"where"});
    b.Node("Gather", {"where", "row"}, {"column"})
        .Int("axis", 0)
        .Node("Reshape", {"column", "list"}, {"tokens"});
    b.Node("Gather", {"table", "tokens"}, {"rows"});
    ExpectSameResults(b, {"rows"}, {"--quant", type});
  }
}

TEST_F(EmitOpen, BoxesThatStay) {
  OnnxBuilder b = Model();
  // 32 boxes of 4 and 2 classes of 32 scores, all of the same numbers.
  b.Integers("boxes_shape", {3}, {1, 64, 4}).Integers("scores_shape", {3}, {1, 4, 64});
  b.Node("Reshape", {"x", "boxes_shape"}, {"boxes"}).Node("Reshape", {"x", "scores_shape"}, {"scores"});
  b.Integers("most", {1}, {7}).Floats("iou", {1}, {0.4f}).Floats("least", {1}, {-0.5f});
  b.Node("NonMaxSuppression", {"boxes", "scores", "most", "iou", "least"}, {"selected"});
  b.Integers("box", {1}, {2}).Node("Gather", {"selected", "box"}, {"column"}).Int("axis", 1);
  b.Integers("list", {1}, {-1}).Node("Reshape", {"column", "list"}, {"indices"});
  b.Integers("one_list", {2}, {64, 4}).Node("Reshape", {"boxes", "one_list"}, {"all"});
  b.Node("Gather", {"all", "indices"}, {"found"}).Int("axis", 0);
  ExpectSameResults(b, {"selected", "found"});
}

TEST_F(EmitOpen, BoxesThatLowerScores) {
  using testing::fb::TensorType;
  testing::TfliteBuilder b;
  const int x = b.Input("x", {1, 4, 8, 8});
  const int boxes = b.Tensor("boxes", {64, 4}), all = b.Tensor("all", {4, 64}),
            row = b.Tensor("row", {1, 64}), scores = b.Tensor("scores", {64});
  b.Op("RESHAPE", {x, b.Integers("boxes_shape", {64, 4})}, {boxes});
  b.Op("RESHAPE", {x, b.Integers("all_shape", {4, 64})}, {all});
  b.Op("SLICE", {all, b.Integers("begin", {1, 0}), b.Integers("size", {1, 64})}, {row});
  b.Op("RESHAPE", {row, b.Integers("scores_shape", {64})}, {scores});
  const int kept = b.Tensor("kept", {7}, TensorType::Int32), lowered = b.Tensor("lowered", {7}),
            count = b.Tensor("count", {}, TensorType::Int32);
  b.Op("NON_MAX_SUPPRESSION_V5",
       {boxes, scores, b.Integers("most", {7}), b.Floats("iou", {}, {1}), b.Floats("least", {}, {0.5f}),
        b.Floats("sigma", {}, {0.25f})},
       {kept, lowered, count});
  const int best = b.Tensor("best", {7, 4});
  b.Op("GATHER", {boxes, kept}, {best});
  b.Output(best).Output(lowered);
  ExpectSameResultsOfFile(folder_ / "model.tflite", b.Bytes(), {"best", "lowered"}, {});
}

TEST_F(EmitOpen, DifferentElements) {
  OnnxBuilder b = Model();
  b.Node("Floor", {"x"}, {"signs"});
  b.Node("Unique", {"signs"}, {"y", "first", "inverse", "counts"});
  b.Node("Unique", {"signs"}, {"slices", "at", "back", "of"}).Int("axis", 3).Int("sorted", 0);
  ExpectSameResults(b, {"y", "first", "inverse", "counts", "slices", "of"});
  const std::string header = ReadFile(cpp_ + "/net.h");
  EXPECT_THAT(header, HasSubstr("result0_dim(int i) const"));
  EXPECT_THAT(header, HasSubstr("static constexpr int result2_count() { return 256; }"));
}

TEST_F(EmitOpen, LargestElements) {
  OnnxBuilder b = Model();
  b.Floats("zero", {1}, {0}).Integers("flat", {1}, {-1}).Node("Reshape", {"x", "flat"}, {"values"});
  b.Node("ArgMax", {"values"}, {"k"});
  b.Node("TopK", {"values", "k"}, {"largest", "places"});
  b.Node("Max", {"x", "zero"}, {"positive"}).Node("NonZero", {"positive"}, {"where"});
  b.Integers("two", {1}, {2}).Node("TopK", {"where", "two"}, {"of_four", "rows"}).Int("axis", 0);
  ExpectSameResults(b, {"largest", "places", "of_four", "rows"});
}

TEST_F(EmitOpen, SaysWhatItCannotDo) {
  OnnxBuilder b = Model();
  b.Node("NonZero", {"x"}, {"where"}).Node("ReduceSum", {"where"}, {"y"}).Output("y");
  WriteFile(model_, b.Bytes());
  const ProcessResult result =
      RunProgram("mnnconvert", {model_, "-o", cpp_, "--emit", "cpp", "--cpp-class", "ns::Net", "--quiet"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("data decide its sizes"));
}

}  // namespace
}  // namespace micrort::test::aot
