// If: one of two graphs. A graph that cannot run with the shapes at hand is an error only if it is taken.

#include <algorithm>

#include "kernels/base/checked_math.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/body.h"
#include "runtime/ops/parse_options.h"

namespace micrort {
namespace if_op {
namespace {

enum Branch { kThen = 0, kElse = 1 };
constexpr int kBranches = 2;
constexpr int kCondition = 0;
constexpr int kFirstCapture = 1;

using State = IfCall;

const char* NameOf(int branch) { return branch == kThen ? "then" : "else"; }

Status Parse(const schema::Operator& op, void*) {
  const schema::IfOptions* options = nullptr;
  return ReadOptions(op, &options);
}

Status CheckCounts(const PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(
      context.ExpectArity(context.input_count(), context.input_count(), context.output_count()));
  for (int b = 0; b < kBranches && context.body_count() == kBranches; ++b) {
    const BodyPlan& body = context.body(b);
    if (body.input_count() + kFirstCapture == context.input_count() &&
        body.output_count() == context.output_count()) {
      continue;
    }
    return MICRORT_ERROR(kInvalidModel, "%s branch: expected %d inputs and %d outputs, found %d and %d",
                         NameOf(b), context.input_count() - kFirstCapture, context.output_count(),
                         body.input_count(), body.output_count());
  }
  if (context.body_count() == kBranches) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected two branches");
}

Status PrepareBranch(const PrepareContext& context, int branch) {
  BodyPlan& body = context.body(branch);
  Status status;
  for (int i = 0; i < body.input_count() && status.ok(); ++i) {
    status = body.SetInput(i, context.input(kFirstCapture + i));
  }
  if (status.ok()) status = body.Infer(GoalOf(context.target()));
  return status.ok() ? status : status.WithPrefix("%s branch", NameOf(branch));
}

// Which branches may be taken.
struct Branches {
  bool taken[kBranches];

  bool both() const { return taken[kThen] && taken[kElse]; }
  int one() const { return taken[kThen] ? kThen : kElse; }
};

bool IsAboutShapes(const Status& status) {
  return status.code() == StatusCode::kInvalidModel || status.code() == StatusCode::kOutOfRange;
}

// Leaves those that can run; an error if there is none.
Status PrepareBranches(const PrepareContext& context, Branches* branches) {
  Status first;
  for (int b = 0; b < kBranches; ++b) {
    const bool wants_types = context.stage() == PrepareStage::kInfer;
    if (!branches->taken[b] && !wants_types) continue;
    const Status status = PrepareBranch(context, b);
    if (status.ok()) continue;
    if (!IsAboutShapes(status)) return status;
    if (branches->taken[b] && first.ok()) first = status;
    branches->taken[b] = false;
  }
  return branches->taken[kThen] || branches->taken[kElse] ? Status() : first;
}

// The larger of both branches' sizes, dimension by dimension.
Status SetEitherOutput(PrepareContext& context, int i) {
  const Tensor& a = context.body(kThen).output(i);
  const Tensor& b = context.body(kElse).output(i);
  if (a.dtype != b.dtype) {
    return MICRORT_ERROR(kInvalidModel, "output %d: the branches give %s and %s", i, Name(a.dtype),
                         Name(b.dtype));
  }
  if (a.shape.rank != b.shape.rank) {
    return MICRORT_ERROR(
        kUnsupported,
        "output %d: the branches give shapes %s and %s; ranks may differ only where the condition "
        "follows from shapes or constants",
        i, ShapeString(a.shape).c_str(), ShapeString(b.shape).c_str());
  }
  Shape bound = a.shape;
  uint32_t differing = 0;
  for (int d = 0; d < bound.rank; ++d) {
    if (a.shape[d] != b.shape[d]) differing |= 1u << d;
    bound[d] = std::max(a.shape[d], b.shape[d]);
  }
  return context.SetOutput(i, a.dtype, bound, a.extents | b.extents | Extents::Bounded(differing));
}

Status PlanBranches(PrepareContext& context, const Branches& branches) {
  size_t scratch = 0;
  int64_t multiply_adds = 0;
  uint64_t work = 0;
  for (int b = 0; b < kBranches; ++b) {
    if (!branches.taken[b]) continue;
    size_t bytes = 0;
    if (!context.target().bounds_only) {
      MICRORT_RETURN_IF_ERROR(context.body(b).PlanArena(&bytes).WithPrefix("%s branch", NameOf(b)));
    }
    scratch = std::max(scratch, bytes);
    multiply_adds = std::max(multiply_adds, context.body(b).multiply_adds());
    work = std::max(work, context.body(b).work());
  }
  context.SetWork(work);
  context.RequestScratch(scratch);
  context.SetMultiplyAdds(multiply_adds);
  return Status();
}

Status Prepare(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(CheckCounts(context));
  MICRORT_RETURN_IF_ERROR(ExpectScalar(context.input(kCondition), DType::kBool, "condition"));
  const bool decided = context.contents(kCondition) == Contents::kFixed;
  const bool condition = decided && IsTrue(context.input(kCondition));
  Branches branches = {{!decided || condition, !decided || !condition}};
  MICRORT_RETURN_IF_ERROR(PrepareBranches(context, &branches));
  for (int i = 0; i < context.output_count(); ++i) {
    if (branches.both()) {
      MICRORT_RETURN_IF_ERROR(SetEitherOutput(context, i));
    } else {
      const Tensor& output = context.body(branches.one()).output(i);
      MICRORT_RETURN_IF_ERROR(context.SetOutput(i, output.dtype, output.shape, output.extents));
    }
  }
  MICRORT_RETURN_IF_ERROR(PlanBranches(context, branches));
  context.SetCall(&context.state<State>());
  return Status();
}

Status Run(const RunContext& context) {
  const Tensor& condition = context.input(kCondition);
  MICRORT_RETURN_IF_ERROR(ExpectScalar(condition, DType::kBool, "condition"));
  const int taken = IsTrue(condition) ? kThen : kElse;
  Body& body = context.body(taken);
  if (body.failure() != nullptr) return body.failure()->WithPrefix("%s branch", NameOf(taken));
  for (size_t i = kFirstCapture; i < context.inputs.size(); ++i) {
    const Tensor& input = *context.inputs[i];
    body.LendInput(static_cast<int>(i) - kFirstCapture, input.data, &input.shape);
  }
  const int outputs = static_cast<int>(context.outputs.size());
  for (int i = 0; i < outputs; ++i) body.LendOutput(i, context.output(i).data);
  MICRORT_RETURN_IF_ERROR(body.Run(*context.parallel).WithPrefix("%s branch", NameOf(taken)));
  for (int i = 0; i < outputs; ++i) {
    const Tensor& result = body.result(i);
    MICRORT_RETURN_IF_ERROR(context.SetOutputShape(i, result.shape));
    PlaceResult(result, context.output(i).data);
  }
  return Status();
}

}  // namespace
}  // namespace if_op

MICRORT_OPERATOR(If, if_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
