#pragma once
// The types that an operator takes, found by importing nodes of it.

#include "converter/frontend/onnx/registry.h"

namespace micrort {

// Of a node without attributes whose inputs all have that type and a shape of 1x2x4x4; 0 if no such node can
// be imported, because it needs attributes or inputs of other shapes.
frontend::TypeSet ImportedTypes(const frontend::onnx::OpImporter& importer);

// "com.microsoft", "Gelu" of "com.microsoft.Gelu"; the domain is empty for ONNX's own operators.
std::string DomainOf(const frontend::onnx::OpImporter& importer);
std::string NameOf(const frontend::onnx::OpImporter& importer);

}  // namespace micrort
