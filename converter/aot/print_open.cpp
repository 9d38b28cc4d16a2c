// Calls whose sizes a run decides.

#include <algorithm>

#include "converter/aot/open_step_printer.h"
#include "schema/micrort_generated.h"

namespace micrort::aot {
namespace {

Status NotYet() {
  return MICRORT_ERROR(kUnsupported, "data decide its sizes, and C++ cannot be emitted for that yet");
}

std::string Size(const std::string& number) { return "static_cast<size_t>(" + number + ")"; }

}  // namespace

struct OpenStepPrinter::CallPrinter {
  OpenStepPrinter& p;

  template <typename Other>
  Status operator()(const Other&) const {
    return NotYet();
  }

  // Operators without a plan of their own.
  Status operator()(NoKernelCall) const {
    const schema::Operator& op = *p.graph_.node(p.step_.node).source;
    if (op.options_as_AppendOptions() != nullptr) return p.PrintAppend();
    if (const auto* shape = op.options_as_ShapeOptions(); shape != nullptr) return PrintShape(*shape);
    const auto* slice = op.options_as_SliceOptions();
    if (slice == nullptr || slice->starts() != nullptr) return NotYet();
    std::vector<SlicedAxis> axes;
    MICRORT_RETURN_IF_ERROR(p.ComputedAxes(&axes));
    p.PrintSlice(axes);
    return Status();
  }
  Status operator()(const AttentionParams* params) const { return p.PrintAttention(*params); }

  Status PrintShape(const schema::ShapeOptions& options) const {
    const std::vector<OpenDim> dims = p.InShape(0).dims;
    const auto rank = static_cast<int>(dims.size());
    const int first = options.start() < 0 ? options.start() + rank : options.start();
    for (int64_t i = 0; i < p.OutTensor(0).shape.elements(); ++i) {
      p.Line(p.Int64s(0) + "[" + std::to_string(i) +
             "] = " + dims[static_cast<size_t>(std::max(0, first) + i)].Text() + ";");
    }
    return Status();
  }

  // Where sizes come from.
  Status operator()(const NonZeroCall*) const {
    const OpenShape in = p.InShape(0);
    const std::string type = TypeText(p.InTensor(0).dtype);
    p.Include("kernels/index/non_zero.h");
    p.Line("const size_t count = micrort::CountNonZero(" + type + ", " + p.In(0) + ", " +
           Size(in.Elements()) + ");");
    OpenShape out(p.OutTensor(0).shape);
    out.dims[1] = p.NewSize(out.dims[1].number, "static_cast<int64_t>(count)");
    p.SetShape(0, out);
    p.Line("micrort::NonZero(" + type + ", " + p.In(0) + ", " + in.Text() + ", count, " + p.Int64s(0) + ");");
    return Status();
  }

  Status operator()(const UniqueCall* call) const {
    if (p.InShape(0).is_open()) return NotYet();
    p.Include("kernels/sort/unique.h");
    p.Constant("UniqueCall", "kCall", *call);
    p.Line("const size_t count = micrort::FindUnique(kCall.params, " + p.In(0) + ", " + p.Int64s(1) + ", " +
           p.Int64s(2) + ", " + p.Int64s(3) + ", " + p.Scratch() + ");");
    OpenShape y(p.OutTensor(0).shape), counts;
    const OpenDim size = p.NewSize(static_cast<int64_t>(call->params.n), "static_cast<int64_t>(count)");
    y.dims[static_cast<size_t>(call->output_axis)] = size;
    counts.dims = {size};
    p.SetShape(0, y);
    p.SetShape(1, counts);
    p.SetShape(3, counts);
    p.Line("micrort::CopySlices(kCall.params, " + p.In(0) + ", " + p.Int64s(1) + ", count, " + p.Out() +
           ");");
    return Status();
  }

