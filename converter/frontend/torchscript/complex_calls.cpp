#include "converter/frontend/torchscript/complex_calls.h"

#include <algorithm>
#include <map>
#include <set>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/complex_views.h"
#include "converter/frontend/torchscript/compositions.h"
#include "converter/frontend/torchscript/element_types.h"

namespace micrort::frontend::torchscript {

namespace {

bool IsComplex(const Value& v) {
  if (v.is_tensor()) return v.tensor->is_complex;
  return v.is_sequence() && std::any_of(v.items->begin(), v.items->end(), IsComplex);
}

bool IsComplexType(const Value& v) { return v.is_known_int() && IsComplexNumber(v.integer); }

// Operators on parts, with the arguments (bits by position) whose imaginary parts are 0 where they are real;
// others stay what they are.
const std::map<std::string, unsigned>& LinearOps() {
  static const std::map<std::string, unsigned> kOps = {
      {"add", 3},          {"sub", 3},        {"rsub", 3},        {"copy", 3},
      {"where", 6},        {"index_put", 5},  {"masked_fill", 5}, {"scatter", 9},
      {"index_add", 9},    {"index_copy", 9}, {"scatter_add", 9}, {"select_scatter", 3},
      {"slice_scatter", 3}};
  return kOps;
}

bool IsLinear(const std::string& op) {
  static const std::set<std::string> kOps = SetOfWords(
      "_reshape_alias alias as_strided block_diag broadcast_tensors broadcast_to cat chunk clone "
      "column_stack concat contiguous cumsum detach diag diag_embed diagflat diagonal diff dropout dsplit "
      "dstack expand expand_as fft_fftshift fft_ifftshift flatten flip fliplr flipud gather hsplit hstack "
      "index index_select lift_fresh mean meshgrid movedim moveaxis mT narrow neg negative numpy_T pad "
      "constant_pad_nd permute positive ravel reflection_pad1d reflection_pad2d repeat repeat_interleave "
      "replication_pad1d replication_pad2d reshape reshape_as resolve_conj resolve_neg roll rot90 select "
      "slice split split_with_sizes squeeze stack sum swapaxes swapdims t take take_along_dim tensor_split "
      "tile trace transpose tril triu unbind unflatten unfold unsafe_chunk unsafe_split unsqueeze "
      "upsample_nearest1d upsample_nearest2d view view_as vsplit vstack zero");
  return kOps.count(op) != 0;
}

// Products of their first two arguments, or of a list at a position.
const std::map<std::string, size_t>& ProductOps() {
  constexpr size_t kNoList = SIZE_MAX;
  static const std::map<std::string, size_t> kOps = {
      {"mul", kNoList},   {"multiply", kNoList}, {"matmul", kNoList},    {"mm", kNoList},
      {"bmm", kNoList},   {"mv", kNoList},       {"dot", kNoList},       {"outer", kNoList},
      {"inner", kNoList}, {"kron", kNoList},     {"tensordot", kNoList}, {"einsum", 1}};
  return kOps;
}

// Tensors made of a number, or as another one is.
bool IsFill(const std::string& op) {
  static const std::set<std::string> kOps = {
      "zeros",     "ones",       "full",      "empty",         "zeros_like", "ones_like",
      "full_like", "empty_like", "new_zeros", "new_ones",      "new_full",   "new_empty",
      "eye",       "arange",     "linspace",  "scalar_tensor", "tensor",     "as_tensor"};
  return kOps.count(op) != 0;
}

// Operators that take complex tensors themselves.
bool TakesComplex(const std::string& op) {
  static const std::set<std::string> kOps = {"abs",          "real",     "imag",     "conj",
                                             "view_as_real", "_fft_c2c", "_fft_c2r", "complex"};
  return kOps.count(op) != 0;
}

}  // namespace

bool ComplexCalls::Concerns(const std::vector<Value>& arguments, const Keywords& keywords) {
  const auto is_dtype = [](const auto& keyword) {
    return keyword.first == "dtype" && IsComplexType(keyword.second);
  };
  return std::any_of(arguments.begin(), arguments.end(), IsComplex) ||
         std::any_of(keywords.begin(), keywords.end(), is_dtype);
}

Result<Value> ComplexCalls::CallReal(const std::string& op, std::vector<Value> arguments, Keywords keywords) {
  return calls_.Call("aten::" + op, std::move(arguments), std::move(keywords));
}

Result<Value> ComplexCalls::Part(const Value& value, bool imaginary) {
  if (value.is_tensor() && value.tensor->is_complex) {
    Tensor& tensor = *value.tensor;
    std::shared_ptr<Tensor>& part = tensor.parts[imaginary ? 1 : 0];
    if (part == nullptr || tensor.parts_version != tensor.version) {
      if (tensor.parts_version != tensor.version) tensor.parts[0] = tensor.parts[1] = nullptr;
      MICRORT_ASSIGN_OR_RETURN(Value made, CallReal(imaginary ? "imag" : "real", {value}, {}));
      if (!made.is_tensor()) return made;
      part = made.tensor;
      state_.table.NoteParts(value.tensor);
      tensor.parts_version = tensor.version;
    }
    return Value::OfTensor(part);
  }
  if (value.is_tensor() && imaginary) return CallReal("zeros_like", {value}, {});
  if (value.is_scalar() && imaginary) return Value::Float(0);
  if (!value.is_sequence()) return value;
  std::vector<Value> parts(value.items->size());
  for (size_t i = 0; i < parts.size(); ++i) {
    MICRORT_ASSIGN_OR_RETURN(parts[i], Part((*value.items)[i], imaginary));
  }
  return Value::Sequence(value.kind, std::move(parts));
}

Result<std::vector<Value>> ComplexCalls::Parts(unsigned values, bool imaginary,
                                               const std::vector<Value>& arguments) {
  std::vector<Value> parts = arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_value = i < 32 && ((values >> i) & 1u) != 0;
    if (!is_value && !IsComplex(arguments[i])) continue;
    MICRORT_ASSIGN_OR_RETURN(parts[i], Part(arguments[i], imaginary));
  }
  return parts;
}

