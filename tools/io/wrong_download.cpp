#include "tools/io/wrong_download.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <string_view>

namespace micrort::io {

Status CheckDownload(Span<const uint8_t> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string begin(text.substr(0, kDownloadLook));
  const auto begins_with = [&](const char* with, size_t at) {
    return begin.compare(at, std::strlen(with), with) == 0;
  };
  if (begins_with("version https://git-lfs.github.com/spec", 0)) {
    return MICRORT_ERROR(
        kInvalidModel, "this is a Git LFS pointer, not the file itself: type git lfs pull in its repository");
  }
  std::transform(begin.begin(), begin.end(), begin.begin(), [](unsigned char c) { return std::tolower(c); });
  const size_t first = begin.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first == std::string::npos || !(begins_with("<!doctype html", first) || begins_with("<html", first)))
    return Status();
  return MICRORT_ERROR(kInvalidModel,
                       "this is a web page (HTML), not a model: open it in a browser to see what the server "
                       "answered, then download the model again");
}

Status CheckAnswer(Span<const uint8_t> bytes) {
  constexpr size_t kLongest = 4096, kShown = 60;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto is_text = [](unsigned char c) { return c >= ' ' ? c != 0x7f : std::isspace(c) != 0; };
  if (text.empty() || text.size() > kLongest || !std::all_of(text.begin(), text.end(), is_text))
    return Status();
  const std::string begin(text.substr(0, std::min(text.find_first_of("\r\n"), kShown)));
  return MICRORT_ERROR(kInvalidModel,
                       "this is a text of %zu bytes that begins with '%s', not a model: if a server answered "
                       "so, download the model again",
                       text.size(), begin.c_str());
}

}  // namespace micrort::io
