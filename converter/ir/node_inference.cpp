#include "converter/ir/node_inference.h"

#include <algorithm>
#include <deque>

#include "converter/ir/host_body.h"
#include "converter/ir/size/size_function.h"

namespace micrort::ir {

namespace {

// Elements of a tensor of integers that become symbols where they are not known: shapes are no longer.
constexpr int64_t kMostSymbols = 8;

// Results that are worth keeping in place of the node that computes them: not much larger than its inputs (a
// float32 is twice as large as a half), and not long to compute.
bool WorthComputing(const std::vector<const HostTensor*>& inputs, const std::vector<HostTensor*>& outputs,
                    const OpCall& call) {
  if (call.takes_long()) return false;
  constexpr size_t kMaxGrowth = size_t{1} << 20;
  constexpr int64_t kMaxMultiplyAdds = int64_t{1} << 30;
  constexpr uint64_t kMaxWork = uint64_t{1} << 36;
  size_t input_bytes = 0;
  size_t output_bytes = 0;
  for (const HostTensor* t : inputs) input_bytes += t != nullptr && t->data != nullptr ? t->bytes() : 0;
  for (const HostTensor* t : outputs) output_bytes += t->bytes();
  return output_bytes <= 2 * input_bytes + kMaxGrowth && call.multiply_adds() <= kMaxMultiplyAdds &&
         call.work() <= kMaxWork;
}

bool AllKnown(const std::vector<const HostTensor*>& inputs) {
  return std::all_of(inputs.begin(), inputs.end(),
                     [](const HostTensor* t) { return t == nullptr || t->data != nullptr; });
}

bool AreConstant(const size::Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [](const size::Number& n) { return n.numerator.constant().has_value(); });
}

bool IsFollowedInteger(DType dtype) { return dtype == DType::kInt32 || dtype == DType::kInt64; }

}  // namespace

Status NodeInference::InferSizes() {
  std::vector<size::SizedTensor> outputs(node_.outputs.size());
  // Numbers that a run knows may be sizes, be all others fixed.
  const bool may_be_open = inference_.sizes_.has_symbols() || ReadsIntegersOfARun();
  if (may_be_open && node_.bodies.empty() && !AreInputsConstant()) {
    std::deque<size::SizedTensor> known;
    std::vector<const size::SizedTensor*> inputs;
    for (const ValueId id : node_.inputs) {
      inputs.push_back(id == kNoValue ? nullptr : &known.emplace_back(inference_.SizesOf(graph_, id)));
    }
    size::SizeCall call(graph_, node_, std::move(inputs), &inference_.known_.hard, &inference_.known_.likely,
                        &inference_.known_.needs, &outputs);
    const int needs_before = inference_.known_.needs.count();
    Status status = size::InferSizes(call);
    TakeForEqual(needs_before);
    inference_.is_refuted_ = inference_.is_refuted_ || !status.ok();
    if (!status.ok()) return status;
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    size::SizeTable::Entry& entry = inference_.sizes_.At(graph_, node_.outputs[i]);
    entry = {true, std::move(outputs[i]), false};
  }
  return Status();
}

// Two sizes that are broadcast are equal as a rule. One that an operator computes comes out as it does.
void NodeInference::TakeForEqual(int needs_before) {
  for (int i = needs_before; i < inference_.known_.needs.count(); ++i) {
    const size::Need need = inference_.known_.needs.at(i);
    if (need.kind != size::Need::Kind::kBroadcast || Compare(need.a, need.b) == size::Proof::kDifferent)
      continue;
    std::set<size::Symbol> symbols;
    need.a.AddSymbols(&symbols);
    need.b.AddSymbols(&symbols);
    const size::Witness& witness = inference_.sizes_.witness();
    const bool is_computed =
        std::any_of(symbols.begin(), symbols.end(), [&](size::Symbol s) { return witness.IsComputed(s); });
    if (!is_computed) inference_.known_.likely.RequireEqual(need.a, need.b);
  }
}

Status NodeInference::InferAsTried() {
  OpCall call;
  MICRORT_RETURN_IF_ERROR(call.Init(node_));
  if (Status s = InferCall(call); !s.ok()) {
    const bool is_certain = node_.bodies.empty() && AreInputsClosed();
    inference_.is_refuted_ = inference_.is_refuted_ || is_certain;
    return s;
  }
  for (size_t i = 0; i < node_.inputs.size() && i < 32; ++i) {
    if ((call.deciders() >> i & 1u) != 0) inference_.data_sizes_.deciders.insert({&graph_, node_.inputs[i]});
  }
  NoteSizedByData();
  if (!node_.bodies.empty()) TakeSizesOfBodies();
  const bool closed = node_.bodies.empty() && AreInputsClosed();
  const bool constant = closed && (call.shape_only() || AreInputsConstant());
  for (const ValueId id : node_.outputs) {
    MICRORT_RETURN_IF_ERROR(Settle(id, closed, constant));
    inference_.probe_.SetReady(graph_, id);
  }
  return Status();
}

