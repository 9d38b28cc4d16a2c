#include "converter/frontend/tflite/int16_scales.h"

#include <cmath>
#include <cstdio>

#include "converter/frontend/tflite/tensor_reader.h"
#include "kernels/elementwise/softmax_s16.h"

namespace micrort::frontend::tflite {

namespace {

constexpr size_t kLstmCell = 19;  // input of UNIDIRECTIONAL_SEQUENCE_LSTM

// False for tensors of other types, and for those that say nothing of a scale.
bool ReadInt16(const fb::Tensor& tensor, ir::Quantization* q) {
  return tensor.type() == fb::TensorType::Int16 && IsQuantized(tensor) && ReadQuantization(tensor, q).ok();
}

std::string Fault(const fb::Tensor& tensor, const char* expected, double found) {
  char text[160];
  std::snprintf(text, sizeof text, "int16 '%.80s': TensorFlow Lite takes %s, found %g",
                NameOf(tensor).c_str(), expected, found);
  return text;
}

std::string ZeroPointFault(const fb::Tensor& tensor) {
  ir::Quantization q;
  if (!ReadInt16(tensor, &q) || q.zero_points.empty()) return "";
  return Fault(tensor, "no zero point but 0", q.zero_points[0]);
}

// Operators whose kernels subtract zero points of int16, too.
bool TakesZeroPoints(const std::string& op) { return op == "QUANTIZE" || op == "DEQUANTIZE"; }

bool HasTable(const std::string& op) { return op == "LOGISTIC" || op == "TANH" || op == "SOFTMAX"; }

std::string TableFault(const fb::Tensor& output) {
  ir::Quantization q;
  if (!ReadInt16(output, &q)) return "";
  if (std::fabs(q.scales[0] / kSoftmaxS16Scale - 1.0f) <= kSoftmaxS16Tolerance) return "";
  return Fault(output, "no scale but 1/32768 for what comes of a table", static_cast<double>(q.scales[0]));
}

std::string CellFault(const fb::Tensor& cell) {
  ir::Quantization q;
  int exponent = 0;
  if (!ReadInt16(cell, &q) || std::frexp(q.scales[0], &exponent) == 0.5f) return "";
  return Fault(cell, "powers of two as scales of a cell", static_cast<double>(q.scales[0]));
}

}  // namespace

std::string WhyInvalidInt16(const StatedOperator& op) {
  std::string why;
  if (TakesZeroPoints(op.name())) return why;
  for (size_t i = 0; i < op.input_count() && why.empty(); ++i) {
    if (op.has_input(i)) why = ZeroPointFault(op.tensor(i));
  }
  for (size_t i = 0; i < op.output_count() && why.empty(); ++i) {
    if (op.wants_output(i)) why = ZeroPointFault(op.output_tensor(i));
  }
  if (!why.empty()) return why;
  if (HasTable(op.name()) && op.wants_output(0)) return TableFault(op.output_tensor(0));
  if (op.name() == "UNIDIRECTIONAL_SEQUENCE_LSTM" && op.has_input(kLstmCell))
    return CellFault(op.tensor(kLstmCell));
  return "";
}

}  // namespace micrort::frontend::tflite
