// grpc_load PORT MODEL INPUT SHAPE SECONDS CALLS [RATE]: asks a model over gRPC, CALLS at a time, or RATE a
// second whether or not earlier ones are answered. Prints one JSON object: answers a second, failures, and
// percentiles of the time to an answer in microseconds, which begins when a call was due, so that waiting for
// a slow server counts.

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "serve/protocol/open_inference.grpc.pb.h"

namespace {

using Clock = std::chrono::steady_clock;

struct Call {
  grpc::ClientContext context;
  inference::ModelInferResponse response;
  grpc::Status status;
  Clock::time_point due;
  std::unique_ptr<grpc::ClientAsyncResponseReader<inference::ModelInferResponse>> reader;
};

inference::ModelInferRequest RequestFor(const std::string& model, const std::string& input,
                                        const std::string& shape) {
  inference::ModelInferRequest request;
  request.set_model_name(model);
  auto* tensor = request.add_inputs();
  tensor->set_name(input);
  tensor->set_datatype("FP32");
  size_t elements = 1;
  std::istringstream dims(shape);
  for (std::string dim; std::getline(dims, dim, 'x');) {
    tensor->add_shape(std::stoll(dim));
    elements *= static_cast<size_t>(std::stoll(dim));
  }
  request.add_raw_input_contents(std::string(elements * sizeof(float), '\0'));
  return request;
}

class Load {
 public:
  Load(int port, inference::ModelInferRequest request)
      : request_(std::move(request)),
        stub_(inference::GRPCInferenceService::NewStub(
            grpc::CreateChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials()))) {}

  // A new call for each answer.
  void Closed(int calls, double seconds) {
    begin_ = Clock::now();
    end_ = begin_ + After(seconds);
    for (int i = 0; i < calls; ++i) Start(Clock::now());
    for (int left = calls; left > 0;) {
      Finish();
      if (Clock::now() < end_) {
        Start(Clock::now());
      } else {
        --left;
      }
    }
  }

  void Open(double rate, double seconds) {
    begin_ = Clock::now();
    end_ = begin_ + After(seconds);
    const auto count = static_cast<size_t>(rate * seconds);
    std::thread answers([&] {
      for (size_t i = 0; i < count; ++i) Finish();
    });
    for (size_t i = 0; i < count; ++i) {
      const Clock::time_point due = begin_ + After(static_cast<double>(i) / rate);
      std::this_thread::sleep_until(due);
      Start(due);
    }
    answers.join();
  }

  void Print() {
    std::sort(microseconds_.begin(), microseconds_.end());
    const auto percentile = [&](double p) {
      return microseconds_.empty()
                 ? 0.0
                 : microseconds_[static_cast<size_t>(p * static_cast<double>(microseconds_.size() - 1))];
    };
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    std::printf("{\"rate\": %.1f, \"failures\": %zu, \"p50\": %.1f, \"p99\": %.1f}\n",
                static_cast<double>(microseconds_.size()) / seconds, failures_, percentile(0.5),
                percentile(0.99));
  }

 private:
  static Clock::duration After(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  void Start(Clock::time_point due) {
    auto* call = new Call;
    call->due = due;
    call->reader = stub_->AsyncModelInfer(&call->context, request_, &queue_);
    call->reader->Finish(&call->response, &call->status, call);
  }

  void Finish() {
    void* tag = nullptr;
    bool ok = false;
    if (!queue_.Next(&tag, &ok)) return;
    const std::unique_ptr<Call> call(static_cast<Call*>(tag));
    if (ok && call->status.ok()) {
      microseconds_.push_back(std::chrono::duration<double, std::micro>(Clock::now() - call->due).count());
    } else {
      ++failures_;
    }
  }

  const inference::ModelInferRequest request_;
  const std::unique_ptr<inference::GRPCInferenceService::Stub> stub_;
  grpc::CompletionQueue queue_;
  Clock::time_point begin_, end_;
  std::vector<double> microseconds_;
  size_t failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) {
    std::fprintf(stderr, "usage: grpc_load PORT MODEL INPUT SHAPE SECONDS CALLS [RATE]\n");
    return 1;
  }
  Load load(std::atoi(argv[1]), RequestFor(argv[2], argv[3], argv[4]));
  const double seconds = std::atof(argv[5]);
  if (argc > 7) {
    load.Open(std::atof(argv[7]), seconds);
  } else {
    load.Closed(std::atoi(argv[6]), seconds);
  }
  load.Print();
  return 0;
}
