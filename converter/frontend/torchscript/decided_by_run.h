#pragma once

#include <string>

#include "converter/frontend/torchscript/value.h"

namespace micrort::frontend::torchscript {

// Whether something in it cannot be compared while the model is imported.
bool HoldsUndecided(const Value& value);

// For messages, after what was found: " that a run decides", with the inputs that it follows from; "" of a
// number that is known.
std::string ThatARunDecides(const Value& number);

}  // namespace micrort::frontend::torchscript