  Status operator()(const NmsParams* params) const {
    constexpr size_t kMaxOutput = 2, kIou = 3, kMinScore = 4, kSigma = 5;
    if (p.InShape(0).is_open() || p.InShape(1).is_open()) return NotYet();
    if (p.Has(kMaxOutput) && !p.IsConstant(kMaxOutput))
      return MICRORT_ERROR(kUnsupported, "C++ cannot be emitted for a number of boxes that is no constant");
    p.Include("kernels/detect/non_max_suppression.h");
    p.Constant("NmsParams", "kParams", *params);
    p.Line("micrort::NmsThresholds thresholds;");
    if (p.Has(kIou)) p.Line("thresholds.iou = *" + Floats(kIou) + ";");
    if (p.Has(kMinScore)) {
      p.Line("thresholds.has_min_score = true;");
      p.Line("thresholds.min_score = *" + Floats(kMinScore) + ";");
    }
    if (p.Has(kSigma)) {
      p.Line("thresholds.sigma = *" + Floats(kSigma) + ";");
      p.FailUnless("thresholds.sigma > 0", "expected a sigma above 0");
    }
    OpenShape out(p.OutTensor(0).shape);
    out.dims[0] = p.NewSize(out.dims[0].number,
                            "static_cast<int64_t>(micrort::RunNms(kParams, thresholds, " + Floats(0) + ", " +
                                Floats(1) + ", " + p.Int64s(0) + ", " +
                                (params->is_soft ? "reinterpret_cast<float*>(" + p.Out(1) + ")" : "nullptr") +
                                ", " + p.Scratch() + ", " + p.Parallel() + "))");
    p.SetShape(0, out);
    if (params->is_soft) {
      out.dims.pop_back();
      p.SetShape(1, out);
    }
    return Status();
  }

  // Element by element.
  Status operator()(const UnaryTask* task) const {
    p.PrintTask(*task, "task");
    p.Line("micrort::RunUnary(task, " + p.In(0) + ", " + p.Out() + ", " + Size(p.InShape(0).Elements()) +
           ", " + p.Parallel() + ");");
    p.SetShape(0, p.InShape(0));
    return Status();
  }

  Status operator()(const CastCall* call) const {
    p.Include("kernels/elementwise/cast.h");
    p.Constant("CastCall", "kCall", *call);
    p.Line("micrort::RunCast(kCall, " + p.In(0) + ", " + p.Out() + ", " + Size(p.InShape(0).Elements()) +
           ", " + p.Parallel() + ");");
    p.SetShape(0, p.InShape(0));
    return Status();
  }

  Status operator()(const BinaryTask* task) const {
    p.PrintTask(*task, "task");
    p.Line("const micrort::Shape shapes[] = {" + p.InShape(0).Text() + ", " + p.InShape(1).Text() + "};");
    p.Line("micrort::Shape shape;");
    p.FailUnless("micrort::BroadcastShapes(shapes[0], shapes[1], &shape)", "its inputs do not broadcast");
    p.SetShape(0, p.Broadcast(p.InShape(0), p.InShape(1)));
    p.Line("task.params.plan = micrort::PlanBroadcast(shapes, shape);");
    const std::string run =
        "micrort::RunBinary(task, " + p.In(0) + ", " + p.In(1) + ", " + p.Out() + ", " + p.Parallel() + ")";
    if (task->in_64_bits == nullptr) {
      p.Line(run + ";");
    } else {
      p.FailUnless(run, "integer division by zero");
    }
    return Status();
  }

  Status operator()(const CopyCall*) const { return PrintMove(); }
  Status operator()(const MoveCall*) const { return PrintMove(); }

  // Elements that move.
  Status PrintMove() const {
    const schema::Operator& op = *p.graph_.node(p.step_.node).source;
    if (const auto* transpose = op.options_as_TransposeOptions(); transpose != nullptr)
      return p.PrintTranspose(Ints(transpose->permutation()));
    if (const auto* reshape = op.options_as_ReshapeOptions();
        reshape != nullptr && (reshape->shape() != nullptr || p.IsConstant(1)))
      return p.PrintReshape(*reshape);
    const auto* slice = op.options_as_SliceOptions();
    if (slice == nullptr || slice->starts() == nullptr) return NotYet();
    p.PrintSlice(GivenAxes(*slice));
    return Status();
  }

  Status operator()(const ConcatCall* call) const { return p.PrintConcat(*call); }

