#pragma once
// A model file as it is loaded and written: AlignedBytes, and outer buffers behind them.

#include <cstdint>
#include <vector>

#include "converter/emit/aligned_bytes.h"
#include "kernels/base/status.h"
#include "micrort/model.h"
#include "tools/io/file.h"

namespace micrort::emit {

// Of the whole file.
uint64_t FileBytes(const AlignedBytes& file);

// As Model::FromBuffer(), of a file that this program has made and that stays where it is.
Result<Model> LoadEmitted(const AlignedBytes& file);

// For io::WriteFileAtomically: outer buffers come from where they are, in pieces, and mapped ones do not stay
// in memory.
class FilePieces : public io::FileSource {
 public:
  explicit FilePieces(const AlignedBytes& file);
  Span<const uint8_t> Next() override;

 private:
  AlignedBytes flatbuffer_;  // with offsets of the file
  std::vector<OuterBuffer> outer_;
  uint64_t written_ = 0;
  size_t buffer_ = 0, at_ = 0;       // the next piece of an outer buffer
  const ir::Bytes* last_ = nullptr;  // null, or what piece_ is of
  Span<const uint8_t> piece_;
};

}  // namespace micrort::emit
