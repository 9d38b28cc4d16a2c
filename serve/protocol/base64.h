#pragma once
// RFC 4648, the alphabet with + and /.

#include <cstdint>
#include <string>
#include <vector>

namespace micrort::serve {

// False if `text` is no base64; padding may be left out.
bool DecodeBase64(const std::string& text, std::vector<uint8_t>* bytes);

}  // namespace micrort::serve