Result<Value> ComplexCalls::Join(const Value& real, const Value& imaginary, const Value* self) {
  if (real.is_sequence() && imaginary.is_sequence() && real.items->size() == imaginary.items->size()) {
    std::vector<Value> joined(real.items->size());
    for (size_t i = 0; i < joined.size(); ++i) {
      MICRORT_ASSIGN_OR_RETURN(joined[i], Join((*real.items)[i], (*imaginary.items)[i], self));
    }
    return Value::Sequence(real.kind, std::move(joined));
  }
  MICRORT_ASSIGN_OR_RETURN(Value result, CallReal("complex", {real, imaginary}, {}));
  if (!result.is_tensor() || !real.is_tensor() || !imaginary.is_tensor()) return result;
  Tensor& joined = *result.tensor;
  joined.parts[0] = real.tensor;
  joined.parts[1] = imaginary.tensor;
  joined.parts_version = joined.version;
  if (self != nullptr) MakeComplexView(*self, *real.tensor, *imaginary.tensor, &joined);
  return result;
}

Result<Value> ComplexCalls::OnParts(const std::string& op, unsigned values,
                                    const std::vector<Value>& arguments, const Keywords& keywords) {
  Value results[2];
  for (const bool imaginary : {false, true}) {
    MICRORT_ASSIGN_OR_RETURN(std::vector<Value> parts, Parts(values, imaginary, arguments));
    MICRORT_ASSIGN_OR_RETURN(results[imaginary ? 1 : 0], CallReal(op, std::move(parts), keywords));
  }
  return Join(results[0], results[1], arguments.empty() ? nullptr : &arguments[0]);
}

// (a + ib)(c + id) = ac - bd + i(ad + bc)
Result<Value> ComplexCalls::OnProducts(const std::string& op, size_t list,
                                       const std::vector<Value>& arguments) {
  const bool has_list = list < arguments.size() && arguments[list].is_sequence();
  const std::vector<Value> factors = has_list ? *arguments[list].items : arguments;
  if (has_list && factors.size() == 1) return OnParts(op, 0, arguments, {});
  if (factors.size() < 2 || (has_list && factors.size() > 2))
    return Unsupported("complex numbers in a product of {} tensors", factors.size());
  if (!IsComplex(factors[0]) || !IsComplex(factors[1])) return OnParts(op, 0, arguments, {});
  const auto product = [&](bool first, bool second) -> Result<Value> {
    std::vector<Value> parts = factors;
    MICRORT_ASSIGN_OR_RETURN(parts[0], Part(factors[0], first));
    MICRORT_ASSIGN_OR_RETURN(parts[1], Part(factors[1], second));
    if (!has_list) return CallReal(op, parts, {});
    std::vector<Value> with_list = arguments;
    with_list[list] = Value::Sequence(Kind::kList, parts);
    return CallReal(op, with_list, {});
  };
  MICRORT_ASSIGN_OR_RETURN(const Value of_reals, product(false, false));
  MICRORT_ASSIGN_OR_RETURN(const Value of_imaginaries, product(true, true));
  MICRORT_ASSIGN_OR_RETURN(const Value mixed, product(false, true));
  MICRORT_ASSIGN_OR_RETURN(const Value mixed_too, product(true, false));
  MICRORT_ASSIGN_OR_RETURN(const Value real, CallReal("sub", {of_reals, of_imaginaries}, {}));
  MICRORT_ASSIGN_OR_RETURN(const Value imaginary, CallReal("add", {mixed, mixed_too}, {}));
  return Join(real, imaginary, nullptr);
}

Result<DType> ComplexCalls::ReadPartType(const Value& complex) {
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, state_.table.Read(*complex.tensor));
  return state_.table.value(id).dtype;
}

// `own` is the type that its parts have, if it is complex.
Result<Value> ComplexCalls::ToComplex(const Value& value, DType own, DType wanted) {
  if (own == wanted) return value;
  Value parts[2];
  for (const bool imaginary : {false, true}) {
    MICRORT_ASSIGN_OR_RETURN(const Value part, Part(value, imaginary));
    MICRORT_ASSIGN_OR_RETURN(parts[imaginary ? 1 : 0],
                             CallReal("to", {part, Value::Int(NumberOf(wanted))}, {}));
  }
  return Join(parts[0], parts[1], nullptr);
}

