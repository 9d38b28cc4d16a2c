#pragma once
// One node of a graph, inferred and run on its own by the runtime's operator.

#include <memory>
#include <string>
#include <vector>

#include "converter/ir/graph.h"
#include "kernels/base/cpu_features.h"
#include "kernels/base/shape.h"
#include "kernels/base/status.h"
#include "runtime/interpreter/single_op.h"
#include "runtime/ops/body.h"

namespace micrort::ir {

// A tensor of definite size in the converter's memory.
struct HostTensor {
  std::string name;
  DType dtype = DType::kUnknown;
  Shape shape;
  const Quantization* quantization = nullptr;  // null: none
  std::shared_ptr<const Bytes> data;           // null: not known
  bool constant = false;
  Extents extents;  // of an output or an input of a body; other inputs have definite sizes
  Shape declared;   // of an output: as Tensor::declared; of rank 0 where nothing is said

  // Type and data of a value, with the given shape.
  static HostTensor Of(const Value& value, const Shape& shape);
  size_t bytes() const { return static_cast<size_t>(shape.elements()) * SizeOf(dtype); }
  // As the runtime sees it, valid as long as this stays. Operators write to outputs only.
  Tensor View() const;
};

// The dimensions of a value that has a static shape; kUnsupported if there are more than kMaxRank,
// kInvalidModel if their product overflows.
Status StaticShape(const Value& value, Shape* out);
// The latter alone.
Status CheckElements(const std::string& name, DType dtype, const Shape& shape);

class OpCall {
 public:
  // `node` may go away afterwards.
  Status Init(const Node& node, CpuFeatures features = DetectCpuFeatures());

  // What Infer gives to an operator with bodies; they stay as long as this object.
  void SetBodies(std::vector<BodyPlan*> bodies);

  // inputs: null where an optional input is absent. Sets dtype (where it is unknown) and shape of the
  // outputs. The tensors must stay until Run is done.
  Status Infer(const std::vector<const HostTensor*>& inputs, const std::vector<HostTensor*>& outputs);
  // After Infer: gives the outputs data, and the shapes that data decide. Every input has data, or
  // shape_only() holds. Not for operators with bodies.
  Status Run();

  // The operator reads its inputs' shapes, never their data.
  bool shape_only() const { return op_.registration().shape_only; }
  int64_t multiply_adds() const { return op_.result().multiply_adds; }
  bool takes_long() const { return op_.result().takes_long; }
  uint64_t work() const { return op_.result().work; }  // see PrepareContext::SetWork
  double cost() const { return op_.result().cost; }    // see PrepareResult::cost
  // Inputs whose values decide data-dependent extents and must be known before the model runs, a bit each.
  uint32_t deciders() const { return op_.result().deciders; }

 private:
  std::string flatbuffer_;  // what op_ was made from
  std::vector<BodyPlan*> bodies_;
  SingleOp op_;
  std::vector<Tensor> tensors_;  // inputs, then outputs
  std::vector<Tensor*> inputs_;  // null where absent
  std::vector<Tensor*> outputs_;
  std::vector<HostTensor*> results_;
};

}  // namespace micrort::ir
