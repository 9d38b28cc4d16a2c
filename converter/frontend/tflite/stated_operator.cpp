#include "converter/frontend/tflite/stated_operator.h"

namespace micrort::frontend::tflite {

namespace {

size_t CountOf(const flatbuffers::Vector<int32_t>* list) { return list == nullptr ? 0 : list->size(); }

int32_t IndexAt(const flatbuffers::Vector<int32_t>* list, size_t i) {
  return i >= CountOf(list) ? -1 : list->Get(static_cast<flatbuffers::uoffset_t>(i));
}

}  // namespace

size_t StatedOperator::input_count() const { return CountOf(stated_.inputs()); }
size_t StatedOperator::output_count() const { return CountOf(stated_.outputs()); }

int32_t StatedOperator::input_index(size_t i) const { return IndexAt(stated_.inputs(), i); }
int32_t StatedOperator::output_index(size_t i) const { return IndexAt(stated_.outputs(), i); }

}  // namespace micrort::frontend::tflite
