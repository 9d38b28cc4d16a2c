// NON_MAX_SUPPRESSION_V4 and _V5: indices, in V5 scores, and their number. What is not used is zero.

#include "converter/frontend/tflite/registry.h"
#include "converter/lower/boxes.h"

namespace micrort::frontend::tflite {

namespace {

constexpr size_t kMost = 2, kIou = 3, kLeastScore = 4, kSigma = 5;

// With sigma, overlaps lower scores.
Status KeepBoxes(OpContext& c, bool is_soft, lower::SoftlyKept* kept, int64_t* most) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 1));
  MICRORT_ASSIGN_OR_RETURN(*most, c.ConstantScalar(kMost));
  if (*most < 0) return Invalid("at most {} boxes", *most);
  std::vector<ir::ValueId> limits = {c.build.Integer(*most)};
  for (const size_t i : {kIou, kLeastScore}) limits.push_back(c.build.Reshape(c.input(i), {}));
  if (is_soft) {
    limits.push_back(c.build.Reshape(c.input(kSigma), {}));
    *kept = lower::SoftlyKeptBoxes(c.build, c.input(0), c.input(1), limits);
  } else {
    kept->boxes = lower::KeptBoxes(c.build, c.input(0), c.input(1), limits);
  }
  return c.build.status();
}

Status ImportNms4(OpContext& c) {
  lower::SoftlyKept kept = {ir::kNoValue, ir::kNoValue};
  int64_t most = 0;
  MICRORT_RETURN_IF_ERROR(KeepBoxes(c, false, &kept, &most));
  return c.Return(
      {lower::FilledUp(c.build, kept.boxes, most), c.build.Reshape(c.build.DimOf(kept.boxes, 0), {})});
}

Status ImportNms5(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(const std::vector<float> sigma, c.ConstantFloats(kSigma));
  if (sigma.size() != 1 || !(sigma[0] >= 0)) return Invalid("sigma: expected one number, 0 or above");
  const bool is_soft = sigma[0] > 0;
  lower::SoftlyKept kept = {ir::kNoValue, ir::kNoValue};
  int64_t most = 0;
  MICRORT_RETURN_IF_ERROR(KeepBoxes(c, is_soft, &kept, &most));
  const ir::ValueId indices = lower::FilledUp(c.build, kept.boxes, most);
  if (!is_soft) kept.scores = c.build.Gather(c.input(1), kept.boxes, 0);
  return c.Return({indices, lower::FilledUp(c.build, kept.scores, most),
                   c.build.Reshape(c.build.DimOf(kept.boxes, 0), {})});
}

constexpr OpSupport kSuppressionSupport = Types(kFloat32).Without("a number of boxes that is not constant");
constexpr OpSupport kSoftSupport =
    Types(kFloat32).Without("a number of boxes or a sigma that is not constant");

}  // namespace

const ImporterList NonMaxSuppressionImporters = {
    {"NON_MAX_SUPPRESSION_V4", 5, 5, ImportNms4, kSuppressionSupport},
    {"NON_MAX_SUPPRESSION_V5", 6, 6, ImportNms5, kSoftSupport},
};

}  // namespace micrort::frontend::tflite
