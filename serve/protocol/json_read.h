#pragma once
// Members of JSON objects that anybody may have written, with errors that name what is wrong.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "serve/protocol/error.h"

namespace micrort::serve {

// Text of a body as an object.
Error ParseObject(const char* text, size_t length, nlohmann::json* object);

// Where the member is absent, `out` stays as it is. `where` names the object in messages.
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name, std::string* out);
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name, bool* out);
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name, uint64_t* out);
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name,
                 std::vector<int64_t>* out);

// The text in quotes, as JSON writes it; bytes that are no UTF-8 are replaced.
std::string Quoted(const std::string& text);

}  // namespace micrort::serve
