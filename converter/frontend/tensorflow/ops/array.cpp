// Joining, cutting, repeating and padding.

#include <limits>

#include "converter/frontend/common/sizes.h"
#include "converter/frontend/common/symmetric_pad.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/arrays.h"
#include "converter/lower/strided_slice.h"

namespace micrort::frontend::tensorflow {

namespace {

constexpr int64_t kMaxParts = 65536;

Status ConcatAt(OpContext& c, size_t axis_input, size_t first, size_t count) {
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(axis_input, c.rank(first)));
  const auto begin = c.inputs().begin() + static_cast<std::ptrdiff_t>(first);
  return c.Return(c.build.Concat({begin, begin + static_cast<std::ptrdiff_t>(count)}, index));
}

Status ImportConcatV2(OpContext& c) { return ConcatAt(c, c.input_count() - 1, 0, c.input_count() - 1); }
Status ImportConcat(OpContext& c) { return ConcatAt(c, 0, 1, c.input_count() - 1); }

// Along `axis` into parts of these sizes.
Status Cut(OpContext& c, ir::ValueId x, int axis, const std::vector<int64_t>& sizes) {
  int64_t start = 0;
  for (size_t i = 0; i < sizes.size() && c.build.status().ok(); ++i) {
    const bool is_last = i + 1 == sizes.size();
    c.SetOutput(i, sizes.size() == 1
                       ? x
                       : c.build.Slice(x, axis, start,
                                       is_last ? std::numeric_limits<int64_t>::max() : start + sizes[i]));
    start += sizes[i];
  }
  return c.build.status();
}

Result<int64_t> FixedSize(const OpContext& c, size_t input, int axis) {
  const int64_t size = c.x(input).shape[static_cast<size_t>(axis)];
  if (size == ir::kDynamic) return Unsupported("the size of dimension {} is not fixed", axis);
  return size;
}

// The same where a run knows the size, which has to be a multiple of `parts`.
Status CutOpen(OpContext& c, ir::ValueId x, int axis, int64_t parts) {
  Sizes sizes(c.build);
  std::vector<Size> cut, part;
  for (int i = 0; i < c.value(x).rank(); ++i) {
    const Size size = sizes.Of(x, i);
    if (i == axis) cut.emplace_back(parts);
    cut.push_back(i == axis ? sizes.Over(size, parts) : size);
    part.push_back(cut.back());
  }
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId all, sizes.Reshape(x, cut));
  for (int64_t i = 0; i < parts; ++i) {
    MICRORT_ASSIGN_OR_RETURN(const ir::ValueId one, sizes.Reshape(c.build.Slice(all, axis, i, i + 1), part));
    c.SetOutput(static_cast<size_t>(i), one);
  }
  return c.build.status();
}

// inputs: axis, x.
Status ImportSplit(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(0, c.rank(1)));
  const int64_t size = c.x(1).shape[static_cast<size_t>(index)], parts = c.Int("num_split", 0);
  const bool is_open = size == ir::kDynamic;
  if (parts < 1 || parts > kMaxParts || (!is_open && size % parts != 0))
    return Invalid("{} elements in {} parts", size, parts);
  if (is_open) return CutOpen(c, c.input(1), index, parts);
  return Cut(c, c.input(1), index, std::vector<int64_t>(static_cast<size_t>(parts), size / parts));
}

// inputs: x, sizes (one may be -1: what is left), axis.
Status ImportSplitV(OpContext& c) {
  int64_t sum = 0;
  MICRORT_ASSIGN_OR_RETURN(std::vector<int64_t> sizes, c.ConstantIntegers(1));
  MICRORT_ASSIGN_OR_RETURN(const int index, c.ConstantAxis(2, c.rank(0)));
  MICRORT_ASSIGN_OR_RETURN(const int64_t size, FixedSize(c, 0, index));
  if (sizes.size() > static_cast<size_t>(kMaxParts)) return Unsupported("more than {} parts", kMaxParts);
  int64_t* rest = nullptr;
  for (int64_t& part : sizes) {
    if (part == -1 && rest == nullptr) {
      rest = &part;
    } else if (part < 0 || part > size - sum) {
      return Invalid("a part of {} elements where {} are left", part, size - sum);
    } else {
      sum += part;
    }
  }
  if (rest != nullptr) *rest = size - sum;
  if (sizes.empty() || (rest == nullptr && sum != size))
    return Invalid("parts of {} elements of {}", sum, size);
  return Cut(c, c.input(0), index, sizes);
}

