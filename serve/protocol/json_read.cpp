#include "serve/protocol/json_read.h"

#include <algorithm>

#include "serve/protocol/names.h"

namespace micrort::serve {
namespace {

using Json = nlohmann::json;

Error Unexpected(const std::string& where, const char* name, const char* expected, const Json& found) {
  return Invalid(where + ": expected '" + name + "' to be " + expected + ", found " + JsonKind(found));
}

// The library takes memory to destroy what is in lists and objects.
void Empty(Json& value) {
  if (auto* list = value.get_ptr<Json::array_t*>()) {
    for (Json& element : *list) Empty(element);
    list->clear();
  } else if (auto* object = value.get_ptr<Json::object_t*>()) {
    for (auto& member : *object) Empty(member.second);
    object->clear();
  }
}

// Takes the events of Json::sax_parse(). Each value is made in its place, so that it is the document's from
// the first moment on.
class DocumentBuilder {
 public:
  explicit DocumentBuilder(Json* root) : place_(root) {}

  bool null() { return Add(nullptr); }
  bool boolean(bool value) { return Add(value); }
  bool number_integer(Json::number_integer_t value) { return Add(value); }
  bool number_unsigned(Json::number_unsigned_t value) { return Add(value); }
  bool number_float(Json::number_float_t value, const std::string& /*text*/) { return Add(value); }
  bool string(std::string& value) { return Add(std::move(value)); }
  bool binary(Json::binary_t& /*value*/) { return false; }  // text has none
  bool start_object(size_t /*size*/) { return Enter(Json::value_t::object); }
  bool start_array(size_t /*size*/) { return Enter(Json::value_t::array); }
  bool end_object() { return Leave(); }
  bool end_array() { return Leave(); }
  bool key(const std::string& name) {
    place_ = &open_[depth_ - 1]->get_ref<Json::object_t&>()[name];
    return true;
  }
  bool parse_error(size_t at, const std::string& token, const Json::exception& /*why*/) {
    constexpr size_t kMostShown = 40;
    wrong_at_ = at;
    wrong_ = token.substr(token.size() - std::min(token.size(), kMostShown));
    return false;
  }

  bool is_too_deep() const { return is_too_deep_; }
  // The end of what could not be read, and the bytes up to it.
  const std::string& wrong() const { return wrong_; }
  size_t wrong_at() const { return wrong_at_; }

 private:
  template <typename T>
  bool Add(T&& value) {
    Put(std::forward<T>(value));
    return true;
  }
  template <typename T>
  Json& Put(T&& value) {
    if (auto* list = depth_ == 0 ? nullptr : open_[depth_ - 1]->get_ptr<Json::array_t*>())
      return list->emplace_back(std::forward<T>(value));
    Empty(*place_);  // a name that was there before
    return *place_ = Json(std::forward<T>(value));
  }
  bool Enter(Json::value_t type) {
    is_too_deep_ = depth_ == JsonDocument::kMaxDepth;
    if (is_too_deep_) return false;
    Json& value = Put(type);
    open_[depth_++] = &value;
    return true;
  }
  bool Leave() {
    --depth_;
    return true;
  }

  Json* place_;  // of the root, or of the member whose name was read last
  Json* open_[JsonDocument::kMaxDepth] = {};
  size_t depth_ = 0;
  bool is_too_deep_ = false;
  std::string wrong_;
  size_t wrong_at_ = 0;
};

}  // namespace

JsonDocument::~JsonDocument() { Empty(object_); }

Error JsonDocument::Parse(const char* text, size_t length) {
  DocumentBuilder builder(&object_);
  if (!Json::sax_parse(text, text + length, &builder)) {
    if (length == 0) return Invalid("the body is no JSON: it is empty");
    if (!builder.is_too_deep()) {
      return Invalid("the body is no JSON: byte " + std::to_string(builder.wrong_at()) + ", at '" +
                     builder.wrong() + "'");
    }
    return Invalid("the body has more than " + std::to_string(kMaxDepth) +
                   " lists and objects inside each other");
  }
  if (!object_.is_object()) return Invalid("expected a JSON object as the body, found " + JsonKind(object_));
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, std::string* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_string()) return Unexpected(where, name, "a string", *found);
  *out = found->get<std::string>();
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, bool* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_boolean()) return Unexpected(where, name, "true or false", *found);
  *out = found->get<bool>();
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, uint64_t* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_number_unsigned()) return Unexpected(where, name, "an integer of at least 0", *found);
  *out = found->get<uint64_t>();
  return {};
}

Error ReadMember(const Json& object, const std::string& where, const char* name, std::vector<int64_t>* out) {
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (!found->is_array()) return Unexpected(where, name, "a list of integers", *found);
  out->clear();
  for (const Json& dim : *found) {
    const bool fits =
        dim.is_number_integer() && (!dim.is_number_unsigned() || dim.get<uint64_t>() <= uint64_t{INT64_MAX});
    if (!fits) return Unexpected(where, name, "a list of integers", dim);
    out->push_back(dim.get<int64_t>());
  }
  return {};
}

std::string JsonKind(const Json& value) {
  if (value.is_number()) return value.dump();
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return std::string("a ") + value.type_name();
}

std::string JsonMembers(const Json& object) {
  NameList names;
  for (const auto& [name, unused] : object.items()) names.Add(name);
  return names.text();
}

std::string Quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace micrort::serve
