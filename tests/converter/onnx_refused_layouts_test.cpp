// ONNX operators that cut, join, pad and reshape: lists that do not fit their tensors.

#include "tests/converter/onnx_refusals.h"

namespace micrort::testing::onnx_refused_layouts {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kInt64 = ::onnx::TensorProto::INT64;

OneNode Split(const std::string& size) { return OneNode("Split").X({size}); }

OneNode Image(const std::string& op, const std::vector<std::string>& dims, int64_t block) {
  OneNode node(op);
  node.X(dims).Int("blocksize", block);
  return node;
}

const Refusal kLayouts[] = {
    {"ConcatOfAnAbsentPart",
     MICRORT_STATUS(OneNode("Concat").X({"2"}).Absent().X({"2"}).Int("axis", 0).Refused()),
     "(Concat, opset 13): input 1 is absent"},
    {"OutputsOfASplitThatTheNodeLacks", MICRORT_STATUS(Split("4").Int("num_outputs", 3).Refused()),
     "num_outputs is 3, the node has 1"},
    {"MorePartsThanOutputs", MICRORT_STATUS(Split("2").Integers({1, 1}).Refused()), "2 parts for 1 outputs"},
    {"NegativePart", MICRORT_STATUS(Split("2").Output("z").Integers({-1, 3}).Refused()), "a part of size -1"},
    {"PartsThatLeaveARest", MICRORT_STATUS(Split("4").Output("z").Integers({1, 2}).Refused()),
     "(Split, opset 13): the parts have 3 of 4 elements"},
    {"SliceWithoutEnds", MICRORT_STATUS(OneNode("Slice").X({"4"}).Integers({0}).Refused()),
     "starts or ends are absent"},
    {"BlocksOfASequence", MICRORT_STATUS(Image("DepthToSpace", {"1", "4", "2"}, 2).Refused()),
     "expected an input of 4 dimensions with a fixed number of channels", kUnsupported},
    {"BlocksOfUnknownChannels", MICRORT_STATUS(Image("SpaceToDepth", {"1", "C", "2", "2"}, 2).Refused()),
     "expected an input of 4 dimensions with a fixed number of channels", kUnsupported},
    {"LargeBlocks", MICRORT_STATUS(Image("SpaceToDepth", {"1", "1", "4097", "4097"}, 4097).Refused()),
     "blocksize 4097: expected 1 to 4096"},
    {"BlocksOfATallImage", MICRORT_STATUS(Image("DepthToSpace", {"1", "16", "1073741824", "1"}, 4).Refused()),
     "dimension: 4294967296 does not fit 32 bits"},
    {"ChannelsThatAreNoBlocks", MICRORT_STATUS(Image("DepthToSpace", {"1", "3", "2", "2"}, 2).Refused()),
     "3 channels cannot be cut into blocks of 2"},
    {"RowsThatAreNoBlocks", MICRORT_STATUS(Image("SpaceToDepth", {"1", "1", "3", "4"}, 2).Refused()),
     "the image cannot be cut into blocks of 2"},
    {"ColumnsThatAreNoBlocks", MICRORT_STATUS(Image("SpaceToDepth", {"1", "1", "4", "3"}, 2).Refused()),
     "the image cannot be cut into blocks of 2"},
    {"UnknownPadding",
     MICRORT_STATUS(OneNode("Pad").X({"2"}).Integers({1, 1}).String("mode", "mirror").Refused()),
     "mode 'mirror'"},
    {"PadsOfAnotherRank", MICRORT_STATUS(OneNode("Pad").X({"2", "2"}).Integers({1, 1}).Refused()),
     "expected 4 pads, found 2"},
    {"NegativeDimension", MICRORT_STATUS(OneNode("Reshape").X({"4"}).Integers({-2}).Refused()),
     "dimension -2 in the new shape"},
    {"AxesOfUnknownNumber", MICRORT_STATUS(OneNode("Unsqueeze").X({"4"}).X({"N"}, kInt64).Refused()),
     "(Unsqueeze, opset 13): the number of axes is not fixed", kUnsupported},
    {"ManyAxes", MICRORT_STATUS(OneNode("Squeeze").X({"1"}).X({"9"}, kInt64).Refused()), "9 axes",
     kUnsupported},
    {"SqueezeOfAnUnknownShape", MICRORT_STATUS(OneNode("Squeeze").X({"1", "N"}).Refused()),
     "without axes, it needs an input of fixed shape", kUnsupported},
    {"PadOfAnAxisTwice",
     MICRORT_STATUS(OneNode("Pad").X({"2", "2"}).Integers({1, 2, 1, 2}).Absent().Integers({1, -1}).Refused()),
     "axis 1 is listed twice"},
    {"UnsqueezeTwice", MICRORT_STATUS(OneNode("Unsqueeze").X({"4"}).Integers({0, 0}).Refused()),
     "an axis is listed twice"},
    {"TilesOfSeveralAxes",
     MICRORT_STATUS(OneNode("Tile", 1).X({"2", "2"}).Integers({2, 2}).Integers({0, 1}).Refused()),
     "expected a number of tiles and an axis"},
    {"ReduceOfAnUnknownNumberOfAxes",
     MICRORT_STATUS(OneNode("ReduceSum").X({"2", "2"}).X({"N"}, kInt64).Refused()),
     "(ReduceSum, opset 13): the number of axes is not fixed", kUnsupported},
    {"ReverseOfAVector",
     MICRORT_STATUS(OneNode("ReverseSequence").X({"4"}).Integers({2}).Int("batch_axis", 0).Refused()),
     "batch_axis 0 and time_axis 0 of 1 dimensions"},
    {"ReverseAlongOtherAxes",
     MICRORT_STATUS(OneNode("ReverseSequence")
                        .X({"2", "2", "2"})
                        .Integers({2, 2})
                        .Int("time_axis", 2)
                        .Int("batch_axis", -1)
                        .Refused()),
     "batch_axis -1 and time_axis 2 of 3 dimensions"},
    {"UnknownScatter",
     MICRORT_STATUS(OneNode("TensorScatter", 24).Xs(2, {"1", "2", "2"}).String("mode", "round").Refused()),
     "mode 'round'"},
    {"ScatterAlongTheBatch",
     MICRORT_STATUS(OneNode("TensorScatter", 24).Xs(2, {"2", "2", "2"}).Int("axis", 0).Refused()),
     "the axis is that of the batch"},
    {"UnknownShift",
     MICRORT_STATUS(OneNode("BitShift")
                        .X({"1"}, ::onnx::TensorProto::UINT8)
                        .X({"1"}, ::onnx::TensorProto::UINT8)
                        .String("direction", "UP")
                        .Refused()),
     "direction 'UP': expected LEFT or RIGHT"},
    {"NegativeDepth",
     MICRORT_STATUS(OneNode("OneHot").X({"2"}, kInt64).Integers({}, {-1}).Weights({2}).Refused()),
     "depth must be one number from 0 to 1048576", kUnsupported},
    {"BestOfNoNumber", MICRORT_STATUS(OneNode("TopK", 9).X({"4"}).Output("z").Refused()),
     "k is given nowhere"},
    {"TensorOfNineDimensions", MICRORT_STATUS(OneNode("Relu").Weights({1, 1, 1, 1, 1, 1, 1, 1, 1}).Refused()),
     "tensor 'x0': 9 dimensions, at most 8 are possible", kUnsupported},
    {"SparseMatrixOfValues",
     [] {
       OnnxBuilder b = OneRelu();
       ::onnx::SparseTensorProto* sparse = b.graph().add_sparse_initializer();
       sparse->add_dims(4);
       sparse->mutable_values()->set_name("w");
       sparse->mutable_values()->set_data_type(::onnx::TensorProto::FLOAT);
       sparse->mutable_values()->add_float_data(1);
       for (int i = 0; i < 2; ++i) sparse->mutable_values()->add_dims(1);
       sparse->mutable_indices()->set_data_type(kInt64);
       sparse->mutable_indices()->add_dims(1);
       sparse->mutable_indices()->add_int64_data(0);
       return Import(b).status;
     },
     "expected values of one dimension, found 2"},
};

MICRORT_EXPECT_REFUSALS(OnnxRefusedLayouts, kLayouts);

}  // namespace
}  // namespace micrort::testing::onnx_refused_layouts
