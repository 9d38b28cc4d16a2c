// ONNX Runtime for many models in one process: a line of JSON in, {model, inputs: [{name, dtype, shape, file}], folder}, a line out,
// {outputs: [{name, dtype, shape, file}]} or {error}. Elements are in files, as in memory. NODE_PATH names the folder of
// onnxruntime-node.
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const ort = require('onnxruntime-node');

const ARRAYS = {
  float32: Float32Array, float64: Float64Array, int64: BigInt64Array, int32: Int32Array, int16: Int16Array, int8: Int8Array,
  uint8: Uint8Array, uint16: Uint16Array, bool: Uint8Array, float16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
};

function readTensor(input) {
  const bytes = fs.readFileSync(input.file);
  const memory = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  return new ort.Tensor(input.dtype, new ARRAYS[input.dtype](memory), input.shape);
}

async function run(request) {
  const session = await ort.InferenceSession.create(
      request.model, {logSeverityLevel: 4, graphOptimizationLevel: 'disabled', intraOpNumThreads: 1, interOpNumThreads: 1});
  try {
    const feeds = {};
    for (const input of request.inputs) feeds[input.name] = readTensor(input);
    const results = await session.run(feeds);
    return session.outputNames.map((name, i) => {
      const {type, dims, data} = results[name];
      const file = path.join(request.folder, `theirs${i}`);
      fs.writeFileSync(file, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
      return {name, dtype: type, shape: dims, file};
    });
  } finally {
    await session.release();
  }
}

(async () => {
  for await (const line of readline.createInterface({input: process.stdin})) {
    let answer;
    try {
      answer = {outputs: await run(JSON.parse(line))};
    } catch (error) {
      answer = {error: String(error)};
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
  }
})();
