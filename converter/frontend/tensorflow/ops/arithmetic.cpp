// Arithmetic on two or more tensors, which broadcast as in NumPy.

#include "converter/frontend/common/plain_importers.h"
#include "converter/frontend/tensorflow/ops/image.h"
#include "converter/frontend/tensorflow/registry.h"
#include "converter/lower/integers.h"
#include "kernels/base/dtype.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::BinaryKind;

Status ImportAddN(OpContext& c) {
  ir::ValueId sum = c.input(0);
  for (size_t i = 1; i < c.input_count(); ++i) sum = c.build.Add(sum, c.input(i));
  return c.Return(sum);
}

Status ImportSquaredDifference(OpContext& c) {
  const ir::ValueId difference = c.build.Sub(c.input(0), c.input(1));
  return c.Return(c.build.Mul(difference, difference));
}

// `y` where x is not zero; 0 elsewhere, whatever y is there.
ir::ValueId UnlessZero(OpContext& c, ir::ValueId x, ir::ValueId y) {
  const ir::ValueId zero = c.Scalar(c.value(x).dtype, 0);
  const ir::ValueId is_zero = c.build.Equal(x, zero);
  return c.build.Select({is_zero, zero, y});
}

Status ImportDivNoNan(OpContext& c) {
  return c.Return(UnlessZero(c, c.input(1), c.build.Div(c.input(0), c.input(1))));
}
Status ImportMulNoNan(OpContext& c) {
  return c.Return(UnlessZero(c, c.input(1), c.build.Mul(c.input(0), c.input(1))));
}
Status ImportXdivy(OpContext& c) {
  return c.Return(UnlessZero(c, c.input(0), c.build.Div(c.input(0), c.input(1))));
}
Status ImportXlogy(OpContext& c) {
  const ir::ValueId log = c.build.Log(c.input(1));
  return c.Return(UnlessZero(c, c.input(0), c.build.Mul(c.input(0), log)));
}

// One bias a channel.
Status ImportBiasAdd(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  ir::ValueId bias = c.input(1);
  if (IsChannelsFirst(c) && c.rank() > 2) bias = c.build.Along(bias, 0, c.rank() - 1);
  return c.Return(c.build.Add(c.input(0), bias));
}

}  // namespace

const ImporterList ArithmeticOps = {
    {"AccumulateNV2", 1, -1, ImportAddN},
    {"Add", 2, 2, ImportBinary<BinaryKind::Add>},
    {"AddN", 1, -1, ImportAddN},
    {"AddV2", 2, 2, ImportBinary<BinaryKind::Add>},
    {"BiasAdd", 2, 2, ImportBiasAdd},
    {"BiasAddV1", 2, 2, ImportBiasAdd},
    {"Div", 2, 2, ImportBinary<BinaryKind::Div>},
    {"DivNoNan", 2, 2, ImportDivNoNan},
    {"FloorDiv", 2, 2, ImportFloorDiv},
    {"FloorMod", 2, 2, ImportBinary<BinaryKind::Mod>},
    {"Maximum", 2, 2, ImportBinary<BinaryKind::Max>},
    {"Minimum", 2, 2, ImportBinary<BinaryKind::Min>},
    {"Mod", 2, 2, ImportBinary<BinaryKind::Fmod>},
    {"Mul", 2, 2, ImportBinary<BinaryKind::Mul>},
    {"MulNoNan", 2, 2, ImportMulNoNan},
    {"Pow", 2, 2, ImportBinary<BinaryKind::Pow>},
    {"RealDiv", 2, 2, ImportBinary<BinaryKind::Div>},
    {"SquaredDifference", 2, 2, ImportSquaredDifference},
    {"Sub", 2, 2, ImportBinary<BinaryKind::Sub>},
    {"TruncateDiv", 2, 2, ImportBinary<BinaryKind::Div>},
    {"TruncateMod", 2, 2, ImportBinary<BinaryKind::Fmod>},
    {"Xdivy", 2, 2, ImportXdivy},
    {"Xlogy", 2, 2, ImportXlogy},
};

}  // namespace micrort::frontend::tensorflow
