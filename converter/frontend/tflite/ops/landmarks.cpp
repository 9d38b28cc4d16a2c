// MediaPipe's operators between landmarks and the parts of an image around them:
// Landmarks2TransformMatrix, TransformTensorBilinear, TransformLandmarks, each in its version 2.

#include <cmath>

#include "converter/frontend/common/composed_call.h"
#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/registry.h"
#include "converter/frontend/tflite/subgraph_importer.h"

namespace micrort::frontend::tflite {

namespace {

constexpr int64_t kMaxSize = 1 << 16;

Status CheckVersion(const OpContext& c) {
  return c.op.version() == 2 ? Status() : Unsupported("version {}; only version 2 is", c.op.version());
}

// One batch item, whose matrix [1,4,4] maps elements of the output to elements of the input.
Status CheckSingle(OpContext& c, size_t i, int rank) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(i, rank));
  return c.x(i).shape[0] == 1 ? Status() : Unsupported("input {}: several images", i);
}

// The numbers of one row of a matrix [1,4,4] as scalars [1,1].
ir::ValueId Entry(OpContext& c, ir::ValueId matrix, int row, int column) {
  return c.build.Slice(c.build.Slice(c.build.DropDim(matrix, 0), 0, row, row + 1), 1, column, column + 1);
}

Status ReturnComposed(OpContext& c, const char* op, const std::vector<ComposedOperand>& tensors,
                      const std::vector<ComposedOption>& others = {}) {
  MICRORT_RETURN_IF_ERROR(c.build.status());
  MICRORT_ASSIGN_OR_RETURN(const std::vector<ir::ValueId> results,
                           CallComposed(c.subgraph.assembler(), c.build.origin, op, tensors, others));
  return c.Return(results);
}

Status ImportLandmarksToMatrix(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVersion(c));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 0, 3));
  const int64_t landmarks = c.x().shape[1];
  if (landmarks == ir::kDynamic) return Unsupported("a number of landmarks that is not fixed");
  std::vector<int64_t> subset;
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  MICRORT_ASSIGN_OR_RETURN(int64_t left, options.Int("left_rotation_idx", 0, landmarks - 1));
  MICRORT_ASSIGN_OR_RETURN(int64_t right, options.Int("right_rotation_idx", 0, landmarks - 1));
  MICRORT_ASSIGN_OR_RETURN(int64_t height, options.Int("output_height", 1, kMaxSize));
  MICRORT_ASSIGN_OR_RETURN(int64_t width, options.Int("output_width", 1, kMaxSize));
  MICRORT_RETURN_IF_ERROR(options.Ints("subset_idxs", 0, landmarks - 1, &subset));
  const double scale_x{options.Float("scale_x", 0)}, scale_y{options.Float("scale_y", 0)},
      angle{options.Float("target_rotation_radians", 0)};
  if (!(scale_x > 0 && scale_y > 0) || subset.empty())
    return Invalid("its custom options: expected scales above 0 and landmarks");
  return ReturnComposed(
      c, "__transform_of_landmarks", {{c.input(0)}},
      {left, right, subset, std::cos(angle), std::sin(angle), scale_x, scale_y, height, width});
}

// Column numbers of an image, [1,w], or row numbers, [h,1].
ir::ValueId Ramp(OpContext& c, std::vector<int64_t> shape) {
  std::vector<float> numbers(static_cast<size_t>(shape[0] * shape[1]));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  return c.build.Constant(std::move(shape), numbers);
}

// Centres of elements go through the matrix; what comes from outside of the input is 0.
Status ImportTransformTensor(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVersion(c));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 0, 4));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 1, 3));
  const int64_t in_h = c.x().shape[1], in_w = c.x().shape[2];
  if (in_h == ir::kDynamic || in_w == ir::kDynamic) return Unsupported("an image whose size is not fixed");
  MICRORT_ASSIGN_OR_RETURN(CustomOptions options, CustomOptions::Read(c));
  MICRORT_ASSIGN_OR_RETURN(int64_t height, options.Int("output_height", 1, kMaxSize));
  MICRORT_ASSIGN_OR_RETURN(int64_t width, options.Int("output_width", 1, kMaxSize));
  ir::Builder& m = c.build;
  const ir::ValueId x = m.Add(Ramp(c, {1, width}), m.Scalar(0.5)),
                    y = m.Add(Ramp(c, {height, 1}), m.Scalar(0.5));
  const auto coordinate = [&](int row) {
    const ir::ValueId sum =
        m.Add(m.Mul(x, Entry(c, c.input(1), row, 0)), m.Mul(y, Entry(c, c.input(1), row, 1)));
    return m.Add(sum, m.Sub(Entry(c, c.input(1), row, 3), m.Scalar(0.5)));
  };
  const ir::ValueId from_x = coordinate(0), from_y = coordinate(1);
  const auto within = [&](ir::ValueId at, int64_t size) {
    return c.build.And(c.build.GreaterOrEqual(at, m.Scalar(0)),
                       c.build.LessOrEqual(at, m.Scalar(static_cast<double>(size - 1))));
  };
  const ir::ValueId is_inside = c.build.And(within(from_x, in_w), within(from_y, in_h));
  const auto h = static_cast<int32_t>(height), w = static_cast<int32_t>(width);
  schema::GridSampleOptionsT sample;
  sample.mode = schema::ResizeMode::Linear;
  sample.coordinates = schema::GridCoordinates::Elements;
  const ir::ValueId grid =
      c.build.Concat({c.build.Reshape(from_x, {1, h, w, 1}), c.build.Reshape(from_y, {1, h, w, 1})}, 3);
  const ir::ValueId sampled = c.build.Add(std::move(sample), {c.input(0), grid});
  return c.Return(m.If(c.build.Reshape(is_inside, {1, h, w, 1}), sampled, m.Scalar(0)));
}

// inputs: landmarks [1,n,2 or 3], a matrix.
Status ImportTransformLandmarks(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVersion(c));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 0, 3));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 1, 3));
  const int64_t dims = c.x().shape[2];
  if (dims != 2 && dims != 3) return Invalid("landmarks of {} numbers", dims);
  return ReturnComposed(c, "__transformed_landmarks", {{c.input(0)}, {c.input(1)}});
}

constexpr OpSupport kLandmarkSupport = Types(kFloat32).Without("version 1; several images");

}  // namespace

const ImporterList LandmarkImporters = {
    {"Landmarks2TransformMatrix", 1, 1, ImportLandmarksToMatrix, kLandmarkSupport},
    {"TransformLandmarks", 2, 2, ImportTransformLandmarks, kLandmarkSupport},
    {"TransformTensorBilinear", 2, 2, ImportTransformTensor, kLandmarkSupport},
};

}  // namespace micrort::frontend::tflite
