// Einstein summation, as transposes around matrix products of two operands each.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/onnx/ops/in_float32.h"
#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"
#include "kernels/base/status.h"

namespace micrort::frontend::onnx {

namespace {

// The equation of an Einsum, taken apart.

// One label a dimension: a letter, or a digit for the dimensions that an ellipsis stands for, the last of
// which is 9. A label may appear twice in an input: its diagonal.
struct EinsumEquation {
  std::vector<std::string> inputs;
  std::string output;
};

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

// "ij,jk->ik", with "..." for any further dimensions; `ranks` are those of the inputs. Without "->", the
// output has the dimensions of the ellipsis, then the labels that appear once, in alphabetical order.
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

// A tensor and the label of each of its dimensions; all different, once TakeDiagonals is done.
struct Operand {
  ir::ValueId id = ir::kNoValue;
  std::string labels;
};

bool Has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

// Sums over the dimensions whose labels `needed` does not have.
void SumOthers(NodeContext& c, const std::string& needed, Operand* x) {
  std::vector<int32_t> axes;
  std::string kept;
  for (size_t i = 0; i < x->labels.size(); ++i) {
    if (Has(needed, x->labels[i])) {
      kept += x->labels[i];
    } else {
      axes.push_back(static_cast<int32_t>(i));
    }
  }
  if (axes.empty()) return;
  x->id = c.build.Reduce(schema::ReduceKind::Sum, x->id, axes, false);
  x->labels = kept;
}

void Reorder(NodeContext& c, const std::string& labels, Operand* x) {
  if (labels == x->labels) return;
  std::vector<int32_t> permutation;
  for (char label : labels) permutation.push_back(static_cast<int32_t>(x->labels.find(label)));
  x->id = c.build.Transpose(x->id, permutation);
  x->labels = labels;
}

// The labels of two operands by where they appear.
struct Groups {
  std::string batch, rows, columns, summed;
};

Groups Classify(const Operand& a, const Operand& b, const std::string& output) {
  Groups g;
  for (char label : a.labels) {
    if (!Has(b.labels, label)) {
      g.rows += label;
    } else {
      (Has(output, label) ? g.batch : g.summed) += label;
    }
  }
  for (char label : b.labels) {
    if (!Has(a.labels, label)) g.columns += label;
  }
  return g;
}

using LabelSizes = std::map<char, int64_t>;

// The product of the labels' sizes as a list entry, kInferDim if one is dynamic.
Status ProductOf(const std::string& labels, const LabelSizes& sizes, int32_t* product) {
  *product = 1;
  for (char label : labels) {
    const int64_t size = sizes.at(label);
    if (size == ir::kDynamic) {
      *product = kInferDim;
      return Status();
    }
    MICRORT_ASSIGN_OR_RETURN(*product, ToInt32(*product * size, "dimension"));
  }
  return Status();
}

// Reshapes to the batch dimensions, which come first already, and `groups`, one dimension each.
Status ReshapeGroups(NodeContext& c, size_t batch, const std::vector<std::string>& groups,
                     const LabelSizes& sizes, ir::ValueId* x) {
  std::vector<int32_t> shape;
  for (size_t i = 0; i < batch; ++i) shape.push_back(CopyDim(static_cast<int>(i)));
  for (const std::string& labels : groups) {
    shape.push_back(0);
    MICRORT_RETURN_IF_ERROR(ProductOf(labels, sizes, &shape.back()));
  }
  if (std::count(shape.begin(), shape.end(), kInferDim) > 1)
    return Unsupported("several dimensions are not fixed; give sizes with --input-shape");
  *x = c.build.Reshape(*x, shape);
  return Status();
}

// The same for a tensor that has the labels of the groups as its dimensions.
Status MergeGroups(NodeContext& c, size_t batch, const std::vector<std::string>& groups,
                   const LabelSizes& sizes, ir::ValueId* x) {
  const bool merged =
      std::all_of(groups.begin(), groups.end(), [](const std::string& labels) { return labels.size() == 1; });
  return merged ? Status() : ReshapeGroups(c, batch, groups, sizes, x);
}

std::vector<std::string> Singles(const std::string& labels) {
  std::vector<std::string> singles;
  for (char label : labels) singles.emplace_back(1, label);
  return singles;
}

// [batch, rows, summed] * [batch, summed, columns]
Status Multiply(NodeContext& c, Operand a, Operand b, const std::string& output, const LabelSizes& sizes,
                Operand* y) {
  const Groups g = Classify(a, b, output);
  Reorder(c, g.batch + g.rows + g.summed, &a);
  Reorder(c, g.batch + g.summed + g.columns, &b);
  const size_t batch = g.batch.size();
  MICRORT_RETURN_IF_ERROR(MergeGroups(c, batch, {g.rows, g.summed}, sizes, &a.id));
  MICRORT_RETURN_IF_ERROR(MergeGroups(c, batch, {g.summed, g.columns}, sizes, &b.id));
  y->id = c.build.Add(schema::MatMulOptionsT(), {a.id, b.id});
  y->labels = g.batch + g.rows + g.columns;
  if (g.rows.size() == 1 && g.columns.size() == 1) return Status();
  return ReshapeGroups(c, batch, Singles(g.rows + g.columns), sizes, &y->id);
}

// Reads for every label the size that is not 1, if there is one: dimensions of size 1 broadcast.
Status ReadSizes(const NodeContext& c, const EinsumEquation& equation, LabelSizes* sizes) {
  for (size_t i = 0; i < equation.inputs.size(); ++i) {
    for (size_t d = 0; d < equation.inputs[i].size(); ++d) {
      const int64_t size = c.x(i).shape[d];
      int64_t& known = sizes->emplace(equation.inputs[i][d], size).first->second;
      if (known == 1 || (known == ir::kDynamic && size != 1)) known = size;
      if (size != 1 && size != ir::kDynamic && size != known) {
        return MICRORT_ERROR(kInvalidModel, "input %zu: dimension '%c' has size %lld, elsewhere %lld", i,
                             equation.inputs[i][d], static_cast<long long>(size),
                             static_cast<long long>(known));
      }
    }
  }
  return Status();
}

// Drops the dimensions of size 1 that stand for larger ones elsewhere.
void DropBroadcast(NodeContext& c, const LabelSizes& sizes, Operand* x) {
  const std::vector<int64_t> shape = c.value(x->id).shape;
  std::vector<int32_t> codes;
  std::string kept;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1 && sizes.at(x->labels[d]) != 1) continue;
    codes.push_back(CopyDim(static_cast<int>(d)));
    kept += x->labels[d];
  }
  if (kept.size() == shape.size()) return;
  x->id = c.build.Reshape(x->id, codes);
  x->labels = kept;
}

