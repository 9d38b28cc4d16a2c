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
constexpr uint64_t kNew = 4 * WorkMeter::kElement, kContainer = 12 * WorkMeter::kElement;

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
  Status Text(uint64_t length, std::string* out);
  Status Line(std::string* out);
  Status Long(Value* out);
  Status Pop(Value* out);
  Status PopToMark(std::vector<Value>* out);
  Result<Value*> Top();
  Status Memo(uint64_t key);
  Status Recall(uint64_t key);
  Status Close(const Value& value, Extent* into);
  Status Fill(const Value& container, std::vector<Value> items);
  Status CheckSize();
  Status Step(uint8_t op, bool* done);
  Status StepSimple(uint8_t op, bool* known);
  Status StepStructure(uint8_t op);
  Status Global();
  Status StackGlobal();
  Status Tuple(size_t count);
  Status Reduce();
  Status NewObject();
  Status Build();
  void Push(Value value) { stack_.push_back(std::move(value)); }

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

Status Unpickler::Text(uint64_t length, std::string* out) {
  if (!Has(length)) return Broken("it is cut short");
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kNew + length / WorkMeter::kTextBytes));
  *out = bytes_.substr(at_, static_cast<size_t>(length));
  at_ += static_cast<size_t>(length);
  return Status();
}

Status Unpickler::Line(std::string* out) {
  const size_t end = bytes_.find('\n', at_);
  if (end == std::string::npos) return Broken("it is cut short");
  *out = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return IsText(*out) ? Status() : Broken("a name is no text");
}

// Little-endian, in two's complement, of any length.
Status Unpickler::Long(Value* out) {
  if (!Has(1)) return Broken("it is cut short");
  const uint64_t length = Unsigned(1);
  if (!Has(length) || length > 8) return Broken("an integer does not fit 64 bits");
  uint64_t bits = Unsigned(static_cast<int>(length));
  const bool negative = length > 0 && length < 8 && (bits >> (8 * length - 1) & 1) != 0;
  if (negative) bits |= ~uint64_t{0} << (8 * length);
  *out = Value::Int(static_cast<int64_t>(bits));
  return Status();
}

Status Unpickler::Pop(Value* out) {
  const size_t floor = marks_.empty() ? 0 : marks_.back();
  if (stack_.size() <= floor) return Broken("its stack is empty");
  *out = std::move(stack_.back());
  stack_.pop_back();
  return Status();
}

Status Unpickler::PopToMark(std::vector<Value>* out) {
  if (marks_.empty()) return Broken("a mark is missing");
  const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  out->assign(std::make_move_iterator(begin), std::make_move_iterator(stack_.end()));
  stack_.erase(begin, stack_.end());
  marks_.pop_back();
  return Status();
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
  Push(found->second);
  return Status();
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
  if (container.items->empty()) {
    container.items->swap(items);
    return Status();
  }
  container.items->insert(container.items->end(), std::make_move_iterator(items.begin()),
                          std::make_move_iterator(items.end()));
  return Status();
}

Status Unpickler::Global() {
  std::string module, name;
  MICRORT_RETURN_IF_ERROR(Line(&module));
  MICRORT_RETURN_IF_ERROR(Line(&name));
  Value global = Value::Of(Kind::kFunction);
  global.text = module + " " + name;
  Push(std::move(global));
  return Status();
}

Status Unpickler::StackGlobal() {
  Value module, name;
  MICRORT_RETURN_IF_ERROR(Pop(&name));
  MICRORT_RETURN_IF_ERROR(Pop(&module));
  if (!module.Is(Kind::kString) || !name.Is(Kind::kString)) return Broken("a name is no string");
  Value global = Value::Of(Kind::kFunction);
  global.text = Shown(module.text) + " " + Shown(name.text);
  Push(std::move(global));
  return Status();
}

Status Unpickler::Tuple(size_t count) {
  std::vector<Value> items(count);
  for (size_t i = count; i-- > 0;) MICRORT_RETURN_IF_ERROR(Pop(&items[i]));
  Value tuple = Value::Sequence(Kind::kTuple);
  MICRORT_RETURN_IF_ERROR(Fill(tuple, std::move(items)));
  Push(std::move(tuple));
  return Status();
}

Status Unpickler::Reduce() {
  Value function, arguments, result;
  MICRORT_RETURN_IF_ERROR(Pop(&arguments));
  MICRORT_RETURN_IF_ERROR(Pop(&function));
  if (!function.Is(Kind::kFunction)) return Broken("a call of no function");
  if (!arguments.Is(Kind::kTuple)) {
    // A member of an Enum is written with its value alone.
    if (function.text.str().compare(0, 9, "__torch__") != 0) return Broken("a call of no function");
    Value tuple = Value::Sequence(Kind::kTuple);
    MICRORT_RETURN_IF_ERROR(Fill(tuple, {std::move(arguments)}));
    arguments = std::move(tuple);
  }
  MICRORT_ASSIGN_OR_RETURN(result, CallGlobal(function.text, *arguments.items));
  Push(std::move(result));
  return Status();
}

