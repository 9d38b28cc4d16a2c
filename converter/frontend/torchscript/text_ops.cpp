// Strings.

#include <algorithm>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/plain_ops.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr size_t kMaxShown = 16;  // elements of a list in a text

bool IsShown(const Value& v) {
  return v.Is(Kind::kList) && v.items->size() <= kMaxShown &&
         std::all_of(v.items->begin(), v.items->end(),
                     [](const Value& item) { return item.items == nullptr; });
}

}  // namespace

std::string TextOf(const Value& v) {
  if (v.Is(Kind::kString) || v.Is(Kind::kDevice)) return v.text;
  if (v.Is(Kind::kBool)) return v.integer != 0 ? "True" : "False";
  if (v.is_known_int()) return std::to_string(v.integer);
  if (v.Is(Kind::kFloat)) return std::to_string(v.number);
  if (!IsShown(v)) return KindName(v.kind);
  std::string text;
  for (const Value& item : *v.items) text += (text.empty() ? "" : ", ") + TextOf(item);
  return "[" + text + "]";
}

namespace {

// Whether str() of this value is what TextOf() says.
bool IsAsPythonHasIt(const Value& v) {
  const bool is_named = v.is_none() || v.Is(Kind::kString) || v.Is(Kind::kDevice);
  return v.is_comparable() && (is_named || v.Is(Kind::kBool) || v.Is(Kind::kInt));
}

constexpr size_t kMaxText = size_t{1} << 20;  // what is longer is cut, and refused

std::string Format(const Arguments& a) {
  const std::string& text = a[0].text;
  std::string result;
  size_t next = 1;
  for (size_t i = 0; i < text.size() && result.size() <= kMaxText; ++i) {
    if (text.compare(i, 2, "{}") == 0 && next < a.size()) {
      result += TextOf(a[next++]);
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

// `text % arguments`, of which each conversion is one letter.
std::string PercentFormat(const Arguments& a) {
  const std::string& text = a[0].text;
  std::string result;
  size_t next = 1;
  for (size_t i = 0; i < text.size() && result.size() <= kMaxText; ++i) {
    if (text[i] != '%' || i + 1 == text.size()) {
      result += text[i];
    } else if (text[++i] == '%') {
      result += '%';
    } else if (next < a.size()) {
      result += TextOf(a[next++]);
    }
  }
  return result;
}

// Other conversions than of whole numbers and texts depend on more than the argument.
bool HasRoughFormats(const std::string& text) {
  for (size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 2)) {
    if (at + 1 == text.size() || std::string("dis%").find(text[at + 1]) == std::string::npos) return true;
  }
  return false;
}

// Between letters of ASCII, as names of modes are.
std::string InCase(std::string text, char first, char to) {
  for (char& c : text) c = c >= first && c < first + 26 ? static_cast<char>(c - first + to) : c;
  return text;
}

Value Split(const std::string& text, const std::string& separator) {
  Value parts = Value::Sequence(Kind::kList);
  size_t begin = 0, end = text.find(separator), count = 1;
  for (size_t at = end; at != std::string::npos; at = text.find(separator, at + separator.size())) ++count;
  parts.items->reserve(count);
  for (; end != std::string::npos; begin = end + separator.size(), end = text.find(separator, begin))
    parts.items->push_back(Value::String(text.substr(begin, end - begin)));
  parts.items->push_back(Value::String(text.substr(begin)));
  return parts;
}

std::string Join(const std::string& separator, const std::vector<Value>& parts) {
  std::string result;
  for (const Value& part : parts) {
    result += (&part == parts.data() ? "" : separator) + TextOf(part);
    if (result.size() > kMaxText) break;
  }
  return result;
}

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// With another string.
std::optional<Value> TwoTexts(const std::string& op, const std::string& a, const std::string& b) {
  if (op == "add") return Value::String(a + b);
  if (op == "find") return Value::Int(static_cast<int64_t>(a.find(b)));  // npos becomes -1, as in Python
  if (op == "__contains__") return Value::Bool(a.find(b) != std::string::npos);
  if (op == "startswith") return Value::Bool(a.compare(0, b.size(), b) == 0);
  if (op == "endswith") return Value::Bool(EndsWith(a, b));
  if (op == "split" && !b.empty()) return Split(a, b);
  return std::nullopt;
}

std::optional<Value> Apply(const std::string& op, const Arguments& a) {
  const std::string& text = a[0].text;
  if (op == "format") return Value::String(Format(a));
  if (op == "percentFormat") return Value::String(PercentFormat(a));
  if ((op == "eq" || op == "ne") && a.size() == 2) return Value::Bool((a[0] == a[1]) == (op == "eq"));
  if (op == "len") return Value::Int(static_cast<int64_t>(text.size()));
  if (op == "lower") return Value::String(InCase(text, 'A', 'a'));
  if (op == "upper") return Value::String(InCase(text, 'a', 'A'));
  if (op == "join" && a.size() == 2 && a[1].is_sequence()) return Value::String(Join(text, *a[1].items));
  if (a.size() >= 2 && a[1].Is(Kind::kString)) return TwoTexts(op, text, a[1].text);
  return std::nullopt;
}

}  // namespace

Answer TextOp(const std::string& op, const Arguments& a) {
  const bool joins = op == "join" && a.size() == 2 && a[1].is_sequence();
  const Arguments& parts = joins ? *a[1].items : a;
  const bool is_rough = a[0].is_rough || !std::all_of(parts.begin(), parts.end(), IsAsPythonHasIt) ||
                        (op == "percentFormat" && HasRoughFormats(a[0].text));
  const bool makes_text = op == "format" || op == "percentFormat" || op == "add" || op == "join" ||
                          op == "lower" || op == "upper";
  std::optional<Value> made = Apply(op, a);
  if (made && is_rough && !makes_text)
    return Unsupported("'{}' of the text '{}', parts of which are not known", op, Shown(TextOf(a[0])));
  if (!made || !made->Is(Kind::kString)) return made;
  made->is_rough = is_rough;
  if (made->text.size() > kMaxText) return Unsupported("a text of more than {} characters", kMaxText);
  return made;
}

}  // namespace micrort::frontend::torchscript
