// LSTM, GRU and RNN layers, as ONNX's operators layer by layer.

#include <algorithm>
#include <vector>

#include "converter/frontend/torchscript/op_context.h"
#include "converter/frontend/torchscript/registry.h"
#include "converter/ir/constant_values.h"

namespace micrort::frontend::torchscript {

namespace {

// LSTM layers whose outputs are projected, by layers without projection.
//
// With h the output before its projection P h, the gates see R (P h) = (R P) h: so the layer is one with R P,
// and its outputs are projected behind it, all steps at once.

bool IsZero(OpContext& c, ir::ValueId id) {
  std::vector<float> elements;
  return ir::FloatsOf(c.build.graph().value(id), &elements) &&
         std::all_of(elements.begin(), elements.end(), [](float v) { return v == 0; });
}

// `h` [1,N,P] at the step where the direction begins, zeros at others: [T,N,P].
ir::ValueId AtFirstStep(OpContext& c, ir::ValueId h, bool is_reverse, ir::ValueId steps,
                        ir::ValueId lengths) {
  const ir::ValueId zero = c.Scalar(DType::kInt64, 0), one = c.Scalar(DType::kInt64, 1);
  const ir::ValueId step =
      c.build.Reshape(c.Onnx("Range", {zero, c.build.Reshape(steps, {}), one}), {ir::kInferDim, 1, 1});
  ir::ValueId first = zero;
  if (is_reverse) {
    const ir::ValueId counts = lengths == ir::kNoValue ? steps : c.CastTo(lengths, DType::kInt64);
    first = c.build.Reshape(c.build.Sub(counts, one), {1, ir::kInferDim, 1});
  }
  return c.build.Select({c.build.Equal(step, first), h, c.Scalar(DType::kFloat32, 0)});
}

// Makes *r [4H,P] of every direction [4H,H]. The state before the first step is `h` [D,N,P], a projection of
// unknown outputs: unless it is zero, it joins x [T,N,I] and *w [4H,I] as P inputs more for each direction,
// which are zero in all steps but the first. `projections`: [P,H] of every direction; `lengths` [N], or
// kNoValue.
void FoldProjections(OpContext& c, const std::vector<ir::ValueId>& projections, ir::ValueId h,
                     ir::ValueId lengths, ir::ValueId* x, std::vector<ir::ValueId>* w,
                     std::vector<ir::ValueId>* r) {
  if (!c.status().ok()) return;
  const auto directions = static_cast<int64_t>(projections.size());
  if (!IsZero(c, h)) {
    const ir::ValueId steps = c.build.SizesOf(*x, 0, 1);
    std::vector<ir::ValueId> inputs = {*x};
    for (int64_t d = 0; d < directions; ++d) {
      const ir::ValueId before = directions == 1 ? h : c.build.Slice(h, 0, d, d + 1);
      inputs.push_back(AtFirstStep(c, before, d == 1, steps, lengths));
    }
    *x = c.build.Concat(inputs, 2);
    for (size_t d = 0; d < w->size(); ++d) {
      std::vector<ir::ValueId> columns = {(*w)[d]};
      const ir::ValueId none = c.build.Mul((*r)[d], c.Scalar(DType::kFloat32, 0));
      for (size_t other = 0; other < w->size(); ++other) columns.push_back(other == d ? (*r)[d] : none);
      (*w)[d] = c.build.Concat(columns, 1);
    }
  }
  for (size_t d = 0; d < r->size(); ++d) (*r)[d] = c.Onnx("MatMul", {(*r)[d], projections[d]});
}

// y [T,D,N,H] or [D,N,H] by projections [D,P,H].
ir::ValueId Project(OpContext& c, ir::ValueId y, ir::ValueId projections) {
  return c.Onnx("MatMul", {y, c.build.Transpose(projections, {0, 2, 1})});
}

enum class Cell { kLstm, kGru, kTanh, kRelu };

struct Layers {
  Cell cell;
  bool has_biases, bidirectional, batch_first, projected;
  int64_t count;
  std::vector<ir::ValueId> weights;    // of every layer and direction: W, R, both biases, and the projection
  ir::ValueId h, c = ir::kNoValue;     // [layers * directions, N, H]
  ir::ValueId lengths = ir::kNoValue;  // of packed sequences

