// NON_MAX_SUPPRESSION_V4 and _V5: indices, in V5 scores, and their number. What is not used is zero.

#include "converter/frontend/tflite/registry.h"
#include "converter/lower/boxes.h"

namespace micrort::frontend::tflite {

namespace {

constexpr size_t kMost = 2, kIou = 3, kLeastScore = 4, kSigma = 5;

Status KeepBoxes(OpContext& c, ir::ValueId* kept, int64_t* most) {
  MICRORT_RETURN_IF_ERROR(c.CheckRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.CheckRank(1, 1));
  MICRORT_ASSIGN_OR_RETURN(*most, c.ConstantScalar(kMost));
  if (*most < 0) return Invalid("at most {} boxes", *most);
  const ir::ValueId iou = c.build.Reshape(c.input(kIou), {}),
                    least = c.build.Reshape(c.input(kLeastScore), {});
  *kept = lower::KeptBoxes(c.build, c.input(0), c.input(1), {c.build.Integer(*most), iou, least});
  return c.build.status();
}

Status ImportNms4(OpContext& c) {
  ir::ValueId kept = ir::kNoValue;
  int64_t most = 0;
  MICRORT_RETURN_IF_ERROR(KeepBoxes(c, &kept, &most));
  return c.Return({lower::FilledUp(c.build, kept, most), c.build.Reshape(c.build.DimOf(kept, 0), {})});
}

Status ImportNms5(OpContext& c) {
  MICRORT_ASSIGN_OR_RETURN(std::vector<float> sigma, c.ConstantFloats(kSigma));
  if (sigma.size() != 1 || sigma[0] != 0) return Unsupported("soft suppression");
  ir::ValueId kept = ir::kNoValue;
  int64_t most = 0;
  MICRORT_RETURN_IF_ERROR(KeepBoxes(c, &kept, &most));
  return c.Return({lower::FilledUp(c.build, kept, most),
                   lower::FilledUp(c.build, c.build.Gather(c.input(1), kept, 0), most),
                   c.build.Reshape(c.build.DimOf(kept, 0), {})});
}

constexpr OpSupport kSuppressionSupport =
    Types(kFloat32).Without("a number of boxes that is not constant; soft suppression");

}  // namespace

const ImporterList NonMaxSuppressionImporters = {
    {"NON_MAX_SUPPRESSION_V4", 5, 5, ImportNms4, kSuppressionSupport},
    {"NON_MAX_SUPPRESSION_V5", 6, 6, ImportNms5, kSuppressionSupport},
};

}  // namespace micrort::frontend::tflite
