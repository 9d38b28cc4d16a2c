#include "converter/frontend/tflite/alignment.h"

#include <flatbuffers/minireflect.h>

namespace micrort::frontend::tflite {

namespace {

using flatbuffers::Table;
using flatbuffers::TypeTable;
using Offsets = flatbuffers::Vector<flatbuffers::Offset<Table>>;

const char* MisalignedList(const Table& table, const TypeTable& type);

// The type of a table in a field of `type`, which may be a union: `of_union` is what its type field states.
// nullptr for a member that this schema does not know.
const TypeTable* MemberType(const TypeTable& type, uint8_t of_union) {
  if (type.st == flatbuffers::ST_TABLE) return &type;
  const int64_t index = flatbuffers::LookupEnum(of_union, type.values, type.num_elems);
  if (index < 0 || index >= static_cast<int64_t>(type.num_elems)) return nullptr;
  const int member = type.type_codes[index].sequence_ref;
  return member < 0 ? nullptr : type.type_refs[member]();
}

const char* MisalignedInTables(const Offsets& tables, const TypeTable& type) {
  for (const Table* table : tables) {
    if (const char* found = MisalignedList(*table, type)) return found;
  }
  return nullptr;
}

// Structs, and lists of unions, which this schema has none of, are not looked into.
const char* MisalignedField(const Table& table, const TypeTable& type, size_t i) {
  const flatbuffers::TypeCode code = type.type_codes[i];
  const flatbuffers::voffset_t field =
      flatbuffers::FieldIndexToOffset(static_cast<flatbuffers::voffset_t>(i));
  const bool has_tables = code.base_type == flatbuffers::ET_SEQUENCE;
  if ((!has_tables && !code.is_repeating) || !table.CheckField(field)) return nullptr;
  if (!has_tables) {
    const size_t bytes =
        flatbuffers::InlineSize(static_cast<flatbuffers::ElementaryType>(code.base_type), nullptr);
    const auto* list = table.GetPointer<const flatbuffers::Vector<uint8_t>*>(field);
    const bool is_aligned = list->size() == 0 || reinterpret_cast<uintptr_t>(list->data()) % bytes == 0;
    return is_aligned ? nullptr : type.names[i];
  }
  const TypeTable& stated = *type.type_refs[code.sequence_ref]();
  if (code.is_repeating) return MisalignedInTables(*table.GetPointer<const Offsets*>(field), stated);
  const auto before = static_cast<flatbuffers::voffset_t>(field - sizeof(flatbuffers::voffset_t));
  const TypeTable* member =
      MemberType(stated, stated.st == flatbuffers::ST_UNION ? table.GetField<uint8_t>(before, 0) : 0);
  return member == nullptr ? nullptr : MisalignedList(*table.GetPointer<const Table*>(field), *member);
}

const char* MisalignedList(const Table& table, const TypeTable& type) {
  for (size_t i = 0; i < type.num_elems; ++i) {
    if (const char* found = MisalignedField(table, type, i)) return found;
  }
  return nullptr;
}

}  // namespace

const char* MisalignedList(const fb::Model& model) {
  return MisalignedList(reinterpret_cast<const Table&>(model), *fb::ModelTypeTable());
}

}  // namespace micrort::frontend::tflite
