#include "converter/emit/c_array.h"

#include <cctype>
#include <cstdio>
#include <filesystem>

namespace micrort::emit {

std::string IdentifierFor(const std::string& path) {
  std::string name;
  for (const char c : std::filesystem::u8path(path).stem().u8string()) {
    const bool is_letter =
        std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 0x80;
    name += is_letter ? c : '_';
  }
  const bool starts_well = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0;
  return starts_well ? name : "model_" + name;
}

std::string CArray(const std::string& name, Span<const uint8_t> file) {
  constexpr size_t kPerLine = 24;
  std::string text =
      "/* A MicroRT model file, written by mnnconvert --emit array. Include it in one source file. */\n"
      "#ifndef __cplusplus\n#include <stdalign.h>\n#endif\n\n"
      "alignas(64) static const unsigned char " +
      name + "[" + std::to_string(file.size()) + "] = {\n";
  text.reserve(text.size() + file.size() * 4 + file.size() / kPerLine + 8);
  char number[8];
  for (size_t i = 0; i < file.size(); ++i) {
    std::snprintf(number, sizeof number, "%u,", static_cast<unsigned>(file[i]));
    text += number;
    if ((i + 1) % kPerLine == 0) text += '\n';
  }
  return text + "};\n";
}

}  // namespace micrort::emit