  Status operator()(const TopKParams* params) const {
    const OpenShape in = p.InShape(0);
    const auto rank = static_cast<int>(in.dims.size());
    const int stated = p.graph_.node(p.step_.node).source->options_as_TopKOptions()->axis();
    const auto axis = static_cast<size_t>(stated < 0 ? stated + rank : stated), end = in.dims.size();
    p.Include("kernels/sort/top_k.h");
    p.Constant("TopKParams", "kParams", *params);
    p.Line("micrort::TopKParams params = kParams;");
    p.Line("params.outer = " + Size(in.Product(0, axis)) + ";");
    p.Line("params.n = " + Size(in.dims[axis].Text()) + ";");
    p.Line("params.inner = " + Size(in.Product(axis + 1, end)) + ";");
    const char* const type = p.InTensor(1).dtype == DType::kInt32 ? "int32_t" : "int64_t";
    p.Line(std::string("const int64_t k = *reinterpret_cast<const ") + type + "*>(" + p.In(1) + ");");
    p.FailUnless("k >= 0 && " + Size("k") + " <= params.n && " + Size("k") + " <= kParams.k",
                 "k is more than there are elements");
    p.Line("params.k = " + Size("k") + ";");
    OpenShape out = in;
    out.dims[axis] = p.IsConstant(1) ? OpenShape(p.OutTensor(0).shape).dims[axis]
                                     : p.NewSize(static_cast<int64_t>(params->k), "k");
    p.SetShape(0, out);
    p.SetShape(1, out);
    p.Line("micrort::RunTopK(params, " + p.In(0) + ", " + p.Out() + ", " + p.Int64s(1) + ", " + p.Scratch() +
           ", " + p.Parallel() + ");");
    return Status();
  }

  Status operator()(const GatherCall* call) const {
    const OpenShape data = p.InShape(0), indices = p.InShape(1);
    const auto rank = static_cast<int>(data.dims.size());
    const int stated = p.graph_.node(p.step_.node).source->options_as_GatherOptions()->axis();
    const auto axis = static_cast<size_t>(stated < 0 ? stated + rank : stated), end = data.dims.size();
    OpenShape out = data;
    if (p.InTensor(0).dtype == DType::kInt4) out.dims.back().number *= 2;
    const auto at = out.dims.erase(out.dims.begin() + static_cast<std::ptrdiff_t>(axis));
    out.dims.insert(at, indices.dims.begin(), indices.dims.end());
    p.SetShape(0, out);
    p.PrintGather(*call, "{" + Size(data.Product(0, axis)) + ", " + Size(data.dims[axis].Text()) + ", " +
                             Size(indices.Elements()) + ", " + Size(data.Product(axis + 1, end)) + " * " +
                             std::to_string(SizeOf(p.InTensor(0).dtype)) + "}");
    return Status();
  }

  std::string Floats(size_t operand) const { return "reinterpret_cast<const float*>(" + p.In(operand) + ")"; }
};

Status OpenStepPrinter::Print() {
  // The caller and states get values from the arena, where none is that was computed from the largest sizes.
  const Span<const int32_t> results = graph_.program().outputs;
  for (const int32_t output : step_.outputs) {
    if (graph_.tensor(output).is_readable() &&
        std::find(results.begin(), results.end(), output) != results.end())
      return NotYet();
  }
  if (step_.call != CallKind::kOperator) return NotYet();
  return graph_.node(step_.node).prepared.call.Visit(CallPrinter{*this});
}

// Sizes that need not be alike are those of `shape`.
OpenShape OpenStepPrinter::Broadcast(const OpenShape& a, const OpenShape& b) {
  const size_t rank = std::max(a.dims.size(), b.dims.size());
  const OpenDim one = {1, -1};
  const auto size = [&](const OpenShape& shape, size_t d) {
    const size_t missing = rank - shape.dims.size();
    return d < missing ? one : shape.dims[d - missing];
  };
  OpenShape out;
  for (size_t d = 0; d < rank; ++d) {
    const OpenDim x = size(a, d), y = size(b, d);
    if (x == y || y == one) {
      out.dims.push_back(x);
    } else if (x == one) {
      out.dims.push_back(y);
    } else {
      out.dims.push_back(
          NewSize(OutTensor(0).shape[static_cast<int>(d)], "shape[" + std::to_string(d) + "]"));
    }
  }
  return out;
}

OpenShape OpenStepPrinter::InShape(size_t operand) const {
  const OpenShape* const open = program_.open_shapes().Find(step_.inputs[operand]);
  return open == nullptr ? OpenShape(InTensor(operand).shape) : *open;
}

OpenDim OpenStepPrinter::NewSize(int64_t bound, const std::string& value) {
  const OpenDim size = program_.open_shapes().Add(bound);
  Line(size.Text() + " = " + value + ";");
  return size;
}

bool OpenStepPrinter::IsConstant(size_t operand) const {
  return Has(operand) && InTensor(operand).contents == Contents::kFixed;
}

}  // namespace micrort::aot
