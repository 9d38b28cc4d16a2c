// node onnxruntime.js MODEL.onnx THREADS: ONNX Runtime's side of the comparison. Speaks as session_bench does:
// one line of JSON when the model is loaded and has run once, then one for each number on a line of input.
'use strict';
const readline = require('readline');
const ort = require('onnxruntime-node');

const ARRAYS = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, int8: Int8Array, uint8: Uint8Array,
  int16: Int16Array, uint16: Uint16Array, int32: Int32Array, uint32: Uint32Array, int64: BigInt64Array,
  uint64: BigUint64Array, bool: Uint8Array,
};

// Dimensions without a number count as 1. The values do not matter, but must not be denormal or NaN.
function makeInput({type, shape}) {
  const dims = shape.map(d => (typeof d === 'number' && d > 0 ? d : 1));
  const data = new ARRAYS[type](dims.reduce((a, b) => a * b, 1));
  const isFloat = type === 'float32' || type === 'float64';
  for (let i = 0; isFloat && i < data.length; ++i) data[i] = ((i * 7919) % 2003) / 1001.5 - 1;
  return new ort.Tensor(type, data, dims);
}

async function timed(run) {
  const start = process.hrtime.bigint();
  const result = await run();
  return [Number(process.hrtime.bigint() - start) * 1e-6, result];
}

async function main() {
  const [, , model, threads] = process.argv;
  const options = {intraOpNumThreads: Number(threads), interOpNumThreads: 1, executionMode: 'sequential',
                   graphOptimizationLevel: 'all', logSeverityLevel: 4};
  const [loadMs, session] = await timed(() => ort.InferenceSession.create(model, options));
  const feeds = {};
  for (const input of session.inputMetadata) feeds[input.name] = makeInput(input);
  const [firstMs] = await timed(() => session.run(feeds));
  console.log(JSON.stringify({load_ms: loadMs, first_run_ms: firstMs}));
  for await (const line of readline.createInterface({input: process.stdin})) {
    const cpu = process.cpuUsage();
    const ms = [];
    for (let i = 0; i < Number(line); ++i) ms.push((await timed(() => session.run(feeds)))[0]);
    const used = process.cpuUsage(cpu);
    console.log(JSON.stringify({ms, cpu_ms: (used.user + used.system) / 1000}));
  }
}

main().catch(error => {
  console.error(`onnxruntime.js: error: ${error.message}`);
  process.exit(1);
});
