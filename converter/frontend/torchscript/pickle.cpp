#include "converter/frontend/torchscript/pickle.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>

#include "converter/frontend/common/text.h"
#include "converter/frontend/torchscript/pickle_globals.h"

namespace micrort::frontend::torchscript {

namespace {

// Containers inside each other, and elements of all of them where each is counted as often as it is reached.
constexpr int kMaxDepth = 100;
constexpr uint64_t kMaxElements = uint64_t{1} << 24;
// Work of a text or name that takes memory of its own, and of a container or object, which takes several
// blocks.
constexpr uint64_t kNewObject = 4 * WorkMeter::kElement, kContainer = 12 * WorkMeter::kElement;

class Unpickler {
 public:
  Unpickler(const std::string& bytes, const std::string& folder, WorkMeter* meter)
      : bytes_(bytes), folder_(folder), meter_(*meter) {}

  Status Run(Value* out);

 private:
  struct Extent {
    int depth = 1;
    uint64_t elements = 1;
  };

  bool Has(uint64_t count) const { return count <= bytes_.size() - at_; }
  uint64_t Unsigned(int count);
  Result<std::string> Text(uint64_t length);
  Result<std::string> Line();
  Result<Value> Long();
  Result<Value> Pop();
  Result<std::vector<Value>> PopSome(size_t count);
  Result<std::vector<Value>> PopToMark();
  Result<Value*> Top();
  Status Memo(uint64_t key);
  Status Recall(uint64_t key);
  Status Close(const Value& value, Extent* into);
  Status Fill(const Value& container, std::vector<Value> items);
  Status CheckSize();
  Status Step(uint8_t op);
  Status StepStructure(uint8_t op);
  Status Global();
  Status StackGlobal();
  Result<Value> Tuple(Result<std::vector<Value>> items);
  Status Reduce();
  Status NewObject();
  Status Build();
  Status Push(Result<Value> value) {
    if (!value.ok()) return value.status();
    stack_.push_back(std::move(value.value()));
    return Status();
  }

  const std::string& bytes_;
  const std::string& folder_;
  WorkMeter& meter_;
  size_t at_ = 0;
  std::vector<Value> stack_;
  std::vector<size_t> marks_;
  std::map<uint64_t, Value> memo_;
  // Containers that are an element of another one take no more elements, so that none contains itself.
  std::unordered_map<const void*, Extent> closed_;
  std::vector<Value> kept_;  // what closed_ speaks of
};

Status Broken(const char* what) { return Invalid("broken pickle: {}", what); }

uint64_t Unpickler::Unsigned(int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i)
    value |= uint64_t{static_cast<uint8_t>(bytes_[at_ + static_cast<size_t>(i)])} << (8 * i);
  at_ += static_cast<size_t>(count);
  return value;
}

Result<std::string> Unpickler::Text(uint64_t length) {
  if (!Has(length)) return Broken("it is cut short");
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kNewObject + length / WorkMeter::kTextBytes));
  const size_t begin = std::exchange(at_, at_ + static_cast<size_t>(length));
  return bytes_.substr(begin, static_cast<size_t>(length));
}

Result<std::string> Unpickler::Line() {
  const size_t end = bytes_.find('\n', at_);
  if (end == std::string::npos) return Broken("it is cut short");
  std::string line = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  if (!IsText(line)) return Broken("a name is no text");
  return line;
}

// Little-endian, in two's complement, of any length.
Result<Value> Unpickler::Long() {
  if (!Has(1)) return Broken("it is cut short");
  const uint64_t length = Unsigned(1);
  if (!Has(length) || length > 8) return Broken("an integer does not fit 64 bits");
  uint64_t bits = Unsigned(static_cast<int>(length));
  const bool negative = length > 0 && length < 8 && (bits >> (8 * length - 1) & 1) != 0;
  if (negative) bits |= ~uint64_t{0} << (8 * length);
  return Value::Int(static_cast<int64_t>(bits));
}

Result<Value> Unpickler::Pop() {
  MICRORT_ASSIGN_OR_RETURN(Value * top, Top());
  Value popped = std::move(*top);
  stack_.pop_back();
  return popped;
}

Result<std::vector<Value>> Unpickler::PopSome(size_t count) {
  std::vector<Value> popped(count);
  for (size_t i = count; i-- > 0;) {
    MICRORT_ASSIGN_OR_RETURN(popped[i], Pop());
  }
  return popped;
}

Result<std::vector<Value>> Unpickler::PopToMark() {
  if (marks_.empty()) return Broken("a mark is missing");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<Value> popped(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return popped;
}

Result<Value*> Unpickler::Top() {
  const size_t floor = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() <= floor) return Broken("its stack is empty");
  return &stack_.back();
}

Status Unpickler::Memo(uint64_t key) {
  MICRORT_ASSIGN_OR_RETURN(Value * top, Top());
  memo_[key] = *top;
  return Status();
}

Status Unpickler::Recall(uint64_t key) {
  const auto found = memo_.find(key);
  if (found == memo_.end()) return Broken("it recalls what it did not store");
  return Push(found->second);
}