// to(self, ...): what is made complex has no imaginary part, what is made real loses it.
Result<Value> ComplexCalls::Convert(const std::vector<Value>& arguments, const Keywords& keywords) {
  Value type;
  for (size_t i = 1; i < arguments.size() && type.is_none(); ++i) {
    if (arguments[i].is_known_int()) type = arguments[i];
  }
  for (const auto& [name, value] : keywords) {
    if (name == "dtype" && value.is_known_int()) type = value;
  }
  const bool like_real = arguments.size() > 1 && arguments[1].is_tensor() && !IsComplex(arguments[1]);
  const bool like_complex = arguments.size() > 1 && arguments[1].is_tensor() && IsComplex(arguments[1]);
  if (IsComplexType(type) || like_complex || (type.is_none() && !like_real)) {
    DType own = DType::kUnknown, wanted = DType::kUnknown;
    if (IsComplex(arguments[0])) MICRORT_RETURN_IF_ERROR(Take(ReadPartType(arguments[0]), &own));
    if (like_complex) MICRORT_RETURN_IF_ERROR(Take(ReadPartType(arguments[1]), &wanted));
    if (!like_complex) wanted = IsComplexType(type) ? PartTypeOf(type.integer) : own;
    return ToComplex(arguments[0], own, wanted);
  }
  std::vector<Value> parts = arguments;
  MICRORT_ASSIGN_OR_RETURN(parts[0], Part(arguments[0], false));
  return CallReal("to", std::move(parts), keywords);
}

Result<Value> ComplexCalls::Fill(const std::string& op, std::vector<Value> arguments, Keywords keywords) {
  const bool is_like = !arguments.empty() && IsComplex(arguments[0]);
  const bool has_type = std::any_of(keywords.begin(), keywords.end(), [](const auto& keyword) {
    return keyword.first == "dtype" && keyword.second.is_known_int();
  });
  const bool to_real = has_type && !Concerns({}, keywords);
  if (is_like) MICRORT_RETURN_IF_ERROR(Take(Part(arguments[0], false), &arguments[0]));
  for (auto& [name, value] : keywords) {
    if (name == "dtype" && IsComplexType(value)) value = Value::Int(NumberOf(PartTypeOf(value.integer)));
  }
  MICRORT_ASSIGN_OR_RETURN(Value real, CallReal(op, std::move(arguments), std::move(keywords)));
  if (to_real) return real;
  MICRORT_ASSIGN_OR_RETURN(const Value imaginary, Part(real, true));
  return Join(real, imaginary, nullptr);
}

Result<Value> ComplexCalls::CallOutOfPlace(const std::string& op, const std::vector<Value>& arguments,
                                           const Keywords& keywords) {
  if (op == "to" || op == "type_as") return Convert(arguments, keywords);
  if (IsFill(op)) return Fill(op, arguments, keywords);
  const auto linear = LinearOps().find(op);
  if (linear != LinearOps().end()) return OnParts(op, linear->second, arguments, keywords);
  if (IsLinear(op)) return OnParts(op, 1, arguments, keywords);
  const auto product = ProductOps().find(op);
  if (product != ProductOps().end()) return OnProducts(op, product->second, arguments);
  const bool by_real = (op == "div" || op == "divide" || op == "true_divide") && arguments.size() == 2 &&
                       !IsComplex(arguments[1]);
  if (by_real) return OnParts(op, 0, arguments, keywords);
  if (op == "divide" || op == "true_divide") return CallOutOfPlace("div", arguments, keywords);
  const Function* composition = FindComposition(op, Numbering::kComplex);
  // Those of spectra ask what their arguments are.
  const bool is_spectral = op.compare(0, 4, "fft_") == 0 || op == "istft" || op.compare(0, 2, "__") == 0;
  if (composition == nullptr && is_spectral) composition = FindComposition(op);
  if (composition != nullptr) return state_.run_function(*composition, arguments, keywords);
  return calls_.ImportAsIs(op, arguments, keywords);
}

Result<Value> ComplexCalls::Call(const std::string& op, const std::vector<Value>& arguments,
                                 const Keywords& keywords) {
  const bool in_place = op.size() > 1 && op.back() == '_' && op[op.size() - 2] != '_';
  const std::string plain = in_place ? op.substr(0, op.size() - 1) : op;
  if (TakesComplex(plain)) return calls_.ImportAsIs(plain, arguments, keywords);
  MICRORT_ASSIGN_OR_RETURN(Value result, CallOutOfPlace(plain, arguments, keywords));
  if (!in_place || !result.is_tensor()) return result;
  const Value& self = arguments[0];
  MICRORT_ASSIGN_OR_RETURN(const ir::ValueId id, state_.table.Read(*result.tensor));
  MICRORT_RETURN_IF_ERROR(state_.table.Write(*self.tensor, id));
  return self;
}

}  // namespace micrort::frontend::torchscript
