#pragma once
// The programs of a model, one for each batch, which share their memory and their constants.

#include <cstdint>
#include <string>
#include <vector>

#include "converter/aot/aot_program.h"

namespace micrort::aot {

class AotModel {
 public:
  // `batches` ascend; none: a batch of 1 where it is open. `file` outlives this. kInvalidArgument where there
  // are batches, and no input has an open one.
  Status Init(const AlignedBytes& file, const AotTarget& target, Span<const int> batches);

  std::vector<AotProgram>& programs() { return programs_; }
  const std::vector<AotProgram>& programs() const { return programs_; }
  // The program of the largest batch.
  const AotProgram& largest() const { return programs_.back(); }
  bool has_batches() const { return programs_.size() > 1; }

  // Bytes of the arena and of what is kept after it.
  size_t bytes() const { return bytes_; }
  const ConstantPool& constants() const { return constants_; }
  // For the user to read.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  Status CheckBatches(const schema::Subgraph& graph) const;
  void NoteOpenInputs(const schema::Subgraph& graph, bool has_batch);

  ConstantPool constants_;
  std::vector<AotProgram> programs_;
  size_t bytes_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace micrort::aot
