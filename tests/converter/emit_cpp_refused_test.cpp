// Models that --emit cpp cannot write a class for.

#include "converter/aot/emit_cpp.h"
#include "tests/converter/converted.h"
#include "tests/refusal.h"

namespace micrort::testing::emit_cpp_refused {
namespace {

constexpr auto kWrong = StatusCode::kInvalidArgument, kUnsupported = StatusCode::kUnsupported;
constexpr char kNotYet[] = "data decide its sizes, and C++ cannot be emitted for that yet";

// Of a model with an output `y`.
Status Emit(OnnxBuilder builder, const std::vector<int>& batches = {}, const ConvertOptions& options = {},
            std::optional<uint64_t> max_arena = {}) {
  const Converted model(builder, {"y"}, options);
  MICRORT_RETURN_IF_ERROR(model.status());
  aot::CppRequest request;
  request.options.class_name = "ns::Net";
  request.options.batches = batches;
  request.max_arena = max_arena;
  aot::EmittedFiles files;
  uint64_t bytes = 0;
  std::vector<std::string> notes;
  return aot::EmitCpp(model.result().file, request, &files, &bytes, &notes);
}

OnnxBuilder OpenBatch() { return OnnxBuilder().Input("x", {"N", "2"}); }

// `where`: as many columns as x has elements that are not 0.
OnnxBuilder OpenSize() { return OnnxBuilder().Input("x", {"2", "2"}).Node("NonZero", {"x"}, {"where"}); }

OnnxBuilder Selection() {
  return OnnxBuilder().Input("boxes", {"1", "4", "4"}).Input("scores", {"1", "1", "4"});
}

OnnxBuilder Negation() { return OnnxBuilder().Input("x", {"4"}).Node("Neg", {"x"}, {"y"}); }

const Refusal kModels[] = {
    {"BatchesOfNoInputs",
     [] {
       OnnxBuilder b;
       b.Node("RandomNormal", {}, {"y"}).Ints("shape", {2});
       return Emit(b, {1});
     },
     "--batch: the model has no inputs", kWrong},
    {"SizesOfDataWithBatches", MICRORT_STATUS(Emit(OpenBatch().Node("NonZero", {"x"}, {"y"}), {1, 2})),
     "--batch: data decide sizes of the model", kUnsupported},
    {"AStateOfEachBatch",
     [] {
       ConvertOptions options;
       options.states = {{"y", "x"}};
       OnnxBuilder b = OpenBatch();
       return Emit(b.Input("z", {"N", "2"}).Node("Add", {"x", "z"}, {"y"}), {1, 2}, options);
     },
     "--batch: the state 'x' has another size with each", kUnsupported},
    {"Caches",
     [] {
       ConvertOptions options;
       options.kv_cache = 4;
       OnnxBuilder b;
       b.Input("x", {"1", "1", "2"}).Input("past", {"1", "n", "2"}).Integers("axes", {1}, {1});
       b.Node("Concat", {"past", "x"}, {"present"}).Int("axis", 1).Output("present");
       return Emit(b.Node("ReduceSum", {"present", "axes"}, {"y"}), {}, options);
     },
     kNotYet, kUnsupported},
    {"RowsOfACacheAsTheResult",
     [] {
       ConvertOptions options;
       options.kv_cache = 4;
       OnnxBuilder b;
       b.Input("x", {"1", "1", "2"}).Input("past", {"1", "n", "2"});
       b.Node("Concat", {"past", "x"}, {"present"}).Int("axis", 1).Output("present");
       return Emit(b.Node("Shape", {"present"}, {"y"}), {}, options);
     },
     kNotYet, kUnsupported},
    {"MoreMemoryThanAllowed", MICRORT_STATUS(Emit(Negation(), {}, {}, 0)),
     "bytes of memory, over --max-arena 0", kUnsupported},
    {"DifferentElementsOfOpenSize", MICRORT_STATUS(Emit(OpenSize().Node("Unique", {"where"}, {"y"}))),
     kNotYet, kUnsupported},
    {"BoxesOfOpenSize",
     [] {
       OnnxBuilder b = OpenSize();
       b.Integers("as_boxes", {3}, {1, -1, 4}).Integers("as_scores", {3}, {1, 1, -1});
       b.Integers("first", {1}, {0}).Integers("most", {1}, {2});
       b.Node("Cast", {"where"}, {"floats"}).Int("to", ::onnx::TensorProto::FLOAT);
       b.Node("Transpose", {"floats"}, {"rows"}).Node("Concat", {"rows", "rows"}, {"corners"}).Int("axis", 1);
       b.Node("Reshape", {"corners", "as_boxes"}, {"boxes"}).Node("Gather", {"floats", "first"}, {"row"});
       b.Node("Reshape", {"row", "as_scores"}, {"scores"});
       return Emit(b.Node("NonMaxSuppression", {"boxes", "scores", "most"}, {"y"}));
     },
     kNotYet, kUnsupported},
    {"AsManyBoxesAsAsked",
     [] {
       OnnxBuilder b = Selection();
       b.Input("most", {"1"}, ::onnx::TensorProto::INT64);
       return Emit(b.Node("NonMaxSuppression", {"boxes", "scores", "most"}, {"y"}));
     },
     "C++ cannot be emitted for a number of boxes that is no constant", kUnsupported},
    {"TilesOfOpenSize",
     MICRORT_STATUS(Emit(OpenSize().Integers("twice", {2}, {2, 1}).Node("Tile", {"where", "twice"}, {"y"}))),
     kNotYet, kUnsupported},
    {"TheOpenSizeItself", MICRORT_STATUS(Emit(OpenSize().Node("Shape", {"where"}, {"y"}))), kNotYet,
     kUnsupported},
    {"ABranchOfOpenSize",
     [] {
       OnnxBuilder b = OpenSize();
       b.Input("c", {}, ::onnx::TensorProto::BOOL).Input("z", {"2", "2"});
       b.Node("NonZero", {"z"}, {"other"}).Node("If", {"c"}, {"y"});
       b.Graph("then_branch", Branch("Identity", {"where"}))
           .Graph("else_branch", Branch("Identity", {"other"}));
       return Emit(b);
     },
     "data decide its sizes, which C++ in a graph of 'If' cannot do yet", kUnsupported},
};

MICRORT_EXPECT_REFUSALS(EmitCppRefused, kModels);

}  // namespace
}  // namespace micrort::testing::emit_cpp_refused
