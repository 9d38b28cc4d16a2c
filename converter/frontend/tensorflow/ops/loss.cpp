// Losses of a classifier, and their gradients by its scores, which are what these operators give with them.

#include "converter/frontend/common/special_functions.h"
#include "converter/frontend/tensorflow/registry.h"

namespace micrort::frontend::tensorflow {

namespace {

using schema::ReduceKind;

// scores [N,C], labels: a distribution each.
Status CrossEntropy(OpContext& c, ir::ValueId labels) {
  ir::Builder& m = c.build;
  const ir::ValueId logs = c.build.Softmax(c.input(0), 1, true);
  const ir::ValueId sum = c.build.Reduce(ReduceKind::Sum, m.Mul(labels, logs), {1}, false);
  return c.Return({c.build.Neg(sum), m.Sub(c.build.Softmax(c.input(0), 1), labels)});
}

Status ImportDense(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 2));
  return CrossEntropy(c, c.input(1));
}

// One label for each row.
Status ImportSparse(OpContext& c) {
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(0, 2));
  MICRORT_RETURN_IF_ERROR(c.ExpectRank(1, 1));
  const int64_t classes = c.x(0).shape[1];
  if (classes == ir::kDynamic) return Unsupported("a number of classes that is not fixed");
  const ir::ValueId zero = c.build.Integer(0), one = c.build.Integer(1);
  const ir::ValueId numbers = c.build.Range({zero, c.build.Integer(classes), one});
  const ir::ValueId rows = c.build.Reshape(c.AsInt64(c.input(1)), {CopyDim(0), 1});
  const ir::ValueId is_label = c.build.Equal(rows, numbers);
  return CrossEntropy(c, c.build.Cast(is_label, c.x(0).dtype));
}

}  // namespace

const ImporterList LossOps = {
    {"SoftmaxCrossEntropyWithLogits", 2, 2, ImportDense},
    {"SparseSoftmaxCrossEntropyWithLogits", 2, 2, ImportSparse, "a number of classes that is not fixed"},
};

}  // namespace micrort::frontend::tensorflow
