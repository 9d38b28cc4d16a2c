// Moves of elements whose sizes a run decides.

#include <algorithm>

#include "converter/aot/open_step_printer.h"
#include "runtime/ops/concat_part.h"
#include "schema/micrort_generated.h"

namespace micrort::aot {
namespace {

std::string At(const char* name, size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

// Elements of a list of integers that every run sees.
std::vector<int64_t> Integers(const Tensor& tensor) {
  std::vector<int64_t> list;
  for (size_t i = 0; i < tensor.elements(); ++i)
    list.push_back(tensor.dtype == DType::kInt32 ? tensor.as<int32_t>()[i] : tensor.as<int64_t>()[i]);
  return list;
}

// The sizes that a reshape asks for, as ReshapeOptions.shape has them.
std::vector<int64_t> TargetOf(const schema::ReshapeOptions& options, const Tensor* list) {
  if (list == nullptr) {
    const Span<const int32_t> stated = Ints(options.shape());
    return {stated.begin(), stated.end()};
  }
  std::vector<int64_t> target = Integers(*list);
  for (size_t d = 0; d < target.size(); ++d) {
    if (target[d] == 0 && !options.allow_zero()) target[d] = -2 - static_cast<int64_t>(d);
  }
  return target;
}

// The size of which `others` have one each and `all` one more; false: there is none.
bool FindQuotient(const OpenShape& all, const OpenShape& others, OpenDim* quotient) {
  int64_t number = 1;
  std::vector<int> slots;
  for (const OpenDim& dim : all.dims) {
    number *= dim.is_open() ? 1 : dim.number;
    if (dim.is_open()) slots.push_back(dim.slot);
  }
  for (const OpenDim& dim : others.dims) {
    const auto found = std::find(slots.begin(), slots.end(), dim.slot);
    if (dim.is_open() && found == slots.end()) return false;
    if (dim.is_open()) slots.erase(found);
    if (!dim.is_open() && (dim.number == 0 || number % dim.number != 0)) return false;
    number /= dim.is_open() ? 1 : dim.number;
  }
  *quotient = slots.empty() ? OpenDim{number, -1} : OpenDim{0, slots.front()};
  return slots.empty() || (slots.size() == 1 && number == 1);
}

template <typename T>
int64_t Entry(const flatbuffers::Vector<T>* list, uint32_t i, int64_t otherwise) {
  return list == nullptr || list->size() == 0 ? otherwise : static_cast<int64_t>(list->Get(i));
}

}  // namespace

void OpenStepPrinter::PrintCopy(const std::string& from) {
  Include("kernels/copy/strided_copy.h");
  Line("micrort::RunCopy(micrort::PlanCopy(" + std::to_string(SizeOf(InTensor(0).dtype)) + ", dims, " +
       Features() + "), " + from + ", " + Out() + ", " + Parallel() + ");");
}

Status OpenStepPrinter::PrintTranspose(Span<const int32_t> permutation) {
  const OpenShape in = InShape(0);
  const std::string bytes = std::to_string(SizeOf(InTensor(0).dtype));
  OpenShape out;
  std::string dims;
  for (size_t d = 0; d < permutation.size(); ++d) {
    const auto from = static_cast<size_t>(permutation[d]);
    out.dims.push_back(in.dims[from]);
    dims += (d == 0 ? "{" : ", {") + out.dims[d].Text() + ", " + At("src", from) + ", " + At("dst", d) + "}";
  }
  Line("const micrort::Strides src(" + in.Text() + ", " + bytes + "), dst(" + out.Text() + ", " + bytes +
       ");");
  Line("const micrort::CopyDim dims[] = {" + dims + "};");
  PrintCopy(In(0));
  SetShape(0, out);
  return Status();
}

Status OpenStepPrinter::PrintReshape(const schema::ReshapeOptions& options) {
  const OpenShape in = InShape(0);
  OpenShape out;
  int inferred = -1;
  for (const int64_t size : TargetOf(options, options.shape() == nullptr ? &InTensor(1) : nullptr)) {
    if (size == -1) inferred = static_cast<int>(out.dims.size());
    out.dims.push_back(size < -1 ? in.dims[static_cast<size_t>(-2 - size)]
                                 : OpenDim{size == -1 ? 1 : size, -1});
  }
  Line("const int64_t elements = " + in.Elements() + ";");
  // A size in which everything else cancels out is inferred for empty inputs, too.
  if (inferred < 0 || !FindQuotient(in, out, &out.dims[static_cast<size_t>(inferred)])) {
    Line("const int64_t others = " + out.Elements() + ";");
    if (inferred < 0) {
      FailUnless("elements == others", "the number of elements changes");
    } else {
      FailUnless("others != 0 && elements % others == 0", "the size that is left open cannot be inferred");
      out.dims[static_cast<size_t>(inferred)] = NewSize(OutTensor(0).shape[inferred], "elements / others");
    }
  }
  Line("std::memcpy(" + Out() + ", " + In(0) + ", static_cast<size_t>(elements) * " +
       std::to_string(SizeOf(InTensor(0).dtype)) + ");");
  SetShape(0, out);
  return Status();
}

std::vector<OpenStepPrinter::SlicedAxis> OpenStepPrinter::GivenAxes(const schema::SliceOptions& options) {
  std::vector<SlicedAxis> axes;
  for (uint32_t i = 0; i < options.starts()->size(); ++i)
    axes.push_back({Literal(options.starts()->Get(i)), Literal(options.ends()->Get(i)),
                    Entry(options.axes(), i, i), Entry(options.steps(), i, 1)});
  return axes;
}

Status OpenStepPrinter::ComputedAxes(std::vector<SlicedAxis>* axes) {
  constexpr size_t kStarts = 1, kEnds = 2, kAxes = 3, kSteps = 4;
  for (const size_t list : {kAxes, kSteps}) {
    if (Has(list) && !IsConstant(list))
      return MICRORT_ERROR(kUnsupported, "C++ cannot be emitted for axes or steps that are no constants");
  }
  const auto entry = [this](size_t list, int64_t i) {
    const char* const type = InTensor(list).dtype == DType::kInt32 ? "int32_t" : "int64_t";
    return std::string("reinterpret_cast<const ") + type + "*>(" + In(list) + ")[" + std::to_string(i) + "]";
  };
  for (int64_t i = 0; i < InTensor(kStarts).shape.elements(); ++i) {
    const auto at = static_cast<size_t>(i);
    axes->push_back({entry(kStarts, i), entry(kEnds, i), Has(kAxes) ? Integers(InTensor(kAxes))[at] : i,
                     Has(kSteps) ? Integers(InTensor(kSteps))[at] : 1, true});
  }
  return Status();
}

void OpenStepPrinter::PrintSlice(const std::vector<SlicedAxis>& axes) {
  const OpenShape in = InShape(0);
  OpenShape out = in;
  const std::string bytes = std::to_string(SizeOf(InTensor(0).dtype));
  Include("kernels/copy/slice_range.h");
  Line("const micrort::Shape from = " + in.Text() + ";");
  Line("const micrort::Strides src(from, " + bytes + ");");
  Line("int64_t offset = 0;");
  std::vector<std::string> ranges(in.dims.size());
  for (const SlicedAxis& sliced : axes) {
    const auto rank = static_cast<int64_t>(in.dims.size());
    const auto axis = static_cast<size_t>(sliced.axis < 0 ? sliced.axis + rank : sliced.axis);
    const std::string range = ranges[axis] = "range" + std::to_string(axis);
    Line("const micrort::SliceRange " + range + " = micrort::ResolveSlice(" + sliced.start + ", " +
         sliced.end + ", " + Literal(sliced.step) + ", " + At("from", axis) + ");");
    Line("offset += " + range + ".count == 0 ? 0 : " + range + ".first * " + At("src", axis) + ";");
    const int64_t bound = OutTensor(0).shape[static_cast<int>(axis)];
    out.dims[axis] =
        in.dims[axis].is_open() || sliced.computed ? NewSize(bound, range + ".count") : OpenDim{bound, -1};
  }
  std::string dims;
  for (size_t d = 0; d < in.dims.size(); ++d) {
    const std::string& range = ranges[d];
    dims += (d == 0 ? "{" : ", {") + out.dims[d].Text() + ", " +
            (range.empty() ? At("src", d)
                           : range + ".count <= 1 ? 0 : " + At("src", d) + " * " + range + ".step") +
            ", " + At("dst", d) + "}";
  }
  Line("const micrort::Strides dst(" + out.Text() + ", " + bytes + ");");
  Line("const micrort::CopyDim dims[] = {" + dims + "};");
  PrintCopy(In(0) + " + (" + out.Elements() + " == 0 ? 0 : offset)");
  SetShape(0, out);
}

Status OpenStepPrinter::PrintConcat(const ConcatCall& call) {
  Include("kernels/copy/concat.h");
  const auto axis = static_cast<size_t>(call.axis);
  OpenShape out = InShape(0);
  const size_t rank = out.dims.size();
  std::string sum, sizes;
  bool is_open = false;
  for (size_t i = 0; i < step_.inputs.size(); ++i) {
    const OpenShape in = InShape(i);
    for (size_t d = 0; d < rank; ++d) {
      if (d != axis && !(in.dims[d] == out.dims[d]))
        FailUnless(in.dims[d].Text() + " == " + out.dims[d].Text(),
                   "its inputs differ in more than the axis");
    }
    sum += (i == 0 ? "" : " + ") + in.dims[axis].Text();
    is_open = is_open || in.dims[axis].is_open();
  }
  const int64_t bound = OutTensor(0).shape[call.axis];
  out.dims[axis] = is_open ? NewSize(bound, sum) : OpenDim{bound, -1};
  Line("int64_t column = 0;");
  for (size_t i = 0; i < step_.inputs.size(); ++i) {
    const OpenShape in = InShape(i);
    const std::string constant = "kPart" + std::to_string(i), part = "part" + std::to_string(i);
    Constant("ConcatPart", constant, PartOf(InTensor(i), OutTensor(0), call.axis, 0));
    Line("micrort::ConcatPart " + part + " = " + constant + ";");
    Line(part + ".rows = " + in.Product(0, axis) + ";");
    Line(part + ".cols = " + in.Product(axis, rank) + ";");
    Line(part + ".out_cols = " + out.Product(axis, rank) + ";");
    Line(part + ".column = column;");
    Line("micrort::RunConcatPart(" + part + ", " + In(i) + ", " + Out() + ", " + Parallel() + ");");
    Line("column += " + part + ".cols;");
  }
  SetShape(0, out);
  return Status();
}

}  // namespace micrort::aot
