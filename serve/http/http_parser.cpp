#include "serve/http/http_parser.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace micrort::serve {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSpace(char c) { return c == ' ' || c == '\t'; }

// The characters of names (RFC 9110, 5.6.2).
bool IsTokenCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c != '\0' && std::strchr("!#$%&'*+-.^_`|~", c) != nullptr);
}
bool IsToken(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsTokenCharacter);
}
bool IsVisible(char c) { return c > ' ' && c < '\x7f'; }
// The characters of values: no control characters but tabs.
bool IsValueCharacter(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f'); }

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Whether a list of names, as that of Connection, has this one.
bool Lists(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (Lower(Trimmed(list.substr(0, comma))) == name) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

bool IsHost(std::string_view host) {
  return std::all_of(host.begin(), host.end(), [](char c) {
    return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c != '\0' && std::strchr("-._~%!$&'()*+,;=:[]", c) != nullptr);
  });
}

// ";name=value" and the like, with spaces before each ';'.
bool IsChunkExtension(std::string_view text) {
  if (text.empty()) return true;
  text = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  return !text.empty() && text.front() == ';' && std::all_of(text.begin(), text.end(), IsValueCharacter);
}

}  // namespace

std::string_view HttpHead::field(std::string_view name) const {
  for (const auto& [known, value] : fields) {
    if (known == name) return value;
  }
  return "";
}

size_t HttpHead::count(std::string_view name) const {
  return static_cast<size_t>(
      std::count_if(fields.begin(), fields.end(), [&](const auto& field) { return field.first == name; }));
}

bool HttpHead::keeps_alive() const {
  bool closes = false, keeps = false;
  for (const auto& [name, value] : fields) {
    if (name != "connection") continue;
    closes = closes || Lists(value, "close");
    keeps = keeps || Lists(value, "keep-alive");
  }
  return !closes && (minor_version >= 1 || keeps);
}

void HttpParser::Fail(int status, std::string message) {
  if (state_ == State::kError) return;
  state_ = State::kError;
  error_status_ = status;
  error_ = std::move(message);
}

size_t HttpParser::Feed(const char* bytes, size_t count) {
  const char* at = bytes;
  const char* const end = bytes + count;
  if (count != 0) has_begun_ = true;
  if (state_ == State::kHead) {
    while (state_ == State::kHead && TakeLine(&at, end)) TakeHeadLine();
  } else {
    while (state_ == State::kBody && at != end) TakeBody(&at, end);
  }
  return static_cast<size_t>(at - bytes);
}

bool HttpParser::TakeLine(const char** at, const char* end) {
  const auto* newline = static_cast<const char*>(std::memchr(*at, '\n', static_cast<size_t>(end - *at)));
  const char* stop = newline == nullptr ? end : newline + 1;
  line_bytes_ += static_cast<size_t>(stop - *at);
  if (line_bytes_ > limits_.max_header_bytes) {
    Fail(431, "the header has more than " + std::to_string(limits_.max_header_bytes) + " bytes");
    return false;
  }
  line_.append(*at, stop);
  *at = stop;
  if (newline == nullptr) return false;
  if (line_.size() < 2 || line_[line_.size() - 2] != '\r') {
    Fail(400, "expected lines that end with CR LF");
    return false;
  }
  line_.resize(line_.size() - 2);
  return true;
}

void HttpParser::TakeHeadLine() {
  if (head_.method.empty()) {
    // An empty line may stand before a request, behind the body of the one before it.
    if (!line_.empty()) ParseRequestLine();
  } else if (line_.empty()) {
    FinishHead();
  } else if (head_.fields.size() >= limits_.max_fields) {
    Fail(431, "the header has more than " + std::to_string(limits_.max_fields) + " fields");
  } else {
    std::pair<std::string, std::string> field;
    if (ParseField(line_, &field)) head_.fields.push_back(std::move(field));
  }
  line_.clear();
}

void HttpParser::ParseRequestLine() {
  const std::string_view line = line_;
  const size_t first = line.find(' '), last = line.rfind(' ');
  const std::string_view method = line.substr(0, first);
  if (!IsToken(method)) return Fail(400, "expected the name of a method");
  head_.method = method;  // whatever follows: the answer to HEAD has no body
  if (first == std::string_view::npos || first == last) return Fail(400, "expected 'METHOD TARGET HTTP/1.1'");
  const std::string_view target = line.substr(first + 1, last - first - 1), version = line.substr(last + 1);
  if (target.empty() || !std::all_of(target.begin(), target.end(), IsVisible))
    return Fail(400, "expected a target without spaces and control characters");
  const bool is_version = version.size() == 8 && version.substr(0, 5) == "HTTP/" && IsDigit(version[5]) &&
                          version[6] == '.' && IsDigit(version[7]);
  if (!is_version) return Fail(400, "expected HTTP/1.1");
  if (version[5] != '1') return Fail(505, "expected HTTP/1.1");
  head_.target = target;
  head_.minor_version = version[7] - '0';
}

