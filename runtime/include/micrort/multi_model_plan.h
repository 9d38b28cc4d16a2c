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
    // All models lie in the same place: what one left there, inputs, outputs and values between runs, is gone
    // when another one runs. Interpreter::SaveState() puts values between runs aside, RestoreState() brings
    // them back, and ResetState() gives an interpreter whose arena another one has used its initial values.
    kOneAtATime,
    // Each has a place of its own: interpreters may run in turns without losing anything, or on several
    // threads.
    kAtTheSameTime,
  };
  // Of the arena, for one model.
  struct Part {
    size_t offset, bytes;
  };

  explicit MultiModelPlan(Use use) : use_(use) {}

  // A place for an interpreter of these options, whose arena is not looked at. Errors: those of
  // Interpreter::RequiredArenaBytes(), and kOutOfMemory where the parts together exceed the address space.
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
