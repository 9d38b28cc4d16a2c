// LSTM and RNN over [T,N,...]. A second bottom [T,N] says where sequences go on (1) and where they begin (0),
// step by step, so steps are spelled out.

#include "converter/frontend/caffe/registry.h"

namespace micrort::frontend::caffe {

namespace {

using schema::UnaryKind;

constexpr int64_t kMaxSteps = 1024;

// A layer's input at all steps and its state.
struct Recurrence {
  int64_t steps = 0, batch = 0, inputs = 0, hidden = 0;
  bool exposes_state = false;        // initial states are the last bottoms, final ones the last tops
  ir::ValueId gates = ir::kNoValue;  // [T*N,gates*H], of the input and the bias
  std::vector<ir::ValueId> states;   // [N,H] each: h, and c of LSTM; kNoValue: zeros
};

Result<Recurrence> ReadRecurrence(const LayerContext& c, size_t states) {
  Recurrence r;
  const auto& p = c.layer.recurrent_param();
  r.exposes_state = p.expose_hidden();
  const size_t extra = r.exposes_state ? states : 0;
  if (c.bottom_count() == 3 + extra) return Unsupported("a bottom that all steps read");
  if (c.bottom_count() != 2 + extra || c.top_count() != 1 + extra)
    return Invalid("{} bottoms and {} tops: expected {} and {}", c.bottom_count(), c.top_count(), 2 + extra,
                   1 + extra);
  if (c.rank() < 2 || c.rank(1) != 2) return Invalid("expected bottoms [T,N,...] and [T,N]");
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(0, 0, c.rank()));
  MICRORT_RETURN_IF_ERROR(c.ExpectFixed(1, 0, 2));
  r.steps = c.dim(0);
  r.batch = c.dim(1);
  if (c.dim(0, 1) != r.steps || c.dim(1, 1) != r.batch)
    return Invalid("the bottoms differ in steps or sequences");
  MICRORT_RETURN_IF_ERROR(ExpectRange("num_output", p.num_output(), 1, 1 << 20));
  if (r.steps < 1 || r.steps > kMaxSteps)
    return Unsupported("{} steps; 1 to {} are possible", r.steps, kMaxSteps);
  r.hidden = p.num_output();
  MICRORT_RETURN_IF_ERROR(ExpectRange("elements", c.x().elements(), 1, INT32_MAX));
  r.inputs = c.x().elements() / (r.steps * r.batch);
  for (size_t i = 0; i < states; ++i) {
    if (!r.exposes_state) {
      r.states.push_back(ir::kNoValue);
      continue;
    }
    const size_t bottom = 2 + i;
    MICRORT_RETURN_IF_ERROR(c.ExpectFixed(bottom, 0, c.rank(bottom)));
    if (c.x(bottom).elements() != r.batch * r.hidden)
      return Invalid("an initial state of {} elements: expected {}", c.x(bottom).elements(),
                     r.batch * r.hidden);
    r.states.push_back(c.bottom(bottom));
  }
  return r;
}

// The first blobs: weights [gates*H,I] and bias.
Status InputGates(LayerContext& c, int64_t gates, Recurrence* r) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId w, c.Weights(0, {gates * r->hidden, r->inputs}));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId b, c.Weights(1, {gates * r->hidden}));
  const ir::ValueId x = c.build.Reshape(
      c.bottom(), {static_cast<int32_t>(r->steps * r->batch), static_cast<int32_t>(r->inputs)});
  r->gates = c.build.MatMul({x, w, b}, true);
  const std::vector<int32_t> state = {static_cast<int32_t>(r->batch), static_cast<int32_t>(r->hidden)};
  for (ir::ValueId& s : r->states) {
    if (s != ir::kNoValue) s = c.build.Reshape(s, state);
  }
  return Status();
}

// 1 where sequences go on at step t: [N,1].
ir::ValueId Continues(LayerContext& c, const Recurrence& r, int64_t t) {
  return c.build.Reshape(c.build.Slice(c.bottom(1), 0, t, t + 1), {static_cast<int32_t>(r.batch), 1});
}

