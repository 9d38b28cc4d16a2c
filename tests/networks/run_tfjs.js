// Runs TensorFlow's graphs with TensorFlow.js's own executor (npm packages @tensorflow/tfjs-core, tfjs-converter,
// tfjs-backend-cpu).
//   node run_tfjs.js FILE.json
// FILE holds a list of {graph, weights: [{name, shape, dtype, values}], inputs: the same, fetches}. Prints a list of
// {outputs: [{shape, dtype, values}]} or {error}. Numbers that JSON has not are strings.
'use strict';
const fs = require('fs');
const tf = require('@tensorflow/tfjs-core');
require('@tensorflow/tfjs-backend-cpu');
const {loadGraphModelSync} = require('@tensorflow/tfjs-converter');

// Warnings of its own would stand between the results.
console.warn = console.info = () => {};

const ARRAYS = {float32: Float32Array, int32: Int32Array, bool: Uint8Array};

function bytesOf(weights) {
  const parts = weights.map(({dtype, values}) => Buffer.from(ARRAYS[dtype].from(values.map(Number)).buffer));
  const all = Buffer.concat(parts);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.length);
}

function described(tensor) {
  const values = Array.from(tensor.dataSync(), Number);
  return {shape: tensor.shape, dtype: tensor.dtype, values: values.map((v) => (Number.isFinite(v) ? v : String(v)))};
}

async function run({graph, weights, inputs, fetches}) {
  const artifacts = {modelTopology: graph, weightSpecs: weights.map(({name, shape, dtype}) => ({name, shape, dtype})),
                     weightData: bytesOf(weights)};
  const model = loadGraphModelSync({load: () => artifacts});
  const given = {};
  for (const {name, shape, dtype, values} of inputs) given[name] = tf.tensor(values.map(Number), shape, dtype);
  const outputs = await model.executeAsync(given, fetches);
  return {outputs: (Array.isArray(outputs) ? outputs : [outputs]).map(described)};
}

async function main() {
  await tf.setBackend('cpu');
  const results = [];
  for (const graph of JSON.parse(fs.readFileSync(process.argv[2], 'utf8'))) {
    try {
      results.push(await run(graph));
    } catch (error) {
      results.push({error: error.message});
    }
  }
  process.stdout.write(JSON.stringify(results));
}

main();
