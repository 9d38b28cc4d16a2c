// Operators of StableHLO in TFLite files: options and operands that do not fit.

#include "tests/converter/tflite_refusals.h"

namespace micrort::testing::tflite_refused_stablehlo {
namespace {

using Dims = std::vector<int32_t>;

constexpr auto kUnsupported = StatusCode::kUnsupported;
constexpr auto kInts = fb::TensorType::Int32;
constexpr auto kBools = fb::TensorType::Bool;

const Refusal kShapes[] = {
    {"OutputOfOpenShape", MICRORT_STATUS(OneOp("STABLEHLO_RESHAPE").In({4}).Out({-1}).Import()),
     "an output whose shape is not fixed", kUnsupported},
    {"AbsentPart",
     [] {
       fb::StablehloConcatenateOptionsT o;
       return OneOp("STABLEHLO_CONCATENATE").In({4}).Absent().With2(o).Import();
     },
     "an input is absent"},
    {"NegativeInteriorPadding",
     [] {
       fb::StablehloPadOptionsT o;
       o.edge_padding_low = o.edge_padding_high = {0}, o.interior_padding = {-2};
       return OneOp("STABLEHLO_PAD").In({4}).Numbers({}, {0}).With2(o).Import();
     },
     "interior_padding -2"},
    {"SliceOfMoreThanThereIs",
     [] {
       fb::StablehloDynamicSliceOptionsT o;
       o.slice_sizes = {5};
       return OneOp("STABLEHLO_DYNAMIC_SLICE").In({4}).In({}, kInts).With2(o).Import();
     },
     "5 elements of 4", kUnsupported},
    {"SliceOfAnOpenShape",
     [] {
       fb::StablehloDynamicSliceOptionsT o;
       o.slice_sizes = {1};
       return OneOp("STABLEHLO_DYNAMIC_SLICE").In({-1}).In({}, kInts).With2(o).Import();
     },
     "1 elements of -1", kUnsupported},
    {"ProductOfOpenShapes",
     [] {
       fb::StablehloDotGeneralOptionsT o;
       o.lhs_contracting_dimensions = {1}, o.rhs_contracting_dimensions = {0};
       return OneOp("STABLEHLO_DOT_GENERAL").In({-1, 2}).In({2, 3}).With2(o).Import();
     },
     "input 0: a shape that is not fixed", kUnsupported},
};

fb::StablehloGatherOptionsT Rows() {
  fb::StablehloGatherOptionsT o;
  o.start_index_map = {0}, o.collapsed_slice_dims = {0}, o.offset_dims = {1};
  o.slice_sizes = {1, 3}, o.index_vector_dim = 1;
  return o;
}

Status GatherOf(const Dims& shape, const fb::StablehloGatherOptionsT& o) {
  return OneOp("STABLEHLO_GATHER").In(shape).In({2, 1}, kInts).With2(o).Import();
}

// Whole rows of x [4,3] are replaced.
Status ScatterOf(const Dims& updates) {
  OneOp op("STABLEHLO_SCATTER");
  TfliteBuilder& b = op.In({4, 3}).In({2, 1}, kInts).In(updates).builder();
  fb::StablehloScatterOptionsT o;
  o.update_window_dims = {1}, o.inserted_window_dims = {0}, o.scatter_dims_to_operand_dims = {0};
  o.index_vector_dim = 1, o.update_computation_subgraph_index = b.AddSubgraph();
  b.Input("before", {});
  b.Output(b.Input("after", {}));
  b.BackToMain();
  return op.With2(o).Import();
}

const Refusal kPlaces[] = {
    {"WindowsOfNothing",
     [] {
       fb::StablehloGatherOptionsT o = Rows();
       o.slice_sizes = {1, 0};
       return GatherOf({4, 3}, o);
     },
     "slice_sizes: 0 of 3 elements along dimension 1"},
    {"CollapsedWindows",
     [] {
       fb::StablehloGatherOptionsT o = Rows();
       o.slice_sizes = {2, 3};
       return GatherOf({4, 3}, o);
     },
     "slice_sizes: 2 of 4 elements along dimension 0"},
    {"VectorsAlongNoDimension",
     [] {
       fb::StablehloGatherOptionsT o = Rows();
       o.index_vector_dim = 3;
       return GatherOf({4, 3}, o);
     },
     "index_vector_dim is 3 of 2"},
    {"WindowsOfTooManyElements",
     [] {
       fb::StablehloGatherOptionsT o;
       o.start_index_map = {0}, o.offset_dims = {1};
       o.slice_sizes = {(1 << 24) + 1}, o.index_vector_dim = 1;
       return GatherOf({1 << 25}, o);
     },
     "windows of too many elements", kUnsupported},
    {"GatherFromAnOpenShape", MICRORT_STATUS(GatherOf({-1, 3}, Rows())), "input 0: a shape that is not fixed",
     kUnsupported},
    {"UpdatesThatAreTooWide", MICRORT_STATUS(ScatterOf({2, 4})),
     "updates of 4 of 3 elements along dimension 1"},
    {"AbsentStart", MICRORT_STATUS(OneOp("STABLEHLO_DYNAMIC_UPDATE_SLICE").In({4}).In({2}).Absent().Import()),
     "input 2 is absent"},
};

// A comparator of two operators, which no order by one input is.
Status SortOf(OneOp* op, int inputs) {
  TfliteBuilder& b = op->builder();
  fb::StablehloSortOptionsT o;
  o.comparator_subgraph_index = b.AddSubgraph();
  std::vector<int32_t> scalars;
  for (int i = 0; i < 2 * inputs; ++i) scalars.push_back(b.Input("s" + std::to_string(i), {}));
  const int less = b.Tensor("less", {}, kBools), more = b.Tensor("more", {}, kBools);
  b.Op("LESS", {scalars[0], scalars[1]}, {less});
  b.Op("LOGICAL_NOT", {less}, {more});
  b.Output(more);
  b.BackToMain();
  return op->Outs(inputs).With2(o).Import();
}

const Refusal kSorts[] = {
    {"AbsentOperand",
     [] {
       OneOp op("STABLEHLO_SORT");
       op.In({4}).Absent();
       return SortOf(&op, 2);
     },
     "input 1 is absent"},
    {"OperandsOfDifferentShapes",
     [] {
       OneOp op("STABLEHLO_SORT");
       op.In({4}).In({3});
       return SortOf(&op, 2);
     },
     "input 1 has another shape"},
    {"TooManyComparisons",
     [] {
       OneOp op("STABLEHLO_SORT");
       op.In({1 << 13});
       return SortOf(&op, 1);
     },
     "a comparator that is more than one comparison, of so many elements", kUnsupported},
    {"TooManyComparisonsOfNothing",
     [] {
       OneOp op("STABLEHLO_SORT");
       op.In({1 << 30, 0});
       return SortOf(&op, 1);
     },
     "a comparator that is more than one comparison, of so many elements", kUnsupported},
};

// Of x [1,...,1,2] with as many dimensions as windows slide over and two more; batches come first, features
// last.
struct Convolution {
  fb::StablehloConvolutionOptionsT o;
  int dims = 2;

