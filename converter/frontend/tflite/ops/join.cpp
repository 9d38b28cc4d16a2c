// Values put together and taken apart: CONCATENATION, PACK, UNPACK, SPLIT, SPLIT_V.

#include <algorithm>

#include "converter/frontend/tflite/registry.h"

namespace micrort::frontend::tflite {

namespace {

std::vector<ir::ValueId> AllInputs(OpContext& c) {
  std::vector<ir::ValueId> all;
  for (size_t i = 0; i < c.op.input_count(); ++i) all.push_back(c.input(i));
  return all;
}

Status CheckAllPresent(const OpContext& c) {
  for (size_t i = 0; i < c.op.input_count(); ++i) {
    if (!c.op.has_input(i)) return Invalid("input {} is absent", i);
  }
  return Status();
}

Status ImportConcatenation(OpContext& c) {
  const auto o = c.op.Options<fb::ConcatenationOptionsT>();
  MICRORT_RETURN_IF_ERROR(CheckAllPresent(c));
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(o.axis, c.x().rank()));
  return c.Return(c.build.Concat(AllInputs(c), axis), o.fused_activation_function);
}

Status ImportPack(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(CheckAllPresent(c));
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.op.Options<fb::PackOptionsT>().axis, c.x().rank() + 1));
  std::vector<ir::ValueId> parts = AllInputs(c);
  for (ir::ValueId& part : parts) part = c.build.InsertDim(part, axis);
  return c.Return(c.build.Concat(parts, axis));
}

Status ImportUnpack(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.op.Options<fb::UnpackOptionsT>().axis, c.x().rank()));
  const int64_t size = c.x().shape[static_cast<size_t>(axis)];
  if (size != ir::kDynamic && size != static_cast<int64_t>(c.op.output_count()))
    return Invalid("{} outputs for {} slices", c.op.output_count(), size);
  for (size_t i = 0; i < c.op.output_count(); ++i) {
    if (!c.op.wants_output(i)) continue;
    c.SetOutput(i, c.build.PickAt(c.input(0), axis, static_cast<int64_t>(i)));
  }
  return c.build.status();
}

// Slices of these sizes, one after another.
Status SplitInto(OpContext& c, size_t x, int axis, const std::vector<int64_t>& sizes) {
  if (sizes.size() != c.op.output_count())
    return Invalid("{} outputs for {} parts", c.op.output_count(), sizes.size());
  const int64_t size = c.x(x).shape[static_cast<size_t>(axis)];
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || sizes[i] > size - start) return Invalid("part {} of size {}", i, sizes[i]);
    if (c.op.wants_output(i)) c.SetOutput(i, c.build.Slice(c.input(x), axis, start, start + sizes[i]));
    start += sizes[i];
  }
  if (start == size) return c.build.status();
  return Invalid("parts of {}, but the dimension has {}", start, size);
}

Result<int> ReadSplitAxis(OpContext& c, size_t axis_input, size_t x) {
  int axis = 0;
  MICRORT_ASSIGN_OR_RETURN(const int64_t given, c.ConstantScalar(axis_input));
  MICRORT_ASSIGN_OR_RETURN(axis, c.Axis(given, c.x(x).rank()));
  if (c.x(x).shape[static_cast<size_t>(axis)] != ir::kDynamic) return axis;
  return Unsupported("a dimension that is not fixed is split");
}

Status ImportSplit(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int axis, ReadSplitAxis(c, 0, 1));
  const auto parts = static_cast<int64_t>(c.op.output_count());
  const int64_t size = c.x(1).shape[static_cast<size_t>(axis)];
  if (parts == 0 || size % parts != 0) return Invalid("{} parts of {}", parts, size);
  return SplitInto(c, 1, axis, std::vector<int64_t>(c.op.output_count(), size / parts));
}

// One of the sizes may be -1: what is left.
Status ImportSplitV(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(int axis, ReadSplitAxis(c, 2, 0));
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, c.ConstantIntegers(1));
  int64_t left = c.x().shape[static_cast<size_t>(axis)];
  for (const int64_t size : sizes) left -= std::clamp<int64_t>(size, 0, left);
  const auto rest = std::find(sizes.begin(), sizes.end(), -1);
  if (rest != sizes.end()) *rest = left;
  return SplitInto(c, 0, axis, sizes);
}

}  // namespace

const ImporterList JoinImporters = {
    {"CONCATENATION", 1, -1, ImportConcatenation, Types(kAllTypes)},
    {"PACK", 1, -1, ImportPack, Types(kAllTypes)},
    {"SPLIT", 2, 2, ImportSplit, Types(kAllTypes).Without("an axis that is not constant or not fixed")},
    {"SPLIT_V", 3, 3, ImportSplitV, Types(kAllTypes).Without("sizes and an axis that are not constant")},
    {"UNPACK", 1, 1, ImportUnpack, Types(kAllTypes)},
};

}  // namespace micrort::frontend::tflite
