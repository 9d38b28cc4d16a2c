#include "tests/fuzz/flatbuffer_mutator.h"

#include <flatbuffers/reflection.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

namespace micrort::fuzz {

namespace {

using ::flatbuffers::Table;
using ::flatbuffers::uoffset_t;
using ::flatbuffers::voffset_t;

// Of a longer vector, the first elements.
constexpr uoffset_t kMostElements = 64;
// A table may be reached over many ways.
constexpr size_t kMostPlaces = 20000;

struct Number {
  uint8_t* at;
  size_t bytes;
  bool is_real;
};

// Where something can change.
struct Places {
  std::vector<Number> numbers;
  std::vector<uint8_t*> lengths;                // of vectors
  std::vector<uint8_t*> vtable_entries;         // of fields that are there
  std::vector<std::vector<uint8_t*>> siblings;  // offsets in one vector

  size_t size() const { return numbers.size() + lengths.size() + vtable_entries.size() + siblings.size(); }
};

class Walker {
 public:
  Walker(const reflection::Schema& schema, Places* places) : schema_(schema), places_(*places) {}

  void Visit(uint8_t* table, const reflection::Object& type) {
    for (const reflection::Field* field : *type.fields()) {
      if (places_.size() > kMostPlaces) return;
      const auto* at = reinterpret_cast<const Table*>(table);
      uint8_t* value = const_cast<uint8_t*>(at->GetAddressOf(field->offset()));
      if (value == nullptr) continue;
      uint8_t* vtable = const_cast<uint8_t*>(at->GetVTable());
      places_.vtable_entries.push_back(vtable + field->offset());
      VisitField(table, value, *field);
    }
  }

 private:
  static uint8_t* Follow(uint8_t* offset) { return offset + ::flatbuffers::ReadScalar<uoffset_t>(offset); }
  const reflection::Object& Type(int index) const {
    return *schema_.objects()->Get(static_cast<uoffset_t>(index));
  }
  void VisitField(uint8_t* table, uint8_t* value, const reflection::Field& field) {
    const reflection::BaseType type = field.type()->base_type();
    if (::flatbuffers::IsScalar(type)) {
      AddNumber(value, type);
    } else if (type == reflection::String) {
      places_.lengths.push_back(Follow(value));
    } else if (type == reflection::Obj) {
      if (!Type(field.type()->index()).is_struct()) Visit(Follow(value), Type(field.type()->index()));
    } else if (type == reflection::Union) {
      VisitUnion(table, value, field);
    } else if (type == reflection::Vector) {
      VisitVector(Follow(value), *field.type());
    }
  }
  void VisitUnion(uint8_t* table, uint8_t* value, const reflection::Field& field) {
    // The field before it says which member it is.
    const auto kind_at = static_cast<voffset_t>(field.offset() - sizeof(voffset_t));
    const uint8_t kind = reinterpret_cast<const Table*>(table)->GetField<uint8_t>(kind_at, 0);
    const auto* members = schema_.enums()->Get(static_cast<uoffset_t>(field.type()->index()))->values();
    const reflection::EnumVal* member = members->LookupByKey(kind);
    if (member == nullptr || member->union_type()->base_type() != reflection::Obj) return;
    Visit(Follow(value), Type(member->union_type()->index()));
  }
  void VisitVector(uint8_t* vector, const reflection::Type& type) {
    places_.lengths.push_back(vector);
    const uoffset_t length = std::min(::flatbuffers::ReadScalar<uoffset_t>(vector), kMostElements);
    uint8_t* elements = vector + sizeof(uoffset_t);
    const reflection::BaseType element = type.element();
    if (::flatbuffers::IsScalar(element)) {
      for (uoffset_t i = 0; i < length; ++i)
        AddNumber(elements + i * ::flatbuffers::GetTypeSize(element), element);
      return;
    }
    const bool is_table = element == reflection::Obj && !Type(type.index()).is_struct();
    if (!is_table && element != reflection::String) return;
    std::vector<uint8_t*> offsets;
    for (uoffset_t i = 0; i < length; ++i) offsets.push_back(elements + i * sizeof(uoffset_t));
    for (uint8_t* offset : offsets) {
      if (is_table) Visit(Follow(offset), Type(type.index()));
    }
    if (offsets.size() > 1) places_.siblings.push_back(std::move(offsets));
  }
  void AddNumber(uint8_t* at, reflection::BaseType type) {
    places_.numbers.push_back({at, ::flatbuffers::GetTypeSize(type), ::flatbuffers::IsFloat(type)});
  }

