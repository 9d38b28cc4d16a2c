#pragma once
// The Open Inference Protocol over gRPC.

#include <chrono>
#include <memory>
#include <string>

#include "serve/grpc/grpc_gate.h"
#include "serve/service/service.h"

namespace micrort::serve {

class GrpcServer {
 public:
  explicit GrpcServer(Service* service);
  ~GrpcServer();

  Error Start(const std::string& host, int port, const GrpcLimits& limits);
  // Takes no more calls; those in progress may end until then.
  void Stop(std::chrono::steady_clock::time_point deadline);

 private:
  struct Impl;
  Service* service_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace micrort::serve