Status Unpickler::Close(const Value& value, Extent* into) {
  const void* key = value.items ? static_cast<const void*>(value.items.get()) : value.object.get();
  Extent extent;
  if (key != nullptr) {
    const auto found = closed_.find(key);
    if (found != closed_.end()) {
      extent = found->second;
    } else {
      if (value.items) {
        for (const Value& item : *value.items) MICRORT_RETURN_IF_ERROR(Close(item, &extent));
      } else {
        for (const auto& [name, item] : value.object->attributes)
          MICRORT_RETURN_IF_ERROR(Close(item, &extent));
        if (value.object->state) MICRORT_RETURN_IF_ERROR(Close(*value.object->state, &extent));
      }
      MICRORT_RETURN_IF_ERROR(meter_.Spend(kContainer));
      closed_[key] = extent;
      kept_.push_back(value);
    }
  }
  into->depth = std::max(into->depth, extent.depth + 1);
  into->elements += extent.elements;
  if (into->depth > kMaxDepth) return Broken("too many containers inside each other");
  return into->elements <= kMaxElements ? Status() : Broken("too many elements");
}

Status Unpickler::Fill(const Value& container, std::vector<Value> items) {
  Extent extent;
  for (const Value& item : items) MICRORT_RETURN_IF_ERROR(Close(item, &extent));
  if (closed_.count(container.items.get()) != 0) return Broken("a container contains itself");
  container.items->insert(container.items->end(), std::make_move_iterator(items.begin()),
                          std::make_move_iterator(items.end()));
  return Status();
}

Status Unpickler::Global() {
  MICRORT_ASSIGN_OR_RETURN(const std::string module, Line());
  MICRORT_ASSIGN_OR_RETURN(const std::string name, Line());
  Value global = Value::Of(Kind::kFunction);
  global.text = module + " " + name;
  return Push(std::move(global));
}

Status Unpickler::StackGlobal() {
  MICRORT_ASSIGN_OR_RETURN(const Value name, Pop());
  MICRORT_ASSIGN_OR_RETURN(const Value module, Pop());
  if (!module.Is(Kind::kString) || !name.Is(Kind::kString)) return Broken("a name is no string");
  Value global = Value::Of(Kind::kFunction);
  global.text = Shown(module.text) + " " + Shown(name.text);
  return Push(std::move(global));
}

Result<Value> Unpickler::Tuple(Result<std::vector<Value>> items) {
  if (!items.ok()) return items.status();
  Value tuple = Value::Sequence(Kind::kTuple);
  MICRORT_RETURN_IF_ERROR(Fill(tuple, std::move(items.value())));
  return tuple;
}

Status Unpickler::Reduce() {
  MICRORT_ASSIGN_OR_RETURN(Value arguments, Pop());
  MICRORT_ASSIGN_OR_RETURN(const Value function, Pop());
  if (!function.Is(Kind::kFunction)) return Broken("a call of no function");
  if (!arguments.Is(Kind::kTuple)) {
    // A member of an Enum is written with its value alone.
    if (function.text.str().compare(0, 9, "__torch__") != 0) return Broken("a call of no function");
    MICRORT_ASSIGN_OR_RETURN(arguments, Tuple(std::vector<Value>{arguments}));
  }
  return Push(CallGlobal(function.text, *arguments.items));
}

Status Unpickler::NewObject() {
  MICRORT_RETURN_IF_ERROR(Pop().status());  // its arguments
  MICRORT_ASSIGN_OR_RETURN(const Value global, Pop());
  if (!global.Is(Kind::kFunction)) return Broken("an object of no class");
  std::string name = global.text;
  std::replace(name.begin(), name.end(), ' ', '.');
  if (name.compare(0, 10, "__torch__.") != 0)
    return Unsupported("the pickle holds an object of '{}', whose code is not in the file", Shown(name));
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kContainer));
  auto object = std::make_shared<Object>();
  object->class_name = std::move(name);
  return Push(Value::OfObject(std::move(object)));
}

Status Unpickler::Build() {
  MICRORT_ASSIGN_OR_RETURN(Value state, Pop());
  MICRORT_ASSIGN_OR_RETURN(Value * top, Top());
  Extent extent;
  MICRORT_RETURN_IF_ERROR(Close(state, &extent));
  // What a dictionary has beside its items, as a state_dict its versions, is no part of the network.
  if (top->Is(Kind::kDict)) return Status();
  if (!top->Is(Kind::kObject) || closed_.count(top->object.get()) != 0)
    return Broken("attributes of what is no new object");
  Object& object = *top->object;
  if (!state.Is(Kind::kDict)) {
    object.state = std::make_shared<Value>(std::move(state));
    return Status();
  }
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kNewObject * state.items->size()));
  for (size_t i = 0; i < state.items->size(); i += 2) {
    const Value& key = (*state.items)[i];
    if (!key.Is(Kind::kString) || !IsText(key.text)) return Broken("an attribute's name is no string");
    object.attributes.emplace_back(key.text, (*state.items)[i + 1]);
  }
  return Status();
}

