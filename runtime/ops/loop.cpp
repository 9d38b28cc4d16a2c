// Loop: a graph again and again, with values carried from one iteration to the next, and values stacked.
//
// A carried value is written in turn to the operator's output and to a spare block of the same size in
// scratch, so that an iteration reads one and writes the other.

#include <algorithm>
#include <limits>

#include "kernels/base/checked_math.h"
#include "micrort/op_resolver.h"
#include "runtime/ops/body.h"
#include "runtime/ops/parse_options.h"
#include "runtime/ops/work_control.h"

namespace micrort {
namespace loop_op {
namespace {

// Inputs of the operator; those of its body, iteration and condition, stand in the same places.
enum LoopInput { kTripCount = 0, kCondition = 1, kFirstCarried = 2 };
constexpr int kIteration = 0;

// Rounds in which a carried value may grow while its bound is looked for.
constexpr int64_t kMaxGrowth = 256;
// Longer ones are not run while shapes are planned.
constexpr int64_t kMaxTripsWhilePlanning = 4096;
constexpr int64_t kUnknownTrips = -1;

using State = LoopCall;

Status Parse(const schema::Operator& op, void* state) {
  const schema::LoopOptions* options = nullptr;
  MICRORT_RETURN_IF_ERROR(ReadOptions(op, &options));
  if (options->carried() > static_cast<uint32_t>(std::numeric_limits<int>::max()) - kFirstCarried) {
    return MICRORT_ERROR(kInvalidModel, "%u carried values", options->carried());
  }
  *static_cast<State*>(state) = {static_cast<int>(options->carried()), options->has_condition(), 0};
  return Status();
}

int64_t TripsOf(const Tensor& trip_count) { return std::max<int64_t>(*trip_count.as<int64_t>(), 0); }

class Preparation {
 public:
  explicit Preparation(PrepareContext& context)
      : context_(context),
        carried_(context.state<State>().carried),
        first_result_(context.state<State>().has_condition ? 1 : 0) {}

  Status Prepare() {
    MICRORT_RETURN_IF_ERROR(CheckCounts());
    MICRORT_RETURN_IF_ERROR(CheckScalars());
    MICRORT_RETURN_IF_ERROR(SetOtherInputs());
    for (int k = 0; k < carried_; ++k) {
      const Tensor& initial = context_.input(kFirstCarried + k);
      MICRORT_RETURN_IF_ERROR(SetCarried(k, initial.dtype, initial.shape, initial.extents));
    }
    MICRORT_RETURN_IF_ERROR(BoundCarriedValues());
    for (int k = 0; k < carried_; ++k) {
      const Tensor& value = body().input(kFirstCarried + k);
      MICRORT_RETURN_IF_ERROR(context_.SetOutput(k, value.dtype, value.shape, value.extents));
    }
    for (int i = carried_; i < context_.output_count(); ++i) MICRORT_RETURN_IF_ERROR(SetStacked(i));
    return Plan();
  }

 private:
  BodyPlan& body() const { return context_.body(0); }
  const Tensor& CarriedResult(int k) const { return body().output(first_result_ + k); }

  Status CheckCounts() const {
    if (context_.body_count() != 1) return MICRORT_ERROR(kInvalidModel, "expected a body");
    if (context_.input_count() < kFirstCarried + carried_ || context_.output_count() < carried_ ||
        body().input_count() != context_.input_count() ||
        body().output_count() != context_.output_count() + first_result_) {
      return MICRORT_ERROR(
          kInvalidModel,
          "%d inputs, %d outputs and %d carried values do not fit a body of %d inputs and %d outputs",
          context_.input_count(), context_.output_count(), carried_, body().input_count(),
          body().output_count());
    }
    for (int i = kFirstCarried; i < context_.input_count(); ++i) {
      if (!context_.has_input(i)) return MICRORT_ERROR(kInvalidModel, "input %d is required, but absent", i);
    }
    if (context_.has_input(kTripCount) || context_.has_input(kCondition) || first_result_ != 0)
      return Status();
    return MICRORT_ERROR(kInvalidModel,
                         "the loop has neither a trip count nor a condition, and would never end");
  }

  Status CheckScalars() const {
    if (context_.has_input(kTripCount)) {
      MICRORT_RETURN_IF_ERROR(ExpectScalar(context_.input(kTripCount), DType::kInt64, "trip count"));
    }
    if (context_.has_input(kCondition)) {
      MICRORT_RETURN_IF_ERROR(ExpectScalar(context_.input(kCondition), DType::kBool, "condition"));
    }
    MICRORT_RETURN_IF_ERROR(ExpectScalar(body().input(kIteration), DType::kInt64, "iteration"));
    return ExpectScalar(body().input(kCondition), DType::kBool, "condition");
  }

