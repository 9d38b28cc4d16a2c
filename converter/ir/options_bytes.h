#pragma once
// A node's operator code and options in the form of the file.

#include <string>

#include "converter/ir/graph.h"

namespace micrort::ir {

// A finished flatbuffer whose root is a schema::Operator with nothing but code and options. Equal for two
// nodes exactly if both are equal.
std::string OptionsBytes(const Node& node);

}  // namespace micrort::ir
