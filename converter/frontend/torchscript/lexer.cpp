#include "converter/frontend/torchscript/lexer.h"

#include <cctype>
#include <vector>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool StartsName(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsInName(char c) { return StartsName(c) || IsDigit(c); }

class Lexer {
 public:
  Lexer(const std::string& source, Tokens* out) : source_(source), out_(*out) {}

  Status Run();

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
  void Add(TokenKind kind, std::string_view text = "") { out_.all.push_back({kind, line_, text}); }
  // The next so many characters.
  std::string_view Next(size_t count) const { return std::string_view(source_).substr(at_, count); }
  Status StartLine();
  Status ReadToken();
  void ReadNumber();
  Status ReadString();
  Status ReadEscape(std::string* text);
  Status ReadSymbol();

  const std::string& source_;
  Tokens& out_;
  size_t at_ = 0;
  int line_ = 1;
  int brackets_ = 0;  // newlines inside do not end a statement
  std::vector<size_t> indents_ = {0};
};

Status Lexer::Run() {
  MICRORT_RETURN_IF_ERROR(StartLine());
  while (at_ < source_.size()) {
    const char c = Peek();
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (c == '#') {
      while (at_ < source_.size() && Peek() != '\n') ++at_;
    } else if (c == '\n') {
      ++at_;
      if (brackets_ == 0) Add(TokenKind::kNewline);
      ++line_;
      if (brackets_ == 0) MICRORT_RETURN_IF_ERROR(StartLine());
    } else {
      MICRORT_RETURN_IF_ERROR(ReadToken());
    }
  }
  Add(TokenKind::kNewline);
  for (size_t i = 1; i < indents_.size(); ++i) Add(TokenKind::kDedent);
  Add(TokenKind::kEnd);
  return Status();
}

Status Lexer::StartLine() {
  size_t indent = 0;
  for (;;) {  // lines without code say nothing
    indent = 0;
    while (Peek(indent) == ' ') ++indent;
    size_t end = indent;
    if (Peek(end) == '#') {
      while (at_ + end < source_.size() && Peek(end) != '\n') ++end;
    }
    if (Peek(end) != '\n' || at_ + end >= source_.size()) break;
    at_ += end + 1;
    ++line_;
  }
  at_ += indent;
  if (at_ >= source_.size()) return Status();
  if (indent > indents_.back()) {
    indents_.push_back(indent);
    Add(TokenKind::kIndent);
  }
  while (indent < indents_.back()) {
    indents_.pop_back();
    Add(TokenKind::kDedent);
  }
  return indent == indents_.back() ? Status() : Invalid("line {}: its indentation fits no block", line_);
}

Status Lexer::ReadToken() {
  const char c = Peek();
  if (StartsName(c)) {
    size_t end = 0;
    while (IsInName(Peek(end))) ++end;
    Add(TokenKind::kName, Next(end));
    at_ += end;
    return Status();
  }
  if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
    ReadNumber();
    return Status();
  }
  return c == '"' || c == '\'' ? ReadString() : ReadSymbol();
}

void Lexer::ReadNumber() {
  size_t end = 0;
  while (
      IsInName(Peek(end)) || Peek(end) == '.' ||
      ((Peek(end) == '-' || Peek(end) == '+') && end > 0 && (Peek(end - 1) == 'e' || Peek(end - 1) == 'E'))) {
    ++end;
  }
  Add(TokenKind::kNumber, Next(end));
  at_ += end;
}

Status Lexer::ReadString() {
  const char quote = Peek();
  ++at_;
  std::string text;
  while (at_ < source_.size() && Peek() != quote && Peek() != '\n') {
    if (Peek() == '\\') {
      MICRORT_RETURN_IF_ERROR(ReadEscape(&text));
    } else {
      text += Peek();
      ++at_;
    }
  }
  if (Peek() != quote) return Invalid("line {}: a string without an end", line_);
  ++at_;
  out_.strings.push_back(std::move(text));
  Add(TokenKind::kString, out_.strings.back());
  return Status();
}

Status Lexer::ReadEscape(std::string* text) {
  static const std::string kLetters = "abfnrtv\\'\"", kMeaning = "\a\b\f\n\r\t\v\\'\"";
  const char c = Peek(1);
  at_ += 2;
  const size_t letter = kLetters.find(c);
  if (letter != std::string::npos && c != '\0') {
    *text += kMeaning[letter];
    return Status();
  }
  const bool is_hex = c == 'x';
  if (!is_hex && (c < '0' || c > '7'))
    return MICRORT_ERROR(kInvalidModel, "line %d: '\\%c' in a string", line_, c);
  const size_t start = is_hex ? at_ : at_ - 1;
  size_t end = start;
  const size_t most = is_hex ? 2 : 3;
  while (end < source_.size() && end - start < most &&
         std::isxdigit(static_cast<unsigned char>(source_[end])) != 0) {
    ++end;
  }
  int value = 0;
  for (size_t i = start; i < end; ++i) {
    const char d = source_[i];
    value = value * (is_hex ? 16 : 8) + (IsDigit(d) ? d - '0' : (d | 0x20) - 'a' + 10);
  }
  *text += static_cast<char>(value & 0xff);
  at_ = end;
  return Status();
}

Status Lexer::ReadSymbol() {
  static const char* const kLong[] = {
      "->", "**", "//", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/="};
  for (const char* symbol : kLong) {
    if (Peek() != symbol[0] || Peek(1) != symbol[1]) continue;
    Add(TokenKind::kSymbol, symbol);
    at_ += 2;
    return Status();
  }
  static const std::string kShort = "()[]{},:.=+-*/%<>&|^~@;";
  const char c = Peek();
  if (kShort.find(c) == std::string::npos || c == '\0') {
    return MICRORT_ERROR(kInvalidModel, "line %d: character 0x%02x is not expected", line_,
                         static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  if (c == '(' || c == '[' || c == '{') ++brackets_;
  if ((c == ')' || c == ']' || c == '}') && brackets_ > 0) --brackets_;
  Add(TokenKind::kSymbol, Next(1));
  ++at_;
  return Status();
}

}  // namespace

Status Tokenize(const std::string& source, Tokens* out) { return Lexer(source, out).Run(); }

}  // namespace micrort::frontend::torchscript
