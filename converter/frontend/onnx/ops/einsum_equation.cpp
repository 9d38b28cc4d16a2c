#include "converter/frontend/onnx/ops/einsum_equation.h"

#include <algorithm>

#include "converter/frontend/common/errors.h"

namespace micrort::frontend::onnx {

namespace {

constexpr const char kEllipsis[] = "...";
constexpr const char kEllipsisLabels[] = "0123456789";
constexpr int kMaxEllipsis = 10;
constexpr size_t kMaxLength = 4096;  // terms are compared with each other

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsLabel(char c) { return IsLetter(c) || (c >= '0' && c <= '9'); }

// The labels of the last `count` dimensions of an ellipsis.
std::string EllipsisLabels(int count) { return std::string(kEllipsisLabels).substr(kMaxEllipsis - count); }

// Replaces the ellipsis of a term, if it has one, by `count` labels. False if letters are something else.
bool ExpandEllipsis(int count, std::string* term) {
  const size_t at = term->find(kEllipsis);
  const size_t dots = static_cast<size_t>(std::count(term->begin(), term->end(), '.'));
  const bool others =
      std::any_of(term->begin(), term->end(), [](char c) { return c != '.' && !IsLetter(c); });
  if (others || dots != (at == std::string::npos ? 0 : 3)) return false;
  if (at != std::string::npos) term->replace(at, 3, EllipsisLabels(count));
  return true;
}

std::string ImplicitOutput(const std::vector<std::string>& inputs) {
  std::string all;
  for (const std::string& labels : inputs) all += labels;
  std::sort(all.begin(), all.end());
  std::string output;
  for (const char label : all) {
    const bool is_kept = !IsLetter(label) || std::count(all.begin(), all.end(), label) == 1;
    if (is_kept && output.find(label) == std::string::npos) output += label;
  }
  return output;
}

std::vector<std::string> SplitTerms(std::string text) {
  std::vector<std::string> terms;
  for (size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',')) {
    terms.push_back(text.substr(0, comma));
    text.erase(0, comma + 1);
  }
  terms.push_back(text);
  return terms;
}

// Expands the ellipses of the inputs; *widest is the largest number of dimensions that one stands for.
Status ExpandInputs(const std::string& text, const std::vector<int>& ranks, std::vector<std::string>* inputs,
                    int* widest) {
  if (inputs->size() != ranks.size())
    return Invalid("the equation '{}' has {} terms, the node {} inputs", text, inputs->size(), ranks.size());
  for (size_t i = 0; i < inputs->size(); ++i) {
    std::string& term = (*inputs)[i];
    const bool has_ellipsis = term.find(kEllipsis) != std::string::npos;
    const int letters = static_cast<int>(term.size()) - (has_ellipsis ? 3 : 0);
    const int rest = ranks[i] - letters;
    if (rest < 0 || rest > kMaxEllipsis || (rest > 0 && !has_ellipsis) || !ExpandEllipsis(rest, &term))
      return Invalid("equation '{}': term {} does not fit {} dimensions", text, i, ranks[i]);
    *widest = std::max(*widest, rest);
  }
  return Status();
}

// Every label of the output is one of an input and appears once.
bool IsOutputOf(const std::vector<std::string>& inputs, const std::string& output) {
  return std::all_of(output.begin(), output.end(), [&](char label) {
    const bool known = std::any_of(inputs.begin(), inputs.end(), [&](const std::string& labels) {
      return labels.find(label) != std::string::npos;
    });
    return IsLabel(label) && known && std::count(output.begin(), output.end(), label) == 1;
  });
}

}  // namespace

Status ParseEinsum(std::string text, const std::vector<int>& ranks, EinsumEquation* out) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  if (text.size() > kMaxLength)
    return Unsupported("an equation of {} characters, at most {} are possible", text.size(), kMaxLength);
  const size_t arrow = text.find("->");
  out->inputs = SplitTerms(text.substr(0, arrow));
  int widest = 0;
  MICRORT_RETURN_IF_ERROR(ExpandInputs(text, ranks, &out->inputs, &widest));
  out->output = arrow == std::string::npos ? ImplicitOutput(out->inputs) : text.substr(arrow + 2);
  const bool valid = arrow == std::string::npos || ExpandEllipsis(widest, &out->output);
  if (valid && IsOutputOf(out->inputs, out->output)) return Status();
  return Invalid("equation '{}': its output does not follow from its inputs", text);
}

}  // namespace micrort::frontend::onnx
