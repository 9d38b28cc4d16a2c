// A thread of micrort-threads.wasm, which load.mjs starts: it runs what the module hands it until the page or Node ends.

import { importsFor } from './load.mjs';

const run = async ({ module, memory, stack }, post) => {
  try {
    const { exports } = await WebAssembly.instantiate(module, importsFor(() => memory));
    exports.stackRestore(stack);
    const place = exports.micrort_web_add_worker();
    post('ready');
    exports.micrort_web_worker(place);
  } catch (error) {
    post({ message: error.message });
  }
};

if (typeof WorkerGlobalScope === 'undefined') {
  const { parentPort } = await import('node:worker_threads');
  parentPort.once('message', (start) => run(start, (message) => parentPort.postMessage(message)));
} else {
  self.onmessage = ({ data }) => run(data, (message) => self.postMessage(message));
}
