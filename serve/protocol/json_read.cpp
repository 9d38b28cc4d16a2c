#include "serve/protocol/json_read.h"

namespace micrort::serve {
namespace {

using Json = nlohmann::json;

Error Unexpected(const std::string& where, const char* name, const char* expected) {
  return Invalid(where + ": expected '" + name + "' to be " + expected);
}

}  // namespace

Error ParseObject(const char* text, size_t length, Json* object) {
  *object = Json::parse(text, text + length, nullptr, false);
  if (object->is_discarded()) return Invalid("the body is no JSON");
  if (!object->is_object()) return Invalid("expected a JSON object as the body");
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, std::string* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_string()) return Unexpected(where, name, "a string");
  *out = found->get<std::string>();
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, bool* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_boolean()) return Unexpected(where, name, "true or false");
  *out = found->get<bool>();
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, uint64_t* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_number_unsigned()) return Unexpected(where, name, "an integer of at least 0");
  *out = found->get<uint64_t>();
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, std::vector<int64_t>* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_array()) return Unexpected(where, name, "a list of integers");
  out->clear();
  for (const Json& dim : *found) {
    const bool fits =
        dim.is_number_integer() && (!dim.is_number_unsigned() || dim.get<uint64_t>() <= uint64_t{INT64_MAX});
    if (!fits) return Unexpected(where, name, "a list of integers");
    out->push_back(dim.get<int64_t>());
  }
  return {};
}

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace micrort::serve
