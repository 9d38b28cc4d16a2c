#include "runtime/ops/op.h"

#include <algorithm>
#include <cinttypes>

#include "kernels/base/checked_math.h"
#include "kernels/base/dcheck.h"
#include "runtime/ops/work_control.h"

namespace micrort {

namespace {

Status CheckSize(const Shape& shape, DType dtype) {
  MICRORT_DCHECK(shape.rank <= kMaxRank);
  int64_t elements = 0;
  if (!shape.CheckedElements(SizeOf(dtype), &elements) ||
      static_cast<uint64_t>(elements) > PTRDIFF_MAX / SizeOf(dtype)) {
    return MICRORT_ERROR(kInvalidModel, "shape %s of %s is negative or too large", ShapeString(shape).c_str(),
                         Name(dtype));
  }
  return Status();
}

}  // namespace

bool MatchesFile(const Shape& declared, const Shape& shape, Extents extents) {
  if (declared.rank != shape.rank) return false;
  const uint32_t decided_by_run = extents.decided_by_run();
  for (int i = 0; i < shape.rank; ++i) {
    if (declared[i] >= 0 && declared[i] != shape[i] && (decided_by_run >> i & 1u) == 0) return false;
  }
  return true;
}

const char* TypesName(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return "kFloat32";
    case DType::kFloat16:
      return "kFloat16";
    case DType::kInt8:
      return "kInt8";
    case DType::kInt16:
      return "kInt16";
    default:
      return "kOtherTypes";
  }
}

Status NotLinked(const char* types) {
  return MICRORT_ERROR(kUnsupported,
                       "the program links this operator without %s: name them in OpResolver's Add function",
                       types);
}

bool HaveFixedExtents(Span<Tensor* const> tensors) {
  for (const Tensor* tensor : tensors) {
    if (!tensor->extents.all_fixed()) return false;
  }
  return true;
}

Status PrepareContext::RequestCheckedScratch(size_t bytes) {
  if (bytes == kTooManyBytes)
    return MICRORT_ERROR(kUnsupported, "it needs more scratch than there are addresses");
  RequestScratch(bytes);
  return Status();
}

Status PrepareContext::ExpectArity(int min_inputs, int max_inputs, int outputs) const {
  if (input_count() < min_inputs || input_count() > max_inputs) {
    return MICRORT_ERROR(kInvalidModel, "expected %d to %d inputs, found %d", min_inputs, max_inputs,
                         input_count());
  }
  for (int i = 0; i < min_inputs; ++i) {
    if (!has_input(i)) return MICRORT_ERROR(kInvalidModel, "input %d is required, but absent", i);
  }
  if (output_count() != outputs) {
    return MICRORT_ERROR(kInvalidModel, "expected %d outputs, found %d", outputs, output_count());
  }
  return Status();
}

#if defined(MICRORT_NO_PLANNING)

// What the file decides has no sizes that data decide.
bool PrepareContext::BoundDataDependent(const Tensor&, Extents*, Shape*) const { return false; }

namespace {
int64_t LargestSize(int64_t) { return 0; }
Status CheckLargest(const Tensor&, const Shape&) { return Status(); }
}  // namespace

#else

namespace {

// The largest size of a dimension as Tensor::declared has it; 0 where none is stated.
int64_t LargestSize(int64_t declared) { return std::max<int64_t>(-1 - declared, 0); }

// What data decided is within what the file states.
Status CheckLargest(const Tensor& t, const Shape& shape) {
  for (int d = 0; t.declared != nullptr && d < shape.rank; ++d) {
    const int64_t most = LargestSize((*t.declared)[d]);
    if (most == 0 || shape[d] <= most) continue;
    return MICRORT_ERROR(kOutOfRange,
                         "output '%.100s': dimension %d came to %lld, the file states at most %lld "
                         "(mnnconvert --max-size)",
                         t.name, d, static_cast<long long>(shape[d]), static_cast<long long>(most));
  }
  return Status();
}

}  // namespace

bool PrepareContext::BoundDataDependent(const Tensor& output, Extents* extents, Shape* shape) const {
  if (output.declared == nullptr || output.declared->rank != shape->rank) return false;
  Shape bound = *shape;
  for (int d = 0; d < shape->rank; ++d) {
    if ((*extents)[d] != Extent::kDataDependent) continue;
    const int64_t declared = (*output.declared)[d];
    bound[d] = declared >= 0 ? declared : LargestSize(declared);
    if (declared < 0 && bound[d] == 0) return false;
  }
  *shape = bound;
  *extents = Extents::Bounded(extents->decided_by_run());
  return true;
}

#endif

Status PrepareContext::SetOutput(int i, DType dtype, const Shape& shape) {
  return SetOutput(i, dtype, shape, Extents());
}

