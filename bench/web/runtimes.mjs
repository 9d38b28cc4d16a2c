// The runtimes that bench/web compares, alike in Node and in a browser. open(bytes) gives a network of one thread whose inputs are filled:
//   run() -> promise or nothing; outputs() -> {name: typed array}, of the last run

const fill = (data) => {
  for (let i = 0; i < data.length; ++i) {
    if (typeof data[i] === 'bigint') data[i] = 1n;
    else data[i] = data instanceof Float32Array ? (i % 13) / 13 : (i * 37) % 101;
  }
};

export const micrort = async (folder) => {
  const { Model } = await import(`${folder}/micrort.mjs`);
  return async (bytes) => {
    const interpreter = (await Model.fromBuffer(bytes)).createInterpreter({ keepInputs: true });
    interpreter.inputs.forEach((input) => fill(input.data));
    return {
      run: () => interpreter.run(),
      outputs: () => Object.fromEntries(interpreter.outputs.map((output) => [output.name, output.data.slice()])),
    };
  };
};

export const onnxruntime = async (folder) => {
  const ort = await import(`${folder}/dist/ort.wasm.min.mjs`);
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'fatal';
  return async (bytes) => {
    const session = await ort.InferenceSession.create(bytes, { executionProviders: ['wasm'], logSeverityLevel: 4 });
    const feeds = {};
    for (const { name, type, shape } of session.inputMetadata) {
      const sizes = shape.map((size) => typeof size === 'number' ? size : 1);
      const data = { float32: Float32Array, int64: BigInt64Array }[type];
      const values = new data(sizes.reduce((product, size) => product * size, 1));
      fill(values);
      feeds[name] = new ort.Tensor(type, values, sizes);
    }
    let results = {};
    return {
      run: async () => { results = await session.run(feeds); },
      outputs: () => Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data])),
    };
  };
};

// Chromium's relaxed vectors of 128 bits are in one of its modules, not in the other one.
const RELAXED = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 15, 1, 13, 0, 65, 1, 253, 15, 65, 2, 253, 15, 253, 128, 2, 11);

const classOf = (bytes, type) => {
  const Elements = { 1: Float32Array, 2: Int32Array, 3: Uint8Array, 4: BigInt64Array, 9: Int8Array }[type];
  return Elements ? new Elements(bytes.buffer) : bytes;
};

// read(url) -> bytes; evaluate(code, folder) runs a script, which names ModuleFactory globally.
export const litert = async (folder, { read, evaluate }) => {
  const name = `${folder}/wasm/litert_wasm_${WebAssembly.validate(RELAXED) ? '' : 'compat_'}internal`;
  evaluate(`${new TextDecoder().decode(await read(`${name}.js`))};globalThis.ModuleFactory = ModuleFactory;`, `${name}.js`);
  const quiet = () => {};
  const lib = await globalThis.ModuleFactory({ wasmBinary: await read(`${name}.wasm`), print: quiet, printErr: quiet });
  lib.setupLogging?.();
  const environment = lib.LiteRtEnvironment.create(null);
  return async (bytes) => {
    const at = lib._malloc(bytes.length);
    lib.HEAPU8.set(bytes, at);
    const loaded = await lib.loadModel(environment, at, bytes.length);
    const options = { environment, accelerator: 'wasm', cpuOptions: { numThreads: 1 }, gpuOptions: {}, webNNOptions: {} };
    const compiled = await lib.compileModel(environment, loaded, options);
    const signature = loaded.getSignature(0);
    const namesOf = (list) => Array.from({ length: list.size() }, (_, i) => list.get(i));
    const inputs = namesOf(signature.inputNames()).map((_, i) => {
      const type = loaded.getInputTensorType(0, i);
      const buffer = lib.LiteRtTensorBuffer.createManaged(environment, lib.LiteRtTensorBufferType.HOST_MEMORY, type, type.bytes());
      const values = classOf(new Uint8Array(type.bytes()), type.elementType().value ?? type.elementType());
      fill(values);
      lib.HEAPU8.set(new Uint8Array(values.buffer), buffer.lock(lib.LiteRtTensorBufferLockMode.WRITE));
      buffer.unlock();
      return buffer;
    });
    let results = [];
    return {
      run: async () => {
        results.forEach((buffer) => buffer.delete());
        results = await compiled.run(0, inputs);
      },
      outputs: () => Object.fromEntries(namesOf(signature.outputNames()).map((output, i) => {
        const size = results[i].packedSize(), type = loaded.getOutputTensorType(0, i);
        const data = results[i].lock(lib.LiteRtTensorBufferLockMode.READ);
        const values = lib.HEAPU8.slice(data, data + size);
        results[i].unlock();
        return [output, classOf(values, type.elementType().value ?? type.elementType())];
      })),
    };
  };
};
