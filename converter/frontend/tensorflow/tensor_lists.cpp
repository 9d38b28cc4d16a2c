#include "converter/frontend/tensorflow/tensor_lists.h"

#include <algorithm>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend::tensorflow {

TfValue Stacked(const TfValue& value, ir::ValueId stacked) {
  return value.list == nullptr ? TensorValue(stacked) : ListValue(WithStacked(*value.list, stacked));
}

TensorList WithStacked(TensorList list, ir::ValueId stacked) {
  list.stacked = stacked;
  list.length = list.item = ir::kNoValue;
  return list;
}

ir::ValueId ZeroOf(ir::Builder& build, DType dtype) {
  const ir::ValueId zero = build.Scalar(0);
  return build.As(zero, dtype);
}

ir::ValueId Zeros(ir::Builder& build, const TensorList& list, ir::ValueId shape) {
  const ir::ValueId whole = build.Concat({list.length, shape}, 0);
  return build.Expand({ZeroOf(build, list.dtype), whole});
}

Status Fill(ir::Builder& build, ir::ValueId item, TensorList* list) {
  if (list->stacked != ir::kNoValue) return Status();
  ir::ValueId shape = ir::kNoValue;
  if (item != ir::kNoValue) {
    shape = build.ShapeOf(item);
  } else {
    const bool is_stated =
        list->has_element_rank && std::count(list->element.begin(), list->element.end(), ir::kDynamic) == 0;
    if (!is_stated) return Unsupported("nothing was written to the list, and its elements have no shape");
    shape = build.Integers(list->element);
  }
  const ir::ValueId zeros = Zeros(build, *list, shape);
  *list = WithStacked(std::move(*list), zeros);
  list->item = item;
  return build.status();
}

}  // namespace micrort::frontend::tensorflow
