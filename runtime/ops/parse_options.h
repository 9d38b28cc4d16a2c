#pragma once
// Reading an operator's options in parse.

#include "kernels/base/status.h"
#include "schema/micrort_generated.h"

namespace micrort {

// kInvalidModel unless the operator carries options of type T.
template <typename T>
Status ReadOptions(const schema::Operator& op, const T** options) {
  *options = op.options_as<T>();
  if (*options != nullptr) return Status();
  return MICRORT_ERROR(kInvalidModel, "expected %s, found %s",
                       schema::EnumNameOptions(schema::OptionsTraits<T>::enum_value),
                       schema::EnumNameOptions(op.options_type()));
}

// Copies a list into an array; an absent list is empty. kInvalidModel if it is longer than the array.
template <typename From, typename To, size_t kCapacity>
Status ReadList(const char* what, const flatbuffers::Vector<From>* list, To (&values)[kCapacity],
                int* count) {
  const size_t size = list == nullptr ? 0 : list->size();
  if (size > kCapacity) {
    return MICRORT_ERROR(kInvalidModel, "%s: expected at most %zu entries, found %zu", what, kCapacity, size);
  }
  for (size_t i = 0; i < size; ++i) values[i] = list->Get(static_cast<flatbuffers::uoffset_t>(i));
  *count = static_cast<int>(size);
  return Status();
}

}  // namespace micrort