Status ImportPack(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.rank() + 1));
  std::vector<ir::ValueId> parts;
  for (const ir::ValueId input : c.inputs()) {
    if (c.value(input).rank() < axis) return Invalid("tensors of several ranks");
    parts.push_back(c.build.InsertDim(input, axis));
  }
  return c.Return(c.build.Concat(parts, axis));
}

Status ImportUnpack(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int axis, c.Axis(c.Int("axis", 0), c.rank()));
  MICRORT_ASSIGN_OR_RETURN(const int64_t size, FixedSize(c, 0, axis));
  const int64_t parts = c.Int("num", size);
  if (parts != size || parts > kMaxParts) return Invalid("{} elements in {} parts", size, parts);
  for (int64_t i = 0; i < parts; ++i) c.SetOutput(static_cast<size_t>(i), c.build.PickAt(c.input(), axis, i));
  return c.build.status();
}

Status ImportTile(OpContext& c) {
  return c.Return(c.build.Add(schema::TileOptionsT(), {c.input(0), c.AsInt64(c.input(1))}));
}

// inputs: x, begin, size (-1: to the end).
Status ImportSlice(OpContext& c) {
  std::vector<int64_t> begin, size;
  if (!ir::IntegersOf(c.x(1), &begin) || !ir::IntegersOf(c.x(2), &size)) {
    const ir::ValueId first = c.AsInt64(c.input(1)), count = c.AsInt64(c.input(2));
    return c.Return(lower::SliceOfComputedSize(c.build, c.input(0), first, count));
  }
  if (begin.size() != static_cast<size_t>(c.rank()) || size.size() != begin.size())
    return Invalid("begin and size need an entry a dimension");
  schema::SliceOptionsT options;
  for (size_t i = 0; i < begin.size(); ++i) {
    if (begin[i] < 0 || size[i] < -1 || size[i] > std::numeric_limits<int32_t>::max() ||
        begin[i] > std::numeric_limits<int32_t>::max())
      return Invalid("begin {}, size {}", begin[i], size[i]);
    ir::AddRange(static_cast<int32_t>(i), begin[i],
                 size[i] < 0 ? std::numeric_limits<int64_t>::max() : begin[i] + size[i], 1, &options);
  }
  return c.Return(c.build.Add(std::move(options), {c.input(0)}));
}

Status ReverseAlong(OpContext& c, const std::vector<int32_t>& axes) {
  return c.Return(axes.empty() ? c.input(0) : c.build.Reversed(c.input(0), axes));
}

Status ImportReverse(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<int32_t> axes, ReadDistinctAxes(c));
  return ReverseAlong(c, axes);
}

// inputs: x, for each dimension whether it is reversed.
Status ImportReverseMarked(OpContext& c) {
  const ir::Value& marks = c.x(1);
  if (!marks.is_constant() || marks.dtype != DType::kBool)
    return Unsupported("input 1 is no constant of truth values");
  if (marks.elements() != c.rank()) return Invalid("{} marks for {} dimensions", marks.elements(), c.rank());
  std::vector<int32_t> axes;
  for (int i = 0; i < c.rank(); ++i) {
    if (marks.as<uint8_t>()[i] != 0) axes.push_back(i);
  }
  return ReverseAlong(c, axes);
}

