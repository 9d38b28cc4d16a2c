#include "converter/frontend/caffe/model_reader.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <limits>
#include <set>
#include <vector>

#include "converter/frontend/caffe/upgrade.h"
#include "converter/frontend/common/errors.h"
#include "converter/frontend/common/text.h"

namespace micrort::frontend::caffe {

namespace {

using ::google::protobuf::TextFormat;

// A network as text. Forks have fields of their own, so unknown ones do not end the import: they are noted
// where they may change what a layer computes.

constexpr int kMaxDepth = 64;  // of messages in each other; Caffe has 4

// Fields that say how a network is trained, initialized or computed, never what.
bool IsWithoutEffect(const std::string& field) {
  static const std::set<std::string> kNames = SetOfWords(
      "accuracy_param annotated_data_param axis_weight backend bias_filler bias_lr blobs_lr "
      "blob_share_mode channel_diff cudnn_flag debug_info decay_mult device_id diff double_diff "
      "dropout_param dropout_ratio engine expected_bbox filler force_backward force_color "
      "force_encoded_color force_nd_im2col fraction hdf5_output_param hinge_loss_param infogain_loss_param "
      "label_map_file loss_param loss_weight lr_mult mean_file mean_value mirror moving_average_fraction "
      "multibox_loss_param prefetch propagate_down python_param rand_skip root_folder save_output_param "
      "scale_filler share_mode shuffle sigmoid_param slope_filler solver_mode source stable_prod_grad "
      "tanh_param transform_param visualize visualize_threshold weight_decay weight_filler "
      "window_data_param");
  return kNames.count(field) != 0;
}

// Fields of these messages are about training data.
bool IsAboutData(const std::string& message) {
  static const std::set<std::string> kMessages = SetOfWords(
      "caffe.DataParameter caffe.FillerParameter caffe.HDF5DataParameter caffe.ImageDataParameter "
      "caffe.MemoryDataParameter caffe.NetParameter caffe.NetState caffe.NetStateRule caffe.BlobProto "
      "caffe.TransformationParameter");
  return kMessages.count(message) != 0;
}

struct UnknownField {
  int line;
  std::string message, field;
};

// The parser has no other way to say which fields it skips: `Message type "caffe.X" has no field named "y".`
bool ReadWarning(const std::string& text, UnknownField* out) {
  std::vector<std::string> quoted;
  for (size_t at = text.find('"'); at != std::string::npos;) {
    const size_t end = text.find('"', at + 1);
    if (end == std::string::npos) break;
    quoted.push_back(text.substr(at + 1, end - at - 1));
    at = text.find('"', end + 1);
  }
  if (quoted.size() != 2 || text.find("has no field named") == std::string::npos) return false;
  out->message = quoted[0];
  out->field = quoted[1];
  return true;
}

class Messages : public ::google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!error.empty()) return;
    error = "line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1) + ": " +
            (IsText(message) ? message : "bytes that are not text");
  }
  void AddWarning(int line, int, const std::string& message) override {
    UnknownField field;
    if (ReadWarning(message, &field)) {
      field.line = line;
      unknown.push_back(std::move(field));
    }
  }

  std::string error;
  std::vector<UnknownField> unknown;
};

// Lines on which layers begin, in the order of the field.
std::vector<int> FirstLines(const TextFormat::ParseInfoTree& tree, const char* field, int count) {
  const auto* descriptor = ::caffe::NetParameter::descriptor()->FindFieldByName(field);
  std::vector<int> lines;
  for (int i = 0; i < count; ++i) lines.push_back(tree.GetLocation(descriptor, i).line);
  return lines;
}

void NoteUnknownFields(const Messages& messages, const TextFormat::ParseInfoTree& tree, CaffeNet* out) {
  const bool v1 = out->proto.layers_size() > 0;
  const int count = v1 ? out->proto.layers_size() : out->proto.layer_size();
  const std::vector<int> lines = FirstLines(tree, v1 ? "layers" : "layer", count);
  for (const UnknownField& unknown : messages.unknown) {
    if (IsWithoutEffect(unknown.field) || IsAboutData(unknown.message)) continue;
    const auto after = std::upper_bound(lines.begin(), lines.end(), unknown.line);
    if (after == lines.begin()) continue;
    out->unknown_fields.emplace(static_cast<int>(after - lines.begin()) - 1, unknown.field);
  }
}

// Fills `proto` as it is written, V1 layers included; the index of a V1 layer in `unknown_fields` is that in
// `layers`.
Status ParseNetText(Span<const uint8_t> bytes, CaffeNet* out) {
  Messages messages;
  TextFormat::ParseInfoTree tree;
  TextFormat::Parser parser;
  parser.AllowUnknownField(true);
  parser.AllowPartialMessage(true);
  parser.SetRecursionLimit(kMaxDepth);
  parser.RecordErrorsTo(&messages);
  parser.WriteLocationsTo(&tree);
  ::google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  if (!parser.Parse(&stream, &out->proto)) return Invalid("not a Caffe network: {}", messages.error);
  NoteUnknownFields(messages, tree, out);
  return Status();
}

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
