// GridSample: elements of x at the coordinates of a grid.

#include "kernels/sample/grid_sample.h"

#include "micrort/op_resolver.h"
#include "runtime/ops/op.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace grid_sample_op {
namespace {

struct State {
  GridSampleParams params;
};

static_assert(static_cast<int>(schema::ResizeMode::Cubic) == static_cast<int>(GridMode::kCubic));
static_assert(static_cast<int>(schema::GridPadding::Reflection) ==
              static_cast<int>(GridPadding::kReflection));
static_assert(static_cast<int>(schema::GridCoordinates::Elements) ==
              static_cast<int>(GridCoordinates::kElements));

Status Parse(const schema::Operator& op, void* state) {
  const schema::GridSampleOptions* o = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &o));
  if (o->mode() > schema::ResizeMode::MAX || o->padding() > schema::GridPadding::MAX ||
      o->coordinates() > schema::GridCoordinates::MAX) {
    return MICRORT_ERROR(kInvalidModel, "mode %d, padding %d or coordinates %d is out of range",
                         static_cast<int>(o->mode()), static_cast<int>(o->padding()),
                         static_cast<int>(o->coordinates()));
  }
  GridSampleParams& p = static_cast<State*>(state)->params;
  p.mode = static_cast<GridMode>(o->mode());
  p.padding = static_cast<GridPadding>(o->padding());
  p.coordinates = static_cast<GridCoordinates>(o->coordinates());
  return Status();
}

Status CheckShapes(const Shape& x, const Shape& grid) {
  const int dims = x.rank - 2;
  bool fits =
      dims >= 1 && dims <= kMaxGridDims && grid.rank >= 2 && grid[grid.rank - 1] == dims && grid[0] == x[0];
  for (int i = 0; fits && i < dims; ++i) fits = x[1 + i] > 0 && x[1 + i] <= INT32_MAX;
  if (fits) return Status();
  return MICRORT_ERROR(kInvalidModel, "input %s and grid %s do not match", ShapeString(x).c_str(),
                       ShapeString(grid).c_str());
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(2, 2, 1));
  const Tensor& x = context.input(0);
  const Tensor& grid = context.input(1);
  if (x.dtype != DType::kFloat32 || grid.dtype != DType::kFloat32) {
    return MICRORT_ERROR(kUnsupported, "expected float32, found %s and %s", Name(x.dtype), Name(grid.dtype));
  }
  MICRORT_RETURN_IF_ERROR(CheckShapes(x.shape, grid.shape));
  GridSampleParams& p = context.state<State>().params;
  p.dims = x.shape.rank - 2;
  for (int i = 0; i < p.dims; ++i) p.sizes[i] = x.shape[1 + i];
  p.batch = x.shape[0];
  p.channels = x.shape[x.shape.rank - 1];
  p.points = grid.shape.product(1, grid.shape.rank - 1);
  Shape out = grid.shape;
  out[out.rank - 1] = p.channels;
  constexpr int64_t kPointWork = 1500;  // 16 taps of a cubic, 8 in volumes
  context.SetWork(WorkOf({p.batch, p.points, p.channels + 1, kPointWork}));
  context.SetCall(&p);
  return context.SetOutput(0, DType::kFloat32, out);
}

Status Run(const RunContext& context) {
  GridSample(context.state<State>().params, context.input(0).as<float>(), context.input(1).as<float>(),
             context.output(0).as<float>(), *context.parallel);
  return Status();
}

}  // namespace
}  // namespace grid_sample_op

MICRORT_OPERATOR(GridSample, grid_sample_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
