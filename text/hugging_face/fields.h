#pragma once
// Fields of a JSON object whose types are checked.

#include <nlohmann/json.hpp>
#include <string>

#include "kernels/base/status.h"
#include "text/pipeline/split.h"

namespace micrort::text {

using Json = nlohmann::json;

// The first field that is missing, or of another type than expected, is in status(); what is read then is
// empty. A field that is null counts as missing.
class Fields {
 public:
  // `where` begins messages: "normalizer 'Replace'".
  Fields(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  std::string String(const char* name);
  std::string String(const char* name, const char* if_missing);
  bool Bool(const char* name, bool if_missing);
  int64_t Integer(const char* name, int64_t if_missing);
  double Real(const char* name, double if_missing);
  // An array or object; never null.
  const Json& Array(const char* name);
  const Json& Object(const char* name);
  bool Has(const char* name) const;

  const Status& status() const { return status_; }
  const std::string& where() const { return where_; }

 private:
  // Null if it is missing.
  const Json* Find(const char* name) const;
  void Expected(const char* name, const char* what);

  const Json& object_;
  std::string where_;
  Status status_;
};

// "type" of a component; "" and an error if it has none.
Status TypeOf(const Json& component, const char* role, std::string* type);
Status UnknownComponent(const char* role, const std::string& type);

// {"String": "x"} or {"Regex": "x+"}.
Status ReadPattern(const Json& pattern, const std::string& where, FindMatches* out);

// Components that hold others of their kind do so at most this deep, and at most so many.
constexpr int kMaxNesting = 8;
constexpr size_t kMaxSequence = 64;

}  // namespace micrort::text