  int64_t directions() const { return bidirectional ? 2 : 1; }
  size_t weights_each() const { return 2u + (has_biases ? 2 : 0) + (projected ? 1 : 0); }  // of a direction
};

// PyTorch's order of gates: i f g o and r z n; ONNX's: i o f c and z r h.
std::vector<int> GateOrder(Cell cell) {
  if (cell == Cell::kLstm) return {0, 3, 1, 2};
  if (cell == Cell::kGru) return {1, 0, 2};
  return {0};
}

ir::ValueId Reordered(OpContext& c, ir::ValueId weights, Cell cell) {
  const std::vector<int> order = GateOrder(cell);
  if (order.size() == 1) return weights;
  const int64_t size = c.FixedDim(weights, 0) / static_cast<int64_t>(order.size());
  std::vector<ir::ValueId> gates;
  for (const int gate : order) gates.push_back(c.build.Slice(weights, 0, gate * size, (gate + 1) * size));
  return c.build.Concat(gates, 0);
}

// Both directions of a weight: [D, ...].
ir::ValueId OfDirections(OpContext& c, const std::vector<ir::ValueId>& parts) {
  std::vector<ir::ValueId> rows;
  for (const ir::ValueId part : parts) rows.push_back(c.Onnx("Unsqueeze", {part, c.Integers({0})}));
  return rows.size() == 1 ? rows[0] : c.build.Concat(rows, 0);
}

// x [T,N,I] → [T,N,D*H], or D*P of outputs that are projected to P; appends the last h and c, [D,N,H].
ir::ValueId RunLayer(OpContext& c, const Layers& layers, int64_t layer, ir::ValueId x,
                     std::vector<ir::ValueId>* h, std::vector<ir::ValueId>* cells) {
  const int64_t directions = layers.directions();
  std::vector<ir::ValueId> w, r, b, projections;
  for (int64_t d = 0; d < directions; ++d) {
    const size_t at = static_cast<size_t>(layer * directions + d) * layers.weights_each();
    w.push_back(Reordered(c, layers.weights[at], layers.cell));
    r.push_back(Reordered(c, layers.weights[at + 1], layers.cell));
    if (layers.has_biases) {
      b.push_back(c.build.Concat({Reordered(c, layers.weights[at + 2], layers.cell),
                                  Reordered(c, layers.weights[at + 3], layers.cell)},
                                 0));
    }
    if (layers.projected) projections.push_back(layers.weights[at + layers.weights_each() - 1]);
  }
  const auto state = [&](ir::ValueId all) {
    if (layers.count == 1) return all;
    return c.build.Slice(all, 0, layer * directions, (layer + 1) * directions);
  };
  ir::ValueId h_before = state(layers.h);
  if (layers.projected) {
    FoldProjections(c, projections, h_before, layers.lengths, &x, &w, &r);
    h_before = ir::kNoValue;
  }
  std::vector<ir::ValueId> inputs = {x,
                                     OfDirections(c, w),
                                     OfDirections(c, r),
                                     layers.has_biases ? OfDirections(c, b) : ir::kNoValue,
                                     layers.lengths,
                                     h_before};
  const bool is_lstm = layers.cell == Cell::kLstm;
  if (is_lstm) inputs.push_back(state(layers.c));
  std::vector<Attribute> attributes = {
      {"hidden_size", c.FixedDim(r[0], 1)},
      {"direction", std::string(layers.bidirectional ? "bidirectional" : "forward")}};
  if (layers.cell == Cell::kGru) attributes.push_back({"linear_before_reset", int64_t{1}});
  if (layers.cell == Cell::kRelu)
    attributes.push_back({"activations", std::vector<std::string>(static_cast<size_t>(directions), "Relu")});
  const char* op = is_lstm ? "LSTM" : layers.cell == Cell::kGru ? "GRU" : "RNN";
  std::vector<ir::ValueId> y = c.OnnxMany(op, inputs, attributes, is_lstm ? 3 : 2);
  for (size_t i = 0; i < 2 && layers.projected; ++i) y[i] = Project(c, y[i], OfDirections(c, projections));
  h->push_back(y[1]);
  if (is_lstm) cells->push_back(y[2]);
  // [T,D,N,H]
  if (directions == 1) return c.Onnx("Squeeze", {y[0], c.Integers({1})});
  const ir::ValueId side_by_side = c.build.Transpose(y[0], {0, 2, 1, 3});
  return c.Onnx("Reshape", {side_by_side, c.Integers({0, 0, -1})});
}

// The lengths behind the batch sizes of a packed sequence. kNoValue, and an error, if they are others.
ir::ValueId LengthsAt(OpContext& c, size_t i) {
  const bool is_packed = c.arg(i).is_tensor() && c.arg(i).tensor->lengths != nullptr;
  if (is_packed) return c.TensorOf(Value::OfTensor(c.arg(i).tensor->lengths));
  c.Fail(Unsupported("batch sizes that are not those of pack_padded_sequence"));
  return ir::kNoValue;
}

// [T,1], true where the step belongs to the sequence.
ir::ValueId StepsWithin(OpContext& c, ir::ValueId steps, ir::ValueId lengths) {
  const ir::ValueId zero = c.Scalar(DType::kInt64, 0), one = c.Scalar(DType::kInt64, 1);
  const ir::ValueId range = c.Onnx("Range", {zero, c.build.Reshape(steps, {}), one});
  return c.build.Less(c.build.Reshape(range, {ir::kInferDim, 1}), lengths);
}

ir::ValueId LongestOf(OpContext& c, ir::ValueId lengths) {
  return c.build.Reshape(c.build.Reduce(schema::ReduceKind::Max, lengths, {0}, false), {1});
}

// (input, lengths, batch_first): the sequences stay padded, [T,N,...].
void ImportPackSequences(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  if (c.Bool(2, false)) x = c.build.Transpose(x, ir::AxesFirst(c.rank(x), {1, 0}));
  const ir::ValueId lengths = c.CastTo(c.IndicesAt(1), DType::kInt64);
  const ir::ValueId within = StepsWithin(c, c.build.SizesOf(x, 0, 1), lengths);
  // A size for each step of the longest sequence.
  const ir::ValueId of_steps =
      c.build.Reduce(schema::ReduceKind::Sum, c.CastTo(within, DType::kInt64), {1}, false);
  const ir::ValueId sizes = c.Onnx("Slice", {of_steps, c.Integers({0}), LongestOf(c, lengths)});
  Value data = Value::OfTensor(c.table().Make(x)), batches = Value::OfTensor(c.table().Make(sizes));
  data.tensor->is_packed = true;
  batches.tensor->lengths = c.table().Make(lengths);
  batches.tensor->sequences = c.table().Make(c.build.SizesOf(x, 1, 2));
  c.ReturnValue(Value::Sequence(Kind::kTuple, {data, batches}));
}

// (data, batch_sizes, batch_first, padding_value, total_length): as long as the longest, or total_length.
void ImportPadSequences(OpContext& c) {
  ir::ValueId x = c.TensorAt(0);
  const ir::ValueId lengths = LengthsAt(c, 1);
  if (c.rank(x) < 2) c.Fail(Invalid("a tensor of {} dimensions", c.rank(x)));
  if (!c.status().ok()) return;
  const ir::ValueId steps = c.build.SizesOf(x, 0, 1);
  const double padding = c.Float(3, 0);
  if (padding != 0) {
    ir::ValueId within = StepsWithin(c, steps, lengths);
    std::vector<int32_t> shape = {ir::CopyDim(0), ir::CopyDim(1)};
    shape.resize(static_cast<size_t>(c.rank(x)), 1);
    within = c.build.Reshape(within, shape);
    x = c.build.Select({within, x, c.Scalar(c.dtype(x), padding)});
    if (!c.status().ok()) return;
  }
  const bool is_longest = !c.Has(4) || (c.arg(4).is_known_int() && c.arg(4).integer <= 0);
  const ir::ValueId wanted = is_longest ? LongestOf(c, lengths) : c.IntegerTensor(c.arg(4));
  if (is_longest) {
    x = c.Onnx("Slice", {x, c.Integers({0}), wanted, c.Integers({0}), c.Integers({1})});
  } else if (!c.arg(4).is_known_int() || c.arg(4).integer != c.dim(x, 0)) {
    const ir::ValueId before = c.Integers(std::vector<int64_t>(static_cast<size_t>(c.rank(x)), 0));
    const ir::ValueId after = c.Integers(std::vector<int64_t>(static_cast<size_t>(c.rank(x)) - 1, 0));
    x = c.Onnx("Pad", {x, c.build.Concat({before, c.build.Sub(wanted, steps), after}, 0),
                       c.Scalar(c.dtype(x), padding)});
  }
  if (c.Bool(2, false)) x = c.build.Transpose(x, ir::AxesFirst(c.rank(x), {1, 0}));
  c.ReturnTuple({x, lengths});
}

// (input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first); of packed
// sequences (data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional).
template <Cell cell>
void ImportRecurrent(OpContext& c) {
  Layers layers{};
  layers.cell = cell;
  ir::ValueId x = c.TensorAt(0);
  constexpr bool is_lstm = cell == Cell::kLstm;
  const bool is_packed = c.arg(3).is_sequence();
  const size_t at = is_packed ? 1 : 0;  // of what follows the batch sizes
  if (is_packed) layers.lengths = c.CastTo(LengthsAt(c, 1), DType::kInt32);
  if (!c.status().ok()) return;
  if (is_lstm) {
    const std::vector<ir::ValueId> states = c.Tensors(1 + at);
    if (states.size() != 2) return c.Fail(Invalid("expected 2 states, found {}", states.size()));
    layers.h = states[0];
    layers.c = states[1];
  } else {
    layers.h = c.TensorAt(1 + at);
  }
  layers.weights = c.Tensors(2 + at);
  layers.has_biases = c.Bool(3 + at, true);
  layers.count = c.Int(4 + at, 1);
  layers.bidirectional = c.Bool(7 + at, false);
  layers.batch_first = !is_packed && c.Bool(8, false);
  const auto has_weights = [&] {
    const int64_t each = static_cast<int64_t>(layers.weights_each()) * layers.directions();
    return layers.count >= 1 && layers.count <= static_cast<int64_t>(layers.weights.size()) &&
           layers.count * each == static_cast<int64_t>(layers.weights.size());
  };
  layers.projected = is_lstm && !has_weights();
  if (!has_weights()) return c.Fail(Invalid("{} weights for {} layers", layers.weights.size(), layers.count));
  const bool is_alone = c.rank(x) == 2;
  if (is_alone) {
    x = c.Onnx("Unsqueeze", {x, c.Integers({1})});
    layers.h = c.Onnx("Unsqueeze", {layers.h, c.Integers({1})});
    if (is_lstm) layers.c = c.Onnx("Unsqueeze", {layers.c, c.Integers({1})});
  }
  const bool turns = layers.batch_first && !is_alone;
  if (turns) x = c.build.Transpose(x, {1, 0, 2});
  std::vector<ir::ValueId> h, cells;
  for (int64_t i = 0; i < layers.count && c.status().ok(); ++i) x = RunLayer(c, layers, i, x, &h, &cells);
  if (turns) x = c.build.Transpose(x, {1, 0, 2});
  const auto joined = [&](const std::vector<ir::ValueId>& parts) {
    const ir::ValueId all = parts.size() == 1 ? parts[0] : c.build.Concat(parts, 0);
    return is_alone ? c.Onnx("Squeeze", {all, c.Integers({1})}) : all;
  };
  if (is_alone) x = c.Onnx("Squeeze", {x, c.Integers({1})});
  std::vector<ir::ValueId> results = {x, joined(h)};
  if (is_lstm) results.push_back(joined(cells));
  c.ReturnTuple(results);
  if (is_packed) c.result().items->front().tensor->is_packed = true;
}

ir::ValueId Gates(OpContext& c, ir::ValueId x, size_t weight, size_t bias) {
  return c.Onnx("Gemm", {x, c.TensorAt(weight), c.OptionalTensor(bias)}, {{"transB", int64_t{1}}});
}

ir::ValueId Part(OpContext& c, ir::ValueId gates, int64_t i, int64_t of) {
  const int64_t size = c.FixedDim(gates, 1) / of;
  return c.build.Slice(gates, 1, i * size, (i + 1) * size);
}

// (input, hx, w_ih, w_hh, b_ih, b_hh)
void ImportLstmCell(OpContext& c) {
  const std::vector<ir::ValueId> states = c.Tensors(1);
  if (states.size() != 2) return c.Fail(Invalid("expected 2 states, found {}", states.size()));
  const ir::ValueId gates = c.Onnx("Add", {Gates(c, c.TensorAt(0), 2, 4), Gates(c, states[0], 3, 5)});
  const auto gate = [&](int64_t i, const char* activation) {
    return c.Onnx(activation, {Part(c, gates, i, 4)});
  };
  const ir::ValueId kept = c.build.Mul(gate(1, "Sigmoid"), states[1]);
  const ir::ValueId cell = c.build.Add(kept, c.Onnx("Mul", {gate(0, "Sigmoid"), gate(2, "Tanh")}));
  c.ReturnTuple({c.Onnx("Mul", {gate(3, "Sigmoid"), c.build.Tanh(cell)}), cell});
}

void ImportGruCell(OpContext& c) {
  const ir::ValueId h = c.TensorAt(1);
  const ir::ValueId of_x = Gates(c, c.TensorAt(0), 2, 4), of_h = Gates(c, h, 3, 5);
  const auto both = [&](int64_t i) {
    return c.build.Sigmoid(c.Onnx("Add", {Part(c, of_x, i, 3), Part(c, of_h, i, 3)}));
  };
  const ir::ValueId reset = both(0), update = both(1);
  const ir::ValueId fresh =
      c.build.Tanh(c.Onnx("Add", {Part(c, of_x, 2, 3), c.build.Mul(reset, Part(c, of_h, 2, 3))}));
  c.Return(c.build.Add(fresh, c.build.Mul(update, c.build.Sub(h, fresh))));
}

template <bool relu>
void ImportRnnCell(OpContext& c) {
  const ir::ValueId sum = c.Onnx("Add", {Gates(c, c.TensorAt(0), 2, 4), Gates(c, c.TensorAt(1), 3, 5)});
  c.Return(c.Onnx(relu ? "Relu" : "Tanh", {sum}));
}

constexpr char kLayers[] = "input hx params has_biases num_layers dropout train bidirectional batch_first";
constexpr char kCell[] = "input hx w_ih w_hh b_ih b_hh";

}  // namespace

const ImporterList RecurrentOps = {
    {"_pack_padded_sequence", "input lengths batch_first", ImportPackSequences},
    {"_pad_packed_sequence", "data batch_sizes batch_first padding_value total_length", ImportPadSequences},
    {"gru", kLayers, ImportRecurrent<Cell::kGru>},
    {"gru_cell", kCell, ImportGruCell},
    {"lstm", kLayers, ImportRecurrent<Cell::kLstm>},
    {"lstm_cell", kCell, ImportLstmCell},
    {"rnn_relu", kLayers, ImportRecurrent<Cell::kRelu>},
    {"rnn_relu_cell", kCell, ImportRnnCell<true>},
    {"rnn_tanh", kLayers, ImportRecurrent<Cell::kTanh>},
    {"rnn_tanh_cell", kCell, ImportRnnCell<false>},
};

}  // namespace micrort::frontend::torchscript
