#include "converter/frontend/tensorflow/text_message.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <climits>
#include <cstring>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend::tensorflow {

namespace {

class FirstError : public ::google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = "line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1) + ": " + message;
  }
  void AddWarning(int, int, const std::string&) override {}
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

bool IsSpace(uint8_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

size_t SkipSpace(Span<const uint8_t> bytes, size_t at) {
  while (at < bytes.size() && (IsSpace(bytes[at]) || bytes[at] == '#')) {
    if (bytes[at] == '#') {
      while (at < bytes.size() && bytes[at] != '\n') ++at;
    } else {
      ++at;
    }
  }
  return at;
}

}  // namespace

Status ParseText(Span<const uint8_t> bytes, ::google::protobuf::Message* out) {
  if (bytes.size() > INT_MAX) return Unsupported("a text of more than 2 GiB");
  FirstError error;
  ::google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.AllowUnknownField(true);
  parser.SetRecursionLimit(100);
  ::google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  if (parser.Parse(&stream, out)) return Status();
  return MICRORT_ERROR(kInvalidModel, "%.200s", error.text().c_str());
}

bool TextBeginsWithMessage(Span<const uint8_t> bytes, std::initializer_list<const char*> fields) {
  const size_t at = SkipSpace(bytes, 0);
  for (const char* field : fields) {
    const size_t n = std::strlen(field);
    if (bytes.size() - at < n || std::memcmp(bytes.data() + at, field, n) != 0) continue;
    size_t next = SkipSpace(bytes, at + n);
    if (next < bytes.size() && bytes[next] == ':') next = SkipSpace(bytes, next + 1);
    if (next < bytes.size() && (bytes[next] == '{' || bytes[next] == '<')) return true;
  }
  return false;
}

}  // namespace micrort::frontend::tensorflow
