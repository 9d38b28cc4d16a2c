// Padding.

#include <limits>

#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

// [rank, 2] as the list of all begins, then all ends.
Status Pads(OpContext& c, ir::ValueId* out) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
  const ir::ValueId columns = c.build.Transpose(c.AsInt64(c.input(1)), {1, 0});
  *out = c.build.Reshape(columns, {kInferDim});
  return c.build.status();
}

Status PadWith(OpContext& c, schema::PadOptionsT options, const std::vector<ir::ValueId>& value) {
  std::vector<int64_t> pads;
  if (ir::IntegersOf(c.x(1), &pads)) {
    if (pads.size() != static_cast<size_t>(2 * c.rank())) {
      return MICRORT_ERROR(kInvalidModel, "%zu pads for %d dimensions", pads.size(), c.rank());
    }
    for (size_t end = 0; end < 2; ++end) {
      for (size_t i = end; i < pads.size(); i += 2) options.pads.push_back(pads[i]);
    }
    std::vector<ir::ValueId> inputs = {c.input(0)};
    if (!value.empty()) inputs.insert(inputs.end(), {ir::kNoValue, value[0]});
    return c.Return(c.build.Add(std::move(options), inputs));
  }
  ir::ValueId computed = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(Pads(c, &computed));
  std::vector<ir::ValueId> inputs = {c.input(0), computed};
  inputs.insert(inputs.end(), value.begin(), value.end());
  return c.Return(c.build.Add(std::move(options), inputs));
}

Status ImportPad(OpContext& c) { return PadWith(c, {}, {}); }

Status ImportPadV2(OpContext& c) { return PadWith(c, {}, {c.input(2)}); }

// The border and what is next to it, from both ends of each dimension in turn.
Status PadSymmetric(OpContext& c) {
  std::vector<int64_t> pads;
  MICRORT_RETURN_IF_ERROR(c.ConstantIntegers(1, &pads));
  if (pads.size() != static_cast<size_t>(2 * c.rank())) {
    return MICRORT_ERROR(kInvalidModel, "%zu pads for %d dimensions", pads.size(), c.rank());
  }
  ir::ValueId x = c.input(0);
  for (int axis = 0; axis < c.rank(); ++axis) {
    const int64_t size = c.x().dim(static_cast<size_t>(axis));
    std::vector<ir::ValueId> parts;
    for (int end = 0; end < 2; ++end) {
      const int64_t pad = pads[static_cast<size_t>(2 * axis + end)];
      if (pad < 0) return MICRORT_ERROR(kInvalidModel, "pad %lld", static_cast<long long>(pad));
      if (size != ir::kDynamic && pad > size)
        return MICRORT_ERROR(kInvalidModel, "%lld elements beyond the %lld of dimension %d",
                             static_cast<long long>(pad), static_cast<long long>(size), axis);
      if (end == 1) parts.push_back(x);
      if (pad == 0) continue;
      schema::SliceOptionsT reversed;
      reversed.axes = {axis};
      reversed.starts = {end == 0 ? pad - 1 : -1};
      reversed.ends = {end == 0 ? std::numeric_limits<int64_t>::min() : -1 - pad};
      reversed.steps = {-1};
      parts.push_back(c.build.Add(std::move(reversed), {x}));
    }
    if (parts.size() > 1) x = c.build.Concat(parts, axis);
  }
  return c.Return(x);
}

// SYMMETRIC repeats the border element, REFLECT does not.
Status ImportMirrorPad(OpContext& c) {
  const std::string mode = c.String("mode", "");
  if (mode == "SYMMETRIC") return PadSymmetric(c);
  if (mode != "REFLECT") return MICRORT_ERROR(kUnsupported, "mode %.20s", mode.c_str());
  schema::PadOptionsT options;
  options.mode = schema::PadMode::Reflect;
  return PadWith(c, std::move(options), {});
}

}  // namespace

Span<const OpImporter> PadOps() {
  static constexpr OpImporter kImporters[] = {
      {"MirrorPad", 2, 2, ImportMirrorPad, "mode SYMMETRIC with pads that are not constant"},
      {"Pad", 2, 2, ImportPad},
      {"PadV2", 3, 3, ImportPadV2},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
