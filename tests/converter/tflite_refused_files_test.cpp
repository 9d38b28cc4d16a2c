// TFLite files whose parts contradict each other: names that are no text, lists of inputs and outputs,
// signatures, options and operands of the wrong kind.

#include <cstring>

#include "micrort/custom_op.h"
#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_files {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kResource = fb::TensorType::Resource;
constexpr char kNoText[] = "\xff\xfe";

// y = -x
TfliteBuilder Negation() {
  TfliteBuilder b;
  const int x = b.Input("x", {2}), y = b.Tensor("y", {2});
  b.Op("NEG", {x}, {y});
  b.Output(y);
  return b;
}

Status Import(const TfliteBuilder& b) { return ImportTflite(b.Bytes()).status; }

Status WithSignature(const std::string& key, uint32_t subgraph, const std::string& input) {
  TfliteBuilder b = Negation();
  auto entry = std::make_unique<fb::TensorMapT>();
  entry->name = input;
  auto signature = std::make_unique<fb::SignatureDefT>();
  signature->signature_key = key;
  signature->subgraph_index = subgraph;
  signature->inputs.push_back(std::move(entry));
  b.model.signature_defs.push_back(std::move(signature));
  return Import(b);
}

Status WithOutput(fb::TensorType type, bool is_variable) {
  TfliteBuilder b = Negation();
  const int index = b.Tensor("kept", {2}, type);
  b.tensor(index).is_variable = is_variable;
  b.Output(index);
  return Import(b);
}

// Copies the list in `field` of the table that `find` gives to where its elements are 4 bytes away from a
// multiple of 8, and has the file use the copy, or one without elements.
Status WithListMoved(const TfliteBuilder& b, flatbuffers::voffset_t field,
                     const std::function<const void*(const fb::SubGraph&)>& find, bool emptied = false) {
  std::string bytes = b.Bytes();
  const auto* table =
      static_cast<const flatbuffers::Table*>(find(*fb::GetModel(bytes.data())->subgraphs()->Get(0)));
  const auto* list = table->GetPointer<const flatbuffers::Vector<int64_t>*>(field);
  std::string copy(reinterpret_cast<const char*>(list), sizeof(uint32_t) + list->size() * sizeof(int64_t));
  if (emptied) copy.assign(sizeof(uint32_t), 0);
  const auto at =
      static_cast<size_t>(reinterpret_cast<const char*>(table->GetAddressOf(field)) - bytes.data());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  const auto offset = static_cast<uint32_t>(bytes.size() - at);
  std::memcpy(&bytes[at], &offset, sizeof(offset));
  return ImportTflite(bytes + copy).status;
}

Status Custom(OneOp& op) {
  frontend::ImportOptions options;
  options.custom_domains = {"tflite"};
  return op.Import(options);
}

