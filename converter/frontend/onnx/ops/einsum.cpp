// Einstein summation over one or two tensors, as transposes around one matrix product.

#include <algorithm>

#include "converter/frontend/onnx/ops/reshape.h"
#include "converter/frontend/onnx/registry.h"

namespace micrort::frontend {

namespace {

// A tensor and the letter of each of its dimensions, all different.
struct Operand {
  ir::ValueId id = ir::kNoValue;
  std::string labels;
};

bool Has(const std::string& labels, char label) { return labels.find(label) != std::string::npos; }

// "ij,jk->ik" in parts; the result's labels are, if they are not given, those that appear once, in order.
struct Equation {
  std::vector<std::string> inputs;
  std::string output;
};

bool AreDistinctLetters(std::string labels) {
  const bool letters = std::all_of(labels.begin(), labels.end(), [](char label) {
    return (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
  });
  std::sort(labels.begin(), labels.end());
  return letters && std::adjacent_find(labels.begin(), labels.end()) == labels.end();
}

std::string ImplicitOutput(const std::vector<std::string>& inputs) {
  std::string all;
  for (const std::string& labels : inputs) all += labels;
  std::sort(all.begin(), all.end());
  std::string once;
  for (char label : all) {
    if (std::count(all.begin(), all.end(), label) == 1) once += label;
  }
  return once;
}

Status Parse(std::string text, Equation* out) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  for (size_t comma = left.find(','); comma != std::string::npos; comma = left.find(',')) {
    out->inputs.push_back(left.substr(0, comma));
    left.erase(0, comma + 1);
  }
  out->inputs.push_back(left);
  out->output = arrow == std::string::npos ? ImplicitOutput(out->inputs) : text.substr(arrow + 2);
  for (const std::string& labels : out->inputs) {
    if (!AreDistinctLetters(labels)) {
      return MICRORT_ERROR(kUnsupported, "equation '%s': ellipses and diagonals", text.c_str());
    }
  }
  const bool known = std::all_of(out->output.begin(), out->output.end(), [&](char label) {
    return std::any_of(out->inputs.begin(), out->inputs.end(),
                       [&](const std::string& labels) { return Has(labels, label); });
  });
  if (!known || !AreDistinctLetters(out->output)) {
    return MICRORT_ERROR(kInvalidModel, "equation '%s'", text.c_str());
  }
  return Status();
}

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

using Sizes = std::vector<std::pair<char, int64_t>>;

// The product of the labels' sizes as a list entry, kInferDim if one is dynamic.
Status ProductOf(const std::string& labels, const Sizes& sizes, int32_t* product) {
  *product = 1;
  for (char label : labels) {
    const auto entry =
        std::find_if(sizes.begin(), sizes.end(), [&](const auto& s) { return s.first == label; });
    if (entry->second == ir::kDynamic) {
      *product = kInferDim;
      return Status();
    }
    MICRORT_RETURN_IF_ERROR(ToInt32(*product * entry->second, "dimension", product));
  }
  return Status();
}

// Reshapes to the batch dimensions, which come first already, and `groups`, one dimension each.
Status ReshapeGroups(NodeContext& c, size_t batch, const std::vector<std::string>& groups, const Sizes& sizes,
                     ir::ValueId* x) {
  std::vector<int32_t> shape;
  for (size_t i = 0; i < batch; ++i) shape.push_back(CopyDim(static_cast<int>(i)));
  for (const std::string& labels : groups) {
    shape.push_back(0);
    MICRORT_RETURN_IF_ERROR(ProductOf(labels, sizes, &shape.back()));
  }
  if (std::count(shape.begin(), shape.end(), kInferDim) > 1) {
    return MICRORT_ERROR(kUnsupported, "several dimensions are not fixed; give sizes with --input-shape");
  }
  *x = c.build.Reshape(*x, shape);
  return Status();
}

// The same for a tensor that has the labels of the groups as its dimensions.
Status MergeGroups(NodeContext& c, size_t batch, const std::vector<std::string>& groups, const Sizes& sizes,
                   ir::ValueId* x) {
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
Status Multiply(NodeContext& c, Operand a, Operand b, const std::string& output, const Sizes& sizes,
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

Status ReadSizes(const NodeContext& c, const Equation& equation, Sizes* sizes) {
  for (size_t i = 0; i < equation.inputs.size(); ++i) {
    const ir::Value& x = c.x(i);
    if (x.shape.size() != equation.inputs[i].size()) {
      return MICRORT_ERROR(kInvalidModel, "input %zu has %d dimensions, the equation says %zu", i, x.rank(),
                           equation.inputs[i].size());
    }
    for (size_t d = 0; d < x.shape.size(); ++d) sizes->emplace_back(equation.inputs[i][d], x.shape[d]);
  }
  return Status();
}

Status ImportEinsum(NodeContext& c) {
  Equation equation;
  MICRORT_RETURN_IF_ERROR(Parse(c.String("equation", ""), &equation));
  if (equation.inputs.size() != c.input_count()) {
    return MICRORT_ERROR(kInvalidModel, "the equation has %zu terms, the node %zu inputs",
                         equation.inputs.size(), c.input_count());
  }
  Sizes sizes;
  MICRORT_RETURN_IF_ERROR(ReadSizes(c, equation, &sizes));
  Operand y = {c.input(0), equation.inputs[0]};
  const bool two = c.input_count() == 2;
  SumOthers(c, equation.output + (two ? equation.inputs[1] : ""), &y);
  if (two) {
    Operand b = {c.input(1), equation.inputs[1]};
    SumOthers(c, equation.output + equation.inputs[0], &b);
    MICRORT_RETURN_IF_ERROR(Multiply(c, y, b, equation.output, sizes, &y));
  }
  Reorder(c, equation.output, &y);
  return c.Return(y.id);
}

constexpr OpImporter kImporters[] = {{"Einsum", 1, 2, ImportEinsum}};

}  // namespace

Span<const OpImporter> EinsumImporters() { return kImporters; }

}  // namespace micrort::frontend
