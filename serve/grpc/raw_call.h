#pragma once
// Calls whose messages gRPC passes on as bytes: what it would make of them counts for nobody.

#include <google/protobuf/message.h>
#include <grpcpp/grpcpp.h>

namespace micrort::serve {

// Bytes of memory that the message takes at most, or a number above `most`.
size_t MessageBytes(const google::protobuf::Descriptor& type, const grpc::ByteBuffer& bytes, size_t most);

// Gives up the bytes, which nobody else reads.
grpc::Status ReadMessage(const grpc::ByteBuffer* bytes, google::protobuf::Message* message);
grpc::Status WriteMessage(const google::protobuf::Message& message, grpc::ByteBuffer* bytes);

// A message of some names, from anybody.
grpc::Status ReadShortMessage(const grpc::ByteBuffer* bytes, google::protobuf::Message* message);

// Answers at once: answer(request, &response) returns a grpc::Status.
template <typename Request, typename Response, typename Answer>
grpc::ServerUnaryReactor* AnswerShort(grpc::CallbackServerContext* context, const grpc::ByteBuffer* bytes,
                                      grpc::ByteBuffer* answered, Answer&& answer) {
  Request request;
  Response response;
  grpc::Status status = ReadShortMessage(bytes, &request);
  if (status.ok()) status = answer(request, &response);
  if (status.ok()) status = WriteMessage(response, answered);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  reactor->Finish(status);
  return reactor;
}

}  // namespace micrort::serve
