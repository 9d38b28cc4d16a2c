#include "tests/converter/random_sizes.h"

#include <cmath>
#include <cstdlib>
#include <random>
#include <sstream>

#include "tests/converter/converted.h"

// Of AddressSanitizer, whose builds share the objects of tests with those that have none.
extern "C" __attribute__((weak)) void __asan_init();

namespace micrort::testing {

namespace {

// Inputs: x [a, b], z [b, c], w [c, b], i [c] of integers.
struct Sizes {
  int64_t a, b, c;
};
constexpr Sizes kSizes[] = {{2, 1, 1}, {1, 2, 2}, {3, 5, 1}, {2, 20, 2}, {3, 97, 4}};

// A compiler may compute arguments in any order: no two of a call take a random number or write, so that a
// seed is the same model for all.
class RandomSizes {
 public:
  RandomSizes(SizeWriter& writer, uint32_t seed) : w_(writer), random_(seed) {}

  std::string Build() {
    w_.Input("x", {"a", "b"}, false);
    w_.Input("z", {"b", "c"}, false);
    w_.Input("w", {"c", "b"}, false);
    w_.Input("i", {"c"}, true);
    numbers_ = {w_.SizeOf("x", 0), w_.SizeOf("x", 1), w_.SizeOf("w", 0)};
    tensors_ = {"x"};
    const int steps = Any(2, 5);
    for (int step = 0; step < steps; ++step) {
      for (int i = Any(1, 3); i > 0; --i) AddNumber();
      AddTensor();
    }
    const std::string integers = w_.Integers("i", numbers_.back());
    return w_.Bytes(tensors_.back(), integers, numbers_.back());
  }

 private:
  int Any(int from, int to) {
    return from + static_cast<int>(random_() % static_cast<uint32_t>(to - from + 1));
  }
  const std::string& OneOf(const std::vector<std::string>& of) { return of[random_() % of.size()]; }
  std::string AnyNumber() {
    // What was computed last, more often than not.
    if (Any(0, 2) == 0) return numbers_.back();
    return Any(0, 3) == 0 ? w_.Constant(Any(-3, 12)) : OneOf(numbers_);
  }
  // A number from `least` to `most`.
  std::string Limited(const std::string& number, int64_t least, int64_t most) {
    const std::string upper = w_.Constant(most), lower = w_.Constant(least);
    const std::string raised = w_.Arithmetic("Max", number, lower);
    return w_.Arithmetic("Min", raised, upper);
  }
  std::string Divisor() { return w_.Constant(Any(0, 4) == 0 ? -Any(1, 3) : Any(1, 7)); }

  std::string Number() {
    const std::string a = AnyNumber(), b = AnyNumber();
    switch (Any(0, 13)) {
      case 0:
        return w_.Arithmetic("Add", a, b);
      case 1:
        return w_.Arithmetic("Sub", a, b);
      case 2: {
        const std::string y = Limited(b, -99, 99), x = Limited(a, -99, 99);
        return w_.Arithmetic("Mul", x, y);
      }
      case 3:
      case 4:
        return w_.Arithmetic("Div", a, Divisor());
      case 5:
        return w_.Arithmetic("Mod", a, Divisor());
      case 6:
        return w_.Arithmetic("Min", a, b);
      case 7:
        return w_.Arithmetic("Max", a, b);
      case 8:
      case 9: {
        static const std::vector<std::string> kComparisons = {"Less", "Equal", "Greater"};
        const std::string otherwise = AnyNumber(), chosen = AnyNumber();
        return w_.Choice(OneOf(kComparisons), a, b, chosen, otherwise);
      }
      case 10: {
        static const std::vector<std::string> kRoundings = {"Floor", "Ceil", "Round"};
        const std::string& rounding = OneOf(kRoundings);
        const float scale = 0.25f * static_cast<float>(Any(-3, 7));
        return w_.Scaled(Limited(a, -1000, 1000), scale, rounding);
      }
      case 11: {
        const int dim = Any(0, 1);
        return w_.SizeOf(OneOf(tensors_), dim);
      }
      case 12: {
        const std::string trips = Limited(b, 0, 4);
        return w_.Repeated(Limited(a, -99, 99), trips);
      }
      default:
        return w_.Arithmetic("Div", a, Limited(b, 1, 50));
    }
  }
  void AddNumber() { numbers_.push_back(Number()); }

