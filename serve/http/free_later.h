#pragma once
// Large bytes are freed by a thread of their own: giving their pages back takes an event loop a millisecond
// for every 12 MB.

#include <string>

namespace micrort::serve {

// Empties `bytes`.
void FreeLater(std::string* bytes) noexcept;

}  // namespace micrort::serve
