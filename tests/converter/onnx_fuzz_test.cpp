// Small models of every kind of structure with one bit flipped, each bit in turn: importing them may fail,
// but never crashes or hangs. Run with the sanitizers too.

#include <gtest/gtest.h>

#include "tests/converter/onnx_builder.h"

namespace micrort {
namespace {

using ::onnx::AttributeProto;
using ::onnx::NodeProto;
using testing::Import;
using testing::OnnxBuilder;

void FlipEveryBit(const OnnxBuilder& builder) {
  const std::string bytes = builder.Bytes();
  ASSERT_TRUE(Import(bytes).status.ok()) << Import(bytes).status.message();
  for (size_t i = 0; i < bytes.size() * 8; ++i) {
    std::string broken = bytes;
    broken[i / 8] = static_cast<char>(broken[i / 8] ^ (1 << (i % 8)));
    Import(broken);  // any status will do
  }
}

TEST(OnnxFuzz, Layers) {
  OnnxBuilder b;
  b.Input("x", {"1", "2", "4", "4"}).Weights("w", {2, 2, 3, 3}).Integers("s", {2}, {1, -1});
  b.Node("Conv", {"x", "w"}, {"c"}).Ints("pads", {1, 1, 1, 1});
  b.Node("MaxPool", {"c"}, {"p"}).Ints("kernel_shape", {2, 2});
  FlipEveryBit(b.Node("Reshape", {"p", "s"}, {"y"}).Output("y"));
}

TEST(OnnxFuzz, Sequences) {
  OnnxBuilder b(18);
  b.Input("x", {"4", "2"}).Integers("i", {}, {1}).Node("SplitToSequence", {"x"}, {"s"}).Int("keepdims", 0);
  b.Floats("z", {2}, {1, 2})
      .Node("SequenceInsert", {"s", "z", "i"}, {"t"})
      .Node("SequenceErase", {"t", "i"}, {"u"});
  b.Node("Optional", {"u"}, {"o"}).Node("OptionalGetElement", {"o"}, {"g"});
  b.Node("ConcatFromSequence", {"g"}, {"y"}).Int("axis", 0).Int("new_axis", 1).Output("y");
  FlipEveryBit(b);
}

TEST(OnnxFuzz, Functions) {
  OnnxBuilder b;
  auto* f = b.model.add_functions();
  f->set_domain("l");
  f->set_name("F");
  f->add_input("p");
  f->add_output("q");
  f->add_attribute("a");
  f->add_opset_import()->set_version(9);
  for (const auto& [from, to] : {std::make_pair("p", "m"), std::make_pair("m", "q")}) {
    NodeProto* node = f->add_node();
    node->set_op_type("LeakyRelu");
    node->add_input(from);
    node->add_output(to);
    AttributeProto* a = node->add_attribute();
    a->set_name("alpha");
    a->set_ref_attr_name("a");
    a->set_type(AttributeProto::FLOAT);
  }
  b.Input("x", {"2"}).Node("F", {"x"}, {"h"}).Float("a", 0.5f).Node("F", {"h"}, {"y"}).Output("y");
  for (NodeProto& node : *b.graph().mutable_node()) node.set_domain("l");
  FlipEveryBit(b);
}

TEST(OnnxFuzz, ConstantIndices) {
  OnnxBuilder b(18);
  b.Input("x", {"1", "4", "9"}).Integers("i", {2}, {4, 4}).Integers("k", {2}, {2, 2});
  b.Node("Col2Im", {"x", "i", "k"}, {"y"}).Ints("strides", {1, 1}).Output("y");
  FlipEveryBit(b);
}

TEST(OnnxFuzz, Caches) {
  OnnxBuilder b(17);
  auto* contrib = b.model.add_opset_import();
  contrib->set_domain("com.microsoft");
  contrib->set_version(1);
  b.Input("q", {"1", "1", "8"}).Input("k", {"1", "1", "4"}).Input("pk", {"1", "1", "2", "4"});
  b.Narrow("n", ::onnx::TensorProto::INT32, {1}, {2}).Narrow("t", ::onnx::TensorProto::INT32, {}, {3});
  b.Node("GroupQueryAttention", {"q", "k", "k", "pk", "pk", "n", "t"}, {"y", "nk", "nv"}).Output("y");
  b.Int("num_heads", 2).Int("kv_num_heads", 1).Int("local_window_size", 2);
  b.graph().mutable_node(0)->set_domain("com.microsoft");
  FlipEveryBit(b);
}

}  // namespace
}  // namespace micrort
