// Chooses, loads and starts micrort.wasm or a variant of it.

import { MicroRTError } from './error.mjs';

// Bundlers find files by such expressions.
const LOCATIONS = {
  'micrort.wasm': () => new URL('micrort.wasm', import.meta.url),
  'micrort-threads.wasm': () => new URL('micrort-threads.wasm', import.meta.url),
  'micrort-portable.wasm': () => new URL('micrort-portable.wasm', import.meta.url),
};

// A function that returns a vector of 128 bits.
const WITH_VECTORS = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

// As web/CMakeLists.txt links the module with threads: the first pages of 64 KB, and at most how many. Phones refuse to reserve 4 GB.
const FIRST_PAGES = 256;
const MOST_PAGES = [65536, 32768, 16384, 4096];
const STACK_BYTES = 512 * 1024; // of each worker
const MAX_THREADS = 64;

const isNode = typeof process === 'object' && process.versions?.node !== undefined;

// Browsers share memory between threads only where a page is isolated from other origins.
const canShareMemory = () => typeof SharedArrayBuffer === 'function' && (globalThis.crossOriginIsolated ?? true);

// The file that fits this system best.
export const moduleFile = ({ threads = 1 } = {}) => {
  if (!WebAssembly.validate(WITH_VECTORS)) return 'micrort-portable.wasm';
  return threads > 1 && canShareMemory() ? 'micrort-threads.wasm' : 'micrort.wasm';
};

// Files of Node, too, whose fetch takes none.
export const read = async (url) => {
  const base = globalThis.location?.href ?? (await import('node:url')).pathToFileURL(`${process.cwd()}/`);
  const location = new URL(url, base);
  if (location.protocol === 'file:') return (await import('node:fs/promises')).readFile(location);
  const response = await fetch(location);
  if (!response.ok) throw new MicroRTError(5, `${location}: ${response.status} ${response.statusText}`);
  return response.arrayBuffer();
};

const compile = async (source) => {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  return WebAssembly.compile(await read(source));
};

// memory() gives the module's memory.
export const importsFor = (memory) => ({
  env: {
    memory: memory(),
    emscripten_notify_memory_growth() {},
    // Of kernels/base/platform/threads_wasm.h. The thread of a window may not sleep: there, the module asks again.
    micrort_web_wait(at, value) {
      try {
        Atomics.wait(new Int32Array(memory().buffer), at >>> 2, value);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    },
    micrort_web_wake(at) {
      Atomics.notify(new Int32Array(memory().buffer), at >>> 2);
    },
  },
  wasi_snapshot_preview1: {
    clock_time_get(_clock, _precision, at) {
      new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit(code) {
      throw new MicroRTError(7, `the module ended itself with ${code}`);
    },
  },
});

const sharedMemory = () => {
  if (!canShareMemory()) throw new MicroRTError(3, 'a module with threads needs SharedArrayBuffer: a page that is crossOriginIsolated');
  for (const maximum of MOST_PAGES) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new MicroRTError(4, 'cannot allocate memory that threads share');
};

// Resolves as soon as the worker waits for something to run. It does not keep Node from ending.
const startWorker = async (start) => {
  let worker;
  if (isNode) {
    const { Worker } = await import('node:worker_threads');
    worker = new Worker(new URL('worker.mjs', import.meta.url));
  } else {
    worker = new Worker(new URL('worker.mjs', import.meta.url), { type: 'module' });
  }
  await new Promise((resolve, reject) => {
    const failed = (error) => reject(new MicroRTError(7, `a worker did not start: ${error?.message ?? 'see the console'}`));
    const told = (message) => (message === 'ready' ? resolve() : failed(message));
    if (isNode) {
      worker.on('message', told).on('error', failed);
    } else {
      worker.onmessage = ({ data }) => told(data);
      worker.onerror = failed;
    }
    worker.postMessage(start);
  });
  if (isNode) worker.unref();
};

const startWorkers = (module, memory, exports, count) => Promise.all(Array.from({ length: count }, () => {
  const stack = exports.malloc(STACK_BYTES) >>> 0;
  if (stack === 0) throw new MicroRTError(4, `cannot allocate ${STACK_BYTES} bytes for a worker`);
  return startWorker({ module, memory, stack: (stack + STACK_BYTES) & ~15 });
}));

// source: as of init(). Gives the module's functions and memory, and the number of threads that it has.
export const instantiate = async (source, threads) => {
  if (!Number.isInteger(threads) || threads < 1 || threads > MAX_THREADS) {
    throw new MicroRTError(1, `expected 1 to ${MAX_THREADS} threads, found ${threads}`);
  }
  const module = await compile(source ?? LOCATIONS[moduleFile({ threads })]());
  const hasThreads = WebAssembly.Module.imports(module).some(({ kind }) => kind === 'memory');
  let memory = hasThreads ? sharedMemory() : undefined;
  const { exports } = await WebAssembly.instantiate(module, importsFor(() => memory));
  memory ??= exports.memory;
  exports._initialize();
  if (hasThreads) await startWorkers(module, memory, exports, threads - 1);
  return { exports, memory, threads: hasThreads ? threads : 1 };
};
