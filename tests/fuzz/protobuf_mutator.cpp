#include "tests/fuzz/protobuf_mutator.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <vector>

namespace micrort::fuzz {

namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

// What grows further only gets slower.
constexpr size_t kLargest = 1 << 16;

struct Place {
  Message* message;
  const FieldDescriptor* field;

  const Reflection& reflection() const { return *message->GetReflection(); }
};

// All of a message that can change.
struct Places {
  std::vector<Place> set, absent;
  std::vector<Message*> messages;

  void Collect(Message* message) {
    messages.push_back(message);
    const Descriptor* type = message->GetDescriptor();
    const Reflection& reflection = *message->GetReflection();
    for (int i = 0; i < type->field_count(); ++i) {
      const FieldDescriptor* field = type->field(i);
      const int elements = field->is_repeated() ? reflection.FieldSize(*message, field)
                                                : (reflection.HasField(*message, field) ? 1 : 0);
      (elements > 0 ? set : absent).push_back({message, field});
      if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
      for (int k = 0; k < elements; ++k) {
        Collect(field->is_repeated() ? reflection.MutableRepeatedMessage(message, field, k)
                                     : reflection.MutableMessage(message, field));
      }
    }
  }
  // Somewhere else of the model, a string such as this one, or the one there is.
  std::string OtherText(const std::string& now, Random& random) const {
    const Place place = set[Below(set.size(), random)];
    if (place.field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) return MutateBytes(now, random);
    if (!place.field->is_repeated()) return place.reflection().GetString(*place.message, place.field);
    const int size = place.reflection().FieldSize(*place.message, place.field);
    return place.reflection().GetRepeatedString(*place.message, place.field,
                                                static_cast<int>(Below(static_cast<size_t>(size), random)));
  }
  // A message of this type from anywhere, or null.
  const Message* Other(const Descriptor* type, Random& random) const {
    const size_t start = Below(messages.size(), random);
    for (size_t i = 0; i < messages.size(); ++i) {
      const Message* message = messages[(start + i) % messages.size()];
      if (message->GetDescriptor() == type) return message;
    }
    return nullptr;
  }
};

// Gives a field, or an element of one (index >= 0), another value.
class Setter {
 public:
  Setter(const Place& place, int index, const Places& places, Random& random)
      : place_(place), index_(index), places_(places), random_(random) {}

  void Set() {
    switch (place_.field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        Put(&Reflection::SetInt32, &Reflection::SetRepeatedInt32, Integer<int32_t>());
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        Put(&Reflection::SetInt64, &Reflection::SetRepeatedInt64, Integer<int64_t>());
        break;
      case FieldDescriptor::CPPTYPE_UINT32:
        Put(&Reflection::SetUInt32, &Reflection::SetRepeatedUInt32, Integer<uint32_t>());
        break;
      case FieldDescriptor::CPPTYPE_UINT64:
        Put(&Reflection::SetUInt64, &Reflection::SetRepeatedUInt64, Integer<uint64_t>());
        break;
      case FieldDescriptor::CPPTYPE_FLOAT:
        Put(&Reflection::SetFloat, &Reflection::SetRepeatedFloat, Float());
        break;
      case FieldDescriptor::CPPTYPE_DOUBLE:
        Put(&Reflection::SetDouble, &Reflection::SetRepeatedDouble, BoundaryReal(random_));
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        Put(&Reflection::SetBool, &Reflection::SetRepeatedBool, Below(2, random_) == 0);
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        SetEnum();
        break;
      case FieldDescriptor::CPPTYPE_STRING:
        SetText();
        break;
      case FieldDescriptor::CPPTYPE_MESSAGE:
        SetMessage();
        break;
    }
  }

