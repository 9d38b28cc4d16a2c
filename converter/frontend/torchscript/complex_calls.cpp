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

Status ComplexCalls::CallReal(const std::string& op, std::vector<Value> arguments, Keywords keywords,
                              Value* out) {
  return calls_.Call("aten::" + op, std::move(arguments), std::move(keywords), out);
}

Status ComplexCalls::Part(const Value& value, bool imaginary, Value* out) {
  if (value.is_tensor() && value.tensor->is_complex) {
    Tensor& tensor = *value.tensor;
    std::shared_ptr<Tensor>& part = tensor.parts[imaginary ? 1 : 0];
    if (part == nullptr || tensor.parts_version != tensor.version) {
      if (tensor.parts_version != tensor.version) tensor.parts[0] = tensor.parts[1] = nullptr;
      MICRORT_RETURN_IF_ERROR(CallReal(imaginary ? "imag" : "real", {value}, {}, out));
      if (!out->is_tensor()) return Status();
      part = out->tensor;
      state_.table.NoteParts(value.tensor);
      tensor.parts_version = tensor.version;
    }
    *out = Value::OfTensor(part);
  } else if (value.is_tensor() && imaginary) {
    return CallReal("zeros_like", {value}, {}, out);
  } else if (value.is_scalar() && imaginary) {
    *out = Value::Float(0);
  } else if (value.is_sequence()) {
    *out = Value::Sequence(value.kind, std::vector<Value>(value.items->size()));
    for (size_t i = 0; i < value.items->size(); ++i)
      MICRORT_RETURN_IF_ERROR(Part((*value.items)[i], imaginary, &(*out->items)[i]));
  } else {
    *out = value;
  }
  return Status();
}

Status ComplexCalls::Parts(unsigned values, bool imaginary, const std::vector<Value>& arguments,
                           std::vector<Value>* out) {
  *out = arguments;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool is_value = i < 32 && ((values >> i) & 1u) != 0;
    if (is_value || IsComplex(arguments[i]))
      MICRORT_RETURN_IF_ERROR(Part(arguments[i], imaginary, &(*out)[i]));
  }
  return Status();
}

Status ComplexCalls::Join(const Value& real, const Value& imaginary, const Value* self, Value* out) {
  if (real.is_sequence() && imaginary.is_sequence() && real.items->size() == imaginary.items->size()) {
    *out = Value::Sequence(real.kind, std::vector<Value>(real.items->size()));
    for (size_t i = 0; i < real.items->size(); ++i)
      MICRORT_RETURN_IF_ERROR(Join((*real.items)[i], (*imaginary.items)[i], self, &(*out->items)[i]));
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(CallReal("complex", {real, imaginary}, {}, out));
  if (!out->is_tensor() || !real.is_tensor() || !imaginary.is_tensor()) return Status();
  Tensor& joined = *out->tensor;
  joined.parts[0] = real.tensor;
  joined.parts[1] = imaginary.tensor;
  joined.parts_version = joined.version;
  if (self != nullptr) MakeComplexView(*self, *real.tensor, *imaginary.tensor, &joined);
  return Status();
}

Status ComplexCalls::OnParts(const std::string& op, unsigned values, const std::vector<Value>& arguments,
                             const Keywords& keywords, Value* out) {
  Value results[2];
  for (const bool imaginary : {false, true}) {
    std::vector<Value> parts;
    MICRORT_RETURN_IF_ERROR(Parts(values, imaginary, arguments, &parts));
    MICRORT_RETURN_IF_ERROR(CallReal(op, std::move(parts), keywords, &results[imaginary ? 1 : 0]));
  }
  return Join(results[0], results[1], arguments.empty() ? nullptr : &arguments[0], out);
}

// (a + ib)(c + id) = ac - bd + i(ad + bc)
Status ComplexCalls::OnProducts(const std::string& op, size_t list, const std::vector<Value>& arguments,
                                Value* out) {
  const bool has_list = list < arguments.size() && arguments[list].is_sequence();
  const std::vector<Value> factors = has_list ? *arguments[list].items : arguments;
  if (factors.size() < 2 || (has_list && factors.size() > 2)) {
    const bool is_one = has_list && factors.size() == 1;
    return is_one ? OnParts(op, 0, arguments, {}, out)
                  : Unsupported("complex numbers in a product of {} tensors", factors.size());
  }
  if (!IsComplex(factors[0]) || !IsComplex(factors[1])) return OnParts(op, 0, arguments, {}, out);
  const auto product = [&](bool first, bool second, Value* result) {
    std::vector<Value> parts = factors;
    MICRORT_RETURN_IF_ERROR(Part(factors[0], first, &parts[0]));
    MICRORT_RETURN_IF_ERROR(Part(factors[1], second, &parts[1]));
    if (!has_list) return CallReal(op, parts, {}, result);
    std::vector<Value> with_list = arguments;
    with_list[list] = Value::Sequence(Kind::kList, parts);
    return CallReal(op, with_list, {}, result);
  };
  Value of_reals, of_imaginaries, mixed, mixed_too, real, imaginary;
  MICRORT_RETURN_IF_ERROR(product(false, false, &of_reals));
  MICRORT_RETURN_IF_ERROR(product(true, true, &of_imaginaries));
  MICRORT_RETURN_IF_ERROR(product(false, true, &mixed));
  MICRORT_RETURN_IF_ERROR(product(true, false, &mixed_too));
  MICRORT_RETURN_IF_ERROR(CallReal("sub", {of_reals, of_imaginaries}, {}, &real));
  MICRORT_RETURN_IF_ERROR(CallReal("add", {mixed, mixed_too}, {}, &imaginary));
  return Join(real, imaginary, nullptr, out);
}

Status ComplexCalls::ReadPartType(const Value& complex, DType* type) {
  ir::ValueId id = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(state_.table.Read(*complex.tensor, &id));
  *type = state_.table.value(id).dtype;
  return Status();
}

// `own` is the type that its parts have, if it is complex.
Status ComplexCalls::ToComplex(const Value& value, DType own, DType wanted, Value* out) {
  *out = value;
  if (own == wanted) return Status();
  Value part, parts[2];
  for (const bool imaginary : {false, true}) {
    MICRORT_RETURN_IF_ERROR(Part(value, imaginary, &part));
    MICRORT_RETURN_IF_ERROR(
        CallReal("to", {part, Value::Int(NumberOf(wanted))}, {}, &parts[imaginary ? 1 : 0]));
  }
  return Join(parts[0], parts[1], nullptr, out);
}

// to(self, ...): what is made complex has no imaginary part, what is made real loses it.
Status ComplexCalls::Convert(const std::vector<Value>& arguments, const Keywords& keywords, Value* out) {
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
    if (IsComplex(arguments[0])) MICRORT_RETURN_IF_ERROR(ReadPartType(arguments[0], &own));
    if (like_complex) MICRORT_RETURN_IF_ERROR(ReadPartType(arguments[1], &wanted));
    if (!like_complex) wanted = IsComplexType(type) ? PartTypeOf(type.integer) : own;
    return ToComplex(arguments[0], own, wanted, out);
  }
  std::vector<Value> parts = arguments;
  MICRORT_RETURN_IF_ERROR(Part(arguments[0], false, &parts[0]));
  return CallReal("to", std::move(parts), keywords, out);
}

