// ONNX operators on sequences and optionals: positions, parts and bodies that do not fit.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_sequences {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// A graph that makes nothing of its sequence but its length.
Status LengthOf(OnnxBuilder& b, const std::string& sequence) {
  return Import(b.Node("SequenceLength", {sequence}, {"y"}).Output("y")).status;
}

// Parts of an x of the given size.
Status Parts(const std::string& size, const std::vector<int64_t>& dims, const std::vector<int64_t>& parts) {
  OnnxBuilder b;
  b.Input("x", {size}).Integers("parts", dims, parts).Node("SplitToSequence", {"x", "parts"}, {"s"});
  return LengthOf(b, "s");
}

// What a body of one input gives for each of a sequence of one.
OnnxBuilder Mapped(const OnnxBuilder& body, const std::vector<std::string>& outputs) {
  OnnxBuilder b(17);
  b.Input("x", {"2"}).Node("SequenceConstruct", {"x"}, {"s"});
  b.Node("SequenceMap", {"s"}, outputs).Graph("body", body);
  return b;
}

// As many sequences, of at least so many elements each.
Status Sequences(size_t count, size_t elements) {
  OnnxBuilder b;
  const auto name = [](size_t i) { return "s" + std::to_string(i); };
  b.Input("x", {"2"}).Node("SequenceConstruct", std::vector<std::string>(elements, "x"), {name(0)});
  for (size_t i = 1; i < count; ++i) b.Node("SequenceInsert", {name(i - 1), "x"}, {name(i)});
  return LengthOf(b, name(count - 1));
}

const Refusal kSequences[] = {
    {"ManyLongSequences", MICRORT_STATUS(Sequences(257, 1 << 16)),
     "sequences of more than 16777216 elements in all", kUnsupported},
    {"ElementsOfTwoRanks",
     [] {
       OnnxBuilder b;
       b.Input("a", {"2", "3", "4"}).Input("b", {}).Node("SequenceConstruct", {"a", "b"}, {"s"});
       b.Node("ConcatFromSequence", {"s"}, {"y"}).Int("new_axis", 1).Int("axis", 3);
       return Import(b.Output("y")).status;
     },
     "(ConcatFromSequence, opset 13): the elements have different ranks"},
    {"SequenceOfAnAbsentTensor",
     [] {
       OnnxBuilder b;
       b.Input("x", {"2"}).Node("SequenceConstruct", {"x", "", "x"}, {"s"});
       return LengthOf(b, "s");
     },
     "(SequenceConstruct, opset 13): input 1 is absent"},
    {"ElementOfNone",
     [] {
       OnnxBuilder b;
       b.Integers("i", {}, {0}).Node("SequenceEmpty", {}, {"s"}).Node("SequenceAt", {"s", "i"}, {"y"});
       return Import(b.Output("y")).status;
     },
     "(SequenceAt, opset 13): the sequence is empty"},
    {"PartsOfUnknownSize",
     [] {
       OnnxBuilder b;
       b.Input("x", {"N"}).Node("SplitToSequence", {"x"}, {"s"});
       return LengthOf(b, "s");
     },
     "the number of parts is not known", kUnsupported},
    {"PartsOfTwoSizes", MICRORT_STATUS(Parts("4", {1, 2}, {1, 1})), "parts of 1 of 4 elements"},
    {"TooManyParts", MICRORT_STATUS(Parts("65537", {}, {1})), "parts of 1 of 65537 elements"},
    {"UnknownNumberOfParts",
     [] {
       OnnxBuilder b;
       b.Input("x", {"4"}).Input("parts", {"N"}, ::onnx::TensorProto::INT64);
       b.Node("SplitToSequence", {"x", "parts"}, {"s"});
       return LengthOf(b, "s");
     },
     "the number of parts is not known", kUnsupported},
    {"NegativePart", MICRORT_STATUS(Parts("4", {2}, {-1, 5})), "a part of -1 elements"},
    {"HugePartOfAnUnknownSize", MICRORT_STATUS(Parts("N", {2}, {INT64_MAX, 1})),
     "a part of 9223372036854775807 elements"},
    {"LongPart", MICRORT_STATUS(Parts("4", {2}, {5, -1})), "a part of 5 elements, of 4"},
    {"PartsThatLeaveARest", MICRORT_STATUS(Parts("4", {2}, {1, 2})),
     "(SplitToSequence, opset 13): the parts have 3 of 4 elements"},
    {"MapWithoutABody",
     [] {
       OnnxBuilder b(17);
       b.Input("x", {"2"}).Node("SequenceConstruct", {"x"}, {"s"}).Node("SequenceMap", {"s"}, {"m"});
       return LengthOf(b, "m");
     },
     "there is no body"},
    {"MapOfMoreOutputsThanItsBody",
     [] {
       OnnxBuilder b = Mapped(Branch("Relu", {"e"}).Input("e", {"2"}), {"m", "n"});
       return LengthOf(b, "n");
     },
     "the body has 1 outputs, the node 2"},
    {"MapToSequences",
     [] {
       OnnxBuilder b = Mapped(Branch("SequenceConstruct", {"e"}).Input("e", {"2"}), {"m"});
       b.Node("ConcatFromSequence", {"m"}, {"y"}).Int("axis", 0);
       return Import(b.Output("y")).status;
     },
     "output 0 of the body is a sequence or an optional"},
    {"OptionalOfAnOptional",
     [] {
       OnnxBuilder b(18);
       b.Input("x", {"2"}).Node("Optional", {"x"}, {"o"}).Node("Optional", {"o"}, {"p"});
       b.Node("OptionalHasElement", {"p"}, {"y"});
       return Import(b.Output("y")).status;
     },
     "an optional of an optional"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedSequences, kSequences);

}  // namespace
}  // namespace micrort::testing::onnx_refused_sequences
