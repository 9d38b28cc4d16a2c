#include "python/extension/loaded_model.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "kernels/base/checked_math.h"
#include "python/extension/status_error.h"

namespace micrort::python {

namespace py = pybind11;

void LoadedModel::Free::operator()(void* p) const { std::free(p); }

std::shared_ptr<LoadedModel> LoadedModel::FromFile(const std::string& path) {
  return std::shared_ptr<LoadedModel>(new LoadedModel(nullptr, ValueOrThrow(Model::FromFile(path.c_str()))));
}

std::shared_ptr<LoadedModel> LoadedModel::FromBytes(const py::bytes& bytes) {
  const std::string_view view = bytes;
  std::unique_ptr<void, Free> memory(std::aligned_alloc(kAlignment, AlignUp(view.size() + 1, kAlignment)));
  if (memory == nullptr) throw std::bad_alloc();
  std::memcpy(memory.get(), view.data(), view.size());
  Model model = ValueOrThrow(Model::FromBuffer(memory.get(), view.size()));
  return std::shared_ptr<LoadedModel>(new LoadedModel(std::move(memory), std::move(model)));
}

}  // namespace micrort::python
