// Graphs that no frontend should make, and blocks that do not fit an image.

#include "converter/frontend/common/axes.h"
#include "converter/frontend/common/blocks.h"
#include "converter/frontend/common/named_values.h"
#include "converter/ir/infer.h"
#include "converter/ir/keep_states.h"
#include "converter/ir/op_call.h"
#include "tests/converter/graph_testing.h"
#include "tests/refusal.h"

namespace micrort::testing::graph_refused {
namespace {

constexpr auto kUnsupported = StatusCode::kUnsupported;

// Of an input of this shape.
template <typename Make>
Status OfImage(const std::vector<int64_t>& shape, Make make) {
  TestGraph network;
  const ir::ValueId x = network.Input("x", shape);
  ir::Builder build(network.graph, {"node", "Test", 1}, "node");
  return make(build, x);
}

Status Depth(const std::vector<int64_t>& shape, int64_t block) {
  return OfImage(shape, [&](ir::Builder& build, ir::ValueId x) {
    return frontend::DepthToSpace(build, x, block).status();
  });
}

Status Blocks(const std::vector<int64_t>& shape, const std::vector<int64_t>& sizes,
              const std::vector<int64_t>& borders) {
  return OfImage(shape, [&](ir::Builder& build, ir::ValueId x) -> Status {
    MICRORT_ASSIGN_OR_RETURN(const frontend::SpatialBlocks blocks,
                             frontend::ReadSpatialBlocks(build.graph().value(x), sizes, borders));
    return frontend::BatchToSpace(build, x, blocks).status();
  });
}

Status ReadsWhatNothingWrites() {
  TestGraph network;
  ir::Value value;
  value.name = "nothing";
  value.dtype = DType::kFloat32;
  value.has_shape = true;
  network.Output(network.Relu("y", network.graph.AddValue(std::move(value))));
  return ir::InferShapes(network.graph);
}

Status KeepsWhatDecidesShapes() {
  TestGraph network;
  const ir::ValueId x = network.Input("x", {2}, DType::kInt64);
  network.Output(network.Unary("y", schema::UnaryKind::Abs, x));
  MICRORT_RETURN_IF_ERROR(ir::InferShapes(network.graph));
  network.graph.value(x).decides_shapes = true;
  MICRORT_RETURN_IF_ERROR(ir::KeepStates({{"y", "x"}}, &network.graph));
  return ir::CheckStates(network.graph);
}

Status HasNineDimensions() {
  ir::Value value;
  value.name = "x";
  value.shape.assign(9, 1);
  Shape shape;
  return ir::StaticShape(value, &shape);
}

const Refusal kGraphs[] = {
    {"WhatNothingWrites", ReadsWhatNothingWrites, "'nothing' is read before it is written",
     StatusCode::kInternal},
    {"AStateThatDecidesShapes", KeepsWhatDecidesShapes,
     "--state y=x: 'x' decides shapes, which callers must do", StatusCode::kInvalidArgument},
    {"NineDimensions", HasNineDimensions, "'x' has 9 dimensions, at most 8 are possible", kUnsupported},
    {"NoName", MICRORT_STATUS(frontend::NamedValues().Define("", 0)), "a value has no name"},
    {"MoreThan32Bits", MICRORT_STATUS(frontend::ToInt32(int64_t{1} << 31, "axis").status()),
     "axis: 2147483648 does not fit 32 bits"},
    {"DepthThatIsNotFixed", MICRORT_STATUS(Depth({1, 2, 2, ir::kDynamic}, 2)),
     "the number of channels is not fixed", kUnsupported},
    {"DepthThatABlockDoesNotDivide", MICRORT_STATUS(Depth({1, 2, 2, 6}, 2)), "6 elements in blocks of 4"},
    {"MoreBlocksThanDimensions", MICRORT_STATUS(Blocks({4, 2}, {2, 2}, {0, 0, 0, 0})),
     "2 block sizes and 4 borders of 2 dimensions"},
    {"BlocksOfNothing", MICRORT_STATUS(Blocks({4, 2, 1}, {0}, {0, 0})), "block size 0, borders 0 and 0"},
    {"BordersAroundNothing", MICRORT_STATUS(Blocks({4, 2, 1}, {2}, {3, 2})), "more is cut off than there is"},
};

MICRORT_EXPECT_REFUSALS(GraphRefused, kGraphs);

}  // namespace
}  // namespace micrort::testing::graph_refused
