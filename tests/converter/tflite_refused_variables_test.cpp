// Variables of TFLite files, and subgraphs that run each other, that cannot be; operators with too many
// operands.

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_variables {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kResource = fb::TensorType::Resource;
constexpr auto kInts = fb::TensorType::Int32;

int Handle(TfliteBuilder* b) {
  fb::VarHandleOptionsT named;
  named.shared_name = "v";
  const int handle = b->Tensor("handle", {}, kResource);
  b->Op("VAR_HANDLE", {}, {handle}, named);
  return handle;
}

// y = v, which has no first value yet; what follows goes to the subgraph that may give one.
TfliteBuilder ReadsAVariable(bool has_initializer, fb::TensorType type = fb::TensorType::Float32) {
  TfliteBuilder b;
  fb::CallOnceOptionsT once;
  once.init_subgraph_index = 1;
  if (has_initializer) b.Op("CALL_ONCE", {}, {}, once);
  const int handle = Handle(&b), y = b.Tensor("y", {2}, type);
  b.Op("READ_VARIABLE", {handle}, {y});
  b.Output(y);
  if (has_initializer) b.AddSubgraph();
  return b;
}

Status Import(const TfliteBuilder& b) { return ImportTflite(b.Bytes()).status; }

const Refusal kVariables[] = {
    {"NoValue", MICRORT_STATUS(Import(ReadsAVariable(false))), "variable 'v': nothing gives it a value",
     kUnsupported},
    {"ReadAsAnotherType",
     [] {
       TfliteBuilder b = ReadsAVariable(true, kInts);
       const int handle = Handle(&b);
       b.Op("ASSIGN_VARIABLE", {handle, b.Floats("first", {2}, {1, 2})}, {});
       return Import(b);
     },
     "variable 'v': it is read as int32, but is float32"},
    // Constants that grow so much stay computed.
    {"FirstValueIsComputed",
     [] {
       TfliteBuilder b = ReadsAVariable(true);
       const int handle = Handle(&b), first = b.Tensor("first");
       b.Op("FILL", {b.Integers("shape", {1 << 19}), b.Floats("one", {}, {1})}, {first});
       b.Op("ASSIGN_VARIABLE", {handle, first}, {});
       return Import(b);
     },
     "CALL_ONCE: the first value of variable 'v' is computed", kUnsupported},
    {"FirstValueOfAnUnknownOperator",
     [] {
       TfliteBuilder b = ReadsAVariable(true);
       const int handle = Handle(&b), first = b.Tensor("first", {2});
       b.Op("Unknown", {}, {first});
       b.Op("ASSIGN_VARIABLE", {handle, first}, {});
       return Import(b);
     },
     "1 node cannot be converted, the first is 'first' (Unknown)", kUnsupported},
    {"ReadWithScalesOfAnotherShape",
     [] {
       constexpr auto kBytes = fb::TensorType::Int8;
       TfliteBuilder b = ReadsAVariable(true, kBytes);
       fb::TensorT& y = *b.model.subgraphs[0]->tensors[1];
       y.shape = {2, 3};
       y.quantization = std::make_unique<fb::QuantizationParametersT>();
       y.quantization->scale = {1, 2, 3};
       y.quantization->quantized_dimension = 1;
       const int handle = Handle(&b);
       const std::vector<int8_t> first(20, 1);
       b.Op("ASSIGN_VARIABLE", {handle, b.Constant("first", {4, 5}, kBytes, first)}, {});
       return Import(b);
     },
     "variable 'v': it is read with 3 scales along dimension 1, which has size 5"},
    {"TensorOfOpenShape",
     [] {
       OneOp op("RNN");
       op.In({1, 1}).Zeros({1, 1}).Zeros({1, 1}).Zeros({1}).Variable({1, 1});
       op.builder().tensor(4).shape_signature = {-1, 1};
       return op.With(fb::RNNOptionsT()).Import();
     },
     "a variable whose shape is not fixed", kUnsupported},
};

// Runs its second subgraph once, which what follows goes to.
TfliteBuilder RunsOnce() {
  TfliteBuilder b;
  fb::CallOnceOptionsT once;
  once.init_subgraph_index = 1;
  b.Output(b.Input("x", {2}));
  b.Op("CALL_ONCE", {}, {}, once);
  b.AddSubgraph();
  return b;
}

// `count` subgraphs that each run the next one, the last one itself or nothing. The first is run once.
Status Nested(int count, bool is_cycle) {
  TfliteBuilder b = RunsOnce();
  int x = b.Floats("first", {2}, {1, 2}), y = b.Tensor("y", {2});
  b.Op("CALL", {x}, {y}, Calls(2));
  for (int i = 2; i <= count; ++i) {
    const int subgraph = b.AddSubgraph();
    x = b.Input("x", {2}), y = b.Tensor("y", {2});
    const bool is_last = i == count;
    if (!is_last || is_cycle) b.Op("CALL", {x}, {y}, Calls(is_last ? subgraph : subgraph + 1));
    b.Output(is_last && !is_cycle ? x : y);
  }
  return Import(b);
}

// A subgraph that runs another one often, which hands on its input so many times.
Status OperandsThatAreHandedOn(size_t calls, size_t outputs) {
  TfliteBuilder b;
  const int x = b.Input("x", {2});
  b.Output(x);
  b.Op("CALL", {x}, {}, Calls(1));
  for (size_t i = 1; i < calls; ++i)
    b.graph().operators.push_back(std::make_unique<fb::OperatorT>(*b.graph().operators[0]));
  b.AddSubgraph();
  b.graph().outputs.assign(outputs, b.Input("x", {2}));
  return Import(b);
}

// A subgraph that is run once runs one with the same operator so many times over.
Status OperatorsThatAreRunOnce(size_t count) {
  using Operators = std::vector<flatbuffers::Offset<fb::Operator>>;
  TfliteBuilder b = RunsOnce();
  b.Op("CALL", {}, {}, Calls(2));
  flatbuffers::FlatBufferBuilder file;
  std::vector<flatbuffers::Offset<fb::OperatorCode>> codes;
  std::vector<flatbuffers::Offset<fb::SubGraph>> subgraphs;
  for (const auto& code : b.model.operator_codes) codes.push_back(fb::OperatorCode::Pack(file, code.get()));
  for (const auto& one : b.model.subgraphs) subgraphs.push_back(fb::SubGraph::Pack(file, one.get()));
  const Operators many(count, fb::CreateOperator(file));
  subgraphs.push_back(fb::CreateSubGraph(file, 0, 0, 0, file.CreateVector(many)));
  file.Finish(fb::CreateModel(file, b.model.version, file.CreateVector(codes), file.CreateVector(subgraphs)),
              fb::ModelIdentifier());
  return ImportTflite({reinterpret_cast<const char*>(file.GetBufferPointer()), file.GetSize()}).status;
}

const Refusal kCalls[] = {
    {"Cycle", MICRORT_STATUS(Nested(3, true)), "subgraph 3 runs itself: expected no cycle"},
    {"TooDeep", MICRORT_STATUS(Nested(66, false)), "more than 64 subgraphs that run each other",
     kUnsupported},
    {"TooManyOperators", MICRORT_STATUS(OperatorsThatAreRunOnce((1 << 18) + 1)),
     "more than 262144 operators in subgraphs that run each other", kUnsupported},
    {"TooManyOperands", MICRORT_STATUS(OperandsThatAreHandedOn(300, 1 << 14)),
     "more than 262144 operators in subgraphs that run each other", kUnsupported},
    {"AbsentArgument",
     [] {
       OneOp op("CALL");
       TfliteBuilder& b = op.Absent().builder();
       const int callee = b.AddSubgraph();
       b.Output(b.Input("x", {2}));
       b.BackToMain();
       return op.With(Calls(callee)).Import();
     },
     "an input or output is absent"},
    {"OneOperandTooMany", MICRORT_STATUS(OneOp("ABS").In({2}).In({2}).Import()),
     "(ABS): expected 1 to 1 inputs, found 2"},
    {"OutputThatNothingComputes", MICRORT_STATUS(OneOp("ABS").In({2}).Outs(2).Import()),
     "output 1 is not supported", kUnsupported},
    {"SignatureOfAModelWithoutAny",
     [] {
       frontend::ImportOptions options;
       options.signature = "serve";
       return OneOp("ABS").In({2}).Import(options);
     },
     "--signature: the model has none", StatusCode::kInvalidArgument},
    {"TagsOfAModelWithoutAny",
     [] {
       frontend::ImportOptions options;
       options.tag_set = "serve";
       return OneOp("ABS").In({2}).Import(options);
     },
     "--tag-set: a model of the format tflite has no tags", StatusCode::kInvalidArgument},
};

MICRORT_EXPECT_REFUSALS(TfliteRefusedVariables, kVariables);
MICRORT_EXPECT_REFUSALS(TfliteRefusedCalls, kCalls);

}  // namespace
}  // namespace micrort::testing::tflite_refused_variables
