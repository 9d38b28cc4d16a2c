#pragma once
// A model in memory, and interpreters of it.

#include <gmock/gmock.h>

#include <utility>

#include "micrort/micrort.h"
#include "tests/runtime/model_builder.h"
#include "tests/status_matchers.h"

namespace micrort::testing {

struct Loaded {
  explicit Loaded(const ModelBuilder& b)
      : file(b.Finish()), model(Model::FromBuffer(file.data(), file.size())) {
    EXPECT_THAT(model, IsOk());
  }
  Interpreter Create(const InterpreterOptions& options = {}) {
    auto created = Interpreter::Create(*model, options);
    EXPECT_THAT(created, IsOk());
    return std::move(*created);
  }

  ModelFile file;
  Result<Model> model;
};

}  // namespace micrort::testing
