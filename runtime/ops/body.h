#pragma once
// A graph that an operator runs: a branch of If, the body of Loop. It is planned as a graph of its own, whose
// arena lies at the start of the operator's scratch. Its inputs, and as far as possible its outputs, are
// memory that the operator lends it, so nothing is copied on the way in.

#include "runtime/ops/op.h"

namespace micrort {

// What a graph is inferred for. The bounds of a loop are found in rounds, and only what they end with is
// worth planning memory for: in graphs inside of one that is inferred for bounds, nothing is planned either.
enum class InferGoal : uint8_t { kBounds, kPlan };
inline InferGoal GoalOf(const PrepareTarget& target) {
  return target.bounds_only ? InferGoal::kBounds : InferGoal::kPlan;
}

// What If and Loop do with the graphs that they run (see KernelCall).
struct IfCall {};
struct LoopCall {
  int carried;
  bool has_condition;  // the body's first result says whether to go on
  size_t spares;       // where those of carried values begin in scratch
};

// While shapes are planned.
class BodyPlan {
 public:
  virtual int input_count() const = 0;
  virtual int output_count() const = 0;
  // Types are those of the file. Before SetInput, a shape is what the file says.
  virtual const Tensor& input(int i) const = 0;
  // Input i gets type, shape with extents, and quantization of `like`, and its elements where these can be
  // read.
  virtual Status SetInput(int i, const Tensor& like) = 0;
  // Prepares all nodes for these inputs.
  virtual Status Infer(InferGoal goal) = 0;
  // After Infer.
  virtual const Tensor& output(int i) const = 0;
  virtual int64_t multiply_adds() const = 0;
  // The work of one run, in the unit of ModelLimits.
  virtual uint64_t work() const = 0;
  // After Infer for kPlan: lays out its memory. A multiple of kAlignment.
  virtual Status PlanArena(size_t* bytes) = 0;

 protected:
  ~BodyPlan() = default;
};

// In Run().
class Body {
 public:
  // Why it cannot run with the shapes that it was inferred for; then nothing below is called. Null if it can.
  virtual const Status* failure() const = 0;
  // Before Run, which does not write to it; null: the shape stays as it is.
  virtual void LendInput(int i, void* data, const Shape* shape) = 0;
  // Where result i had best be: room for the bound that output(i) had while planning.
  virtual void LendOutput(int i, void* data) = 0;
  virtual Status Run(const Parallel& parallel) = 0;
  // After Run; its data need not be where LendOutput said.
  virtual const Tensor& result(int i) const = 0;

 protected:
  ~Body() = default;
};

// Copies a result to `destination` unless it is there already.
void PlaceResult(const Tensor& result, void* destination);

// kInvalidModel unless the tensor is of this type and has one element.
Status ExpectScalar(const Tensor& tensor, DType dtype, const char* what);
// Reads a scalar of type bool, whatever byte a caller may have put there.
bool IsTrue(const Tensor& scalar);

}  // namespace micrort
