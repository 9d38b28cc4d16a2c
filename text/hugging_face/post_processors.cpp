#include "text/hugging_face/components.h"

namespace micrort::text {
namespace {

constexpr size_t kMaxFrame = 1024;

Result<TokenFrame> ReadPostProcessorAt(const Json& spec, int depth);

// ["[CLS]", 101]
Status ReadTokenPair(Fields* fields, const char* name, std::vector<int32_t>* out) {
  const Json& pair = fields->Array(name);
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (pair.size() != 2 || !pair[1].is_number_integer())
    return MICRORT_ERROR(kInvalidModel, "%.80s: expected a token and its number as '%s'",
                         fields->where().c_str(), name);
  out->push_back(pair[1].get<int32_t>());
  return Status();
}

Result<TokenFrame> ReadClsAndSep(Fields* fields) {
  TokenFrame frame;
  MICRORT_RETURN_IF_ERROR(ReadTokenPair(fields, "cls", &frame.before));
  MICRORT_RETURN_IF_ERROR(ReadTokenPair(fields, "sep", &frame.after));
  return frame;
}

// The numbers that a template's token stands for.
Status AppendTemplateToken(const Json& tokens, const std::string& name, std::vector<int32_t>* out) {
  const auto found = tokens.find(name);
  if (found == tokens.end())
    return MICRORT_ERROR(kInvalidModel, "post-processor 'TemplateProcessing': no special token '%.60s'",
                         name.c_str());
  Fields fields(*found, "special token '" + name + "'");
  const Json& ids = fields.Array("ids");
  MICRORT_RETURN_IF_ERROR(fields.status());
  for (const Json& id : ids) {
    if (!id.is_number_integer())
      return MICRORT_ERROR(kInvalidModel, "special token '%.60s': expected numbers", name.c_str());
    out->push_back(id.get<int32_t>());
  }
  return Status();
}

Result<TokenFrame> ReadTemplate(Fields* fields) {
  TokenFrame frame;
  bool has_text = false;
  const Json& single = fields->Array("single");
  const Json& tokens = fields->Object("special_tokens");
  MICRORT_RETURN_IF_ERROR(fields->status());
  for (const Json& item : single) {
    Fields part(item, "post-processor 'TemplateProcessing'");
    if (part.Has("Sequence")) {
      if (has_text) return MICRORT_ERROR(kUnsupported, "a template that repeats its text is not supported");
      has_text = true;
      continue;
    }
    Fields token(part.Object("SpecialToken"), part.where());
    MICRORT_RETURN_IF_ERROR(part.status());
    const std::string name = token.String("id");
    MICRORT_RETURN_IF_ERROR(token.status());
    MICRORT_RETURN_IF_ERROR(AppendTemplateToken(tokens, name, has_text ? &frame.after : &frame.before));
  }
  if (!has_text) return MICRORT_ERROR(kUnsupported, "a template without its text is not supported");
  return frame;
}

Result<TokenFrame> ReadSequence(Fields* fields, int depth) {
  const Json& parts = fields->Array("processors");
  MICRORT_RETURN_IF_ERROR(fields->status());
  if (parts.size() > kMaxSequence)
    return MICRORT_ERROR(kUnsupported, "%zu post-processors in a row", parts.size());
  TokenFrame frame;
  for (const Json& part : parts) {
    MICRORT_ASSIGN_OR_RETURN(const TokenFrame outer, ReadPostProcessorAt(part, depth + 1));
    frame.before.insert(frame.before.begin(), outer.before.begin(), outer.before.end());
    frame.after.insert(frame.after.end(), outer.after.begin(), outer.after.end());
    if (frame.before.size() + frame.after.size() > kMaxFrame)
      return MICRORT_ERROR(kUnsupported, "more than %zu tokens around a text are not supported", kMaxFrame);
  }
  return frame;
}

Result<TokenFrame> ReadPostProcessorAt(const Json& spec, int depth) {
  if (depth > kMaxNesting) return MICRORT_ERROR(kUnsupported, "post-processors so deep inside each other");
  std::string type;
  MICRORT_RETURN_IF_ERROR(TypeOf(spec, "post-processor", &type));
  Fields fields(spec, "post-processor '" + type + "'");
  if (type == "TemplateProcessing") return ReadTemplate(&fields);
  if (type == "BertProcessing" || type == "RobertaProcessing") return ReadClsAndSep(&fields);
  if (type == "ByteLevel") return TokenFrame();  // it is about offsets alone
  if (type == "Sequence") return ReadSequence(&fields, depth);
  return UnknownComponent("post-processor", type);
}

}  // namespace

Result<TokenFrame> ReadPostProcessor(const Json& spec) {
  if (spec.is_null()) return TokenFrame();
  return ReadPostProcessorAt(spec, 0);
}

}  // namespace micrort::text