  std::string Tensor(const std::string& x) {
    const int axis = Any(0, 1);
    const std::string size = w_.SizeOf(x, axis), rows = w_.SizeOf(x, 0), columns = w_.SizeOf(x, 1);
    const std::string n = AnyNumber(), few = Limited(n, 1, 9);
    switch (Any(0, 29)) {
      case 0:
      case 1: {
        const std::string end = Any(0, 1) != 0 ? n : few;
        return w_.Slice(x, axis, w_.Constant(0), end, 1);
      }
      case 2:
        return w_.Slice(x, axis, w_.Arithmetic("Div", size, w_.Constant(Any(2, 4))), size, 1);
      case 3: {
        const int step = Any(1, 3);
        return w_.Slice(x, axis, w_.Constant(Any(-3, 2)), n, step);
      }
      case 4: {
        const std::string after = Limited(AnyNumber(), 0, 7);
        return w_.Pad(x, axis, Limited(n, 0, 7), after);
      }
      case 5: {
        const std::string missing = w_.Arithmetic("Sub", few, size), none = w_.Constant(0);
        const std::string after = w_.Arithmetic("Max", none, missing);
        return w_.Pad(x, axis, w_.Constant(0), after);
      }
      case 6:
        return w_.Tile(x, w_.Constant(Any(1, 2)), few);
      case 7:
        return w_.Concat(x, w_.Slice(x, axis, w_.Constant(0), few, 1), axis);
      case 8:
        return w_.Concat(x, x, axis);
      case 9:
        return w_.Reshape(x, columns, Any(0, 1) != 0 ? "-1" : rows);
      case 10:
        return w_.Reshape(x, w_.Arithmetic("Mul", rows, columns), "1");
      case 11:
        return w_.Reshape(x, Any(0, 2) == 0 ? few : w_.Constant(1), "-1");
      case 12:
        return w_.Transpose(x);
      case 13:
        return w_.Multiply(x, n);
      case 14:
        return w_.Plus(x, w_.Range(columns));
      case 15:
        return w_.Plus(x, w_.Filled(rows, columns, 2));
      case 16:
        return w_.Plus(x, FilledToBroadcast(rows, few));
      case 17:
        return w_.Masked(x, columns, n);
      case 18:
        return w_.MatMul(x, w_.Transpose(x));
      case 19:
        return w_.MatMul(x, Any(0, 1) != 0 ? "z" : "w");
      case 20:
        return w_.Plus(x, "w");
      case 21:
        return w_.Plus(x, w_.Sum(x, axis));
      case 22:
        return w_.Pooled(x);
      case 23:
        return w_.Convolved(x);
      case 24:
        return w_.Column(x, w_.Arithmetic("Div", columns, w_.Constant(Any(2, 3))));
      case 25:
        return w_.Largest(x, Any(0, 3) == 0 ? few : w_.Arithmetic("Min", few, columns));
      case 26:
        return w_.IfSliced(x, n, AnyNumber(), few);
      case 27:
        return w_.Looped(x, Limited(n, 0, 5));
      case 28:
        return Any(0, 1) != 0 ? w_.Cumulated(x, axis) : w_.Resized(x, few);
      default:
        return Any(0, 1) != 0 ? w_.LowerTriangle(x, n) : w_.Clipped(x, n);
    }
  }
  std::string FilledToBroadcast(const std::string& rows, const std::string& few) {
    const std::string width = Any(0, 2) == 0 ? few : "1";
    return w_.Filled(Any(0, 1) != 0 ? "1" : rows, width, 3);
  }
  // Each from the one before: what nobody reads may be wrong in sizes that nobody finds.
  void AddTensor() { tensors_.push_back(Tensor(tensors_.back())); }