void NodeInference::NoteSizedByData() {
  for (const ValueId id : node_.outputs) {
    const HostTensor& t = inference_.probe_.At(graph_, id);
    uint32_t dims = 0;
    for (int d = 0; d < t.shape.rank; ++d) {
      if (t.extents[d] == Extent::kDataDependent) dims |= 1u << d;
    }
    if (dims != 0) inference_.data_sizes_.tensors[{&graph_, id}] = {&node_, dims};
  }
}

Status NodeInference::InferCall(OpCall& call) {
  std::vector<const HostTensor*> inputs;
  for (ValueId id : node_.inputs) {
    inputs.push_back(nullptr);
    if (id != kNoValue) MICRORT_RETURN_IF_ERROR(inference_.Find(graph_, id, &inputs.back()));
  }
  std::vector<HostTensor*> outputs;
  for (ValueId id : node_.outputs) {
    HostTensor& t = inference_.probe_.At(graph_, id);
    t = HostTensor::Of(graph_.value(id), Shape());
    t.data = nullptr;
    for (const int32_t most : graph_.value(id).max_shape) t.declared[t.declared.rank++] = kDynamic - most;
    outputs.push_back(&t);
  }
  std::deque<HostBody> bodies;
  std::vector<BodyPlan*> plans;
  for (const auto& body : node_.bodies) {
    plans.push_back(&bodies.emplace_back(inference_, *body, graph_, node_, inputs));
  }
  call.SetBodies(std::move(plans));
  MICRORT_RETURN_IF_ERROR(call.Infer(inputs, outputs));
  if (!node_.bodies.empty()) {
    TakeKnownResults(inputs, outputs);
  } else if ((call.shape_only() || AllKnown(inputs)) && WorthComputing(inputs, outputs, call)) {
    return RunCall(call);
  }
  return Status();
}

// Numbers that follow from sizes that were chosen say nothing of others: positions beyond a table. Each run
// checks its own.
Status NodeInference::RunCall(OpCall& call) {
  const Status status = call.Run();
  return !status.ok() && !AreInputsConstant() && MaySuitOtherSizes(status) ? Status() : status;
}

// Where a condition is known, so is what its branch gives.
void NodeInference::TakeKnownResults(const std::vector<const HostTensor*>& inputs,
                                     const std::vector<HostTensor*>& outputs) {
  if (node_.code != schema::OpCode::If || inputs[0]->data == nullptr) return;
  const Graph& taken = *node_.bodies[(*inputs[0]->data)[0] != 0 ? 0 : 1];
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i]->data = inference_.probe_.At(taken, taken.outputs[i]).data;
}

// What prepare reads is the same for all sizes. In a body, shapes that an operator has just been found to
// require may differ from those that are tried.
bool NodeInference::AreInputsClosed() {
  for (const ValueId id : node_.inputs) {
    if (id == kNoValue) continue;
    const HostTensor& tried = inference_.probe_.At(graph_, id);
    if (tried.data != nullptr && !inference_.IsConstant(graph_, id)) return false;
    const size::SizedTensor known = inference_.SizesOf(graph_, id);
    if (known.rank() != tried.shape.rank) return false;
    for (int d = 0; d < tried.shape.rank; ++d) {
      if (!known.shape[static_cast<size_t>(d)].is(tried.shape[d])) return false;
    }
  }
  return true;
}

bool NodeInference::AreInputsConstant() {
  return std::all_of(node_.inputs.begin(), node_.inputs.end(),
                     [&](ValueId id) { return id == kNoValue || inference_.IsConstant(graph_, id); });
}

bool NodeInference::ReadsIntegersOfARun() {
  return std::any_of(node_.inputs.begin(), node_.inputs.end(), [&](ValueId id) {
    return id != kNoValue && IsFollowedInteger(graph_.value(id).dtype) && !inference_.IsConstant(graph_, id);
  });
}

