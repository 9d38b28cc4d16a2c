#pragma once
// A graph inside a node, imported as a body: what it reads of the graphs around it, and what iterations
// change.

#include <vector>

#include "converter/frontend/common/imported_body.h"
#include "converter/frontend/onnx/graph_importer.h"

namespace micrort::frontend::onnx {

// A value that each iteration of a loop hands to the next one.
struct LoopInputs {
  bool has_scalars = false;  // the body's first inputs: the number of the iteration, and whether there is one
  std::vector<ir::ValueId> firsts;  // before the first iteration; as many of the body's inputs come next
};

// A value that a body takes a slice of, at the number of its iteration, which is the body's first input.
struct BodySlice {
  const ::onnx::ValueInfoProto* info = nullptr;
  ir::ValueId outer = ir::kNoValue;
  int axis = 0;
  ir::ValueId last = ir::kNoValue;  // the last index, a scalar, for slices from the end to the start
};

class BodyImporter {
 public:
  // `proto` must outlive the import. Its inputs are followed by what it reads of the graphs around it.
  BodyImporter(GraphImporter& around, const ::onnx::GraphProto& proto) : around_(around), proto_(proto) {}
  // The body of a loop.
  BodyImporter(GraphImporter& around, const ::onnx::GraphProto& proto, const LoopInputs& inputs,
               std::vector<BodySlice> slices = {});

  Status Import(ImportedBody* out);

 private:
  Status ImportOnce(ImportedBody* out, bool* widened);
  Status ImportInside(GraphImporter& inner);
  Status AddInputs(GraphImporter& inner);
  Status AddSlice(const BodySlice& slice, ir::ValueId iteration, GraphImporter& inner);

  GraphImporter& around_;
  const ::onnx::GraphProto& proto_;
  const bool is_loop_ = false, has_scalars_ = false;
  std::vector<Carried> carried_;
  const std::vector<BodySlice> slices_;
};

}  // namespace micrort::frontend::onnx
