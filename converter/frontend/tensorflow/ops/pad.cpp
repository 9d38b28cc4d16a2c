// Padding.

#include "converter/frontend/common/symmetric_pad.h"
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

Status PadWithBorder(OpContext& c) {
  std::vector<int64_t> pads;
  ir::ValueId y = ir::kNoValue;
  if (ir::IntegersOf(c.x(1), &pads)) {
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c.build, c.input(0), pads, &y));
  } else {
    MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
    MICRORT_RETURN_IF_ERROR(PadSymmetrically(c.build, c.input(0), c.AsInt64(c.input(1)), &y));
  }
  return c.Return(y);
}

// SYMMETRIC repeats the border element, REFLECT does not.
Status ImportMirrorPad(OpContext& c) {
  const std::string mode = c.String("mode", "");
  if (mode == "SYMMETRIC") return PadWithBorder(c);
  if (mode != "REFLECT") return MICRORT_ERROR(kUnsupported, "mode %.20s", mode.c_str());
  schema::PadOptionsT options;
  options.mode = schema::PadMode::Reflect;
  return PadWith(c, std::move(options), {});
}

}  // namespace

Span<const OpImporter> PadOps() {
  static constexpr OpImporter kImporters[] = {
      {"MirrorPad", 2, 2, ImportMirrorPad},
      {"Pad", 2, 2, ImportPad},
      {"PadV2", 3, 3, ImportPadV2},
  };
  return kImporters;
}

}  // namespace micrort::frontend::tensorflow