Status NodeInference::Settle(ValueId id, bool closed, bool constant) {
  const HostTensor& t = inference_.probe_.At(graph_, id);
  size::SizedTensor& known = inference_.sizes_.At(graph_, id).tensor;
  const auto rank = static_cast<size_t>(t.shape.rank);
  const bool reads_rank = node_.code == schema::OpCode::Reshape || node_.code == schema::OpCode::Expand ||
                          node_.code == schema::OpCode::Random;
  const size_t target = node_.code == schema::OpCode::Random ? 0 : 1;
  if (reads_rank && node_.has_input(target) &&
      !inference_.SizesOf(graph_, node_.inputs[target]).is_constant_shape()) {
    return MICRORT_ERROR(kInvalidModel, "how many dimensions '%s' has depends on sizes of inputs; fix these",
                         t.name.c_str());
  }
  if (!known.has_rank) known.SetShape(std::vector<size::Expr>(rank, size::Expr::Unknown()));
  if (known.shape.size() != rank) {
    return MICRORT_ERROR(kInternal, "'%s' has %zu dimensions for all sizes, and %zu for some", t.name.c_str(),
                         known.shape.size(), rank);
  }
  for (int d = 0; d < t.shape.rank; ++d) MICRORT_RETURN_IF_ERROR(SettleDim(id, d, closed));
  MICRORT_RETURN_IF_ERROR(CheckElements(t.name, t.dtype, t.shape));
  return SettleValues(id, constant);
}

Status NodeInference::SettleDim(ValueId id, int d, bool closed) {
  HostTensor& t = inference_.probe_.At(graph_, id);
  size::Expr& dim = inference_.sizes_.At(graph_, id).tensor.shape[static_cast<size_t>(d)];
  if (t.extents[d] != Extent::kFixed) {
    if (dim.is_unknown()) dim = inference_.sizes_.FreeDim(graph_, id, d);
    t.shape[d] = inference_.TriedSize(dim);
    return Status();
  }
  if (dim.is_unknown()) {
    dim = closed ? size::Expr(t.shape[d]) : inference_.sizes_.ComputedDim(graph_, id, d, t.shape[d]);
  }
  const std::optional<int64_t> expected = inference_.sizes_.witness().SizeOf(dim, inference_.trying_);
  if (!expected || *expected == t.shape[d]) return Status();
  // A dimension that is computed, and has been found to be something else, fits other sizes.
  return MICRORT_ERROR(
      kUnsupported,
      "dimension %d of '%s' is %s, but not for all sizes: give those of inputs by --input-shape", d,
      t.name.c_str(), inference_.known_.hard.TextOf(dim).c_str());
}

Status NodeInference::SettleValues(ValueId id, bool constant) {
  const HostTensor& t = inference_.probe_.At(graph_, id);
  size::SizeTable::Entry& entry = inference_.sizes_.At(graph_, id);
  size::SizedTensor& known = entry.tensor;
  known.is_float = IsFloat(t.dtype);
  const std::optional<int64_t> count = known.elements();
  if (known.values && (!count || static_cast<int64_t>(known.values->size()) != *count)) known.values.reset();
  if (constant && t.data != nullptr) {
    entry.constant = true;
    if (count) known.values = size::NumbersOf(t.dtype, *t.data, *count);
    return Status();
  }
  if (!count || !inference_.sizes_.has_symbols()) return Status();
  const bool has_symbols = IsFollowedInteger(t.dtype) && *count <= kMostSymbols;
  if (!known.values && has_symbols) known.values = size::Numbers(static_cast<size_t>(*count));
  const std::optional<size::Numbers> tried = t.data != nullptr && IsFollowedInteger(t.dtype)
                                                 ? size::NumbersOf(t.dtype, *t.data, *count)
                                                 : std::nullopt;
  for (size_t i = 0; known.values && i < known.values->size() && has_symbols; ++i) {
    size::Number& number = (*known.values)[i];
    if (number.is_unknown())
      number = inference_.sizes_.Element(graph_, id, static_cast<int>(i),
                                         tried ? (*tried)[i].numerator.constant() : std::nullopt);
  }
  entry.constant = entry.constant || (known.values && t.data != nullptr && AreConstant(*known.values));
  for (size_t i = 0; tried && known.values && i < tried->size(); ++i) {
    const auto expected =
        inference_.sizes_.witness().SizeOf((*known.values)[i].integer(), inference_.trying_);
    const int64_t found = *(*tried)[i].numerator.constant();
    if (!expected || *expected == found) continue;
    return MICRORT_ERROR(
        kUnsupported,
        "element %zu of '%s' is %s, but not for all sizes: give those of inputs by --input-shape", i,
        t.name.c_str(), inference_.known_.hard.TextOf((*known.values)[i].numerator).c_str());
  }
  return Status();
}

}  // namespace micrort::ir
