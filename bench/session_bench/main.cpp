// session_bench MODEL.fb THREADS: loads a model and waits. For each line with a number it runs the model that
// often and prints the times; bench/networks/compare.py lets it and a peer take turns. Lines out are JSON:
//   first        {"load_ms": ..., "first_run_ms": ...}
//   then, each   {"ms": [...], "cpu_ms": all runs together}

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <utility>
#include <vector>

#include "tools/io/session.h"

namespace micrort::bench {
namespace {

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double CpuMilliseconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

class Session {
 public:
  Status Open(const char* path, int threads) {
    InterpreterOptions options;
    options.threads = threads;
    const Clock::time_point start = Clock::now();
    MICRORT_ASSIGN_OR_RETURN(Model model, Model::FromFile(path));
    model_ = std::make_unique<Model>(std::move(model));
    MICRORT_ASSIGN_OR_RETURN(Interpreter interpreter, Interpreter::Create(*model_, options));
    const double load_ms = MillisecondsSince(start);
    interpreter_ = std::make_unique<Interpreter>(std::move(interpreter));
    for (size_t i = 0; i < interpreter_->input_count(); ++i) {
      const TensorView view = interpreter_->input(i);
      inputs_.push_back(io::RandomArray(view.name, view.dtype, io::ToVector(view.shape), i + 1));
    }
    double first_ms = 0;
    MICRORT_RETURN_IF_ERROR(Run(&first_ms));
    std::printf("{\"load_ms\": %.4f, \"first_run_ms\": %.4f}\n", load_ms, first_ms);
    return Status();
  }

  Status Turn(int runs) {
    const double cpu = CpuMilliseconds();
    std::printf("{\"ms\": [");
    for (int i = 0; i < runs; ++i) {
      double ms = 0;
      MICRORT_RETURN_IF_ERROR(Run(&ms));
      std::printf("%s%.4f", i == 0 ? "" : ", ", ms);
    }
    std::printf("], \"cpu_ms\": %.4f}\n", CpuMilliseconds() - cpu);
    return Status();
  }

 private:
  // The inputs are written anew before every run, outside the time: the arena reuses their memory.
  Status Run(double* ms) {
    io::FillInputs(inputs_, interpreter_.get());
    const Clock::time_point start = Clock::now();
    MICRORT_RETURN_IF_ERROR(interpreter_->Run());
    *ms = MillisecondsSince(start);
    return Status();
  }

  std::unique_ptr<Model> model_;
  std::unique_ptr<Interpreter> interpreter_;
  std::vector<io::NamedArray> inputs_;
};

Status Serve(const char* path, int threads) {
  Session session;
  MICRORT_RETURN_IF_ERROR(session.Open(path, threads));
  std::fflush(stdout);
  for (char line[32]; std::fgets(line, sizeof line, stdin) != nullptr;) {
    MICRORT_RETURN_IF_ERROR(session.Turn(std::atoi(line)));
    std::fflush(stdout);
  }
  return Status();
}

}  // namespace
}  // namespace micrort::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: session_bench MODEL.fb THREADS\n");
    return 1;
  }
  const micrort::Status status = micrort::bench::Serve(argv[1], std::atoi(argv[2]));
  if (!status.ok()) std::fprintf(stderr, "session_bench: error: %s\n", status.message());
  return status.ok() ? 0 : 1;
}