// Where a label appears twice, the elements whose two indices are equal: n * n elements as one dimension, in
// steps of n + 1.
Status TakeDiagonal(NodeContext& c, char label, int64_t n, Operand* x) {
  if (n == ir::kDynamic) return Unsupported("the diagonal of a matrix without a fixed size");
  const size_t first = x->labels.find(label), second = x->labels.find(label, first + 1);
  std::vector<int32_t> permutation, codes;
  std::string rest;
  for (size_t d = 0; d < x->labels.size(); ++d) {
    if (d == first || d == second) continue;
    codes.push_back(CopyDim(static_cast<int>(permutation.size())));
    permutation.push_back(static_cast<int32_t>(d));
    rest += x->labels[d];
  }
  permutation.push_back(static_cast<int32_t>(first));
  permutation.push_back(static_cast<int32_t>(second));
  codes.push_back(0);
  MICRORT_ASSIGN_OR_RETURN(codes.back(), ToInt32(n * n, "diagonal"));
  const ir::ValueId flat = c.build.Reshape(c.build.Transpose(x->id, permutation), codes);
  x->id = c.build.SliceSteps(flat, static_cast<int>(rest.size()), 0, n * n, n + 1);
  x->labels = rest + label;
  return c.build.status();
}

Status TakeDiagonals(NodeContext& c, const LabelSizes& sizes, Operand* x) {
  for (size_t d = 0; d < x->labels.size();) {
    const char label = x->labels[d];
    if (x->labels.find(label, d + 1) == std::string::npos) {
      ++d;
      continue;
    }
    MICRORT_RETURN_IF_ERROR(TakeDiagonal(c, label, sizes.at(label), x));
    d = 0;
  }
  return Status();
}

Status ReadOperands(NodeContext& c, const EinsumEquation& equation, const LabelSizes& sizes,
                    std::vector<Operand>* operands) {
  for (size_t i = 0; i < equation.inputs.size(); ++i) {
    Operand x = {c.input(i), equation.inputs[i]};
    DropBroadcast(c, sizes, &x);
    MICRORT_RETURN_IF_ERROR(TakeDiagonals(c, sizes, &x));
    operands->push_back(x);
  }
  return c.build.status();
}

// From left to right: the product so far with the next operand, without what nobody needs any more.
Status ImportEinsum(NodeContext& c) {
  std::vector<int> ranks;
  for (size_t i = 0; i < c.input_count(); ++i) {
    if (!c.has_input(i)) return Invalid("input {} is absent", i);
    ranks.push_back(c.x(i).rank());
  }
  EinsumEquation equation;
  MICRORT_RETURN_IF_ERROR(ParseEinsum(c.String("equation", ""), ranks, &equation));
  LabelSizes sizes;
  MICRORT_RETURN_IF_ERROR(ReadSizes(c, equation, &sizes));
  std::vector<Operand> operands;
  MICRORT_RETURN_IF_ERROR(ReadOperands(c, equation, sizes, &operands));
  Operand y = operands[0];
  for (size_t i = 1; i < operands.size(); ++i) {
    std::string needed = equation.output;
    for (size_t later = i + 1; later < operands.size(); ++later) needed += operands[later].labels;
    SumOthers(c, needed + operands[i].labels, &y);
    SumOthers(c, needed + y.labels, &operands[i]);
    MICRORT_RETURN_IF_ERROR(Multiply(c, y, operands[i], needed, sizes, &y));
  }
  SumOthers(c, equation.output, &y);
  Reorder(c, equation.output, &y);
  return c.Return(y.id);
}

}  // namespace

const ImporterList EinsumImporters = {
    {"Einsum", 1, -1, HalvesInFloat32<ImportEinsum>, Types(kNumbers).Since(12)},
};

}  // namespace micrort::frontend::onnx
