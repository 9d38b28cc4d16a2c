// Window functions of signal processing, and positions in triangles: constants.

#include <cmath>

#include "converter/frontend/torchscript/registry.h"

namespace micrort::frontend::torchscript {

namespace {

constexpr double kTurn = 6.28318530717958647692;

// (window_length, periodic, alpha, beta, dtype): alpha - beta cos(2 pi i / n) + gamma cos(4 pi i / n)
void ReturnCosines(OpContext& c, double alpha, double beta, double gamma) {
  const int64_t length = c.Int(0, 1);
  if (length < 0 || length > ir::kMaxMade) return c.Fail(Invalid("a window of {}", length));
  const double period = static_cast<double>(c.Bool(1, true) ? length : length - 1);
  std::vector<float> window;
  for (int64_t i = 0; i < length; ++i) {
    const double turn = kTurn * static_cast<double>(i) / period;
    const double value = alpha - beta * std::cos(turn) + gamma * std::cos(2 * turn);
    window.push_back(length == 1 ? 1.0f : static_cast<float>(value));
  }
  c.Return(c.CastTo(c.build.Constant({length}, window), c.Type(4, DType::kFloat32)));
}

void ImportHann(OpContext& c) { ReturnCosines(c, 0.5, 0.5, 0); }
void ImportHamming(OpContext& c) { ReturnCosines(c, c.Float(2, 0.54), c.Float(3, 0.46), 0); }
void ImportBlackman(OpContext& c) { ReturnCosines(c, 0.42, 0.5, 0.08); }

// (row, col, offset, dtype): [2, count]
template <bool is_upper>
void ImportTriangleIndices(OpContext& c) {
  const int64_t rows = c.Int(0, 1), columns = c.Int(1, 1), offset = c.Int(2, 0);
  constexpr int64_t kMaxSide = 1 << 12;
  if (rows < 0 || columns < 0 || rows > kMaxSide || columns > kMaxSide)
    return c.Fail(Unsupported("a matrix of {}x{}", rows, columns));
  std::vector<int64_t> at_rows, at_columns;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < columns; ++k) {
      if (is_upper ? k - i < offset : k - i > offset) continue;
      at_rows.push_back(i);
      at_columns.push_back(k);
    }
  }
  const auto count = static_cast<int64_t>(at_rows.size());
  at_rows.insert(at_rows.end(), at_columns.begin(), at_columns.end());
  c.Return(c.CastTo(c.build.Constant({2, count}, at_rows), c.Type(3, DType::kInt64)));
}

constexpr char kWindow[] = "window_length periodic alpha beta dtype layout device pin_memory";
constexpr char kTriangle[] = "row col offset dtype layout device pin_memory";

}  // namespace

const ImporterList WindowFunctionOps = {
    {"blackman_window", kWindow, ImportBlackman},
    {"hamming_window", kWindow, ImportHamming},
    {"hann_window", kWindow, ImportHann},
    {"tril_indices", kTriangle, ImportTriangleIndices<false>},
    {"triu_indices", kTriangle, ImportTriangleIndices<true>},
};

}  // namespace micrort::frontend::torchscript
