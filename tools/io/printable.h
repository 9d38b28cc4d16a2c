#pragma once
// Names come from files that anybody may have made: a terminal must not take them for commands.

#include <string>

namespace micrort::io {

// The text with every control character but the end of a line as \xNN, those of UTF-8 (U+0080 to U+009F)
// included; bytes that are no UTF-8 too.
std::string Printable(const std::string& text);

}  // namespace micrort::io
