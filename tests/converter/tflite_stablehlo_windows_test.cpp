// Operators of StableHLO on windows and places, beside plain loops over its specification: CONVOLUTION,
// GATHER, SCATTER, SORT, DYNAMIC_UPDATE_SLICE; and WHILE.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

#include "tests/converter/tflite_builder.h"

namespace micrort::testing::stablehlo_windows {
namespace {

using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

using Type = fb::TensorType;
using Index = std::vector<int64_t>;

struct Array {
  Index shape;
  Floats data;

  float& at(const Index& i) {
    int64_t flat = 0;
    for (size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + i[d];
    return data.at(static_cast<size_t>(flat));
  }
};

int64_t Count(const Index& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

Array Zeros(const Index& shape) { return {shape, Floats(static_cast<size_t>(Count(shape)), 0)}; }

// Small integers, so that sums are exact.
Array Random(const Index& shape, std::mt19937* random, int lowest = -9, int highest = 9) {
  Array a = Zeros(shape);
  std::uniform_int_distribution<int> any(lowest, highest);
  for (float& v : a.data) v = static_cast<float>(any(*random));
  return a;
}

void ForEach(const Index& shape, const std::function<void(const Index&)>& run) {
  Index i(shape.size(), 0);
  for (int64_t k = Count(shape); k > 0; --k) {
    run(i);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++i[d] < shape[d]) break;
      i[d] = 0;
    }
  }
}

std::vector<int32_t> Dims(const Index& shape) { return {shape.begin(), shape.end()}; }

template <typename OptionsT>
void Set(fb::OperatorT& op, OptionsT options) {
  op.builtin_options_2.Set(std::move(options));
}

bool Contains(const Index& dims, int64_t d) { return std::count(dims.begin(), dims.end(), d) != 0; }

// The start of the window that a batch index selects.
Index StartOf(Array& indices, const Index& batch, int64_t vector_dim, const Index& map, size_t rank) {
  Index start(rank, 0);
  for (size_t k = 0; k < map.size(); ++k) {
    Index i = batch;
    if (vector_dim < static_cast<int64_t>(indices.shape.size()))
      i.insert(i.begin() + vector_dim, static_cast<int64_t>(k));
    start[static_cast<size_t>(map[k])] = static_cast<int64_t>(indices.at(i));
  }
  return start;
}

Index BatchShape(const Array& indices, int64_t vector_dim) {
  Index shape = indices.shape;
  if (vector_dim < static_cast<int64_t>(shape.size())) shape.erase(shape.begin() + vector_dim);
  return shape;
}

Array Gathered(Array x, Array indices, const fb::StablehloGatherOptionsT& o) {
  const Index batches = BatchShape(indices, o.index_vector_dim);
  const size_t rank = batches.size() + o.offset_dims.size();
  Index shape(rank), window;
  for (size_t d = 0; d < x.shape.size(); ++d) {
    if (!Contains(o.collapsed_slice_dims, static_cast<int64_t>(d))) window.push_back(o.slice_sizes[d]);
  }
  size_t batch = 0, offset = 0;
  for (size_t d = 0; d < rank; ++d)
    shape[d] = Contains(o.offset_dims, static_cast<int64_t>(d)) ? window[offset++] : batches[batch++];
  Array y = Zeros(shape);
  ForEach(shape, [&](const Index& at) {
    Index batch_index, offsets;
    for (size_t d = 0; d < rank; ++d)
      (Contains(o.offset_dims, static_cast<int64_t>(d)) ? offsets : batch_index).push_back(at[d]);
    Index from = StartOf(indices, batch_index, o.index_vector_dim, o.start_index_map, x.shape.size());
    size_t next = 0;
    for (size_t d = 0; d < from.size(); ++d) {
      from[d] = std::clamp<int64_t>(from[d], 0, x.shape[d] - o.slice_sizes[d]);
      if (!Contains(o.collapsed_slice_dims, static_cast<int64_t>(d))) from[d] += offsets[next++];
    }
    y.at(at) = x.at(from);
  });
  return y;
}

Array Scattered(Array x, Array indices, Array updates, const fb::StablehloScatterOptionsT& o,
                const std::function<float(float, float)>& combine) {
  ForEach(updates.shape, [&](const Index& at) {
    Index batch, window;
    for (size_t d = 0; d < at.size(); ++d)
      (Contains(o.update_window_dims, static_cast<int64_t>(d)) ? window : batch).push_back(at[d]);
    Index to = StartOf(indices, batch, o.index_vector_dim, o.scatter_dims_to_operand_dims, x.shape.size());
    size_t next = 0;
    bool is_inside = true;
    for (size_t d = 0; d < to.size(); ++d) {
      if (!Contains(o.inserted_window_dims, static_cast<int64_t>(d))) to[d] += window[next++];
      is_inside = is_inside && to[d] >= 0 && to[d] < x.shape[d];
    }
    if (is_inside) x.at(to) = combine(x.at(to), updates.at(at));
  });
  return x;
}

Array Convolved(Array x, Array kernel, const fb::StablehloConvolutionOptionsT& o) {
  const size_t dims = o.input_spatial_dimensions.size();
  const auto dim = [](const Index& shape, int64_t d) { return shape[static_cast<size_t>(d)]; };
  const int64_t outputs = dim(kernel.shape, o.kernel_output_feature_dimension),
                each = dim(kernel.shape, o.kernel_input_feature_dimension),
                per_group = outputs / o.feature_group_count;
  Index window, shape(dims + 2);
  shape[static_cast<size_t>(o.output_batch_dimension)] = dim(x.shape, o.input_batch_dimension);
  shape[static_cast<size_t>(o.output_feature_dimension)] = outputs;
  for (size_t i = 0; i < dims; ++i) {
    window.push_back(dim(kernel.shape, o.kernel_spatial_dimensions[i]));
    const int64_t spread = (dim(x.shape, o.input_spatial_dimensions[i]) - 1) * o.lhs_dilation[i] + 1,
                  span = (window[i] - 1) * o.rhs_dilation[i] + 1;
    shape[static_cast<size_t>(o.output_spatial_dimensions[i])] =
        (spread + o.padding[2 * i] + o.padding[2 * i + 1] - span) / o.window_strides[i] + 1;
  }
  Array y = Zeros(shape);
  ForEach(shape, [&](const Index& at) {
    const int64_t output = dim(at, o.output_feature_dimension);
    ForEach(window, [&](const Index& tap) {
      Index from(dims + 2), of(dims + 2);
      from[static_cast<size_t>(o.input_batch_dimension)] = dim(at, o.output_batch_dimension);
      of[static_cast<size_t>(o.kernel_output_feature_dimension)] = output;
      for (size_t i = 0; i < dims; ++i) {
        const int64_t place = dim(at, o.output_spatial_dimensions[i]) * o.window_strides[i] +
                              tap[i] * o.rhs_dilation[i] - o.padding[2 * i];
        if (place < 0 || place % o.lhs_dilation[i] != 0) return;
        if (place / o.lhs_dilation[i] >= dim(x.shape, o.input_spatial_dimensions[i])) return;
        from[static_cast<size_t>(o.input_spatial_dimensions[i])] = place / o.lhs_dilation[i];
        of[static_cast<size_t>(o.kernel_spatial_dimensions[i])] =
            o.window_reversal[i] ? window[i] - 1 - tap[i] : tap[i];
      }
      for (int64_t k = 0; k < each; ++k) {
        from[static_cast<size_t>(o.input_feature_dimension)] = output / per_group * each + k;
        of[static_cast<size_t>(o.kernel_input_feature_dimension)] = k;
        y.at(at) += x.at(from) * kernel.at(of);
      }
    });
  });
  return y;
}

// NHWC by HWIO, for `dims` dimensions.
fb::StablehloConvolutionOptionsT PlainConvolution(size_t dims) {
  fb::StablehloConvolutionOptionsT o;
  const auto last = static_cast<int64_t>(dims);
  o.window_strides = o.lhs_dilation = o.rhs_dilation = Index(dims, 1);
  o.padding = Index(2 * dims, 0);
  o.window_reversal.assign(dims, false);
  o.input_feature_dimension = o.output_feature_dimension = last + 1;
  o.kernel_input_feature_dimension = last, o.kernel_output_feature_dimension = last + 1;
  for (int64_t d = 0; d < last; ++d) {
    o.input_spatial_dimensions.push_back(d + 1);
    o.output_spatial_dimensions.push_back(d + 1);
    o.kernel_spatial_dimensions.push_back(d);
  }
  o.feature_group_count = o.batch_group_count = 1;
  return o;
}

void ExpectConvolved(const Index& x_shape, const Index& kernel_shape,
                     const fb::StablehloConvolutionOptionsT& o) {
  std::mt19937 random(7);
  const Array x = Random(x_shape, &random), kernel = Random(kernel_shape, &random);
  TfliteBuilder b;
  const int y = b.Tensor("y");
  Set(b.Op("STABLEHLO_CONVOLUTION",
           {b.Input("x", Dims(x_shape)), b.Floats("w", Dims(kernel_shape), kernel.data)}, {y}),
      o);
  b.Output(y);
  EXPECT_THAT(RunTflite(b, {{"x", x.data}})["y"], Pointwise(FloatNear(1e-4f), Convolved(x, kernel, o).data));
}

TEST(TfliteStablehloConvolution, Images) {
  fb::StablehloConvolutionOptionsT o = PlainConvolution(2);
  ExpectConvolved({2, 5, 6, 3}, {3, 2, 3, 4}, o);
  o.window_strides = {2, 1}, o.padding = {1, 0, 2, 1}, o.rhs_dilation = {1, 2};
  ExpectConvolved({2, 5, 6, 3}, {3, 2, 3, 4}, o);
  o.window_reversal = {true, false};
  ExpectConvolved({2, 5, 6, 3}, {3, 2, 3, 4}, o);
  o.padding = {-1, 2, 0, -1};
  ExpectConvolved({1, 7, 8, 3}, {3, 2, 3, 4}, o);
}

TEST(TfliteStablehloConvolution, GroupsAndOtherLayouts) {
  fb::StablehloConvolutionOptionsT o = PlainConvolution(2);
  o.feature_group_count = 4;
  ExpectConvolved({1, 5, 6, 4}, {3, 3, 1, 8}, o);
  o.feature_group_count = 2;
  // CHWN by OIHW gives HNCW.
  o.input_feature_dimension = 0, o.input_spatial_dimensions = {1, 2}, o.input_batch_dimension = 3;
  o.kernel_output_feature_dimension = 0, o.kernel_input_feature_dimension = 1,
  o.kernel_spatial_dimensions = {2, 3};
  o.output_spatial_dimensions = {0, 3}, o.output_batch_dimension = 1, o.output_feature_dimension = 2;
  ExpectConvolved({4, 5, 6, 2}, {6, 2, 3, 2}, o);
}

TEST(TfliteStablehloConvolution, SpacedInputs) {
  fb::StablehloConvolutionOptionsT o = PlainConvolution(2);
  o.lhs_dilation = {2, 3}, o.padding = {1, 2, 0, 1};
  ExpectConvolved({2, 3, 4, 2}, {3, 2, 2, 4}, o);
  o.window_reversal = {false, true}, o.rhs_dilation = {2, 1};
  ExpectConvolved({2, 3, 4, 2}, {3, 2, 2, 4}, o);
  o.padding = {6, 2, 0, 4};  // beyond the window
  ExpectConvolved({2, 3, 4, 2}, {3, 2, 2, 4}, o);
  o.window_strides = {1, 2}, o.padding = {-1, 2, 0, 1};
  ExpectConvolved({2, 3, 4, 2}, {3, 2, 2, 4}, o);
}

TEST(TfliteStablehloConvolution, OtherNumbersOfDimensions) {
  ExpectConvolved({3, 5}, {5, 4}, PlainConvolution(0));
  fb::StablehloConvolutionOptionsT line = PlainConvolution(1);
  line.window_strides = {2}, line.padding = {1, 1};
  ExpectConvolved({2, 7, 3}, {3, 3, 4}, line);
  line.lhs_dilation = {2}, line.window_strides = {1};
  ExpectConvolved({2, 7, 3}, {3, 3, 4}, line);
  fb::StablehloConvolutionOptionsT volume = PlainConvolution(3);
  volume.window_strides = {2, 1, 1}, volume.padding = {1, 0, 1, 1, 0, 0}, volume.rhs_dilation = {1, 1, 2};
  volume.feature_group_count = 2;
  ExpectConvolved({2, 5, 4, 6, 4}, {2, 3, 2, 2, 4}, volume);
}

TEST(TfliteStablehloConvolution, OptionsAreChecked) {
  const auto refusal = [](fb::StablehloConvolutionOptionsT o) {
    TfliteBuilder b;
    const int x = b.Input("x", {1, 4, 4, 2}), w = b.Floats("w", {1, 1, 2, 2}, Floats(4, 1)),
              y = b.Tensor("y");
    Set(b.Op("STABLEHLO_CONVOLUTION", {x, w}, {y}), std::move(o));
    b.Output(y);
    return std::string(ImportTflite(b.Bytes()).status.message());
  };
  fb::StablehloConvolutionOptionsT o = PlainConvolution(2);
  o.input_feature_dimension = 2;
  EXPECT_THAT(refusal(o), HasSubstr("the dimensions of the input has dimension 2 of 4"));
  o = PlainConvolution(2);
  o.feature_group_count = 0;
  EXPECT_THAT(refusal(o), HasSubstr("0 groups"));
  o = PlainConvolution(2);
  o.padding = {1};
  EXPECT_THAT(refusal(o), HasSubstr("padding: expected 4 numbers, found 1"));
  o = PlainConvolution(2);
  o.window_strides = {0, 1};
  EXPECT_THAT(refusal(o), HasSubstr("stride 0"));
}

int AddIndices(TfliteBuilder* b, const Array& indices) {
  return b->Input("indices", Dims(indices.shape), Type::Int32);
}

void ExpectGathered(const Index& shape, const Index& indices_shape, const fb::StablehloGatherOptionsT& o) {
  std::mt19937 random(3);
  const Array x = Random(shape, &random), indices = Random(indices_shape, &random, -2, 5);
  TfliteBuilder b;
  const int y = b.Tensor("y"), in = b.Input("x", Dims(shape));
  Set(b.Op("STABLEHLO_GATHER", {in, AddIndices(&b, indices)}, {y}), o);
  b.Output(y);
  EXPECT_EQ(RunTflite(b, {{"x", x.data}, {"indices", indices.data}})["y"], Gathered(x, indices, o).data);
}

TEST(TfliteStablehloGather, RowsOfATable) {
  fb::StablehloGatherOptionsT o;
  o.offset_dims = {2}, o.collapsed_slice_dims = {0}, o.start_index_map = {0}, o.index_vector_dim = 2;
  o.slice_sizes = {1, 3};
  ExpectGathered({5, 3}, {2, 4}, o);
}

TEST(TfliteStablehloGather, WindowsStayInside) {
  fb::StablehloGatherOptionsT o;
  o.offset_dims = {1, 2, 3}, o.start_index_map = {2, 0}, o.index_vector_dim = 1, o.slice_sizes = {2, 1, 3};
  ExpectGathered({4, 2, 5}, {6, 2}, o);
}

TEST(TfliteStablehloGather, BatchesBetweenOffsets) {
  fb::StablehloGatherOptionsT o;
  o.offset_dims = {0, 2}, o.collapsed_slice_dims = {1}, o.start_index_map = {1, 2}, o.index_vector_dim = 0;
  o.slice_sizes = {2, 1, 2};
  ExpectGathered({3, 4, 5}, {2, 3, 2}, o);
}

TEST(TfliteStablehloGather, WholeDimensionsStartAtZero) {
  fb::StablehloGatherOptionsT o;
  o.offset_dims = {1, 2}, o.start_index_map = {0, 1}, o.index_vector_dim = 1, o.slice_sizes = {4, 3};
  ExpectGathered({4, 5}, {3, 2}, o);
  o.slice_sizes = {4, 5};
  ExpectGathered({4, 5}, {3, 2}, o);
}

// A subgraph of one operator on two scalars, or of none, which gives the second. Returns its index.
int AddUpdate(TfliteBuilder* b, const char* op) {
  const int index = b->AddSubgraph();
  const int p = b->Input("p", {}), q = b->Input("q", {});
  if (op == nullptr) {
    b->Output(q);
  } else {
    const int r = b->Tensor("r", {});
    b->Op(op, {p, q}, {r});
    b->Output(r);
  }
  b->BackToMain();
  return index;
}

struct ScatterCase {
  Index shape, indices, updates;
  const char* op = nullptr;
  std::function<float(float, float)> combine = [](float, float update) { return update; };
  int lowest = -2, highest = 5;
  bool constant_indices = false;
};

void ExpectScattered(const ScatterCase& t, fb::StablehloScatterOptionsT o) {
  std::mt19937 random(11);
  const Array x = Random(t.shape, &random), indices = Random(t.indices, &random, t.lowest, t.highest),
              updates = Random(t.updates, &random);
  TfliteBuilder b;
  o.update_computation_subgraph_index = AddUpdate(&b, t.op);
  const int y = b.Tensor("y"), in = b.Input("x", Dims(t.shape));
  const int places = t.constant_indices
                         ? b.Constant("indices", Dims(t.indices), Type::Int32,
                                      std::vector<int32_t>(indices.data.begin(), indices.data.end()))
                         : AddIndices(&b, indices);
  Set(b.Op("STABLEHLO_SCATTER", {in, places, b.Input("u", Dims(t.updates))}, {y}), o);
  b.Output(y);
  std::map<std::string, Floats> inputs = {{"x", x.data}, {"u", updates.data}};
  if (!t.constant_indices) inputs["indices"] = indices.data;
  EXPECT_EQ(RunTflite(b, inputs)["y"], Scattered(x, indices, updates, o, t.combine).data);
}

TEST(TfliteStablehloScatter, RowsThatAreOutsideAreLeftOut) {
  fb::StablehloScatterOptionsT o;
  o.update_window_dims = {1}, o.inserted_window_dims = {0}, o.scatter_dims_to_operand_dims = {0};
  o.index_vector_dim = 1;
  ExpectScattered({{4, 3}, {5, 1}, {5, 3}}, o);
  ExpectScattered({{4, 3}, {5, 1}, {5, 3}, "STABLEHLO_ADD", std::plus<>()}, o);
  ExpectScattered({{4, 3}, {5}, {5, 3}, "MUL", std::multiplies<>()}, o);
}

TEST(TfliteStablehloScatter, WindowsAtTheEdgeLoseAPart) {
  fb::StablehloScatterOptionsT o;
  o.update_window_dims = {0, 2, 3}, o.scatter_dims_to_operand_dims = {2, 0}, o.index_vector_dim = 0;
  const auto largest = [](float a, float b) { return std::max(a, b); };
  ExpectScattered({{4, 3, 5}, {2, 6}, {2, 6, 3, 2}, "STABLEHLO_MAXIMUM", largest}, o);
  // Along the middle dimension, windows are smaller than the operand and start at 0.
  ExpectScattered({{4, 3, 5}, {2, 6}, {2, 6, 2, 2}, "STABLEHLO_MAXIMUM", largest}, o);
}

TEST(TfliteStablehloScatter, ConstantPlacesInsideNeedNoCheck) {
  fb::StablehloScatterOptionsT o;
  o.inserted_window_dims = {0, 1}, o.scatter_dims_to_operand_dims = {1, 0}, o.index_vector_dim = 1;
  const auto least = [](float a, float b) { return std::min(a, b); };
  ExpectScattered({{3, 4}, {5, 2}, {5}, "STABLEHLO_MINIMUM", least, 0, 2, true}, o);
}

TEST(TfliteStablehloScatter, PlacesAreChecked) {
  TfliteBuilder b;
  fb::StablehloScatterOptionsT o;
  o.update_window_dims = {1}, o.inserted_window_dims = {0}, o.scatter_dims_to_operand_dims = {0, 1};
  o.index_vector_dim = 1;
  o.update_computation_subgraph_index = AddUpdate(&b, nullptr);
  const int x = b.Input("x", {4, 3}), i = b.Input("i", {5, 1}, Type::Int32), u = b.Input("u", {5, 3}),
            y = b.Tensor("y");
  Set(b.Op("STABLEHLO_SCATTER", {x, i, u}, {y}), o);
  b.Output(y);
  EXPECT_THAT(std::string(ImportTflite(b.Bytes()).status.message()),
              HasSubstr("places of 1 coordinates, and 2 dimensions"));
}

TEST(TfliteStablehloScatter, UpdatesOfASliceStayInside) {
  TfliteBuilder b;
  const int x = b.Input("x", {3, 3}), u = b.Input("u", {2, 2}), i = b.Input("i", {}, Type::Int32),
            j = b.Input("j", {}, Type::Int32), y = b.Tensor("y");
  b.Op("STABLEHLO_DYNAMIC_UPDATE_SLICE", {x, u, i, j}, {y});
  b.Output(y);
  const Floats zeros(9, 0), ones = {1, 2, 3, 4};
  EXPECT_EQ(RunTflite(b, {{"x", zeros}, {"u", ones}, {"i", {5}}, {"j", {-1}}})["y"],
            Floats({0, 0, 0, 1, 2, 0, 3, 4, 0}));
}

// A comparator of two inputs: by the first as `op` says, or, with `then_second`, by the second where these
// are equal.
int AddComparator(TfliteBuilder* b, fb::StablehloComparisonDirection direction, bool then_second) {
  const int index = b->AddSubgraph();
  const int p = b->Input("p", {}), q = b->Input("q", {}), r = b->Input("r", {}), s = b->Input("s", {});
  const auto compare = [&](fb::StablehloComparisonDirection by, int left, int right) {
    const int result = b->Tensor("c", {}, Type::Bool);
    fb::StablehloCompareOptionsT o;
    o.comparison_direction = by;
    Set(b->Op("STABLEHLO_COMPARE", {left, right}, {result}), o);
    return result;
  };
  int result = compare(direction, p, q);
  if (then_second) {
    const int equal = compare(fb::StablehloComparisonDirection::Equal, p, q),
              second = compare(direction, r, s), last = b->Tensor("last", {}, Type::Bool);
    b->Op("STABLEHLO_SELECT", {equal, second, result}, {last});
    result = last;
  }
  b->Output(result);
  b->BackToMain();
  return index;
}

TEST(TfliteStablehloSort, SeveralInputsByTheFirst) {
  for (const bool descends : {false, true}) {
    for (const bool then_second : {false, true}) {
      SCOPED_TRACE(descends * 2 + then_second);
      TfliteBuilder b;
      fb::StablehloSortOptionsT o;
      o.dimension = 0, o.is_stable = true;
      o.comparator_subgraph_index = AddComparator(
          &b, descends ? fb::StablehloComparisonDirection::Greater : fb::StablehloComparisonDirection::Less,
          then_second);
      const int x = b.Input("x", {5, 2}), z = b.Input("z", {5, 2}), y = b.Tensor("y"), w = b.Tensor("w");
      Set(b.Op("STABLEHLO_SORT", {x, z}, {y, w}), o);
      b.Output(y).Output(w);
      const Floats keys = {3, 1, 2, 1, 3, 0, 2, 1, 1, 5}, others = {1, 5, 9, 4, 0, 3, 8, 2, 7, 1};
      std::vector<int> order[2] = {{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}};
      Floats expected_keys(10), expected_others(10);
      for (size_t column = 0; column < 2; ++column) {
        const auto key = [&](int row) { return keys[static_cast<size_t>(row) * 2 + column]; };
        const auto other = [&](int row) { return others[static_cast<size_t>(row) * 2 + column]; };
        std::stable_sort(order[column].begin(), order[column].end(), [&](int i, int j) {
          const float a = key(i) != key(j) || !then_second ? key(i) : other(i),
                      c = key(i) != key(j) || !then_second ? key(j) : other(j);
          return descends ? a > c : a < c;
        });
        for (size_t row = 0; row < 5; ++row) {
          expected_keys[row * 2 + column] = key(order[column][row]);
          expected_others[row * 2 + column] = other(order[column][row]);
        }
      }
      auto outputs = RunTflite(b, {{"x", keys}, {"z", others}});
      EXPECT_EQ(outputs["y"], expected_keys);
      EXPECT_EQ(outputs["w"], expected_others);
    }
  }
}

TEST(TfliteStablehloSort, ComparatorsAreChecked) {
  TfliteBuilder b;
  fb::StablehloSortOptionsT o;
  o.comparator_subgraph_index = AddUpdate(&b, "STABLEHLO_ADD");
  const int x = b.Input("x", {5}), y = b.Tensor("y");
  Set(b.Op("STABLEHLO_SORT", {x}, {y}), o);
  b.Output(y);
  const ImportedTflite result = ImportTflite(b.Bytes());
  EXPECT_EQ(result.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(result.diagnostics.unsupported.at(0).reason, HasSubstr("does not give one bool"));
}

}  // namespace
}  // namespace micrort::testing::stablehlo_windows
