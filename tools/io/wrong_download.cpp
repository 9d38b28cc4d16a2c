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
    return MICRORT_ERROR(kInvalidModel,
                         "this is a pointer of Git LFS, not the file itself, which git lfs pull fetches");
  }
  std::transform(begin.begin(), begin.end(), begin.begin(), [](unsigned char c) { return std::tolower(c); });
  const size_t first = begin.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first == std::string::npos || !(begins_with("<!doctype html", first) || begins_with("<html", first)))
    return Status();
  return MICRORT_ERROR(kInvalidModel,
                       "this is a page of the web (HTML), not a model: look at it in a browser for what the "
                       "server says, and fetch the file itself");
}

}  // namespace micrort::io
