#pragma once

#include <cstddef>

// The most that the stack has ever held.
size_t StackBytes();
