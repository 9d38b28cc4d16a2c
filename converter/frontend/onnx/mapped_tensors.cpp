#include "converter/frontend/onnx/mapped_tensors.h"

#include <charconv>
#include <utility>

namespace micrort::frontend::onnx {
namespace {

constexpr char kMappedKey[] = "micrort.mapped";  // of external data, in the place of the model's entries

thread_local MappedTensors* current = nullptr;

}  // namespace

MappedTensors::MappedTensors() : before_(std::exchange(current, this)) {}
MappedTensors::~MappedTensors() { current = before_; }

void MappedTensors::Add(ir::Bytes elements, ::onnx::TensorProto* tensor) {
  tensor->clear_external_data();
  tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* const entry = tensor->add_external_data();
  entry->set_key(kMappedKey);
  entry->set_value(std::to_string(elements_.size()));
  elements_.push_back(std::move(elements));
}

// A model may have such an entry itself: it names some mapped tensor or none, and sizes are compared by who
// reads it.
const ir::Bytes* MappedTensors::Find(const ::onnx::TensorProto& tensor) {
  if (current == nullptr || tensor.external_data_size() != 1 || tensor.external_data(0).key() != kMappedKey)
    return nullptr;
  const std::string& text = tensor.external_data(0).value();
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && number < current->elements_.size() ? &current->elements_[number] : nullptr;
}

}  // namespace micrort::frontend::onnx
