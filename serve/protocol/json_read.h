#pragma once
// Members of JSON objects that anybody may have written, with errors that name what is wrong.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "serve/protocol/error.h"

namespace micrort::serve {

// An object of JSON. It is given up without taking memory, which the library's values alone are not: so a
// request for which there is not enough ends with std::bad_alloc, and not with the program.
class JsonDocument {
 public:
  // Lists and objects inside each other: far above those of a tensor, and what a stack takes.
  static constexpr size_t kMaxDepth = 64;

  JsonDocument() = default;
  JsonDocument(const JsonDocument&) = delete;
  JsonDocument& operator=(const JsonDocument&) = delete;
  ~JsonDocument();

  // Once. Errors where the text is no JSON, no object, or too deep.
  Error Parse(const char* text, size_t length);
  const nlohmann::json& object() const { return object_; }

 private:
  nlohmann::json object_;
};

// Where the member is absent, `out` stays as it is. `where` names the object in messages.
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name, std::string* out);
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name, bool* out);
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name, uint64_t* out);
Error ReadMember(const nlohmann::json& object, const std::string& where, const char* name,
                 std::vector<int64_t>* out);

// The text in quotes, as JSON writes it; bytes that are no UTF-8 are replaced.
// For messages: a number itself, "a string", "a list".
std::string JsonKind(const nlohmann::json& value);
// The names of an object's members, for messages.
std::string JsonMembers(const nlohmann::json& object);
std::string Quoted(const std::string& text);

}  // namespace micrort::serve