  const reflection::Schema& schema_;
  Places& places_;
};

template <typename T>
T& Any(std::vector<T>& from, Random& random) {
  return from[Below(from.size(), random)];
}

void SetNumber(const Number& number, Random& random) {
  if (!number.is_real) {
    const int64_t value = BoundaryInteger(random);
    std::memcpy(number.at, &value, number.bytes);
  } else if (number.bytes == sizeof(double)) {
    const double value = BoundaryReal(random);
    std::memcpy(number.at, &value, sizeof value);
  } else {
    const double real = BoundaryReal(random);
    const float value = real == 1e300 ? 1e30f : static_cast<float>(real);
    std::memcpy(number.at, &value, sizeof value);
  }
}

void SetLength(uint8_t* at, Random& random) {
  const auto length = ::flatbuffers::ReadScalar<uoffset_t>(at);
  const uoffset_t shorter = length == 0 ? 0 : static_cast<uoffset_t>(Below(length, random));
  const bool is_limit = Below(4, random) == 0;
  ::flatbuffers::WriteScalar(at, is_limit ? static_cast<uoffset_t>(BoundaryInteger(random)) : shorter);
}

// An element becomes another one of the same vector.
void Retarget(std::vector<uint8_t*>& offsets, Random& random) {
  uint8_t* at = Any(offsets, random);
  uint8_t* other = Any(offsets, random);
  const uint8_t* target = other + ::flatbuffers::ReadScalar<uoffset_t>(other);
  if (target > at) ::flatbuffers::WriteScalar(at, static_cast<uoffset_t>(target - at));
}

void Change(Places& places, Random& random) {
  const size_t way = Below(10, random);
  if (way == 0 && !places.vtable_entries.empty()) {
    ::flatbuffers::WriteScalar(Any(places.vtable_entries, random), voffset_t{0});
  } else if (way == 1 && !places.lengths.empty()) {
    SetLength(Any(places.lengths, random), random);
  } else if (way == 2 && !places.siblings.empty()) {
    Retarget(Any(places.siblings, random), random);
  } else if (!places.numbers.empty()) {
    SetNumber(Any(places.numbers, random), random);
  }
}

const reflection::Schema& SchemaOf(const char* file) {
  static std::map<std::string, std::string> schemas;
  std::string& bytes = schemas[file];
  if (bytes.empty()) {
    std::ifstream in(file, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
    if (bytes.empty()) std::abort();  // the build makes it
  }
  return *reflection::GetSchema(bytes.data());
}

}  // namespace

std::string MutateFlatbuffer(const FlatbufferFormat& format, const std::string& bytes, Random& random) {
  constexpr size_t kAlignment = 64;
  std::vector<uint8_t> memory(bytes.size() + kAlignment);
  uint8_t* begin = memory.data() + (kAlignment - reinterpret_cast<uintptr_t>(memory.data()) % kAlignment);
  std::memcpy(begin, bytes.data(), bytes.size());
  if (Below(10, random) == 0 || !format.is_sound(begin, bytes.size())) return MutateBytes(bytes, random);
  const reflection::Schema& schema = SchemaOf(format.schema_file);
  Places places;
  Walker(schema, &places).Visit(begin + ::flatbuffers::ReadScalar<uoffset_t>(begin), *schema.root_table());
  for (size_t times = 1 + Below(3, random); times > 0; --times) Change(places, random);
  return {reinterpret_cast<const char*>(begin), bytes.size()};
}

}  // namespace micrort::fuzz
