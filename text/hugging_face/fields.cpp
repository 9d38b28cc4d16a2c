#include "text/hugging_face/fields.h"

namespace micrort::text {

const Json* Fields::Find(const char* name) const {
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool Fields::Has(const char* name) const { return Find(name) != nullptr; }

void Fields::Expected(const char* name, const char* what) {
  const Json* found = Find(name);
  if (!status_.ok()) return;
  status_ = MICRORT_ERROR(kInvalidModel, "%.80s: expected %s as '%s', found %s", where_.c_str(), what, name,
                          found == nullptr ? "none" : found->type_name());
}

std::string Fields::String(const char* name) {
  const Json* found = Find(name);
  if (found != nullptr && found->is_string()) return *found->get_ptr<const std::string*>();
  Expected(name, "a string");
  return "";
}

std::string Fields::String(const char* name, const char* if_missing) {
  return Has(name) ? String(name) : if_missing;
}

bool Fields::Bool(const char* name, bool if_missing) {
  const Json* found = Find(name);
  if (found == nullptr) return if_missing;
  if (found->is_boolean()) return *found->get_ptr<const bool*>();
  Expected(name, "true or false");
  return if_missing;
}

int64_t Fields::Integer(const char* name, int64_t if_missing) {
  const Json* found = Find(name);
  if (found == nullptr) return if_missing;
  if (found->is_number_integer()) return found->get<int64_t>();
  Expected(name, "an integer");
  return if_missing;
}

double Fields::Real(const char* name, double if_missing) {
  const Json* found = Find(name);
  if (found == nullptr) return if_missing;
  if (found->is_number()) return found->get<double>();
  Expected(name, "a number");
  return if_missing;
}

const Json& Fields::Array(const char* name) {
  static const Json empty = Json::array();
  const Json* found = Find(name);
  if (found != nullptr && found->is_array()) return *found;
  Expected(name, "an array");
  return empty;
}

const Json& Fields::Object(const char* name) {
  static const Json empty = Json::object();
  const Json* found = Find(name);
  if (found != nullptr && found->is_object()) return *found;
  Expected(name, "an object");
  return empty;
}

Status TypeOf(const Json& component, const char* role, std::string* type) {
  Fields fields(component, role);
  *type = fields.String("type");
  return fields.status();
}

Status UnknownComponent(const char* role, const std::string& type) {
  return MICRORT_ERROR(kUnsupported, "the %s '%.60s' is not supported", role, type.c_str());
}

Status ReadPattern(const Json& pattern, const std::string& where, FindMatches* out) {
  Fields fields(pattern, where);
  if (fields.Has("Regex")) {
    const std::string source = fields.String("Regex");
    MICRORT_RETURN_IF_ERROR(fields.status());
    Result<Regex> regex = Regex::Parse(source);
    if (!regex.ok()) return regex.status().WithPrefix("%.80s", where.c_str());
    *out = MatchesOf(std::move(*regex));
    return Status();
  }
  const std::string word =
      pattern.is_string() ? *pattern.get_ptr<const std::string*>() : fields.String("String");
  if (!pattern.is_string()) MICRORT_RETURN_IF_ERROR(fields.status());
  if (word.empty()) return MICRORT_ERROR(kInvalidModel, "%.80s: an empty pattern", where.c_str());
  *out = OccurrencesOf(word);
  return Status();
}

}  // namespace micrort::text