Status ComplexCalls::Fill(const std::string& op, std::vector<Value> arguments, Keywords keywords,
                          Value* out) {
  const bool is_like = !arguments.empty() && IsComplex(arguments[0]);
  const bool has_type = std::any_of(keywords.begin(), keywords.end(), [](const auto& keyword) {
    return keyword.first == "dtype" && keyword.second.is_known_int();
  });
  const bool to_real = has_type && !Concerns({}, keywords);
  if (is_like) MICRORT_RETURN_IF_ERROR(Part(Value(arguments[0]), false, &arguments[0]));
  for (auto& [name, value] : keywords) {
    if (name == "dtype" && IsComplexType(value)) value = Value::Int(NumberOf(PartTypeOf(value.integer)));
  }
  Value real, imaginary;
  MICRORT_RETURN_IF_ERROR(CallReal(op, std::move(arguments), std::move(keywords), &real));
  if (to_real) {
    *out = std::move(real);
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(Part(real, true, &imaginary));
  return Join(real, imaginary, nullptr, out);
}

Status ComplexCalls::CallOutOfPlace(const std::string& op, const std::vector<Value>& arguments,
                                    const Keywords& keywords, Value* out) {
  if (op == "to" || op == "type_as") return Convert(arguments, keywords, out);
  if (IsFill(op)) return Fill(op, arguments, keywords, out);
  const auto linear = LinearOps().find(op);
  if (linear != LinearOps().end()) return OnParts(op, linear->second, arguments, keywords, out);
  if (IsLinear(op)) return OnParts(op, 1, arguments, keywords, out);
  const auto product = ProductOps().find(op);
  if (product != ProductOps().end()) return OnProducts(op, product->second, arguments, out);
  const bool by_real = (op == "div" || op == "divide" || op == "true_divide") && arguments.size() == 2 &&
                       !IsComplex(arguments[1]);
  if (by_real) return OnParts(op, 0, arguments, keywords, out);
  if (op == "divide" || op == "true_divide") return CallOutOfPlace("div", arguments, keywords, out);
  const Function* composition = FindComposition(op, Numbering::kComplex);
  // Those of spectra ask what their arguments are.
  const bool is_spectral = op.compare(0, 4, "fft_") == 0 || op == "istft" || op.compare(0, 2, "__") == 0;
  if (composition == nullptr && is_spectral) composition = FindComposition(op);
  if (composition != nullptr) return state_.run_function(*composition, arguments, keywords, out);
  return calls_.ImportAsIs(op, arguments, keywords, out);
}

Status ComplexCalls::Call(const std::string& op, const std::vector<Value>& arguments,
                          const Keywords& keywords, Value* out) {
  const bool in_place = op.size() > 1 && op.back() == '_' && op[op.size() - 2] != '_';
  const std::string plain = in_place ? op.substr(0, op.size() - 1) : op;
  if (TakesComplex(plain)) return calls_.ImportAsIs(plain, arguments, keywords, out);
  MICRORT_RETURN_IF_ERROR(CallOutOfPlace(plain, arguments, keywords, out));
  if (!in_place || !out->is_tensor()) return Status();
  const Value& self = arguments[0];
  ir::ValueId result = ir::kNoValue;
  MICRORT_RETURN_IF_ERROR(state_.table.Read(*out->tensor, &result));
  MICRORT_RETURN_IF_ERROR(state_.table.Write(*self.tensor, result));
  *out = self;
  return Status();
}

}  // namespace micrort::frontend::torchscript
