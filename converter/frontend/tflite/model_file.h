#pragma once
// A TFLite file, checked: the flatbuffers verifier has seen it, every index in it is in range, and every
// tensor's data are inside the file.

#include <cstdint>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/tflite/tflite_schema.h"
#include "kernels/base/span.h"
#include "kernels/base/status.h"

namespace micrort::frontend::tflite {

class ModelFile {
 public:
  // kInvalidModel if something contradicts the format. The bytes must outlive the object.
  static Status Open(Span<const uint8_t> bytes, ModelFile* out);

  const fb::Model& model() const { return *model_; }
  size_t subgraph_count() const { return model_->subgraphs()->size(); }
  const fb::SubGraph& subgraph(size_t i) const {
    return *model_->subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(i));
  }
  // "CONV_2D"; the name of a custom operator as it is.
  std::string OpName(const fb::Operator& op) const;
  int OpVersion(const fb::Operator& op) const;
  // The bytes of the tensor's buffer, wherever these lie; empty if it has none.
  Span<const uint8_t> DataOf(const fb::Tensor& tensor) const { return BufferBytes(tensor.buffer()); }
  Span<const uint8_t> BufferBytes(uint32_t index) const;
  Span<const uint8_t> CustomOptions(const fb::Operator& op) const;

 private:
  Status CheckBuffers() const;
  Status CheckRange(uint64_t offset, uint64_t size) const;
  Status CheckSubgraph(const fb::SubGraph& graph) const;
  Status CheckOperator(const fb::SubGraph& graph, const fb::Operator& op) const;
  Status CheckSignatures() const;

  Span<const uint8_t> bytes_;
  const fb::Model* model_ = nullptr;
};

// None if there is no list.
std::vector<int32_t> Indices(const flatbuffers::Vector<int32_t>* list);

// Whether the bytes are a TFLite model: by their identifier, or, without one, because they verify as one.
bool LooksLikeTflite(Span<const uint8_t> bytes);

}  // namespace micrort::frontend::tflite
