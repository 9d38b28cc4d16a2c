#include "runtime/ops/target_shape.h"

#include "runtime/ops/parse_options.h"

namespace micrort {

namespace {

constexpr int64_t kInferred = -1;
constexpr int64_t kFirstCopy = -2;

// The coded dims of the options, or those of input 1 in the same code.
Status CodedDims(const PrepareContext& context, const TargetShape& target, bool zero_copies, Shape* shape) {
  if (target.in_options || !context.has_input(kTargetInput)) {
    shape->rank = target.rank;
    for (int i = 0; i < target.rank; ++i) shape->dims[i] = target.dims[i];
    return Status();
  }
  size_t count = 0;
  MICRORT_RETURN_IF_ERROR(context.KnownIntegers(kTargetInput, shape->dims, kMaxRank, &count));
  shape->rank = static_cast<int>(count);
  for (int i = 0; i < shape->rank; ++i) {
    int64_t& dim = shape->dims[i];
    if (dim < kInferred) {
      return MICRORT_ERROR(kInvalidModel, "dimension %d of the target shape is %lld", i,
                           static_cast<long long>(dim));
    }
    if (dim == 0 && zero_copies) dim = kFirstCopy - i;
  }
  return Status();
}

}  // namespace

int CopiedDimension(const TargetShape& target, int i) {
  const bool copies = target.in_options && target.dims[i] <= kFirstCopy;
  return copies ? static_cast<int>(kFirstCopy - target.dims[i]) : -1;
}

Status ParseTargetShape(const flatbuffers::Vector<int32_t>* list, TargetShape* target) {
  target->in_options = list != nullptr;
  return ReadList("shape", list, target->dims, &target->rank);
}

bool IsReadable(const PrepareContext& context, const TargetShape& target) {
  return target.in_options || context.Unreadable(1u << kTargetInput) == 0;
}

Status ReadTargetRank(const PrepareContext& context, int* rank) {
  const Tensor& shape = context.input(kTargetInput);
  if (shape.shape.rank > 1 || shape.shape.elements() > kMaxRank) {
    return MICRORT_ERROR(kUnsupported, "input 1 ('%s') of shape %s: expected at most %d dimensions",
                         shape.name, ShapeString(shape.shape).c_str(), kMaxRank);
  }
  *rank = static_cast<int>(shape.shape.elements());
  return Status();
}

Status ResolveTargetShape(const PrepareContext& context, const TargetShape& target, bool zero_copies,
                          bool may_infer, Shape* shape) {
  MICRORT_RETURN_IF_ERROR(CodedDims(context, target, zero_copies, shape));
  const Shape& in = context.input(0).shape;
  for (int i = 0; i < shape->rank; ++i) {
    int64_t& dim = shape->dims[i];
    if (dim >= 0 || (dim == kInferred && may_infer)) continue;
    const int64_t source = kFirstCopy - dim;
    if (dim == kInferred || source >= in.rank) {
      return MICRORT_ERROR(kInvalidModel,
                           "dimension %d of the target shape has code %lld, the input has shape %s", i,
                           static_cast<long long>(dim), ShapeString(in).c_str());
    }
    dim = in[static_cast<int>(source)];
  }
  return Status();
}

}  // namespace micrort
