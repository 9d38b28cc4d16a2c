#pragma once
// Tensors of the code as values of the graph that is being built.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/torchscript/value.h"
#include "converter/frontend/torchscript/zip_archive.h"

namespace micrort::frontend::torchscript {

class TensorTable {
 public:
  TensorTable(const ZipArchive& archive, GraphAssembler* outermost)
      : archive_(archive), outermost_(outermost), current_(outermost) {}
  ~TensorTable() { LetGoOfParts(0); }
  TensorTable(const TensorTable&) = delete;
  TensorTable& operator=(const TensorTable&) = delete;

  // The graph that operators are appended to: the outermost, or one inside an operator.
  GraphAssembler& assembler() { return *current_; }
  void SetAssembler(GraphAssembler* assembler) { current_ = assembler; }

  ir::Graph& graph() { return current_->graph(); }
  const ir::Value& value(ir::ValueId id) { return graph().value(id); }

  // What the tensor is now, in the graph at hand.
  Result<ir::ValueId> Read(Tensor& tensor);
  // The tensor is this from now on, and what it is a part of, too.
  Status Write(Tensor& tensor, ir::ValueId id);
  std::shared_ptr<Tensor> Make(ir::ValueId id);

  // Its parts are views of it: at the end of the table they are let go of, or both would stay forever. At the
  // end of a body, too, whose graph they are of.
  void NoteParts(const std::shared_ptr<Tensor>& whole) { with_parts_.push_back(whole); }
  size_t noted_parts() const { return with_parts_.size(); }
  // Forgets the parts of all tensors but the first `kept` that were noted.
  void LetGoOfParts(size_t kept);

  // Whether it is an input of the model.
  bool IsInput(ir::ValueId id) const;
  // Names of inputs that are read as positions, but were taken for floats.
  std::set<std::string> integer_inputs;

  // Names of the node that is imported.
  ir::Origin origin;

  // What tensors were before they were changed, while this is set; for branches.
  struct Change {
    std::shared_ptr<Tensor> tensor;
    Tensor before;
  };
  std::vector<Change>* journal = nullptr;

 private:
  Status Load(Tensor& tensor);
  Status BringUpToDate(Tensor& tensor);
  void NoteChange(Tensor& tensor);
  ir::ValueId BringIn(GraphAssembler* to, const Tensor& tensor);

  const ZipArchive& archive_;
  GraphAssembler* const outermost_;
  GraphAssembler* current_;
  std::vector<std::weak_ptr<Tensor>> with_parts_;
};

// The elements of a tensor of the archive, in row-major order.
Status LoadElements(const ZipArchive& archive, const StoredTensor& tensor, ir::Bytes* out);

}  // namespace micrort::frontend::torchscript