Status Unpickler::Step(uint8_t op) {
  // Bytes of the argument that has a fixed size.
  static const std::map<uint8_t, int> kArgument = {{0x80, 1}, {'q', 1}, {'r', 4}, {'h', 1}, {'j', 4},
                                                   {'J', 4},  {'K', 1}, {'M', 2}, {'G', 8}, {'X', 4},
                                                   {0x8c, 1}, {'T', 4}, {'U', 1}, {0x95, 8}};
  const auto found = kArgument.find(op);
  const int bytes = found == kArgument.end() ? 0 : found->second;
  if (!Has(static_cast<uint64_t>(bytes))) return Broken("it is cut short");
  const uint64_t argument = Unsigned(bytes);
  switch (op) {
    case 0x80:
      return argument <= 5 ? Status() : Broken("its version is not known");
    case 0x95:
      return Status();
    case 'q':
    case 'r':
      return Memo(argument);
    case 0x94:
      return Memo(memo_.size());
    case 'h':
    case 'j':
      return Recall(argument);
    case 'N':
      return Push(Value());
    case 0x88:
    case 0x89:
      return Push(Value::Bool(op == 0x88));
    case 'J':
      return Push(Value::Int(static_cast<int32_t>(static_cast<uint32_t>(argument))));
    case 'K':
    case 'M':
      return Push(Value::Int(static_cast<int64_t>(argument)));
    case 'G': {  // the only one with the high byte first
      uint64_t bits = 0;
      for (int i = 0; i < 8; ++i) bits |= (argument >> (8 * i) & 0xff) << (8 * (7 - i));
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      return Push(Value::Float(number));
    }
    case 'X':
    case 0x8c:
    case 'T':
    case 'U': {
      MICRORT_ASSIGN_OR_RETURN(std::string text, Text(argument));
      return Push(Value::String(std::move(text)));
    }
    default:
      return StepStructure(op);
  }
}

Status Unpickler::StepStructure(uint8_t op) {
  switch (op) {
    case '(':
      marks_.push_back(stack_.size());
      return Status();
    case ')':
      return Push(Tuple(PopSome(0)));
    case 0x85:
    case 0x86:
    case 0x87:
      return Push(Tuple(PopSome(op - size_t{0x84})));
    case 't':
      return Push(Tuple(PopToMark()));
    case ']':
      return Push(Value::Sequence(Kind::kList));
    case '}':
      return Push(Value::Sequence(Kind::kDict));
    case 'a':
    case 'e':
    case 's':
    case 'u': {
      const bool is_list = op == 'a' || op == 'e';
      const bool is_marked = op == 'e' || op == 'u';
      MICRORT_ASSIGN_OR_RETURN(std::vector<Value> items, is_marked ? PopToMark() : PopSome(is_list ? 1 : 2));
      MICRORT_ASSIGN_OR_RETURN(Value * container, Top());
      if (!container->Is(is_list ? Kind::kList : Kind::kDict)) return Broken("elements of no container");
      if (!is_list && items.size() % 2 != 0) return Broken("a key without a value");
      return Fill(*container, std::move(items));
    }
    case 'c':
      return Global();
    case 0x93:
      return StackGlobal();
    case 'R':
      return Reduce();
    case 0x81:
      return NewObject();
    case 'b':
      return Build();
    case 'Q': {
      MICRORT_ASSIGN_OR_RETURN(const Value id, Pop());
      return Push(MakeStorage(id, folder_));
    }
    case 0x8a:
      return Push(Long());
    case '0':
      return Pop().status();
    default:
      return MICRORT_ERROR(kInvalidModel, "broken pickle: operation 0x%02x at byte %zu is not known", op,
                           at_ - 1);
  }
}

// An operation takes a byte of a file that may be compressed, and a value some hundred.
Status Unpickler::CheckSize() {
  constexpr uint64_t kOperation = 12;
  constexpr size_t kMaxHeld = size_t{1} << 21;
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kOperation));
  if (stack_.size() + marks_.size() + memo_.size() <= kMaxHeld) return Status();
  return Unsupported("the pickle holds more than {} values at once", kMaxHeld);
}

Status Unpickler::Run(Value* out) {
  while (true) {
    if (!Has(1)) return Broken("it is cut short");
    MICRORT_RETURN_IF_ERROR(CheckSize());
    const uint8_t op = static_cast<uint8_t>(Unsigned(1));
    if (op == '.') break;
    MICRORT_RETURN_IF_ERROR(Step(op));
  }
  MICRORT_ASSIGN_OR_RETURN(*out, Pop());
  Extent extent;
  return Close(*out, &extent);
}

}  // namespace

Status ReadPickle(const std::string& bytes, const std::string& folder, WorkMeter* meter, Value* out) {
  return Unpickler(bytes, folder, meter).Run(out);
}

}  // namespace micrort::frontend::torchscript
