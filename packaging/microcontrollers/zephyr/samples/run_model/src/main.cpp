// Runs a network once, and prints the class that scores highest and the cycles of the run. The comment in
// network.h says how the network gets into the program.

#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "network.h"

// Element i of the input, as the network saw it in training. Read your sensor here.
static float Sample(size_t) { return 0.0f; }

static micrort::Status RunOnce(micrort::Interpreter& network) {
  Fill(network.input(0), Sample);
  const uint32_t begin = k_cycle_get_32();
  const micrort::Status status = network.Run();
  const uint32_t cycles = k_cycle_get_32() - begin;
  if (status.ok())
    printk("class %u, %u cycles\n", static_cast<unsigned>(LargestOf(network.output(0))),
           static_cast<unsigned>(cycles));
  return status;
}

int main() {
  const micrort::Status status = WithNetwork(RunOnce);
  if (!status.ok()) printk("MicroRT: error %d\n", static_cast<int>(status.code()));  // a micrort::StatusCode
  return 0;
}