  SizeWriter& w_;
  std::mt19937 random_;
  std::vector<std::string> numbers_, tensors_;
};

std::vector<int64_t> ShapeOf(const std::string& name, const Sizes& s) {
  if (name == "i") return {s.c};
  return name == "x"   ? std::vector<int64_t>{s.a, s.b}
         : name == "z" ? std::vector<int64_t>{s.b, s.c}
                       : std::vector<int64_t>{s.c, s.b};
}

ConvertOptions OptionsOf(const SizeWriter& writer, const Sizes& s) {
  ConvertOptions options;
  for (const char* name : {"x", "z", "w", "i"}) options.input_shapes.push_back({name, ShapeOf(name, s)});
  if (!writer.states_types()) options.input_types = {{"i", DType::kInt64}};
  return options;
}

// Numbers may differ by rounding, text may not.
bool AreEqual(const std::string& a, const std::string& b) {
  std::istringstream in_a(a), in_b(b);
  std::string x, y;
  while (in_a >> x) {
    if (!(in_b >> y)) return false;
    if (x == y) continue;
    char *end_x = nullptr, *end_y = nullptr;
    const double u = std::strtod(x.c_str(), &end_x), v = std::strtod(y.c_str(), &end_y);
    if (*end_x != *end_y || (*end_x != 0 && *end_x != ';')) return false;
    if (!(std::abs(u - v) <= 1e-4 * (1 + std::abs(v)))) return false;
  }
  return !(in_b >> y);
}

// Its arrays; "error", and why, if there are none.
std::string Run(Converted& model, const Sizes& s, std::string* why) {
  std::vector<int64_t> integers;
  for (int64_t i = 0; i < s.c; ++i) integers.push_back(i + 1);
  *why = model.Run(
      {Counting(ShapeOf("x", s)), Counting(ShapeOf("z", s)), Counting(ShapeOf("w", s)), Integers(integers)});
  return model.ran() ? *why : "error";
}

// Whether the error is that of a target of [0, -1], in which ONNX copies a dimension of an empty input: it is
// refused by the rule that the size is at least 1, or 1 if it cannot be more, or by the reshape itself if the
// rule is too long to be stated. Messages may cut the text of a rule, but not what was found.
bool IsOfReshapeToNothing(const std::string& why, const std::string& wanted) {
  const auto has = [&](const char* text) { return why.find(text) != std::string::npos; };
  const bool gives_nothing = wanted.find("x0:") != std::string::npos;
  return has(" >= 1, as node") || (has(", found 0 and 1") && gives_nothing) ||
         has("cannot infer the -1 of 0x") || has("inputs: expected 1 <= ");
}

}  // namespace

std::string RandomSizesModel(SizeWriter& writer, uint32_t seed) { return RandomSizes(writer, seed).Build(); }

SizesOutcome CompareSizes(MakeSizeWriter make, uint32_t seed) {
  // Sanitized, a conversion takes thirty times as long; the values of all sizes are compared by those that
  // are not.
  const bool is_sanitized = &__asan_init != nullptr;
  SizesOutcome outcome;
  const std::unique_ptr<SizeWriter> writer = make();
  const std::string bytes = RandomSizesModel(*writer, seed);
  Converted open(writer->file(), bytes, OptionsOf(*writer, {-1, -1, -1}));
  outcome.is_refused = !open.status().ok();
  for (const Sizes& s : kSizes) {
    std::string why, why_open;
    const std::string found = Run(open, s, &why_open);
    if (is_sanitized && &s != kSizes) continue;
    Converted fixed(writer->file(), bytes, OptionsOf(*writer, s));
    const std::string wanted = Run(fixed, s, &why);
    if (AreEqual(found, wanted)) continue;
    // The source does not run with these sizes, whatever else may: reshapes of empty tensors.
    if (!fixed.status().ok() && open.ran()) continue;
    if (!open.ran() && IsOfReshapeToNothing(why_open, wanted)) {
      outcome.has_exception = true;
      continue;
    }
    outcome.difference = std::to_string(s.a) + ", " + std::to_string(s.b) + ", " + std::to_string(s.c) +
                         ":\n  open:  " + why_open.substr(0, 900) + "\n  fixed: " + why.substr(0, 900) + "\n";
    break;
  }
  return outcome;
}

}  // namespace micrort::testing
