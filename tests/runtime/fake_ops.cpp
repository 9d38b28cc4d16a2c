#include "tests/runtime/fake_ops.h"

#include <atomic>
#include <cstring>

#include "kernels/conv2d/algorithm_variants.h"
#include "schema/micrort_generated.h"

namespace micrort::testing {

namespace {

constexpr size_t kScratchBytes = 256;

std::atomic<int> pack_count{0};

Status ParseNothing(const schema::Operator&, void*) { return Status(); }

Status PrepareLikeInput(PrepareContext& context, int inputs) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(inputs, inputs, 1));
  for (int i = 0; i < inputs; ++i) {
    if (context.input(i).dtype != DType::kFloat32 || context.input(i).shape != context.input(0).shape) {
      return MICRORT_ERROR(kInvalidModel, "expected float32 of one shape");
    }
  }
  return context.SetOutput(0, DType::kFloat32, context.input(0).shape);
}

Status PrepareAddOne(PrepareContext& context) {
  context.AllowInPlace(0, 0);
  context.SetAlgorithm("plain");
  return PrepareLikeInput(context, 1);
}

Status RunAddOne(const RunContext& context) {
  const Tensor& x = context.input(0);
  ParallelFor(*context.parallel, x.elements(),
              [&](size_t i, int) { context.output(0).as<float>()[i] = x.as<float>()[i] + 1; });
  return Status();
}

Status PrepareAdd(PrepareContext& context) {
  context.RequestScratch(kScratchBytes * static_cast<size_t>(context.workers()));
  return PrepareLikeInput(context, 2);
}

Status RunAdd(const RunContext& context) {
  const Tensor& a = context.input(0);
  std::memset(context.scratch, 0xee, kScratchBytes * static_cast<size_t>(context.parallel->workers()));
  for (size_t i = 0; i < a.elements(); ++i) {
    context.output(0).as<float>()[i] = a.as<float>()[i] + context.input(1).as<float>()[i];
  }
  return Status();
}

Status PrepareScale(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(PrepareLikeInput(context, 2));
  if (context.input(1).constant)
    context.RequestPacked(0, context.input(1).bytes(), FindVariant(kDoubled), kDoubled, 1);
  return Status();
}

Status PackScale(const PackContext& context) {
  const Tensor& w = *context.inputs[1];
  for (size_t i = 0; i < w.elements(); ++i) {
    static_cast<float*>(context.destination)[i] = 2 * w.as<float>()[i];
  }
  ++pack_count;
  return Status();
}

Status RunScale(const RunContext& context) {
  const Tensor& x = context.input(0);
  const auto* packed = static_cast<const float*>(context.packed[0]);
  for (size_t i = 0; i < x.elements(); ++i) {
    const float w = packed == nullptr ? context.input(1).as<float>()[i] : packed[i] / 2;
    context.output(0).as<float>()[i] = x.as<float>()[i] * w;
  }
  return Status();
}

Status PrepareCopy(PrepareContext& context) { return PrepareLikeInput(context, 1); }

Status RunCopy(const RunContext& context) {
  const Tensor& x = context.input(0);
  if (x.bytes() != 0) std::memcpy(context.output(0).data, x.data, x.bytes());
  return Status();
}

Status RunCheck(const RunContext& context) {
  const Tensor& x = context.input(0);
  for (size_t i = 0; i < x.elements(); ++i) {
    if (x.as<float>()[i] < 0) return MICRORT_ERROR(kOutOfRange, "element %zu is negative", i);
  }
  return RunCopy(context);
}

Status PrepareKeep(PrepareContext& context) {
  MICRORT_RETURN_IF_ERROR(context.ExpectArity(1, 1, 1));
  context.RequestScratch(context.input(0).bytes());
  return context.SetOutput(0, DType::kFloat32, context.input(0).shape, Extents::Bounded(1));
}

Status RunKeep(const RunContext& context) {
  const Tensor& x = context.input(0);
  std::memset(context.scratch, 0xee, x.bytes());
  int64_t kept = 0;
  for (size_t i = 0; i < x.elements(); ++i) {
    if (x.as<float>()[i] >= 0) context.output(0).as<float>()[kept++] = x.as<float>()[i];
  }
  return context.SetOutputShape(0, Shape::Of(kept));
}

struct PickyState {
  int axis;
};

Status ParsePicky(const schema::Operator& op, void* state) {
  static_cast<PickyState*>(state)->axis = op.options_as_SoftmaxOptions()->axis();
  return static_cast<PickyState*>(state)->axis == 7 ? MICRORT_ERROR(kInvalidModel, "axis 7") : Status();
}

Status PreparePicky(PrepareContext& context) {
  if (context.state<PickyState>().axis == 8) return MICRORT_ERROR(kUnsupported, "axis 8");
  return PrepareLikeInput(context, 1);
}

constexpr int Code(schema::OpCode code) { return static_cast<int>(code); }

}  // namespace

const OpRegistration& FakeAddOne() {
  static constexpr OpRegistration kRegistration = {
      Code(schema::OpCode::Unary), "Unary", 0, ParseNothing, PrepareAddOne, nullptr, RunAddOne};
  return kRegistration;
}

const OpRegistration& FakeAdd() {
  static constexpr OpRegistration kRegistration = {
      Code(schema::OpCode::Binary), "Binary", 0, ParseNothing, PrepareAdd, nullptr, RunAdd};
  return kRegistration;
}

const OpRegistration& FakeScale() {
  static constexpr OpRegistration kRegistration = {
      Code(schema::OpCode::MatMul), "MatMul", 0, ParseNothing, PrepareScale, PackScale, RunScale};
  return kRegistration;
}

const OpRegistration& FakeCheck() {
  static constexpr OpRegistration kRegistration = {
      Code(schema::OpCode::Gather), "Gather", 0, ParseNothing, PrepareCopy, nullptr, RunCheck};
  return kRegistration;
}

const OpRegistration& FakePicky() {
  static constexpr OpRegistration kRegistration = {Code(schema::OpCode::Softmax),
                                                   "Softmax",
                                                   sizeof(PickyState),
                                                   ParsePicky,
                                                   PreparePicky,
                                                   nullptr,
                                                   RunCopy};
  return kRegistration;
}

const OpRegistration& FakeKeep() {
  static constexpr OpRegistration kRegistration = {
      Code(schema::OpCode::Slice), "Slice", 0, ParseNothing, PrepareKeep, nullptr, RunKeep};
  return kRegistration;
}

OpResolver FakeOps() {
  OpResolver resolver;
  resolver.Add(FakeAddOne())
      .Add(FakeAdd())
      .Add(FakeScale())
      .Add(FakeCheck())
      .Add(FakePicky())
      .Add(FakeKeep());
  resolver.AddShape().AddReshape().AddExpand();
  return resolver;
}

int FakePackCount() { return pack_count; }

}  // namespace micrort::testing
