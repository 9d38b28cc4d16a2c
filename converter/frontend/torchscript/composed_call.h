#pragma once
// PyTorch's operators for other frontends: what is composed of others (compositions.h) is written once.

#include <string>
#include <vector>

#include "converter/frontend/common/graph_assembler.h"
#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

struct Operand {
  ir::ValueId tensor = ir::kNoValue;
  bool is_complex = false;  // floats, whose last dimension has real and imaginary parts; so are results
};

// Appends to the assembler's graph what `op` ("linalg_qr") becomes: of tensors of that graph, then of plain
// data. The nodes are told to come from `origin`. results: of the operator, or one an element of its tuple.
// kUnsupported with the reason where it cannot be imported.
Status CallComposed(GraphAssembler& assembler, const ir::Origin& origin, const std::string& op,
                    const std::vector<Operand>& tensors, const std::vector<Value>& others,
                    std::vector<ir::ValueId>* results);

}  // namespace micrort::frontend::torchscript
