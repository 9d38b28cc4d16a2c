#include "converter/frontend/caffe/model_reader.h"

#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <limits>

#include "converter/frontend/caffe/text_format.h"
#include "converter/frontend/caffe/upgrade.h"
#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::caffe {

namespace {

constexpr uint8_t kLayerTag = 0xa2, kLayerTag2 = 0x06;  // of field 100

bool IsSpace(uint8_t b) { return std::isspace(b) != 0; }

Status CheckNames(const ::caffe::NetParameter& net) {
  constexpr char kName[] = "a name in the network";
  MICRORT_RETURN_IF_ERROR(CheckTexts(net.input(), kName));
  for (const auto& layer : net.layer()) {
    MICRORT_RETURN_IF_ERROR(CheckText(layer.name(), kName));
    MICRORT_RETURN_IF_ERROR(CheckText(layer.type(), kName));
    MICRORT_RETURN_IF_ERROR(CheckTexts(layer.bottom(), kName));
    MICRORT_RETURN_IF_ERROR(CheckTexts(layer.top(), kName));
  }
  return Status();
}

}  // namespace

bool LooksLikeNetText(Span<const uint8_t> bytes) {
  const auto* at = bytes.data();
  const auto* end = at + bytes.size();
  const auto skip_spaces = [&] { at = std::find_if_not(at, end, IsSpace); };
  skip_spaces();
  while (at != end && *at == '#') {
    at = std::find(at, end, '\n');
    skip_spaces();
  }
  const auto* first = at;
  at = std::find_if_not(at, end, [](uint8_t b) { return std::isalpha(b) != 0 || b == '_'; });
  const std::string field(first, at);
  skip_spaces();
  const bool is_field = at != end && (*at == ':' || *at == '{');
  return is_field && (::caffe::NetParameter::descriptor()->FindFieldByName(field) != nullptr ||
                      field == "force_backward" || field == "debug_info");
}

bool LooksLikeNetMessage(Span<const uint8_t> bytes) {
  if (bytes.size() < 4) return false;
  const auto is = [](uint8_t byte, std::initializer_list<uint8_t> tags) {
    return std::find(tags.begin(), tags.end(), byte) != tags.end();
  };
  if (bytes[0] == kLayerTag && bytes[1] == kLayerTag2) return true;
  // The number of bytes of the first field has 7 bits a byte.
  const size_t at = bytes[1] < 0x80 ? 2 : bytes[2] < 0x80 ? 3 : 4;
  // V1 layers, which begin with a bottom, a top, a name or V0's layer; ONNX has text here, its producer.
  if (bytes[0] == 0x12) return at < bytes.size() && is(bytes[at], {0x0a, 0x12, 0x1a, 0x22});
  // A name or an input, which is text, where a TensorFlow graph has a message; then any other field.
  const size_t next = at + bytes[1];
  if (!is(bytes[0], {0x0a, 0x1a}) || at != 2 || next >= bytes.size()) return false;
  const bool text = std::all_of(&bytes[at], &bytes[next], [](uint8_t b) { return b >= 0x20; });
  return text && is(bytes[next], {kLayerTag, 0x12, 0x1a, 0x20, 0x22, 0x28, 0x32, 0x38, 0x42});
}

Status ReadNet(Span<const uint8_t> bytes, CaffeNet* out) {
  if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()))
    return Invalid("{} bytes, but a protobuf message has at most 2 GiB", bytes.size());
  const google::protobuf::LogSilencer our_own_messages_are_enough;
  out->is_text = LooksLikeNetText(bytes);
  if (out->is_text) {
    MICRORT_RETURN_IF_ERROR(ParseNetText(bytes, out));
  } else if (!out->proto.ParsePartialFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Invalid(
        "not a Caffe network, cut short, or of a fork: protobuf cannot parse its {} bytes; if the network "
        "has a .prototxt, give that as the model and this file as --weights",
        bytes.size());
  }
  MICRORT_RETURN_IF_ERROR(UpgradeNet(out));
  if (out->proto.layer_size() == 0) return Invalid("the network has no layers");
  return CheckNames(out->proto);
}

}  // namespace micrort::frontend::caffe
