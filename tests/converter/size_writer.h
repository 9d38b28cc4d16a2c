#pragma once
// What random models with open sizes are written with, in one format or another. Numbers are integers that
// the model computes from sizes; tensors are named, and have two dimensions of floats.

#include <memory>
#include <string>
#include <vector>

#include "converter/frontend/frontend.h"

namespace micrort::testing {

class SizeWriter {
 public:
  virtual ~SizeWriter() = default;

  // Dimensions with a name are open. Integer inputs are int64.
  virtual void Input(const std::string& name, const std::vector<std::string>& dims, bool is_integer) = 0;

  virtual std::string Constant(int64_t v) = 0;
  virtual std::string SizeOf(const std::string& x, int axis) = 0;
  // "Add", "Sub", "Mul", "Div", "Mod", "Min", "Max"
  virtual std::string Arithmetic(const std::string& op, const std::string& a, const std::string& b) = 0;
  // c where a is less than, equal to or greater than b ("Less", "Equal", "Greater"), else d.
  virtual std::string Choice(const std::string& comparison, const std::string& a, const std::string& b,
                             const std::string& c, const std::string& d) = 0;
  // a * factor as a float, then an integer: by "Floor", "Ceil" or "Round".
  virtual std::string Scaled(const std::string& a, float factor, const std::string& rounding) = 0;
  // a, halved `trips` times, and one more each time.
  virtual std::string Repeated(const std::string& a, const std::string& trips) = 0;

  virtual std::string Slice(const std::string& x, int axis, const std::string& begin, const std::string& end,
                            int step) = 0;
  // Zeros along an axis.
  virtual std::string Pad(const std::string& x, int axis, const std::string& before,
                          const std::string& behind) = 0;
  virtual std::string Tile(const std::string& x, const std::string& rows, const std::string& columns) = 0;
  virtual std::string Concat(const std::string& a, const std::string& b, int axis) = 0;
  // A number "-1" is inferred.
  virtual std::string Reshape(const std::string& x, const std::string& rows, const std::string& columns) = 0;
  virtual std::string Transpose(const std::string& x) = 0;
  virtual std::string Multiply(const std::string& x, const std::string& number) = 0;
  virtual std::string Plus(const std::string& a, const std::string& b) = 0;
  virtual std::string MatMul(const std::string& a, const std::string& b) = 0;
  // [1, n]: 0, 1, 2 ...
  virtual std::string Range(const std::string& n) = 0;
  virtual std::string Filled(const std::string& rows, const std::string& columns, float v) = 0;
  // x where positions along the last axis are less than n, else 0; x has `columns`.
  virtual std::string Masked(const std::string& x, const std::string& columns, const std::string& n) = 0;
  virtual std::string Sum(const std::string& x, int axis) = 0;
  // The maxima of windows of three along the last axis, two apart; the same of a convolution.
  virtual std::string Pooled(const std::string& x) = 0;
  virtual std::string Convolved(const std::string& x) = 0;
  // The one column at this position.
  virtual std::string Column(const std::string& x, const std::string& position) = 0;
  virtual std::string Largest(const std::string& x, const std::string& k) = 0;
  // The first n columns where the condition holds, else x.
  virtual std::string IfSliced(const std::string& x, const std::string& a, const std::string& b,
                               const std::string& n) = 0;
  // x and a tensor of ones, added `trips` times.
  virtual std::string Looped(const std::string& x, const std::string& trips) = 0;
  virtual std::string Cumulated(const std::string& x, int axis) = 0;
  // To so many columns, by the nearest element.
  virtual std::string Resized(const std::string& x, const std::string& columns) = 0;
  virtual std::string LowerTriangle(const std::string& x, const std::string& diagonal) = 0;
  virtual std::string Clipped(const std::string& x, const std::string& largest) = 0;
  // Of the integers `i`, each times the number.
  virtual std::string Integers(const std::string& i, const std::string& number) = 0;

  // The model; outputs are a tensor, integers and a number.
  virtual std::string Bytes(const std::string& tensor, const std::string& integers,
                            const std::string& number) = 0;
  // Whether the format says what types inputs have.
  virtual bool states_types() const = 0;
  // The file's name.
  virtual std::string file() const = 0;
};

std::unique_ptr<SizeWriter> MakeOnnxSizeWriter();
std::unique_ptr<SizeWriter> MakeTorchSizeWriter();

}  // namespace micrort::testing
