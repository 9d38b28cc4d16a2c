// MediaPipe's operators between landmarks and the parts of an image around them:
// Landmarks2TransformMatrix, TransformTensorBilinear, TransformLandmarks, each in its version 2.

#include <cmath>

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tflite/ops/custom_options.h"
#include "converter/frontend/tflite/registry.h"

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

struct MatrixOptions {
  int64_t left = 0, right = 0, height = 0, width = 0;
  float scale_x = 0, scale_y = 0, target = 0;
  std::vector<int64_t> subset;
};

Status ReadMatrixOptions(OpContext& c, int64_t landmarks, MatrixOptions* out) {
  CustomOptions options;
  MICRORT_RETURN_IF_ERROR(CustomOptions::Read(c, &options));
  MICRORT_RETURN_IF_ERROR(options.Int("left_rotation_idx", 0, landmarks - 1, &out->left));
  MICRORT_RETURN_IF_ERROR(options.Int("right_rotation_idx", 0, landmarks - 1, &out->right));
  MICRORT_RETURN_IF_ERROR(options.Int("output_height", 1, kMaxSize, &out->height));
  MICRORT_RETURN_IF_ERROR(options.Int("output_width", 1, kMaxSize, &out->width));
  MICRORT_RETURN_IF_ERROR(options.Ints("subset_idxs", 0, landmarks - 1, &out->subset));
  out->scale_x = options.Float("scale_x", 0), out->scale_y = options.Float("scale_y", 0);
  out->target = options.Float("target_rotation_radians", 0);
  if (out->scale_x > 0 && out->scale_y > 0 && !out->subset.empty()) return Status();
  return Invalid("its custom options: expected scales above 0 and landmarks");
}

struct Point {
  ir::ValueId x, y;
};

// Elements of the matrix that turns the line between two landmarks to the wanted angle.
struct Turn {
  ir::ValueId cos, sin;
};

class TransformMatrix {
 public:
  TransformMatrix(OpContext& c, const MatrixOptions& o) : c_(c), o_(o), m_(c.build) {}

  // Shift to the middle of the turned landmarks, turn back, scale to their size, shift by half the output.
  ir::ValueId Make() {
    const Turn turn = TurnOf(At({o_.left}), At({o_.right}));
    const Point points = At(o_.subset);
    const Point turned = {m_.Sub(m_.Mul(turn.cos, points.x), m_.Mul(turn.sin, points.y)),
                          m_.Add(m_.Mul(turn.sin, points.x), m_.Mul(turn.cos, points.y))};
    Point middle, size;
    Extent(turned.x, &middle.x, &size.x);
    Extent(turned.y, &middle.y, &size.y);
    const ir::ValueId scale_x = m_.Mul(size.x, m_.Scalar(o_.scale_x / static_cast<float>(o_.width)));
    const ir::ValueId scale_y = m_.Mul(size.y, m_.Scalar(o_.scale_y / static_cast<float>(o_.height)));
    const ir::ValueId minus_sin = c_.build.Neg(turn.sin);
    const ir::ValueId xx = m_.Mul(turn.cos, scale_x), xy = m_.Mul(turn.sin, scale_y);
    const ir::ValueId yx = m_.Mul(minus_sin, scale_x), yy = m_.Mul(turn.cos, scale_y);
    const Point center = {m_.Add(m_.Mul(turn.cos, middle.x), m_.Mul(turn.sin, middle.y)),
                          m_.Add(m_.Mul(minus_sin, middle.x), m_.Mul(turn.cos, middle.y))};
    const ir::ValueId zero = Constants({0});
    const ir::ValueId all = c_.build.Concat({xx, xy, zero, Shifted(center.x, xx, xy), yx, yy, zero,
                                             Shifted(center.y, yx, yy), Constants({0, 0, 1, 0, 0, 0, 0, 1})},
                                            0);
    return c_.build.Reshape(all, {1, 4, 4});
  }

