#pragma once
// ModelInfer over gRPC.

#include <grpcpp/grpcpp.h>

#include "serve/service/service.h"

namespace micrort::serve {

grpc::Status StatusOf(const Error& error);

// Answers the call by a thread of the model; ends early when the client does.
grpc::ServerUnaryReactor* StartInfer(Service* service, grpc::CallbackServerContext* context,
                                     const grpc::ByteBuffer* bytes, grpc::ByteBuffer* answer);

}  // namespace micrort::serve
