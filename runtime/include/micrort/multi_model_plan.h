#pragma once
// One arena for several models:
//   MultiModelPlan plan(MultiModelPlan::Use::kOneAtATime);
//   const auto words = plan.Add(words_model, options), faces = plan.Add(faces_model, options);
//   // with an arena of plan.arena_bytes(), aligned to 64 bytes:
//   options.arena = arena + words->offset;
//   options.arena_bytes = words->bytes;

#include <cstddef>

#include "micrort/interpreter.h"

namespace micrort {

class MultiModelPlan {
 public:
  enum class Use {
    // All models use the same place: the inputs, outputs and state of one are lost
    // when another one runs. Interpreter::SaveState() puts state aside, RestoreState() brings
    // it back, and ResetState() sets the initial values after another interpreter has used the arena.
    kOneAtATime,
    // Each model has its own place: interpreters may run in turns without losing anything, or on several
    // threads.
    kAtTheSameTime,
  };
  // The part of the arena for one model.
  struct Part {
    size_t offset, bytes;
  };

  explicit MultiModelPlan(Use use) : use_(use) {}

  // Reserves a place for an interpreter with these options; options.arena is ignored. Errors: those of
  // Interpreter::RequiredArenaBytes(), and kOutOfMemory if the parts together exceed the address space.
  Result<Part> Add(const Model& model, const InterpreterOptions& options = {}) {
    Result<size_t> bytes = Interpreter::RequiredArenaBytes(model, options);
    if (!bytes.ok()) return bytes.status();
    return Place(*bytes);
  }
  // For all models added so far.
  size_t arena_bytes() const { return arena_bytes_; }

 private:
  Result<Part> Place(size_t bytes);

  Use use_;
  size_t arena_bytes_ = 0;
};

}  // namespace micrort