  Status Import() const {
    fb::StablehloConvolutionOptionsT options = o;
    Dims x(static_cast<size_t>(dims) + 2, 1), weights = x;
    x.back() = 2, weights.back() = 2;
    options.input_feature_dimension = options.output_feature_dimension = dims + 1;
    options.kernel_input_feature_dimension = dims + 1;
    for (int d = 1; d <= dims; ++d) {
      options.input_spatial_dimensions.push_back(d), options.output_spatial_dimensions.push_back(d);
      options.kernel_spatial_dimensions.push_back(d);
    }
    return OneOp("STABLEHLO_CONVOLUTION").In(x).Zeros(weights).With2(options).Import();
  }
};

Convolution Plain(int dims) {
  Convolution c;
  c.dims = dims;
  c.o.feature_group_count = c.o.batch_group_count = 1;
  return c;
}

const Refusal kConvolutions[] = {
    {"GroupsOfBatches",
     [] {
       Convolution c = Plain(2);
       c.o.batch_group_count = 2;
       return c.Import();
     },
     "batch_group_count 2", kUnsupported},
    {"WindowsOverFourDimensions", MICRORT_STATUS(Plain(4).Import()), "windows over 4 dimensions",
     kUnsupported},
    {"SpacingOfZero",
     [] {
       Convolution c = Plain(2);
       c.o.lhs_dilation = {0, 1};
       return c.Import();
     },
     "lhs_dilation 0"},
};

MICRORT_EXPECT_REFUSALS(TfliteRefusedHloShapes, kShapes);
MICRORT_EXPECT_REFUSALS(TfliteRefusedHloPlaces, kPlaces);
MICRORT_EXPECT_REFUSALS(TfliteRefusedHloSorts, kSorts);
MICRORT_EXPECT_REFUSALS(TfliteRefusedHloConvolutions, kConvolutions);

}  // namespace
}  // namespace micrort::testing::tflite_refused_stablehlo
