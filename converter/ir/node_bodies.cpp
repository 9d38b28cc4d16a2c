// What a node that runs graphs gives, from what is known of these.

#include <algorithm>

#include "converter/ir/node_inference.h"

namespace micrort::ir {

using size::Expr;
using size::Number;
using size::SizedTensor;

void NodeInference::TakeSizesOfBodies() {
  if (node_.code == schema::OpCode::If) TakeSizesOfIf();
  if (node_.code == schema::OpCode::Loop) TakeSizesOfLoop();
}

void NodeInference::TakeSizesOfIf() {
  const SizedTensor condition = inference_.SizesOf(graph_, node_.inputs[0]);
  const bool follows = condition.values && condition.values->size() == 1;
  const Expr taken = follows ? (*condition.values)[0].integer() : Expr::Unknown();
  for (size_t i = 0; i < node_.outputs.size(); ++i) {
    SizedTensor sides[2];
    bool constant[2] = {};
    for (size_t b = 0; b < 2; ++b) {
      const Graph& body = *node_.bodies[b];
      const auto fits = inference_.fits_.find(&body);
      if (fits == inference_.fits_.end() || !fits->second) continue;
      sides[b] = inference_.SizesOf(body, body.outputs[i]);
      constant[b] = inference_.IsConstant(body, body.outputs[i]);
    }
    size::SizeTable::Entry& entry = inference_.sizes_.At(graph_, node_.outputs[i]);
    if (taken.constant()) {
      entry.tensor = std::move(sides[taken.is(0) ? 1 : 0]);
      entry.constant = constant[taken.is(0) ? 1 : 0];
      continue;
    }
    if (!sides[0].has_rank || !sides[1].has_rank) {
      const size_t present = sides[0].has_rank ? 0 : 1;
      entry.tensor = std::move(sides[present]);
      entry.tensor.values.reset();
      // A branch that may run with other sizes may give others.
      const bool is_alone = inference_.impossible_.count(node_.bodies[1 - present].get()) != 0;
      if (!is_alone) std::fill(entry.tensor.shape.begin(), entry.tensor.shape.end(), Expr::Unknown());
      continue;
    }
    if (sides[0].rank() != sides[1].rank()) {
      // What follows is written for one rank, and a run that gives the other one is refused.
      const int rank = inference_.probe_.At(graph_, node_.outputs[i]).shape.rank;
      entry.tensor.SetShape(std::move(sides[sides[0].rank() == rank ? 0 : 1].shape));
      continue;
    }
    std::vector<Expr> shape;
    for (size_t d = 0; d < sides[0].shape.size(); ++d) {
      const Expr &a = sides[0].shape[d], &b = sides[1].shape[d];
      shape.push_back(inference_.known_.hard.AreEqual(a, b) ? a
                      : taken.is_unknown()                  ? Expr::Unknown()
                                                            : Choose(taken, a, b));
    }
    entry.tensor.SetShape(std::move(shape));
    if (!sides[0].values || !sides[1].values || sides[0].values->size() != sides[1].values->size()) continue;
    size::Numbers values;
    for (size_t k = 0; k < sides[0].values->size(); ++k) {
      const Number &a = (*sides[0].values)[k], &b = (*sides[1].values)[k];
      const bool follows_both = !taken.is_unknown() && a.denominator == b.denominator;
      values.push_back(a == b         ? a
                       : follows_both ? Number(Choose(taken, a.numerator, b.numerator), a.denominator)
                                      : Number());
    }
    entry.tensor.values = std::move(values);
  }
}

void NodeInference::TakeSizesOfLoop() {
  const Graph& body = *node_.bodies[0];
  const auto& options = node_.as<schema::LoopOptionsT>();
  const size_t carried = options.carried, first_result = options.has_condition ? 1 : 0;
  constexpr size_t kFirstCarried = 2;
  const auto number = [&](size_t i) {
    if (!node_.has_input(i)) return Expr::Unknown();
    const SizedTensor t = inference_.SizesOf(graph_, node_.inputs[i]);
    return t.values && t.values->size() == 1 ? (*t.values)[0].integer() : Expr::Unknown();
  };
  const bool runs_all = first_result == 0 && (!node_.has_input(1) || number(1).is(1));
  const Expr trips = runs_all ? size::Max(number(0), 0) : Expr::Unknown();
  for (size_t i = 0; i < node_.outputs.size(); ++i) {
    SizedTensor out;
    if (i < carried) {
      // What changes from one iteration to the next has another size in the end than inside.
      const ValueId in = body.inputs[kFirstCarried + i];
      out = inference_.SizesOf(body, in);
      const HostTensor& t = inference_.probe_.At(graph_, node_.outputs[i]);
      for (int d = 0; d < out.rank() && d < t.shape.rank; ++d) {
        if (t.extents[d] != Extent::kFixed) out.shape[static_cast<size_t>(d)] = Expr::Unknown();
      }
    } else {
      const SizedTensor row = inference_.SizesOf(body, body.outputs[first_result + i]);
      std::vector<Expr> shape = {trips};
      shape.insert(shape.end(), row.shape.begin(), row.shape.end());
      if (row.has_rank) out.SetShape(std::move(shape));
    }
    out.values.reset();
    inference_.sizes_.At(graph_, node_.outputs[i]).tensor = std::move(out);
  }
}

}  // namespace micrort::ir