const Refusal kFiles[] = {
    {"OtherVersion",
     [] {
       TfliteBuilder b = Negation();
       b.model.version = 4;
       return Import(b);
     },
     "version 4 of the TFLite format: expected 3", kUnsupported},
    {"NoSubgraphs",
     [] {
       TfliteBuilder b = Negation();
       b.model.subgraphs.clear();
       return Import(b);
     },
     "it has no subgraphs"},
    {"ListOfATensorNotAligned",
     [] {
       TfliteBuilder b;
       b.Output(b.Input("x", {2}, fb::TensorType::Int8, {{0.5f}, {3}}));
       return WithListMoved(b, fb::QuantizationParameters::VT_ZERO_POINT, [](const fb::SubGraph& graph) {
         return graph.tensors()->Get(0)->quantization();
       });
     },
     "the list 'zero_point' is not aligned"},
    {"ListOfOptionsNotAligned",
     [] {
       OneOp slice("STABLEHLO_SLICE");
       fb::StablehloSliceOptionsT options;
       options.start_indices = {0};
       options.limit_indices = {2};
       options.strides = {1};
       slice.In({4}).Out({2}).With2(options);
       return WithListMoved(
           slice.builder(), fb::StablehloSliceOptions::VT_LIMIT_INDICES,
           [](const fb::SubGraph& graph) { return graph.operators()->Get(0)->builtin_options_2(); });
     },
     "the list 'limit_indices' is not aligned"},
    {"NameOfTheSubgraph",
     [] {
       TfliteBuilder b = Negation();
       b.graph().name = kNoText;
       return Import(b);
     },
     "': its name is not UTF-8 text"},
    {"NameOfATensor",
     [] {
       TfliteBuilder b = Negation();
       b.tensor(1).name = kNoText;
       return Import(b);
     },
     "tensor 1: its name is not UTF-8 text"},
    {"NameOfAnOperator", MICRORT_STATUS(OneOp(kNoText).In({2}).Import()),
     "operator 0: the name of its operator is not UTF-8 text"},
    {"NameOfASignature", MICRORT_STATUS(WithSignature(kNoText, 0, "x")),
     "the name of a signature is not UTF-8 text"},
    {"SubgraphOfASignature", MICRORT_STATUS(WithSignature("serve", 1, "x")),
     "signature 'serve': subgraph 1 of 1"},
    {"NameInASignature", MICRORT_STATUS(WithSignature("serve", 0, kNoText)),
     "signature 'serve': a name is not UTF-8 text"},
    {"NoOutputs",
     [] {
       TfliteBuilder b = Negation();
       b.graph().outputs.clear();
       return Import(b);
     },
     "the model has no outputs"},
    {"InputTwice",
     [] {
       TfliteBuilder b = Negation();
       b.graph().inputs = {0, 0};
       return Import(b);
     },
     "input 'x' is listed twice"},
    {"HandleAsOutput", MICRORT_STATUS(WithOutput(kResource, false)), "output 'kept' is a variable",
     kUnsupported},
    {"VariableAsOutput", MICRORT_STATUS(WithOutput(fb::TensorType::Float32, true)),
     "output 'kept' is a variable", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteFiles, kFiles);

const Refusal kCustom[] = {
    {"TooManyOutputs", MICRORT_STATUS(Custom(OneOp("Blur").In({2}).Outs(MICRORT_MAX_CUSTOM_TENSORS + 1))),
     "expected 1 to 16 outputs of a custom operator, found 17", kUnsupported},
    {"AbsentOutput",
     [] {
       OneOp op("Blur");
       op.In({2}).Out();
       op.op().outputs.push_back(-1);
       return Custom(op);
     },
     "output 1 of a custom operator is absent", kUnsupported},
    {"OptionOfAnotherKind",
     [] { return Custom(OneOp("Blur").In({2}).Custom(FlexMap([](auto& o) { o.Map("more", [] {}); }))); },
     "custom option 'more': expected numbers or text", kUnsupported},
};
MICRORT_EXPECT_REFUSALS(TfliteCustomOperators, kCustom);

// By operators that ask for what the rows are about.
const Refusal kOperands[] = {
    {"AxisBehindTheLast",
     [] {
       fb::ConcatenationOptionsT o;
       o.axis = 2;
       return OneOp("CONCATENATION").In({2, 3}).In({2, 3}).With(o).Import();
     },
     "axis 2 of 2 dimensions"},
    {"AxisBeforeTheFirst", MICRORT_STATUS(OneOp("EXPAND_DIMS").In({2}).Scalar(-3).Import()),
     "axis -3 of 2 dimensions"},
    {"ComputedIntegers", MICRORT_STATUS(OneOp("EXPAND_DIMS").In({2}).In({}, fb::TensorType::Int32).Import()),
     "input 1 must be a constant of integers", kUnsupported},
    {"FloatsAsIntegers", MICRORT_STATUS(OneOp("EXPAND_DIMS").In({2}).Zeros({1}).Import()),
     "input 1 must be a constant of integers", kUnsupported},
    {"SeveralNumbers", MICRORT_STATUS(OneOp("EXPAND_DIMS").In({2}).Ints({0, 1}).Import()),
     "input 1: expected one number, found 2"},
    {"ComputedFloats",
     [] {
       OneOp op("NON_MAX_SUPPRESSION_V5");
       return op.In({3, 4}).In({3}).Scalar(2).Zeros({1}).Zeros({1}).In({1}).Outs(3).Import();
     },
     "input 5 must be a constant of floats", kUnsupported},
    {"OptionsThatAreNoMap",
     [] {
       flexbuffers::Builder list;
       list.Vector([&] { list.Int(1); });
       list.Finish();
       return OneOp("SignalEnergy").In({8}, fb::TensorType::Int16).Custom(list.GetBuffer()).Import();
     },
     "its custom options are no map"},
    {"BitsOfNothing",
     [] {
       TfliteBuilder b;
       const int x = b.Input("x", {2});
       b.Op("BITCAST", {x}, {});
       b.Output(x);
       return Import(b);
     },
     "(BITCAST): it has no output"},
    {"NumberInsteadOfAList",
     [] {
       const auto fill = [](flexbuffers::Builder& o) {
         for (const char* name : {"left_rotation_idx", "right_rotation_idx", "subset_idxs"}) o.Int(name, 0);
         for (const char* name : {"output_height", "output_width"}) o.Int(name, 4);
         for (const char* name : {"scale_x", "scale_y"}) o.Float(name, 1);
       };
       return OneOp("Landmarks2TransformMatrix").In({1, 5, 3}).Version(2).Custom(FlexMap(fill)).Import();
     },
     "its custom options have no list 'subset_idxs'"},
};
MICRORT_EXPECT_REFUSALS(TfliteOperands, kOperands);

// As flatc writes them.
TEST(TfliteFiles, ListsWithoutElementsLieAnywhere) {
  OneOp transpose("STABLEHLO_TRANSPOSE");
  fb::StablehloTransposeOptionsT options;
  options.permutation = {0};
  transpose.In({}).Out({}).With2(options);
  const Status status = WithListMoved(
      transpose.builder(), fb::StablehloTransposeOptions::VT_PERMUTATION,
      [](const fb::SubGraph& graph) { return graph.operators()->Get(0)->builtin_options_2(); }, true);
  EXPECT_TRUE(status.ok()) << status.message();
}

}  // namespace
}  // namespace micrort::testing::tflite_refused_files