 private:
  template <typename T>
  T Integer() {
    return static_cast<T>(BoundaryInteger(random_));
  }
  float Float() {
    const double v = BoundaryReal(random_);
    return v == 1e300 ? 1e30f : static_cast<float>(v);
  }
  template <typename SingleT, typename RepeatedT, typename T>
  void Put(SingleT single, RepeatedT repeated, T value) {
    if (index_ < 0) {
      (place_.reflection().*single)(place_.message, place_.field, value);
    } else {
      (place_.reflection().*repeated)(place_.message, place_.field, index_, value);
    }
  }
  void SetEnum() {
    const auto* type = place_.field->enum_type();
    const int number =
        type->value(static_cast<int>(Below(static_cast<size_t>(type->value_count()), random_)))->number();
    Put(&Reflection::SetEnumValue, &Reflection::SetRepeatedEnumValue, number);
  }
  void SetText() {
    const Reflection& r = place_.reflection();
    const std::string now = index_ < 0 ? r.GetString(*place_.message, place_.field)
                                       : r.GetRepeatedString(*place_.message, place_.field, index_);
    const std::string text = places_.OtherText(now, random_);
    if (index_ < 0) {
      r.SetString(place_.message, place_.field, text);
    } else {
      r.SetRepeatedString(place_.message, place_.field, index_, text);
    }
  }
  // Another one first, as bytes: it may lie within or around this one, or go with the member of a oneof.
  void SetMessage() {
    const Message* other = places_.Other(place_.field->message_type(), random_);
    const std::string bytes = other == nullptr ? "" : other->SerializePartialAsString();
    const Reflection& r = place_.reflection();
    Message* target = index_ < 0 ? r.MutableMessage(place_.message, place_.field)
                                 : r.MutableRepeatedMessage(place_.message, place_.field, index_);
    target->ParsePartialFromString(bytes);
  }

  const Place& place_;
  const int index_;
  const Places& places_;
  Random& random_;
};

void AddElement(const Place& place) {
  const Reflection& r = place.reflection();
  switch (place.field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      r.AddInt32(place.message, place.field, 0);
      break;
    case FieldDescriptor::CPPTYPE_INT64:
      r.AddInt64(place.message, place.field, 0);
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      r.AddUInt32(place.message, place.field, 0);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      r.AddUInt64(place.message, place.field, 0);
      break;
    case FieldDescriptor::CPPTYPE_FLOAT:
      r.AddFloat(place.message, place.field, 0);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      r.AddDouble(place.message, place.field, 0);
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      r.AddBool(place.message, place.field, false);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      r.AddEnumValue(place.message, place.field, place.field->enum_type()->value(0)->number());
      break;
    case FieldDescriptor::CPPTYPE_STRING:
      r.AddString(place.message, place.field, "");
      break;
    case FieldDescriptor::CPPTYPE_MESSAGE:
      r.AddMessage(place.message, place.field);
      break;
  }
}

void Change(const Place& place, const Places& places, bool may_grow, Random& random) {
  const Reflection& r = place.reflection();
  if (!place.field->is_repeated()) {
    if (Below(6, random) == 0) {
      r.ClearField(place.message, place.field);
    } else {
      Setter(place, -1, places, random).Set();
    }
    return;
  }
  const auto size = static_cast<size_t>(r.FieldSize(*place.message, place.field));
  const int last = static_cast<int>(size) - 1;
  const size_t way = size == 0 ? 0 : Below(5, random);
  if (way == 0 && may_grow) {
    AddElement(place);
    Setter(place, last + 1, places, random).Set();
  } else if (way == 1) {
    r.RemoveLast(place.message, place.field);
  } else if (way == 2) {
    r.SwapElements(place.message, place.field, static_cast<int>(Below(size, random)), last);
  } else if (size > 0) {
    Setter(place, static_cast<int>(Below(size, random)), places, random).Set();
  }
}

}  // namespace

bool ReadMessage(const std::string& bytes, Message* message) {
  if (message->ParsePartialFromString(bytes)) return true;
  struct Silent : ::google::protobuf::io::ErrorCollector {
    void AddError(int, int, const std::string&) override {}
  } silent;
  ::google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&silent);
  parser.AllowPartialMessage(true);
  return parser.ParseFromString(bytes, message);
}

void MutateMessage(Message* message, Random& random) {
  for (size_t times = 1 + Below(3, random); times > 0; --times) {
    Places places;
    places.Collect(message);
    const bool absent = places.set.empty() || (!places.absent.empty() && Below(5, random) == 0);
    const std::vector<Place>& from = absent ? places.absent : places.set;
    if (from.empty()) return;
    const Place place = from[Below(from.size(), random)];
    // Where nothing is set there is no text to take either.
    if (places.set.empty()) return;
    Change(place, places, message->ByteSizeLong() < kLargest, random);
  }
}

}  // namespace micrort::fuzz
