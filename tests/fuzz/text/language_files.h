#pragma once
// The files of a program that writes text, in one string: each behind its size.

#include <array>
#include <cstdint>
#include <string>

namespace micrort::fuzz {

enum LanguageFile { kEncoder, kDecoder, kCross, kVocabulary, kGenerationConfig, kWav, kLanguageFiles };

using LanguageFiles = std::array<std::string, kLanguageFiles>;

inline std::string JoinFiles(const LanguageFiles& files) {
  std::string bytes;
  for (const std::string& file : files) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(file.size() >> (8 * i)));
    bytes += file;
  }
  return bytes;
}

// Missing files are empty.
inline LanguageFiles SplitFiles(const std::string& bytes) {
  LanguageFiles files;
  size_t at = 0;
  for (std::string& file : files) {
    size_t size = 0;
    for (size_t i = 0; i < 4 && at < bytes.size(); ++i, ++at)
      size |= size_t{static_cast<uint8_t>(bytes[at])} << (8 * i);
    file = bytes.substr(at, size);
    at += file.size();
  }
  return files;
}

}  // namespace micrort::fuzz
