// Runs LiteRT (WebAssembly, npm package @litertjs/core) on every model of a folder, as run_tflite.js does.
//   node run_litert.js WASM_FOLDER FOLDER
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const [wasmFolder, folder] = process.argv.slice(2);
const messages = [];
const note = (text) => messages.push(text);

async function load() {
  const name = path.join(wasmFolder, 'litert_wasm_compat_internal');
  Object.assign(globalThis, {require, __dirname: wasmFolder, __filename: name + '.js'});
  vm.runInThisContext(fs.readFileSync(name + '.js', 'utf8') + ';globalThis.factory = ModuleFactory;');
  const module = await globalThis.factory({wasmBinary: fs.readFileSync(name + '.wasm'), print: note, printErr: note});
  module.setupLogging();
  return module;
}

async function run(module, environment, file) {
  const model = fs.readFileSync(file + '.tflite');
  const address = module._malloc(model.length);
  module.HEAPU8.set(model, address);
  const loaded = module.loadModel(environment, address, model.length);
  const options = {environment, accelerator: 'wasm', cpuOptions: {numThreads: 1}, gpuOptions: {}, webNNOptions: {}};
  const compiled = await module.compileModel(environment, loaded, options);
  const given = fs.readFileSync(file + '.in');
  const names = loaded.getSignature(0).inputNames();
  const inputs = [];
  let at = 0;
  for (let i = 0; i < names.size(); ++i) {
    const type = loaded.getInputTensorType(0, i), bytes = type.bytes();
    const buffer = module.LiteRtTensorBuffer.createManaged(environment, module.LiteRtTensorBufferType.HOST_MEMORY, type, bytes);
    const data = buffer.lock(module.LiteRtTensorBufferLockMode.WRITE);
    module.HEAPU8.set(given.subarray(at, at + bytes), data);
    buffer.unlock();
    at += bytes;
    inputs.push(buffer);
  }
  if (at !== given.length) throw Error(`inputs take ${at} bytes, ${given.length} are given`);
  const outputs = await compiled.run(0, inputs);
  const parts = [];
  for (let i = 0; i < outputs.length; ++i) {
    const size = outputs[i].packedSize();
    const data = outputs[i].lock(module.LiteRtTensorBufferLockMode.READ);
    parts.push(Buffer.from(module.HEAPU8.slice(data, data + size)));
    outputs[i].unlock();
  }
  return Buffer.concat(parts);
}

load().then(async (module) => {
  const environment = module.LiteRtEnvironment.create(null);
  for (const entry of fs.readdirSync(folder).filter((name) => name.endsWith('.tflite'))) {
    const file = path.join(folder, entry.slice(0, -'.tflite'.length));
    messages.length = 0;
    try {
      fs.writeFileSync(file + '.out', await run(module, environment, file));
    } catch (error) {
      fs.writeFileSync(file + '.err', [error.message || String(error), ...messages].join('; '));
    }
  }
});