Status Unpickler::NewObject() {
  Value global, arguments;
  MICRORT_RETURN_IF_ERROR(Pop(&arguments));
  MICRORT_RETURN_IF_ERROR(Pop(&global));
  if (!global.Is(Kind::kFunction)) return Broken("an object of no class");
  std::string name = global.text;
  std::replace(name.begin(), name.end(), ' ', '.');
  if (name.compare(0, 10, "__torch__.") != 0)
    return Unsupported("the pickle holds an object of '{}', whose code is not in the file", Shown(name));
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kContainer));
  auto object = std::make_shared<Object>();
  object->class_name = std::move(name);
  Push(Value::OfObject(std::move(object)));
  return Status();
}

Status Unpickler::Build() {
  Value state;
  MICRORT_RETURN_IF_ERROR(Pop(&state));
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
  MICRORT_RETURN_IF_ERROR(meter_.Spend(kNew * state.items->size()));
  for (size_t i = 0; i < state.items->size(); i += 2) {
    const Value& key = (*state.items)[i];
    if (!key.Is(Kind::kString) || !IsText(key.text)) return Broken("an attribute's name is no string");
    object.attributes.emplace_back(key.text, (*state.items)[i + 1]);
  }
  return Status();
}

Status Unpickler::StepSimple(uint8_t op, bool* known) {
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
      Push(Value());
      return Status();
    case 0x88:
      Push(Value::Bool(true));
      return Status();
    case 0x89:
      Push(Value::Bool(false));
      return Status();
    case 'J':
      Push(Value::Int(static_cast<int32_t>(static_cast<uint32_t>(argument))));
      return Status();
    case 'K':
    case 'M':
      Push(Value::Int(static_cast<int64_t>(argument)));
      return Status();
    case 'G': {  // the only one with the high byte first
      uint64_t bits = 0;
      for (int i = 0; i < 8; ++i) bits |= (argument >> (8 * i) & 0xff) << (8 * (7 - i));
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      Push(Value::Float(number));
      return Status();
    }
    case 'X':
    case 0x8c:
    case 'T':
    case 'U': {
      std::string text;
      MICRORT_RETURN_IF_ERROR(Text(argument, &text));
      Push(Value::String(std::move(text)));
      return Status();
    }
    default:
      *known = false;
      return Status();
  }
}

Status Unpickler::StepStructure(uint8_t op) {
  Value value, top;
  std::vector<Value> items;
  switch (op) {
    case '(':
      marks_.push_back(stack_.size());
      return Status();
    case ')':
      return Tuple(0);
    case 0x85:
      return Tuple(1);
    case 0x86:
      return Tuple(2);
    case 0x87:
      return Tuple(3);
    case 't':
      MICRORT_RETURN_IF_ERROR(PopToMark(&items));
      top = Value::Sequence(Kind::kTuple);
      MICRORT_RETURN_IF_ERROR(Fill(top, std::move(items)));
      Push(std::move(top));
      return Status();
    case ']':
      Push(Value::Sequence(Kind::kList));
      return Status();
    case '}':
      Push(Value::Sequence(Kind::kDict));
      return Status();
    case 'a':
    case 'e':
    case 's':
    case 'u': {
      const bool is_list = op == 'a' || op == 'e';
      if (op == 'e' || op == 'u') {
        MICRORT_RETURN_IF_ERROR(PopToMark(&items));
      } else {
        items.resize(is_list ? 1 : 2);
        for (size_t i = items.size(); i-- > 0;) MICRORT_RETURN_IF_ERROR(Pop(&items[i]));
      }
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
    case 'Q':
      MICRORT_RETURN_IF_ERROR(Pop(&value));
      MICRORT_RETURN_IF_ERROR(Take(MakeStorage(value, folder_), &top));
      Push(std::move(top));
      return Status();
    case 0x8a:
      MICRORT_RETURN_IF_ERROR(Long(&value));
      Push(std::move(value));
      return Status();
    case '0':
      return Pop(&value);
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

Status Unpickler::Step(uint8_t op, bool* done) {
  *done = op == '.';
  if (*done) return Status();
  bool known = true;
  MICRORT_RETURN_IF_ERROR(StepSimple(op, &known));
  return known ? Status() : StepStructure(op);
}

Status Unpickler::Run(Value* out) {
  for (bool done = false; !done;) {
    if (!Has(1)) return Broken("it is cut short");
    MICRORT_RETURN_IF_ERROR(CheckSize());
    MICRORT_RETURN_IF_ERROR(Step(static_cast<uint8_t>(Unsigned(1)), &done));
  }
  MICRORT_RETURN_IF_ERROR(Pop(out));
  Extent extent;
  return Close(*out, &extent);
}

}  // namespace

Status ReadPickle(const std::string& bytes, const std::string& folder, WorkMeter* meter, Value* out) {
  return Unpickler(bytes, folder, meter).Run(out);
}

}  // namespace micrort::frontend::torchscript
