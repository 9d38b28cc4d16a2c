#pragma once
// ModelInfer over gRPC.

#include <grpcpp/grpcpp.h>

#include "serve/protocol/open_inference.pb.h"
#include "serve/service/service.h"

namespace micrort::serve {

grpc::Status StatusOf(const Error& error);

// Answers the call by a thread of the model; ends early when the client does.
grpc::ServerUnaryReactor* StartInfer(Service* service, grpc::CallbackServerContext* context,
                                     const inference::ModelInferRequest* request,
                                     inference::ModelInferResponse* response);

}  // namespace micrort::serve
