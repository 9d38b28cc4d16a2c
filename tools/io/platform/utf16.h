#pragma once
// UTF-8, which is what all else has, as Windows takes it and gives it. What is no Unicode becomes U+FFFD.

#include <windows.h>

#include <string>

namespace micrort::io {

inline std::wstring Utf16(const std::string& text) {
  const int bytes = static_cast<int>(text.size());
  std::wstring wide(static_cast<size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0)),
                    L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

inline std::string Utf8(const std::wstring& wide) {
  const int units = static_cast<int>(wide.size());
  std::string text(
      static_cast<size_t>(WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr)),
      '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, text.data(), static_cast<int>(text.size()), nullptr,
                      nullptr);
  return text;
}

}  // namespace micrort::io
