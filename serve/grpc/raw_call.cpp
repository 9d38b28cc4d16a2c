#include "serve/grpc/raw_call.h"

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include "serve/protocol/message_size.h"

namespace micrort::serve {
namespace {

using google::protobuf::Message;

// Of all calls but those that hold tensors.
constexpr size_t kMostShortBytes = size_t{1} << 20;

}  // namespace

size_t MessageBytes(const google::protobuf::Descriptor& type, const grpc::ByteBuffer& bytes, size_t most) {
  grpc::ByteBuffer shared = bytes;  // no copy: a reader takes no constant
  if (!shared.Valid()) return 0;
  grpc::ProtoBufferReader reader(&shared);
  return MessageBytes(type, &reader, most);
}

grpc::Status ReadMessage(const grpc::ByteBuffer* bytes, Message* message) {
  // The call's own object, which is none of a constant.
  auto* given_up = const_cast<grpc::ByteBuffer*>(bytes);
  const grpc::Status status = grpc::SerializationTraits<Message>::Deserialize(given_up, message);
  if (status.ok()) return status;
  return {grpc::StatusCode::INVALID_ARGUMENT, "the request is no message of the call"};
}

grpc::Status WriteMessage(const Message& message, grpc::ByteBuffer* bytes) {
  bool is_own = false;
  return grpc::SerializationTraits<Message>::Serialize(message, bytes, &is_own);
}

grpc::Status ReadShortMessage(const grpc::ByteBuffer* bytes, Message* message) {
  if (MessageBytes(*message->GetDescriptor(), *bytes, kMostShortBytes) <= kMostShortBytes)
    return ReadMessage(bytes, message);
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "a request of " + std::to_string(bytes->Length()) + " bytes; this call needs names only"};
}

}  // namespace micrort::serve
