#include "converter/frontend/torchscript/pickle_globals.h"

#include <algorithm>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/element_types.h"
#include "kernels/base/shape.h"

namespace micrort::frontend::torchscript {

namespace {

// A tensor may repeat the elements of its storage by strides of 0; this many bytes of it, not more.
constexpr int64_t kMaxRepeatedBytes = int64_t{1} << 26;
// No storage has more elements, so that places in it fit 64 bits.
constexpr int64_t kMaxStored = int64_t{1} << 58;

Status BrokenTensor(const char* what) { return Invalid("broken pickle: a tensor {}", what); }

Status ReadInts(const Value& value, std::vector<int64_t>* out) {
  if (!value.is_sequence()) return BrokenTensor("without a shape");
  for (const Value& item : *value.items) {
    if (!item.is_known_int() || item.integer < 0) return BrokenTensor("with a negative size or stride");
    out->push_back(item.integer);
  }
  return Status();
}

// Every element lies in the storage, which has `numel` of them. Strides that lead to none become 0: they may
// be anything.
Status FitInStorage(int64_t numel, StoredTensor* tensor) {
  StoredTensor& t = *tensor;
  if (t.shape.size() != t.strides.size()) return BrokenTensor("with strides of another rank");
  if (t.shape.size() > kMaxRank)
    return Unsupported("a tensor of {} dimensions, at most {} are possible", t.shape.size(), kMaxRank);
  Shape shape;
  for (const int64_t dim : t.shape) shape[shape.rank++] = dim;
  int64_t elements = 0, last = t.offset;
  if (!shape.CheckedElements(SizeOf(t.dtype), &elements)) return BrokenTensor("is too large");
  if (elements == 0) {
    t.offset = 0;
    t.strides.assign(t.shape.size(), 0);
    return Status();
  }
  for (size_t i = 0; i < t.shape.size(); ++i) {
    if (t.shape[i] == 1) t.strides[i] = 0;
    int64_t step = 0;
    if (__builtin_mul_overflow(t.shape[i] - 1, t.strides[i], &step) ||
        __builtin_add_overflow(last, step, &last)) {
      return BrokenTensor("reaches beyond its storage");
    }
  }
  if (last >= numel) return BrokenTensor("reaches beyond its storage");
  const auto size = static_cast<int64_t>(SizeOf(t.dtype));
  if (elements > numel && elements > kMaxRepeatedBytes / size)
    return BrokenTensor("repeats its storage too often");
  return Status();
}

// Each element becomes two floats.
Status TakePairs(StoredTensor* t) {
  if (t->shape.size() >= kMaxRank) return Unsupported("complex numbers of {} dimensions", t->shape.size());
  for (int64_t& stride : t->strides) stride *= 2;
  t->offset *= 2;
  t->shape.push_back(2);
  t->strides.push_back(1);
  t->is_complex = true;
  return Status();
}

// (storage, offset, sizes, strides, ...)
Status RebuildTensor(const std::vector<Value>& arguments, StoredTensor* out) {
  const bool fits = arguments.size() >= 4 && arguments[0].is_tensor() &&
                    arguments[0].tensor->stored != nullptr &&
                    arguments[0].tensor->stored->shape.size() == 1 && arguments[1].is_known_int();
  if (!fits || arguments[1].integer < 0) return BrokenTensor("without a storage");
  const StoredTensor& storage = *arguments[0].tensor->stored;
  out->storage = storage.storage;
  out->dtype = storage.dtype;
  out->offset = arguments[1].integer;
  MICRORT_RETURN_IF_ERROR(ReadInts(arguments[2], &out->shape));
  MICRORT_RETURN_IF_ERROR(ReadInts(arguments[3], &out->strides));
  MICRORT_RETURN_IF_ERROR(FitInStorage(storage.shape[0], out));
  return storage.is_complex ? TakePairs(out) : Status();
}

// (scheme, scale, zero point) for the tensor, (scheme, scales, zero points, axis) for its channels.
Status ReadQuantization(const Value& parameters, StoredTensor* out) {
  const auto& p = *parameters.items;
  if (p.size() == 3 && p[0].text == "torch per_tensor_affine" && p[1].Is(Kind::kFloat) &&
      p[2].is_known_int()) {
    out->quantization.scales = {static_cast<float>(p[1].number)};
    out->quantization.zero_points = {static_cast<int32_t>(p[2].integer)};
    return Status();
  }
  return Unsupported("a tensor quantized by '{}'", p.empty() ? "?" : Shown(p[0].text).c_str());
}

Result<Value> RebuildQuantized(const std::vector<Value>& arguments) {
  StoredTensor tensor;
  MICRORT_RETURN_IF_ERROR(RebuildTensor(arguments, &tensor));
  if (arguments.size() < 5 || !arguments[4].Is(Kind::kTuple)) return BrokenTensor("without its quantization");
  const auto& p = *arguments[4].items;
  if (p.size() == 4 && p[0].text == "torch per_channel_affine" && p[1].is_tensor() && p[2].is_tensor() &&
      p[3].is_known_int() && p[3].integer >= 0 && p[3].integer < static_cast<int64_t>(tensor.shape.size())) {
    // Scales are tensors, whose storages are read when the tensor is needed.
    Value value = Value::OfStored(std::move(tensor));
    auto channels = std::make_shared<std::vector<Value>>(p);
    value.items = std::move(channels);
    return value;
  }
  MICRORT_RETURN_IF_ERROR(ReadQuantization(arguments[4], &tensor));
  return Value::OfStored(std::move(tensor));
}

}  // namespace

Result<Value> MakeStorage(const Value& id, const std::string& folder) {
  const bool fits = id.Is(Kind::kTuple) && id.items->size() >= 5 && (*id.items)[0].text == "storage" &&
                    (*id.items)[1].Is(Kind::kFunction) && (*id.items)[2].Is(Kind::kString) &&
                    (*id.items)[4].is_known_int() && (*id.items)[4].integer >= 0 &&
                    (*id.items)[4].integer <= kMaxStored;
  if (!fits) return Invalid("broken pickle: a storage without a name or a size");
  const auto& parts = *id.items;
  StoredTensor storage;
  const bool is_double = parts[1].text == "torch ComplexDoubleStorage";
  storage.is_complex = is_double || parts[1].text == "torch ComplexFloatStorage";
  storage.dtype = is_double            ? DType::kFloat64
                  : storage.is_complex ? DType::kFloat32
                                       : DTypeOfStorage(parts[1].text);
  if (storage.dtype == DType::kUnknown) return Unsupported("a tensor of '{}'", Shown(parts[1].text));
  storage.storage = folder + parts[2].text.str();
  storage.shape = {parts[4].integer};
  storage.strides = {1};
  return Value::OfStored(std::move(storage));
}

Result<Value> CallGlobal(const std::string& global, const std::vector<Value>& arguments) {
  if (global == "torch._utils _rebuild_tensor_v2") {
    StoredTensor tensor;
    MICRORT_RETURN_IF_ERROR(RebuildTensor(arguments, &tensor));
    return Value::OfStored(std::move(tensor));
  }
  if (global == "torch._utils _rebuild_qtensor") return RebuildQuantized(arguments);
  // Typed lists and dictionaries say their type beside their elements.
  const bool has_type = global == "torch.jit._pickle restore_type_tag" && arguments.size() == 2;
  const bool is_list = global.compare(0, 24, "torch.jit._pickle build_") == 0 && arguments.size() == 1;
  if (has_type || is_list) {
    return arguments[0];
  }
  if (global == "collections OrderedDict" && arguments.empty()) {
    return Value::Sequence(Kind::kDict);
  }
  if ((global == "torch._utils _rebuild_parameter" || global == "torch device") && !arguments.empty()) {
    return arguments[0];
  }
  // A member of an Enum of the model's code, by its value.
  if (global.compare(0, 9, "__torch__") == 0 && arguments.size() == 1) {
    std::string name = global;
    std::replace(name.begin(), name.end(), ' ', '.');
    return Value::OfEnum(std::move(name), arguments[0]);
  }
  return Unsupported("the pickle calls '{}', which would be code; it is not run", Shown(global));
}

}  // namespace micrort::frontend::torchscript