  Status SetOtherInputs() {
    for (int i = 0; i < kFirstCarried; ++i) {
      Tensor scalar = body().input(i);
      scalar.contents = Contents::kUnknown;
      MICRORT_RETURN_IF_ERROR(body().SetInput(i, scalar));
    }
    for (int i = kFirstCarried + carried_; i < context_.input_count(); ++i) {
      MICRORT_RETURN_IF_ERROR(body().SetInput(i, context_.input(i)));
    }
    return Status();
  }

  // The value differs between iterations, so that it can never be read.
  Status SetCarried(int k, DType dtype, const Shape& bound, Extents extents) {
    Tensor value = context_.input(kFirstCarried + k);
    value.dtype = dtype;
    value.shape = bound;
    value.extents = extents.Within(bound.rank);
    value.contents = Contents::kUnknown;
    value.constant = false;
    return body().SetInput(kFirstCarried + k, value);
  }

  // Prepares the body for what it gives to itself, until this no longer changes.
  Status BoundCarriedValues() {
    const int64_t trips = KnownTrips();
    const int64_t limit = trips == kUnknownTrips ? kMaxGrowth : std::min(trips, kMaxGrowth) + 1;
    const bool is_host = context_.stage() == PrepareStage::kInfer;
    const InferGoal goal = is_host ? InferGoal::kBounds : GoalOf(context_.target());
    for (int64_t round = 0;; ++round) {
      // What the last iteration gives is not read by another one.
      const bool is_enough = !is_host && trips != kUnknownTrips && round + 1 >= trips;
      MICRORT_RETURN_IF_ERROR(body().Infer(is_enough ? goal : InferGoal::kBounds));
      bool stable = true;
      for (int k = 0; k < carried_; ++k) MICRORT_RETURN_IF_ERROR(Widen(k, round >= limit, &stable));
      if (is_enough) break;
      if (!stable) continue;
      if (goal == InferGoal::kPlan) MICRORT_RETURN_IF_ERROR(body().Infer(goal));
      break;
    }
    if (first_result_ == 0) return Status();
    return ExpectScalar(body().output(0), DType::kBool, "condition");
  }

  // Makes the input for carried value k as large as the result. The converter does not look for bounds: to
  // it, a dimension that changes has any size.
  Status Widen(int k, bool is_last, bool* stable) {
    const Tensor& in = body().input(kFirstCarried + k);
    const Tensor& out = CarriedResult(k);
    if (in.dtype != out.dtype || in.shape.rank != out.shape.rank) {
      return MICRORT_ERROR(
          kInvalidModel, "carried value %d ('%.100s'): %s of shape %s becomes %s of shape %s", k, in.name,
          Name(in.dtype), ShapeString(in.shape).c_str(), Name(out.dtype), ShapeString(out.shape).c_str());
    }
    Extents extents = in.extents | out.extents;
    Shape bound = in.shape;
    for (int d = 0; d < bound.rank; ++d) {
      const bool any_size = context_.stage() == PrepareStage::kInfer && in.extents[d] != Extent::kFixed;
      if (any_size || in.shape[d] == out.shape[d]) continue;
      extents = extents | Extents::Bounded(1u << d);
      bound[d] = std::max(in.shape[d], out.shape[d]);
    }
    if (bound == in.shape && extents == in.extents) return Status();
    if (is_last) {
      return MICRORT_ERROR(
          kUnsupported,
          "carried value %d ('%.100s') grows from %s to %s in an iteration: expected a shape that "
          "stays, or a trip count of at most %lld that is known when memory is planned",
          k, in.name, ShapeString(in.shape).c_str(), ShapeString(out.shape).c_str(),
          static_cast<long long>(kMaxGrowth));
    }
    *stable = false;
    return SetCarried(k, in.dtype, bound, extents);
  }

  // Whether all trips are run, and their number is known.
  bool IsExact() const {
    return first_result_ == 0 && IsFixed(kTripCount) &&
           (!context_.has_input(kCondition) || (IsFixed(kCondition) && IsTrue(context_.input(kCondition))));
  }

  bool IsFixed(int i) const { return context_.has_input(i) && context_.contents(i) == Contents::kFixed; }

  int64_t KnownTrips() const {
    if (!context_.has_input(kTripCount) || context_.contents(kTripCount) == Contents::kUnknown) {
      return kUnknownTrips;
    }
    return TripsOf(context_.input(kTripCount));
  }

