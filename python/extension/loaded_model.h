#pragma once
// A model with the memory that it lies in.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>

#include "micrort/micrort.h"

namespace micrort::python {

class LoadedModel {
 public:
  static std::shared_ptr<LoadedModel> FromFile(const std::string& path);
  static std::shared_ptr<LoadedModel> FromBytes(const pybind11::bytes& bytes);

  const Model& model() const { return model_; }

 private:
  struct Free {
    void operator()(void* p) const;
  };
  LoadedModel(std::unique_ptr<void, Free> bytes, Model model)
      : bytes_(std::move(bytes)), model_(std::move(model)) {}

  std::unique_ptr<void, Free> bytes_;  // or null
  Model model_;
};

}  // namespace micrort::python
