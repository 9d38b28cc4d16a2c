#pragma once
// A loaded, verified model file.

#include <cstddef>
#include <cstdint>

#include "kernels/base/span.h"
#include "kernels/base/status.h"
#include "micrort/tensor_view.h"

namespace micrort {

class ModelImpl;

// Immutable after loading, so any number of interpreters on any number of threads may use one Model. It must
// outlive them. Weights that kernels need in another layout are packed once per Model and shared (a mutex
// guards this while an interpreter is created). Movable, not copyable.
class Model {
 public:
  // Maps the file: pages are read when they are used. The file must not be changed in place while the Model
  // lives. Errors: kIo, kInvalidModel (malformed file), kUnsupported (newer schema), kOutOfMemory;
  // the message starts with the path.
  static Result<Model> FromFile(const char* path);
  // Uses the caller's buffer in place. It must be aligned to 64 bytes, stay unchanged and outlive the Model.
  static Result<Model> FromBuffer(const void* data, size_t size);
  // The same without verifying the file, so that a program that loads models in no other way
  // does not link the verifier. Only for a file that mnnconvert wrote and nobody can have changed, such as
  // one inside the program: any other file is undefined behaviour. Errors: kInvalidModel if it is no model
  // file at all, kUnsupported, kOutOfMemory.
  static Result<Model> FromTrustedBuffer(const void* data, size_t size);

  Model(Model&& other) noexcept;
  Model& operator=(Model&& other) noexcept;
  ~Model();

  // Inputs as the file declares them: a dynamic dimension is -1, and there is no data. State that the
  // model keeps between runs (Interpreter::state) is not an input.
  size_t input_count() const;
  TensorView input(size_t i) const;
  // Whether the value of input i decides the shape of some tensor (the target of a Reshape, the limit of a
  // Range). The value of such an input must be passed with its shape; see InterpreterOptions::input_values.
  bool decides_shapes(size_t i) const;

  size_t file_bytes() const;
  // Constant data inside the file, in bytes, without packed weights.
  size_t weight_bytes() const;
  // Weights inside the file in the layouts of one CPU class (mnnconvert --target), in bytes.
  size_t packed_file_bytes() const;
  // Weights packed in memory for the interpreters created so far, in bytes. Packed weights of the file that
  // they use in place do not count.
  size_t packed_bytes() const;
  // How many rows a run may append to caches at most, where those of sliding windows are rings
  // (mnnconvert --kv-chunk); SIZE_MAX without rings.
  size_t state_chunk() const;
  // The whole file, for tools that read the schema themselves.
  Span<const uint8_t> file() const;

  ModelImpl& impl() const { return *impl_; }  // for the runtime itself

 private:
  explicit Model(ModelImpl* impl) : impl_(impl) {}
  ModelImpl* impl_ = nullptr;
};

}  // namespace micrort