  // Those that a run is charged for ahead. Where a condition may end the loop, or data decide the trip count,
  // that is no more than a bound, the largest integer in exports of `while`, and the run pays for what it
  // does.
  int64_t CertainTrips(int64_t trips) const {
    return first_result_ != 0 || !IsFixed(kTripCount) ? 1 : std::max<int64_t>(trips, 1);
  }

  Status SetStacked(int i) {
    const Tensor& row = body().output(first_result_ + i);
    if (row.shape.rank == kMaxRank) {
      return MICRORT_ERROR(kUnsupported, "output %d: values of %d dimensions cannot be stacked", i,
                           row.shape.rank);
    }
    if (!context_.has_input(kTripCount)) {
      return MICRORT_ERROR(
          kUnsupported,
          "output %d has an entry an iteration, and a loop without trip count has no bound for "
          "these: give it a trip count as large as they may become",
          i);
    }
    const int64_t trips = KnownTrips();
    Shape shape = Shape::Of(trips);
    for (int d = 0; d < row.shape.rank; ++d) shape[shape.rank++] = row.shape[d];
    Extents extents = row.extents.Inner();
    if (trips == kUnknownTrips) {
      extents = extents | Extents::DataDependent(1);
    } else if (!IsExact()) {
      extents = extents | Extents::Bounded(1);
    }
    return context_.SetOutput(i, row.dtype, shape, extents, 1u << kTripCount);
  }

  Status Plan() {
    size_t scratch = 0;
    if (!context_.target().bounds_only) MICRORT_RETURN_IF_ERROR(body().PlanArena(&scratch));
    context_.state<State>().spares = scratch;
    context_.SetCall(&context_.state<State>());
    for (int k = 0; k < carried_; ++k) {
      if (!CheckedAdd(scratch, AlignUp(context_.output(k).bytes(), kAlignment), &scratch)) {
        return MICRORT_ERROR(kInvalidModel, "carried values are larger than an address space");
      }
    }
    context_.RequestScratch(scratch);
    const int64_t trips = KnownTrips(), certain = CertainTrips(trips);
    int64_t multiply_adds = 0;
    if (CheckedMul(body().multiply_adds(), certain, &multiply_adds)) {
      context_.SetMultiplyAdds(multiply_adds);
    }
    context_.SetWork(MultiplyWork(std::max(body().work(), kOperatorWork), static_cast<uint64_t>(certain)));
    if (trips == kUnknownTrips || trips > kMaxTripsWhilePlanning) context_.SetTakesLong();
    return Status();
  }

  PrepareContext& context_;
  const int carried_;
  const int first_result_;  // after the condition
};

Status Prepare(PrepareContext& context) { return Preparation(context).Prepare(); }

class Execution {
 public:
  explicit Execution(const RunContext& context)
      : context_(context),
        body_(context.body(0)),
        carried_(context.state<State>().carried),
        first_result_(context.state<State>().has_condition ? 1 : 0),
        spares_(static_cast<uint8_t*>(context.scratch) + context.state<State>().spares) {}

  Status Run() {
    MICRORT_RETURN_IF_ERROR(ReadLimits());
    for (size_t i = kFirstCarried; i < context_.inputs.size(); ++i) {
      const Tensor& input = *context_.inputs[i];
      body_.LendInput(static_cast<int>(i), input.data, &input.shape);
    }
    if (go_on_ && first_result_ == 0 && !context_.has_input(kTripCount)) {
      return MICRORT_ERROR(kInvalidModel,
                           "the loop has no trip count, its condition is true and never changes");
    }
    while (iterations_ < trips_ && go_on_) {
      const Status status = RunOnce();
      if (!status.ok()) return status.WithPrefix("iteration %lld", static_cast<long long>(iterations_));
      ++iterations_;
    }
    return Finish();
  }

 private:
  Status ReadLimits() {
    if (context_.has_input(kTripCount)) {
      MICRORT_RETURN_IF_ERROR(ExpectScalar(context_.input(kTripCount), DType::kInt64, "trip count"));
      trips_ = TripsOf(context_.input(kTripCount));
    }
    if (context_.has_input(kCondition)) {
      MICRORT_RETURN_IF_ERROR(ExpectScalar(context_.input(kCondition), DType::kBool, "condition"));
      go_on_ = IsTrue(context_.input(kCondition));
    }
    if (carried_ == output_count() || trips_ <= context_.output(carried_).shape[0]) return Status();
    return MICRORT_ERROR(kOutOfRange, "%lld iterations, memory is planned for %lld",
                         static_cast<long long>(trips_),
                         static_cast<long long>(context_.output(carried_).shape[0]));
  }