// inputs: an axis, then shapes of tensors that are joined along it: where each begins.
Status ImportConcatOffset(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const int64_t axis, c.ConstantInteger(0));
  for (size_t i = 1; i < c.input_count(); ++i) MICRORT_RETURN_IF_ERROR(c.ExpectRank(i, 1));
  const int64_t rank = c.x(1).shape[0];
  if (rank > kMaxParts) return Invalid("shapes of {} dimensions", rank);
  if (rank == ir::kDynamic) return Unsupported("a shape of unknown rank");
  MICRORT_ASSIGN_OR_RETURN(const int index, c.Axis(axis, static_cast<int>(rank)));
  std::vector<int64_t> mask(static_cast<size_t>(rank), 0);
  mask[static_cast<size_t>(index)] = 1;
  const ir::ValueId along = c.build.Cast(c.build.Integers(mask), c.x(1).dtype);
  ir::ValueId offset = c.build.Sub(along, along);
  for (size_t i = 1; i < c.input_count(); ++i) {
    c.SetOutput(i - 1, offset);
    const ir::ValueId size = c.build.Mul(c.input(i), along);
    offset = c.build.Add(offset, size);
  }
  return c.build.status();
}

Status ImportStridedSlice(OpContext& c) {
  lower::StridedSlice slice;
  slice.begin_mask = c.Int("begin_mask", 0);
  slice.end_mask = c.Int("end_mask", 0);
  slice.ellipsis_mask = c.Int("ellipsis_mask", 0);
  slice.new_axis_mask = c.Int("new_axis_mask", 0);
  slice.shrink_axis_mask = c.Int("shrink_axis_mask", 0);
  MICRORT_ASSIGN_OR_RETURN(slice.strides, c.ConstantIntegers(3));
  if (!ir::IntegersOf(c.x(1), &slice.begin) || !ir::IntegersOf(c.x(2), &slice.end)) {
    slice.computed_begin = c.AsInt64(c.input(1));
    slice.computed_end = c.AsInt64(c.input(2));
  }
  return c.Return(lower::AddStridedSlice(c.build, c.input(0), slice));
}

Status PadWith(OpContext& c, schema::PadMode mode) {
  lower::Padding padding;
  padding.mode = mode;
  std::vector<int64_t> pairs;
  if (ir::IntegersOf(c.x(1), &pairs)) {
    MICRORT_RETURN_IF_ERROR(lower::SetPairs(c.x(), pairs, &padding));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
    lower::SetComputedPairs(c.build, c.AsInt64(c.input(1)), &padding);
  }
  if (c.input_count() > 2) padding.fill = c.input(2);
  return c.Return(lower::AddPad(c.build, c.input(0), std::move(padding)));
}

Status ImportPad(OpContext& c) { return PadWith(c, schema::PadMode::Constant); }

Status PadWithBorder(OpContext& c) {
  std::vector<int64_t> pads;
  if (ir::IntegersOf(c.x(1), &pads)) return c.Return(PadSymmetrically(c.build, c.input(0), pads));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
  return c.Return(PadSymmetrically(c.build, c.input(0), c.AsInt64(c.input(1))));
}

// SYMMETRIC repeats the border element, REFLECT does not.
Status ImportMirrorPad(OpContext& c) {
  const std::string mode = c.String("mode", "");
  if (mode == "SYMMETRIC") return PadWithBorder(c);
  if (mode != "REFLECT") return MICRORT_ERROR(kUnsupported, "mode %.20s", mode.c_str());
  return PadWith(c, schema::PadMode::Reflect);
}

}  // namespace

const ImporterList ArrayOps = {
    {"Concat", 2, -1, ImportConcat, "an axis that is not constant"},
    {"ConcatOffset", 2, -1, ImportConcatOffset, "an axis that is not constant"},
    {"ConcatV2", 2, -1, ImportConcatV2, "an axis that is not constant"},
    {"Pack", 1, -1, ImportPack},
    {"Reverse", 2, 2, ImportReverseMarked, "dimensions that are not constant"},
    {"ReverseV2", 2, 2, ImportReverse, "axes that are not constant"},
    {"Slice", 3, 3, ImportSlice},
    {"Split", 2, 2, ImportSplit},
    {"SplitV", 3, 3, ImportSplitV, "a dimension whose size is not fixed"},
    {"Tile", 2, 2, ImportTile},
    {"Unpack", 1, 1, ImportUnpack, "a dimension whose size is not fixed"},
    {"StridedSlice", 4, 4, ImportStridedSlice, "strides that are not constant"},
    {"MirrorPad", 2, 2, ImportMirrorPad},
    {"Pad", 2, 2, ImportPad},
    {"PadV2", 3, 3, ImportPad},
};

}  // namespace micrort::frontend::tensorflow
