// ONNX models.

#include "tests/converter/onnx_builder.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/fuzz/harness.h"
#include "tests/fuzz/protobuf_mutator.h"
#include "tests/fuzz/seeds.h"

namespace micrort::fuzz {
namespace {

using testing::OnnxBuilder;

std::string Layers() {
  OnnxBuilder b;
  b.Input("x", {"1", "2", "6", "6"}).Weights("w", {4, 2, 3, 3}).Integers("s", {2}, {1, -1});
  b.Node("Conv", {"x", "w"}, {"c"}).Ints("pads", {1, 1, 1, 1});
  b.Node("Relu", {"c"}, {"r"});
  b.Node("MaxPool", {"r"}, {"p"}).Ints("kernel_shape", {2, 2}).Ints("strides", {2, 2});
  b.Node("Reshape", {"p", "s"}, {"f"}).Weights("m", {36, 3}).Node("MatMul", {"f", "m"}, {"l"});
  return b.Node("Softmax", {"l"}, {"y"}).Int("axis", -1).Output("y").Bytes();
}

std::string OpenShapes() {
  OnnxBuilder b(13);
  b.Input("x", {"n", "3", "4"}).Integers("a", {1}, {1}).Integers("e", {1}, {2}).Integers("z", {1}, {0});
  b.Node("Slice", {"x", "z", "e", "a"}, {"s"}).Node("Shape", {"s"}, {"d"});
  b.Node("ConstantOfShape", {"d"}, {"o"}).Node("Concat", {"s", "o"}, {"c"}).Int("axis", 2);
  b.Node("Transpose", {"c"}, {"t"}).Ints("perm", {0, 2, 1});
  b.Node("Gather", {"t", "a"}, {"g"}).Int("axis", 1).Node("ReduceMean", {"g"}, {"y"}).Ints("axes", {2});
  return b.Output("y").Bytes();
}

std::string Sequences() {
  OnnxBuilder b(18);
  b.Input("x", {"4", "2"}).Integers("i", {}, {1}).Node("SplitToSequence", {"x"}, {"s"}).Int("keepdims", 0);
  b.Floats("z", {2}, {1, 2}).Node("SequenceInsert", {"s", "z", "i"}, {"t"});
  b.Node("SequenceErase", {"t", "i"}, {"u"});
  return b.Node("ConcatFromSequence", {"u"}, {"y"}).Int("axis", 0).Int("new_axis", 1).Output("y").Bytes();
}

std::string Branches() {
  OnnxBuilder b;
  b.Input("x", {"2"}).Input("c", {}, ::onnx::TensorProto::BOOL);
  b.Node("If", {"c"}, {"y"})
      .Graph("then_branch", testing::Branch("Relu", {"x"}))
      .Graph("else_branch", testing::Branch("Neg", {"x"}));
  return b.Output("y").Bytes();
}

std::string Selection() {
  OnnxBuilder b(13);
  b.Input("boxes", {"1", "6", "4"}).Input("scores", {"1", "2", "6"}).Integers("most", {1}, {2});
  b.Floats("overlap", {1}, {0.5f})
      .Node("NonMaxSuppression", {"boxes", "scores", "most", "overlap"}, {"kept"});
  b.Integers("k", {1}, {2}).Node("TopK", {"scores", "k"}, {"values", "places"}).Int("axis", 2);
  b.Node("ScatterElements", {"scores", "places", "values"}, {"put"}).Int("axis", 2);
  return b.Output("kept").Output("put").Bytes();
}

std::string Recurrence() {
  OnnxBuilder b(14);
  b.Input("x", {"3", "1", "2"}).Weights("w", {1, 8, 2}).Weights("r", {1, 8, 2});
  return b.Node("LSTM", {"x", "w", "r"}, {"y"}).Int("hidden_size", 2).Output("y").Bytes();
}

// Of the program's own, between others; what it gives is stated, as nothing infers it.
std::string Custom() {
  OnnxBuilder b(13);
  auto* opset = b.model.add_opset_import();
  opset->set_domain("com.acme");
  opset->set_version(1);
  b.Input("x", {"2", "3"}, ::onnx::TensorProto::INT32);
  b.Node("ZeroOut", {"x"}, {"z"}).Ints("preserve_index", {2}).Node("Add", {"z", "x"}, {"y"}).Output("y");
  b.graph().mutable_node(0)->set_domain("com.acme");
  auto* info = b.graph().add_value_info();
  info->set_name("z");
  auto* type = info->mutable_type()->mutable_tensor_type();
  type->set_elem_type(::onnx::TensorProto::INT32);
  for (const int64_t dim : {2, 3}) type->mutable_shape()->add_dim()->set_dim_value(dim);
  return b.Bytes();
}

Status Run(const std::string& bytes) {
  return ConvertAndRun(bytes, OptionsFor(frontend::SourceFormat::kOnnx));
}

}  // namespace

std::vector<std::string> OnnxSeeds() {
  return {Layers(), OpenShapes(), Sequences(), Branches(), Selection(), Recurrence(), Custom()};
}

const Harness kOnnx = {"onnx", Run, MutateMessageBytes<::onnx::ModelProto>};

}  // namespace micrort::fuzz