bool HttpParser::ParseField(std::string_view line, std::pair<std::string, std::string>* field) {
  const size_t colon = line.find(':');
  // So is a line that begins with a space, which once went on with the line before it.
  if (colon == std::string_view::npos || !IsToken(line.substr(0, colon))) {
    Fail(400, "expected 'NAME: VALUE' without spaces before the colon");
    return false;
  }
  const std::string_view value = Trimmed(line.substr(colon + 1));
  if (!std::all_of(value.begin(), value.end(), IsValueCharacter)) {
    Fail(400, "expected values without control characters");
    return false;
  }
  *field = {Lower(line.substr(0, colon)), std::string(value)};
  return true;
}

void HttpParser::FinishHead() {
  ReadHost();
  ReadLength();
  if (state_ == State::kError) return;
  state_ = is_chunked_ || content_length_ != 0 ? State::kBody : State::kDone;
  data_left_ = content_length_;
  line_bytes_ = 0;
}

void HttpParser::ReadHost() {
  const size_t count = head_.count("host");
  if (count > 1 || (count == 0 && head_.minor_version >= 1)) return Fail(400, "expected one field Host");
  if (!IsHost(head_.field("host"))) Fail(400, "expected the name of a host in Host");
}

void HttpParser::ReadLength() {
  const size_t lengths = head_.count("content-length");
  if (head_.count("transfer-encoding") != 0) {
    is_chunked_ = true;
    const bool is_plain = head_.count("transfer-encoding") == 1 && lengths == 0 && head_.minor_version >= 1 &&
                          Lower(head_.field("transfer-encoding")) == "chunked";
    if (!is_plain) Fail(400, "expected either 'Transfer-Encoding: chunked' or a Content-Length");
    return;
  }
  if (lengths == 0) return;
  const std::string_view text = head_.field("content-length");
  if (lengths > 1 || text.empty() || !std::all_of(text.begin(), text.end(), IsDigit))
    return Fail(400, "expected one Content-Length of digits");
  const auto end = std::from_chars(text.data(), text.data() + text.size(), content_length_);
  if (end.ec != std::errc() || content_length_ > limits_.max_body_bytes)
    Fail(413, "the body has more than " + std::to_string(limits_.max_body_bytes) + " bytes");
}

void HttpParser::TakeBody(const char** at, const char* end) {
  if (!is_chunked_ || chunk_ == Chunk::kData) return TakeData(at, end);
  if (TakeLine(at, end)) {
    TakeChunkLine();
    line_.clear();
  }
}

void HttpParser::TakeData(const char** at, const char* end) {
  const size_t part = std::min(data_left_, static_cast<size_t>(end - *at));
  body_.append(*at, part);
  *at += part;
  data_left_ -= part;
  if (data_left_ != 0) return;
  if (is_chunked_) {
    chunk_ = Chunk::kDataEnd;
  } else {
    state_ = State::kDone;
  }
}

void HttpParser::TakeChunkLine() {
  if (chunk_ == Chunk::kSize) return TakeChunkSize();
  if (chunk_ == Chunk::kDataEnd) {
    line_bytes_ -= 2;  // lines of chunks count by what is in them
    chunk_ = Chunk::kSize;
    if (!line_.empty()) Fail(400, "expected CR LF behind a chunk");
    return;
  }
  std::pair<std::string, std::string> passed_over;
  if (line_.empty()) {
    state_ = State::kDone;
  } else {
    (void)ParseField(line_, &passed_over);
  }
}

void HttpParser::TakeChunkSize() {
  size_t size = 0;
  const char* const begin = line_.data();
  const char* const end = begin + line_.size();
  // Digits only: no sign, no "0x", no space.
  const auto digits = std::from_chars(begin, end, size, 16);
  const bool is_number = digits.ptr != begin && *begin != '-';
  if (!is_number || !IsChunkExtension({digits.ptr, static_cast<size_t>(end - digits.ptr)}))
    return Fail(400, "expected the size of a chunk in hexadecimal digits");
  if (digits.ec != std::errc() || size > limits_.max_body_bytes - body_.size())
    return Fail(413, "the body has more than " + std::to_string(limits_.max_body_bytes) + " bytes");
  line_bytes_ -= std::min<size_t>(static_cast<size_t>(digits.ptr - begin) + 2, 18);
  data_left_ = size;
  chunk_ = size == 0 ? Chunk::kTrailer : Chunk::kData;
}

}  // namespace micrort::serve
