// Runs TensorFlow Lite (WebAssembly, npm package @tensorflow/tfjs-tflite) on every model of a folder.
//   node run_tflite.js WASM_FOLDER FOLDER
// FOLDER holds NAME.tflite and NAME.in, the bytes of all inputs one after another. NAME.out gets those of all
// outputs, or NAME.err the reason why there are none.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const [wasmFolder, folder] = process.argv.slice(2);
const messages = [];
const note = (text) => messages.push(text);

// The loader is written for a browser's window; it gets one with what it asks for.
async function load() {
  const name = 'tflite_web_api_cc_simd';
  const context = {console, WebAssembly, TextDecoder, TextEncoder, performance, setTimeout, clearTimeout, URL,
                   crypto: globalThis.crypto, navigator: {hardwareConcurrency: 1},
                   document: {currentScript: {src: name + '.js'}}};
  context.window = context.self = context;
  vm.createContext(context);
  vm.runInContext(fs.readFileSync(path.join(wasmFolder, name + '.js'), 'utf8') +
                  ';globalThis.factory = tflite_web_api_ModuleFactory;', context);
  const wasmBinary = fs.readFileSync(path.join(wasmFolder, name + '.wasm'));
  return context.factory({wasmBinary, print: note, printErr: note});
}

function listed(vector) {
  const items = [];
  for (let i = 0; i < vector.size(); ++i) items.push(vector.get(i));
  return items;
}

// The memory of a tensor, which moves when that of the module grows.
function bytesOf(tensor) {
  const data = tensor.data();
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

function run(module, file) {
  const model = fs.readFileSync(file + '.tflite');
  const address = module._malloc(model.length);
  module.HEAPU8.set(model, address);
  const created = module.TFLiteWebModelRunner.CreateFromBufferAndOptions(
      address, model.length, {numThreads: 1, enableProfiling: false, maxProfilingBufferEntries: 16});
  if (!created.ok()) throw Error('not created: ' + created.errorMessage());
  const runner = created.value();
  const given = fs.readFileSync(file + '.in');
  let at = 0;
  for (const input of listed(runner.GetInputs())) {
    const bytes = bytesOf(input);
    bytes.set(given.subarray(at, at + bytes.length));
    at += bytes.length;
  }
  if (at !== given.length) throw Error(`inputs take ${at} bytes, ${given.length} are given`);
  if (!runner.Infer()) throw Error('not run');
  return Buffer.concat(listed(runner.GetOutputs()).map((output) => Buffer.from(bytesOf(output))));
}

load().then((module) => {
  for (const entry of fs.readdirSync(folder).filter((name) => name.endsWith('.tflite'))) {
    const file = path.join(folder, entry.slice(0, -'.tflite'.length));
    messages.length = 0;
    try {
      fs.writeFileSync(file + '.out', run(module, file));
    } catch (error) {
      fs.writeFileSync(file + '.err', [error.message || String(error), ...messages].join('; '));
    }
  }
});