 private:
  ir::ValueId Constants(const std::vector<float>& v) {
    return c_.build.Constant({static_cast<int64_t>(v.size())}, v);
  }
  ir::ValueId Column(ir::ValueId points, int k) {
    return c_.build.DropDim(c_.build.Slice(points, 1, k, k + 1), 1);
  }
  // x and y of these landmarks, [n] each.
  Point At(const std::vector<int64_t>& indices) {
    const ir::ValueId points =
        c_.build.Gather(c_.build.DropDim(c_.input(0), 0), c_.build.Integers(indices), 0);
    return {Column(points, 0), Column(points, 1)};
  }
  // By target - atan2(dy, dx), where two landmarks in one place have the angle 0.
  Turn TurnOf(const Point& left, const Point& right) {
    const ir::ValueId dx = m_.Sub(right.x, left.x), dy = m_.Sub(right.y, left.y);
    const ir::ValueId length = c_.build.Sqrt(m_.Add(m_.Mul(dx, dx), m_.Mul(dy, dy)));
    const ir::ValueId is_one_place = m_.Less(length, m_.Scalar(1e-30));
    const ir::ValueId cos = m_.If(is_one_place, m_.Scalar(1), m_.Div(dx, length));
    const ir::ValueId sin = m_.If(is_one_place, m_.Scalar(0), m_.Div(dy, length));
    const ir::ValueId target_cos = m_.Scalar(std::cos(static_cast<double>(o_.target)));
    const ir::ValueId target_sin = m_.Scalar(std::sin(static_cast<double>(o_.target)));
    return {m_.Add(m_.Mul(target_cos, cos), m_.Mul(target_sin, sin)),
            m_.Sub(m_.Mul(target_sin, cos), m_.Mul(target_cos, sin))};
  }
  void Extent(ir::ValueId x, ir::ValueId* middle, ir::ValueId* size) {
    const ir::ValueId high = c_.build.Reduce(schema::ReduceKind::Max, x, {0}, true);
    const ir::ValueId low = c_.build.Reduce(schema::ReduceKind::Min, x, {0}, true);
    *middle = m_.Mul(m_.Add(high, low), m_.Scalar(0.5));
    *size = m_.Sub(high, low);
  }
  ir::ValueId Shifted(ir::ValueId center, ir::ValueId by_x, ir::ValueId by_y) {
    const auto half = [](int64_t size) { return 0.5 * static_cast<double>(size); };
    return m_.Sub(m_.Sub(center, m_.Mul(by_x, m_.Scalar(half(o_.width)))),
                  m_.Mul(by_y, m_.Scalar(half(o_.height))));
  }

  OpContext& c_;
  const MatrixOptions& o_;
  ir::Builder& m_;
};

Status ImportLandmarksToMatrix(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVersion(c));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 0, 3));
  const int64_t landmarks = c.x().shape[1];
  if (landmarks == ir::kDynamic) return Unsupported("a number of landmarks that is not fixed");
  MatrixOptions options;
  MICRORT_RETURN_IF_ERROR(ReadMatrixOptions(c, landmarks, &options));
  return c.Return(TransformMatrix(c, options).Make());
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
  CustomOptions options;
  int64_t height = 0, width = 0;
  MICRORT_RETURN_IF_ERROR(CustomOptions::Read(c, &options));
  MICRORT_RETURN_IF_ERROR(options.Int("output_height", 1, kMaxSize, &height));
  MICRORT_RETURN_IF_ERROR(options.Int("output_width", 1, kMaxSize, &width));
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

// x and y of landmarks [1,n,2 or 3] go through the matrix.
Status ImportTransformLandmarks(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckVersion(c));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 0, 3));
  MICRORT_RETURN_IF_ERROR(CheckSingle(c, 1, 3));
  const int64_t dims = c.x().shape[2];
  if (dims != 2 && dims != 3) return Invalid("landmarks of {} numbers", dims);
  ir::Builder& m = c.build;
  const ir::ValueId points = c.build.DropDim(c.input(0), 0);
  const ir::ValueId x = c.build.Slice(points, 1, 0, 1), y = c.build.Slice(points, 1, 1, 2);
  const auto row = [&](int k) {
    const ir::ValueId sum = m.Add(m.Mul(x, Entry(c, c.input(1), k, 0)), m.Mul(y, Entry(c, c.input(1), k, 1)));
    return m.Add(sum, Entry(c, c.input(1), k, 3));
  };
  std::vector<ir::ValueId> columns = {row(0), row(1)};
  if (dims == 3) columns.push_back(c.build.Slice(points, 1, 2, 3));
  return c.Return(c.build.InsertDim(c.build.Concat(columns, 1), 0));
}

constexpr OpSupport kLandmarkSupport = Types(kFloat32).Without("version 1; several images");

}  // namespace

const ImporterList LandmarkImporters = {
    {"Landmarks2TransformMatrix", 1, 1, ImportLandmarksToMatrix, kLandmarkSupport},
    {"TransformLandmarks", 2, 2, ImportTransformLandmarks, kLandmarkSupport},
    {"TransformTensorBilinear", 2, 2, ImportTransformTensor, kLandmarkSupport},
};

}  // namespace micrort::frontend::tflite
