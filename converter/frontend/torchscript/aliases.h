#pragma once
// Operators of PyTorch that have several names.

#include <string>
#include <vector>

namespace micrort::frontend::torchscript {

// The name under which the operator is known here; null if it has no other.
const char* NameOfAlias(const std::string& op);

std::vector<std::string> AllAliases();

}  // namespace micrort::frontend::torchscript