Status PrepareContext::SetOutput(int i, DType dtype, const Shape& given, Extents extents, uint32_t deciders) {
  Shape shape = given;
  Tensor& t = *outputs_[static_cast<size_t>(i)];
  if (extents.any_data_dependent() && !BoundDataDependent(t, &extents, &shape)) {
    if (stage_ != PrepareStage::kInfer) return MustBeKnown(deciders);
    result_->deciders |= deciders;
    for (int d = 0; d < shape.rank; ++d) {
      if (extents[d] == Extent::kDataDependent) shape[d] = 1;
    }
  }
  if (SizeOf(dtype) == 0) return MICRORT_ERROR(kInternal, "output '%s': element type is not set", t.name);
  if (t.dtype == DType::kUnknown) t.dtype = dtype;
  if (t.dtype != dtype) {
    return MICRORT_ERROR(kInvalidModel, "output '%s': expected %s, the file says %s", t.name, Name(dtype),
                         Name(t.dtype));
  }
  if (Status s = CheckSize(shape, dtype); !s.ok()) return s.WithPrefix("output '%s'", t.name);
  if (target_.control != nullptr) {
    MICRORT_RETURN_IF_ERROR(target_.control->CheckTensor(t.name, shape, SizeOf(dtype)));
  }
  if (t.declared != nullptr && !MatchesFile(*t.declared, shape, extents)) {
    return MICRORT_ERROR(kInvalidModel, "output '%s': expected shape %s, the file says %s", t.name,
                         ShapeString(shape).c_str(), ShapeString(*t.declared).c_str());
  }
  if (stage_ == PrepareStage::kRun) MICRORT_RETURN_IF_ERROR(CheckLargest(t, shape));
  t.shape = shape;
  t.extents = extents.Within(shape.rank);
  if (deciders != 0 && t.extents.all_fixed()) result_->awaits_data = true;
  return Status();
}

void PrepareContext::BoundByFile(int i, Extents extents, Shape* shape) const {
  const Shape* declared = output(i).declared;
  if (declared == nullptr || declared->rank != shape->rank) return;
  for (int d = 0; d < shape->rank; ++d) {
    if (extents[d] != Extent::kBounded) continue;
    const int64_t fixed = (*declared)[d], largest = LargestSize(fixed);
    if (fixed >= 0 || largest > 0) (*shape)[d] = std::min((*shape)[d], fixed >= 0 ? fixed : largest);
  }
}

uint32_t PrepareContext::Unreadable(uint32_t inputs) const {
  uint32_t unreadable = 0;
  for (int i = 0; inputs >> i != 0; ++i) {
    if ((inputs >> i & 1u) != 0 && has_input(i) && contents(i) == Contents::kUnknown) unreadable |= 1u << i;
  }
  return unreadable;
}

Status PrepareContext::MustBeKnown(uint32_t inputs) const {
  int i = 0;
  while (inputs >> i > 1 && (inputs >> i & 1u) == 0) ++i;
  return MICRORT_ERROR(kUnsupported, "input %d ('%s') must be known before the model runs", i, input(i).name);
}

Status RunContext::Spend(uint64_t work) const { return micrort::Spend(control, work); }

Status PrepareContext::KnownIntegers(int i, int64_t* values, size_t capacity, size_t* count) const {
  MICRORT_DCHECK(has_input(i));
  if (contents(i) == Contents::kUnknown) return MustBeKnown(1u << i);
  const Tensor& t = input(i);
  const size_t n = t.elements();
  if (n > capacity) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected at most %zu elements, found %zu", i,
                         t.name, capacity, n);
  }
  if (t.dtype != DType::kInt64 && t.dtype != DType::kInt32) {
    return MICRORT_ERROR(kInvalidModel, "input %d ('%s'): expected int32 or int64, found %s", i, t.name,
                         Name(t.dtype));
  }
  for (size_t k = 0; k < n; ++k) {
    values[k] = t.dtype == DType::kInt64 ? t.as<int64_t>()[k] : t.as<int32_t>()[k];
  }
  *count = n;
  return Status();
}

Status RunContext::SetOutputShape(int i, const Shape& shape) const {
  Tensor& t = *outputs[static_cast<size_t>(i)];
  bool fits = shape.rank == t.shape.rank;
  for (int d = 0; fits && d < shape.rank; ++d) fits = shape[d] >= 0 && shape[d] <= t.shape[d];
  if (!fits) {
    return MICRORT_ERROR(kInternal, "output '%s': shape %s exceeds the bound %s", t.name,
                         ShapeString(shape).c_str(), ShapeString(t.shape).c_str());
  }
  if (t.declared != nullptr && !MatchesFile(*t.declared, shape)) {
    return MICRORT_ERROR(kInvalidModel, "output '%s': shape %s came out, the file says %s", t.name,
                         ShapeString(shape).c_str(), ShapeString(*t.declared).c_str());
  }
  t.shape = shape;
  return Status();
}

}  // namespace micrort
