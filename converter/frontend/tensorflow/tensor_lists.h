#pragma once
// Lists of tensors as one tensor with a dimension for the list.

#include "converter/frontend/tensorflow/tf_value.h"
#include "converter/ir/build.h"

namespace micrort::frontend::tensorflow {

// What is handed around for the value: the tensor, or the list's; kNoValue if there is neither.
inline ir::ValueId TensorOf(const TfValue& value) {
  if (value.is_complex) return ir::kNoValue;
  return value.list == nullptr ? value.tensor : value.list->stacked;
}

// The tensor, or the list of these elements where the value is one.
TfValue Stacked(const TfValue& value, ir::ValueId stacked);

// The list with these elements.
TensorList WithStacked(TensorList list, ir::ValueId stacked);

// 0 of the type.
ir::ValueId ZeroOf(ir::Builder& build, DType dtype);

// Zeros [length, shape]. length, shape: int64 lists.
ir::ValueId Zeros(ir::Builder& build, const TensorList& list, ir::ValueId shape);

// Sets *list to one of zeros if nothing has been written, with elements shaped as `item` or, without one, as
// the graph states them. kUnsupported if it does not.
Status Fill(ir::Builder& build, ir::ValueId item, TensorList* list);

}  // namespace micrort::frontend::tensorflow
