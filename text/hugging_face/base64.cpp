#include "text/hugging_face/base64.h"

namespace micrort::text {

Status DecodeBase64(std::string_view encoded, std::string* bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint32_t pending = 0;
  int bits = 0;
  while (!encoded.empty() && encoded.back() == '=') encoded.remove_suffix(1);
  for (const char c : encoded) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return MICRORT_ERROR(kInvalidModel, "base64 with the byte %d", c);
    pending = (pending << 6 | static_cast<uint32_t>(digit)) & 0xFFFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes->push_back(static_cast<char>(pending >> bits & 0xFF));
  }
  return Status();
}

}  // namespace micrort::text