  int output_count() const { return static_cast<int>(context_.outputs.size()); }
  const Tensor& ResultFor(int output) const { return body_.result(first_result_ + output); }
  // Outputs show bounds until Finish.
  size_t SpareBytes(int k) const { return AlignUp(context_.output(k).bytes(), kAlignment); }

  // So that the last trip writes to outputs, unless a condition ends the loop before.
  bool WritesToOutput(int64_t iteration) const { return ((trips_ - 1 - iteration) & 1) == 0; }

  Status RunOnce() {
    int64_t iteration = iterations_;
    uint8_t condition = 1;
    uint8_t next = 1;
    body_.LendInput(kIteration, &iteration, nullptr);
    body_.LendInput(kCondition, &condition, nullptr);
    if (first_result_ != 0) body_.LendOutput(0, &next);
    ForEachCarried([this](int k, void* data) { body_.LendOutput(first_result_ + k, data); });
    for (int i = carried_; i < output_count(); ++i) body_.LendOutput(first_result_ + i, RowOf(i));
    MICRORT_RETURN_IF_ERROR(body_.Run(*context_.parallel));
    for (int i = carried_; i < output_count(); ++i) MICRORT_RETURN_IF_ERROR(TakeRow(i));
    ForEachCarried([this](int k, void* data) {
      PlaceResult(ResultFor(k), data);
      body_.LendInput(kFirstCarried + k, data, &ResultFor(k).shape);
    });
    if (first_result_ == 0) return Status();
    MICRORT_RETURN_IF_ERROR(ExpectScalar(body_.result(0), DType::kBool, "condition"));
    go_on_ = IsTrue(body_.result(0));
    return Status();
  }

  // Calls use(k, where iteration `iterations_` writes carried value k).
  template <typename Use>
  void ForEachCarried(Use use) {
    uint8_t* spare = spares_;
    for (int k = 0; k < carried_; ++k) {
      use(k, WritesToOutput(iterations_) ? context_.output(k).data : spare);
      spare += SpareBytes(k);
    }
  }

  // The bytes of a row of a stacked output; before the first iteration its rows show their bound.
  size_t RowBytes(int i) const {
    const Tensor& output = context_.output(i);
    return static_cast<size_t>(output.shape.product(1, output.shape.rank)) * SizeOf(output.dtype);
  }
  void* RowOf(int i) const {
    return context_.output(i).as<uint8_t>() + static_cast<size_t>(iterations_) * RowBytes(i);
  }

  Status TakeRow(int i) {
    Shape& shape = context_.output(i).shape;
    const Shape& row = ResultFor(i).shape;
    for (int d = 0; d < row.rank; ++d) {
      if (row[d] == shape[d + 1]) continue;
      if (iterations_ != 0 || row[d] > shape[d + 1]) {
        return MICRORT_ERROR(kOutOfRange, "output '%.100s': expected entries of one shape, found %s in %s",
                             context_.output(i).name, ShapeString(row).c_str(), ShapeString(shape).c_str());
      }
    }
    for (int d = 0; d < row.rank; ++d) shape[d + 1] = row[d];
    PlaceResult(ResultFor(i), RowOf(i));
    return Status();
  }

  Status Finish() {
    uint8_t* spare = spares_;
    for (int k = 0; k < carried_; ++k) {
      const size_t spare_bytes = SpareBytes(k);
      const bool is_initial = iterations_ == 0;
      Tensor last = is_initial ? context_.input(kFirstCarried + k) : ResultFor(k);
      if (!is_initial) last.data = WritesToOutput(iterations_ - 1) ? context_.output(k).data : spare;
      MICRORT_RETURN_IF_ERROR(context_.SetOutputShape(k, last.shape));
      PlaceResult(last, context_.output(k).data);
      spare += spare_bytes;
    }
    for (int i = carried_; i < output_count(); ++i) {
      Shape shape = context_.output(i).shape;
      shape[0] = iterations_;
      MICRORT_RETURN_IF_ERROR(context_.SetOutputShape(i, shape));
    }
    return Status();
  }

  const RunContext& context_;
  Body& body_;
  const int carried_;
  const int first_result_;  // after the condition
  uint8_t* const spares_;
  int64_t trips_ = std::numeric_limits<int64_t>::max();
  int64_t iterations_ = 0;  // done so far
  bool go_on_ = true;
};

Status Run(const RunContext& context) { return Execution(context).Run(); }

}  // namespace
}  // namespace loop_op

MICRORT_OPERATOR(Loop, loop_op, sizeof(State), Parse, Prepare, nullptr, Run)

}  // namespace micrort