// What step t adds up before its activations; `h` is the state before it where the sequence goes on.
ir::ValueId GatesAt(LayerContext& c, const Recurrence& r, int64_t t, ir::ValueId h, ir::ValueId recurrent) {
  const ir::ValueId x = c.build.Slice(r.gates, 0, t * r.batch, (t + 1) * r.batch);
  return h == ir::kNoValue ? x : c.build.Add(x, c.build.MatMul({h, recurrent}, true));
}

ir::ValueId WhereContinued(LayerContext& c, ir::ValueId state, ir::ValueId continues) {
  return state == ir::kNoValue ? state : c.build.Mul(state, continues);
}

ir::ValueId WithTime(LayerContext& c, const Recurrence& r, ir::ValueId x) {
  return c.build.Reshape(x, {1, static_cast<int32_t>(r.batch), static_cast<int32_t>(r.hidden)});
}

void SetRecurrentTops(LayerContext& c, const Recurrence& r, const std::vector<ir::ValueId>& outputs) {
  c.SetTop(0, outputs.size() == 1 ? outputs[0] : c.build.Concat(outputs, 0));
  for (size_t i = 0; i < r.states.size(); ++i) c.SetTop(1 + i, WithTime(c, r, r.states[i]));
}

// Gates are i, f, o, g: c = f * c + i * g, h = o * tanh(c).
Status ImportLSTM(LayerContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Recurrence r, ReadRecurrence(c, 2));
  MICRORT_RETURN_IF_ERROR(InputGates(c, 4, &r));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId recurrent, c.Weights(2, {4 * r.hidden, r.hidden}));
  std::vector<ir::ValueId> outputs;
  for (int64_t t = 0; t < r.steps && c.build.status().ok(); ++t) {
    const ir::ValueId continues = Continues(c, r, t);
    const ir::ValueId gates = GatesAt(c, r, t, WhereContinued(c, r.states[0], continues), recurrent);
    const auto gate = [&](int64_t i, UnaryKind kind) {
      return c.build.Unary(kind, c.build.Slice(gates, 1, i * r.hidden, (i + 1) * r.hidden));
    };
    ir::ValueId cell = c.build.Mul(gate(0, UnaryKind::Sigmoid), gate(3, UnaryKind::Tanh));
    if (r.states[1] != ir::kNoValue) {
      const ir::ValueId kept =
          c.build.Mul(gate(1, UnaryKind::Sigmoid), WhereContinued(c, r.states[1], continues));
      cell = c.build.Add(kept, cell);
    }
    r.states = {c.build.Mul(gate(2, UnaryKind::Sigmoid), c.build.Tanh(cell)), cell};
    outputs.push_back(WithTime(c, r, r.states[0]));
  }
  SetRecurrentTops(c, r, outputs);
  return c.build.status();
}

// h = tanh(x + h R), and the output is tanh(h O + b).
Status ImportRNN(LayerContext& c) {
  MICRORT_ASSIGN_OR_RETURN(Recurrence r, ReadRecurrence(c, 1));
  MICRORT_RETURN_IF_ERROR(InputGates(c, 1, &r));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId recurrent, c.Weights(2, {r.hidden, r.hidden}));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId output, c.Weights(3, {r.hidden, r.hidden}));
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId bias, c.Weights(4, {r.hidden}));
  std::vector<ir::ValueId> outputs;
  for (int64_t t = 0; t < r.steps && c.build.status().ok(); ++t) {
    const ir::ValueId before = WhereContinued(c, r.states[0], Continues(c, r, t));
    r.states[0] = c.build.Tanh(GatesAt(c, r, t, before, recurrent));
    const ir::ValueId y = c.build.MatMul({r.states[0], output, bias}, true);
    outputs.push_back(WithTime(c, r, c.build.Tanh(y)));
  }
  SetRecurrentTops(c, r, outputs);
  return c.build.status();
}

}  // namespace

const ImporterList RecurrentLayers = {
    {"LSTM", 2, 5, ImportLSTM, "a bottom that all steps read; more than 1024 steps"},
    {"RNN", 2, 4, ImportRNN, "a bottom that all steps read; more than 1024 steps"},
};

}  // namespace micrort::frontend::caffe
