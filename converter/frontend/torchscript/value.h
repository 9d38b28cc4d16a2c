#pragma once
// What expressions of TorchScript's code, and the pickles beside it, stand for.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "converter/frontend/common/errors.h"
#include "converter/frontend/torchscript/shared_text.h"
#include "converter/ir/build.h"
#include "kernels/base/span.h"

namespace micrort::frontend {
class GraphAssembler;
}

namespace micrort::frontend::torchscript {

struct Object;

// A tensor as the archive holds it.
struct StoredTensor {
  std::string storage;  // the entry's name
  DType dtype = DType::kUnknown;
  int64_t offset = 0;  // in elements
  std::vector<int64_t> shape, strides;
  ir::Quantization quantization;
  bool is_complex = false;  // the last dimension is of real and imaginary parts
};

// A tensor that several names may stand for: operators that change it in place give it a new value.
struct Tensor : std::enable_shared_from_this<Tensor> {
  std::shared_ptr<const StoredTensor> stored;  // until it is needed
  ir::ValueId id = ir::kNoValue;               // what it is now, in the graph of this assembler
  GraphAssembler* assembler = nullptr;
  std::string name;  // of the attribute that holds it
  uint64_t version = 0;
  bool is_outdated = false;  // a part of it was changed that cannot be written back
  bool is_complex = false;   // with a last dimension of 2, which its own shape has not
  // The real and imaginary parts of a complex tensor, where they are known and it is still of this version.
  std::shared_ptr<Tensor> parts[2];
  uint64_t parts_version = 0;
  // For a packed sequence's batch sizes: the lengths, and how many sequences there are, which the first size
  // is. Its data stay as they were, [T,N,...].
  std::shared_ptr<Tensor> lengths, sequences;
  bool is_packed = false;  // those data, of which PyTorch has one dimension less
  // A part of another tensor, whose elements are its own; that may be a part, too, and so on `parts_deep`
  // times.
  std::shared_ptr<Tensor> base;
  int parts_deep = 0;
  bool is_spread = false;  // its elements lie apart in memory, or in another order
  // Its dimensions may lie in memory in another order: those of a transposed tensor do, and so do those of
  // most of what is computed from one.
  bool may_be_reordered = false;
  uint64_t base_version = 0;
  // This part; null where it cannot be read again.
  std::function<ir::ValueId(ir::Builder&, ir::ValueId base)> read;
  // The whole, with another part; null where this cannot be.
  std::function<ir::ValueId(ir::Builder&, ir::ValueId base, ir::ValueId part)> write;
};

enum class Kind {
  kNone,
  kBool,
  kInt,
  kFloat,
  kString,
  kDevice,
  kTensor,
  kList,
  kTuple,
  kDict,
  kObject,
  kFunction,       // of the code, or a method with its object
  kUninitialized,  // of a branch that does not end
  kDiffering,      // of two branches, which give it different types or ranks
  kUnreachable,    // it comes after an operator that cannot be imported
  kStacked,        // all elements of a list that a loop filled, as rows of a tensor (stacked_lists.h)
};

// "a list", for messages.
const char* KindName(Kind kind);

struct Value {
  Kind kind = Kind::kNone;
  int64_t integer = 0;  // kInt, kBool
  double number = 0;    // kFloat
  SharedText text;      // kString, kDevice; kFunction: its full name
  // kString: parts of it are not as Python writes them, or a run decides them, so that it suits messages
  // only.
  bool is_rough = false;
  // kTensor, kStacked; kInt, kFloat, kBool: one that holds the number, because a run decides it.
  std::shared_ptr<Tensor> tensor;
  std::shared_ptr<std::vector<Value>> items;  // kList, kTuple; kDict: key, value, key, value
  std::shared_ptr<Object> object;

  static Value Bool(bool v);
  static Value Int(int64_t v);
  static Value Float(double v);
  static Value String(std::string v);
  static Value Of(Kind kind);
  static Value Sequence(Kind kind, std::vector<Value> items = {});
  static Value Ints(const std::vector<int64_t>& v);
  static Value OfObject(std::shared_ptr<Object> object);
  static Value OfEnum(std::string class_name, Value value);
  static Value OfTensor(std::shared_ptr<Tensor> tensor);
  static Value OfStored(StoredTensor stored);

  bool Is(Kind k) const { return kind == k; }
  bool is_none() const { return kind == Kind::kNone; }
  bool is_tensor() const { return kind == Kind::kTensor; }
  bool is_sequence() const { return kind == Kind::kList || kind == Kind::kTuple; }
  bool is_scalar() const { return kind == Kind::kInt || kind == Kind::kFloat || kind == Kind::kBool; }
  // A number that a run decides.
  bool is_computed() const { return is_scalar() && tensor != nullptr; }
  bool is_known_int() const { return kind == Kind::kInt && tensor == nullptr; }
  double AsDouble() const { return kind == Kind::kFloat ? number : static_cast<double>(integer); }
  // Neither a number that a run decides nor a text that is like none of Python's.
  bool is_comparable() const { return !is_computed() && !is_rough; }
  bool operator==(const Value& other)
      const;  // of plain data; members of Enums, too; other objects and tensors by identity
};

// The result of calling an operator that may not exist: a value, nullopt where there is no such operator for
// these arguments, or an error.
struct Answer : Result<std::optional<Value>> {
  using Result::Result;
  Answer(Value value) : Result(std::optional<Value>(std::move(value))) {}
  Answer(std::nullopt_t nothing) : Result(std::optional<Value>(nothing)) {}
  Answer(Result<Value> value) : Answer(value.ok() ? Answer(std::move(*value)) : Answer(value.status())) {}
};

// A module or another instance of a class.
struct Object {
  Object() = default;
  ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  std::string class_name;  // "__torch__.Net"
  std::string path;        // "layer1.0", "" of the model
  std::vector<std::pair<std::string, Value>> attributes;
  std::shared_ptr<const Value> enum_value;  // of a member of an Enum
  std::shared_ptr<Value> state;             // of a class that restores itself from it

  Value* Find(const std::string& name);
  void Set(const std::string& name, Value value);
};

}  // namespace micrort::frontend::torchscript
