#include "converter/frontend/common/input_values.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "tools/io/load.h"

namespace micrort::frontend {

namespace {

// The kind of an element of a list, or of none.
enum class Literal { kNone, kBool, kInteger, kReal };

bool IsTrue(const std::string& text) { return text == "true" || text == "True"; }

bool ReadInteger(const std::string& text, int64_t* out) {
  char* end = nullptr;
  errno = 0;
  *out = std::strtoll(text.c_str(), &end, 10);
  return errno == 0 && end == text.c_str() + text.size();
}

bool ReadReal(const std::string& text, double* out) {
  char* end = nullptr;
  *out = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size();
}

Literal LiteralOf(const std::string& text) {
  if (IsTrue(text) || text == "false" || text == "False") return Literal::kBool;
  int64_t integer = 0;
  double real = 0;
  if (text.empty() || std::isspace(static_cast<unsigned char>(text[0])) != 0) return Literal::kNone;
  if (ReadInteger(text, &integer)) return Literal::kInteger;
  return ReadReal(text, &real) ? Literal::kReal : Literal::kNone;
}

std::vector<std::string> Parts(const std::string& text) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma == std::string::npos ? comma : comma - begin));
  }
  return parts;
}

// kNone where one is none, or booleans are among numbers.
Literal LiteralOfAll(const std::vector<std::string>& parts) {
  Literal all = LiteralOf(parts[0]);
  for (const std::string& part : parts) {
    const Literal literal = LiteralOf(part);
    if (literal == Literal::kNone || (literal == Literal::kBool) != (all == Literal::kBool))
      return Literal::kNone;
    all = std::max(all, literal);
  }
  return all;
}

template <typename T>
void Append(T element, io::NamedArray* array) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(&element);
  array->data.insert(array->data.end(), bytes, bytes + sizeof element);
}

// Where the list says less than the input's type asks for.
Status CheckType(const io::NamedArray& list, DType dtype) {
  if (list.dtype != DType::kBool || dtype == DType::kBool) return Status();
  return MICRORT_ERROR(kInvalidArgument, "expected elements of %s, found booleans", Name(dtype));
}

// A number of a float64 list that the input's type would make infinite.
Status CheckRange(const io::NamedArray& list, const io::NamedArray& converted) {
  if (list.dtype != DType::kFloat64 || converted.dtype != DType::kFloat32) return Status();
  for (size_t i = 0; i < list.elements(); ++i) {
    if (std::isfinite(list.as<double>()[i]) != std::isfinite(converted.as<float>()[i]))
      return MICRORT_ERROR(kInvalidArgument, "float32 cannot hold %g", list.as<double>()[i]);
  }
  return Status();
}

// The dimensions of the input that as many elements make: one that is open becomes what is left, and several
// become 1 where there is a single element.
Status ShapeOfList(size_t count, const ir::Value& input, std::vector<int64_t>* shape) {
  size_t fixed = 1, open = 0;
  for (const int64_t dim : input.shape) {
    open += dim == ir::kDynamic;
    // A product beyond any list's length stays beyond it.
    if (dim != ir::kDynamic) fixed = dim != 0 && fixed > count ? fixed : fixed * static_cast<size_t>(dim);
  }
  const bool fits = open == 0 ? fixed == count : fixed != 0 && count % fixed == 0;
  if (!fits || (open > 1 && count != fixed)) {
    return MICRORT_ERROR(kInvalidArgument, "expected shape %s, found %zu elements%s",
                         io::ShapeText(input.shape).c_str(), count,
                         fits ? "; --input-shape or a file tells how they lie" : "");
  }
  for (const int64_t dim : input.shape)
    shape->push_back(dim != ir::kDynamic ? dim : static_cast<int64_t>(count / fixed));
  return Status();
}

Status TakeList(const std::string& text, const ir::Value& input, io::NamedArray* out) {
  io::NamedArray list;
  MICRORT_RETURN_IF_ERROR(ParseElements(text, &list));
  if (input.has_shape) {
    std::vector<int64_t> shape;
    MICRORT_RETURN_IF_ERROR(ShapeOfList(list.elements(), input, &shape));
    list.shape = std::move(shape);
  }
  const DType own = list.dtype == DType::kFloat64 ? DType::kFloat32 : list.dtype;
  const DType dtype = input.dtype == DType::kUnknown ? own : input.dtype;
  MICRORT_RETURN_IF_ERROR(CheckType(list, dtype));
  MICRORT_RETURN_IF_ERROR(io::ConvertArray(list, dtype, out));
  return CheckRange(list, *out);
}

Status TakeFile(const std::string& path, const io::Preprocess& preprocess, const ir::Value& input,
                io::NamedArray* out) {
  io::InputSpec spec = {input.name, input.dtype, input.shape};
  if (!input.has_shape || input.dtype == DType::kUnknown) {
    io::NamedArray array;
    MICRORT_RETURN_IF_ERROR(io::LoadArray(path, input.name, &array));
    if (!input.has_shape) spec.shape = array.shape;
    if (input.dtype == DType::kUnknown) spec.dtype = array.dtype;
  }
  return io::LoadInput(path, spec, preprocess, out);
}

}  // namespace

bool IsListOfElements(const std::string& text) { return LiteralOfAll(Parts(text)) != Literal::kNone; }

Status ParseElements(const std::string& text, io::NamedArray* out) {
  const std::vector<std::string> parts = Parts(text);
  const Literal literal = LiteralOfAll(parts);
  out->dtype = literal == Literal::kBool      ? DType::kBool
               : literal == Literal::kInteger ? DType::kInt64
                                              : DType::kFloat64;
  out->data.clear();
  out->shape.assign(parts.size() == 1 ? 0 : 1, static_cast<int64_t>(parts.size()));
  for (const std::string& part : parts) {
    int64_t integer = 0;
    double real = 0;
    if (literal == Literal::kBool) {
      Append<uint8_t>(IsTrue(part) ? 1 : 0, out);
    } else if (literal == Literal::kInteger && ReadInteger(part, &integer)) {
      Append(integer, out);
    } else if (literal == Literal::kReal && ReadReal(part, &real)) {
      Append(real, out);
    } else {
      return MICRORT_ERROR(kInvalidArgument, "expected numbers or booleans, found '%s'", text.c_str());
    }
  }
  return Status();
}

Status TakeValue(const InputValue& given, const io::Preprocess& preprocess, ir::Value* input) {
  io::NamedArray array;
  const Status status = IsListOfElements(given.text) ? TakeList(given.text, *input, &array)
                                                     : TakeFile(given.text, preprocess, *input, &array);
  MICRORT_RETURN_IF_ERROR(status.WithPrefix("--input-value %s=%s", given.input.c_str(), given.text.c_str()));
  input->dtype = array.dtype;
  input->shape = std::move(array.shape);
  input->has_shape = true;
  input->dim_names.clear();
  input->in_source = false;
  input->data = std::make_shared<const ir::Bytes>(std::move(array.data));
  return Status();
}

}  // namespace micrort::frontend
