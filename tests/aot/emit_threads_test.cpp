// The emitted class and threads: which code for them is there, and several objects at a time.

#include "tests/aot/emit_cpp_fixture.h"
#include "tests/aot/networks.h"

namespace micrort::test::aot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EmitThreads : public EmitCpp {
 protected:
  // Of two workers, who take every other tile; counts how often they were asked.
  static constexpr char kWorkers[] = R"(#include "kernels/base/parallel.h"
    class Workers final : public micrort::Parallel {
     public:
      int workers() const override { return 2; }
      void Run(size_t tiles, TileFn fn, void* context) const override {
        ++calls;
        for (size_t t = 0; t < tiles; ++t) fn(context, t, static_cast<int>(t % 2));
      }
      mutable int calls = 0;
    };
  )";

  void EmitTransformer(const std::string& thread_pool) {
    WriteFile(model_, Transformer().Bytes());
    Emit(model_, "ns::Net", {"--target-threads", "2", "--thread-pool", thread_pool});
  }
  void RunMain(const std::string& body) {
    WriteFile(cpp_ + "/main.cpp", "#include \"net.h\"\n" + body);
    Shell(Compile("-pthread main.cpp net.cpp net_weights.S"));
  }
};
constexpr char EmitThreads::kWorkers[];

TEST_F(EmitThreads, NoneLeavesTheirCodeOut) {
  EmitTransformer("none");
  EXPECT_THAT(ReadFile(cpp_ + "/net.h"), Not(HasSubstr("set_thread_pool")));
  RunMain(R"(static_assert(ns::Net::kThreads == 1);
    ns::Net net;
    int main() { return net.Run() ? 0 : 1; })");
}

TEST_F(EmitThreads, SingleTakesAPoolAndComputesAlone) {
  EmitTransformer("single");
  RunMain(std::string(kWorkers) + R"(static_assert(ns::Net::kThreads == 1);
    ns::Net net;
    int main() {
      const Workers pool;
      net.set_thread_pool(&pool);
      return net.Run() && pool.calls == 0 ? 0 : 1;
    })");
}

TEST_F(EmitThreads, MultiComputesWithThePool) {
  EmitTransformer("multi");
  RunMain(std::string(kWorkers) + R"(static_assert(ns::Net::kThreads == 2);
    ns::Net net;
    int main() {
      const Workers pool;
      net.set_thread_pool(&pool);
      if (!net.Run() || pool.calls == 0) return 1;
      const int calls = pool.calls;
      net.set_thread_pool(nullptr);
      return net.Run() && pool.calls == calls ? 0 : 2;
    })");
}

// Each object gets numbers of its own, and what it makes of them is the same however many compute beside it.
TEST_F(EmitThreads, ObjectsOnSeveralThreadsShareWeights) {
  EmitTransformer("multi");
  RunMain(R"(
    #include <cstring>
    #include <thread>
    #include <vector>
    using ns::Net;
    constexpr int kObjects = 4, kRuns = 20;
    static_assert(sizeof(Net) < Net::kBytes + Net::kConstantBytes, "an object has no weights");
    Net nets[kObjects];
    void Fill(Net& net, int seed) {
      for (int i = 0; i < Net::arg0_count(); ++i) net.arg0_data()[i] = static_cast<float>((i * 7 + seed) % 31) / 16 - 1;
    }
    int main() {
      std::vector<std::vector<float>> expected;
      for (int i = 0; i < kObjects; ++i) {
        Fill(nets[i], i);
        if (!nets[i].Run()) return 1;
        expected.emplace_back(nets[i].result0_data(), nets[i].result0_data() + Net::result0_count());
      }
      if (expected[0] == expected[1]) return 2;
      int wrong[kObjects] = {};
      std::vector<std::thread> threads;
      for (int i = 0; i < kObjects; ++i) {
        threads.emplace_back([i, &wrong, &expected] {
          for (int run = 0; run < kRuns; ++run) {
            Fill(nets[i], i);
            const bool ok = nets[i].Run() &&
                            std::memcmp(nets[i].result0_data(), expected[i].data(), Net::result0_size()) == 0;
            if (!ok) ++wrong[i];
          }
        });
      }
      for (std::thread& thread : threads) thread.join();
      for (const int n : wrong) if (n != 0) return 3;
      return 0;
    })");
}

}  // namespace
}  // namespace micrort::test::aot
