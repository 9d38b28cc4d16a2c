// The package of web/ beside onnxruntime-web in the same Node, one thread each, in turns:
//   compare.mjs PACKAGE ONNXRUNTIME_WEB MNNCONVERT MODEL.onnx...
// PACKAGE: the folder of micrort.mjs; ONNXRUNTIME_WEB: that of its package.json. A line of Markdown for each model: the median
// of the rounds' ratios with the range between their quarters, and each one's fastest run in milliseconds.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROUNDS = 21;
const ROUND_MILLISECONDS = 60;
const WARM_MILLISECONDS = 1500; // until V8 has compiled all loops by its second compiler

const [packageFolder, peerFolder, mnnconvert, ...models] = process.argv.slice(2);
const { Model } = await import(pathToFileURL(join(packageFolder, 'micrort.mjs')));
const ort = await import(pathToFileURL(join(peerFolder, 'dist/ort.wasm.min.mjs')));
ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'fatal';

const folder = mkdtempSync(join(tmpdir(), 'micrort-web-bench-'));

const fill = (data) => {
  for (let i = 0; i < data.length; ++i) data[i] = typeof data[i] === 'bigint' ? 1n : (i % 13) / 13;
};

// The mean time of a run, over at least so long.
const timeOf = async (run, milliseconds) => {
  const start = performance.now();
  let runs = 0, now = start;
  do {
    await run();
    ++runs;
    now = performance.now();
  } while (now - start < milliseconds);
  return (now - start) / runs;
};

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];

console.log('| network | ours / onnxruntime-web | quarters | ours, ms | onnxruntime-web, ms |');
console.log('| --- | --- | --- | --- | --- |');
for (const path of models) {
  const converted = join(folder, 'model.fb');
  const conversion = spawnSync(mnnconvert, [path, '-o', converted, '--quiet', '--target', 'wasm'], { encoding: 'utf8' });
  if (conversion.status !== 0) throw new Error(conversion.stderr);
  const interpreter = (await Model.fetch(converted)).createInterpreter({ keepInputs: true });
  const session = await ort.InferenceSession.create(readFileSync(path), { executionProviders: ['wasm'], logSeverityLevel: 4 });
  const feeds = {};
  interpreter.inputs.forEach((input) => {
    fill(input.data);
    feeds[input.name] = new ort.Tensor(input.dtype, input.data.slice(), input.shape);
  });
  const ours = () => interpreter.run();
  const peer = () => session.run(feeds);
  const outputs = await session.run(feeds);
  for (const output of interpreter.outputs) {
    ours();
    const expected = outputs[output.name].data, found = output.data;
    const worst = found.reduce((most, value, i) => Math.max(most, Math.abs(Number(value) - Number(expected[i]))), 0);
    if (!(worst <= 1e-3)) throw new Error(`${path}: ${output.name} differs by ${worst}`);
  }
  await timeOf(ours, WARM_MILLISECONDS);
  await timeOf(peer, WARM_MILLISECONDS);
  const ratios = [];
  let fastest = Infinity, fastestPeer = Infinity;
  for (let round = 0; round < ROUNDS; ++round) {
    const mine = await timeOf(ours, ROUND_MILLISECONDS), theirs = await timeOf(peer, ROUND_MILLISECONDS);
    ratios.push(mine / theirs);
    fastest = Math.min(fastest, mine);
    fastestPeer = Math.min(fastestPeer, theirs);
  }
  ratios.sort((a, b) => a - b);
  const [low, median, high] = [0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(2));
  console.log(`| ${basename(path, '.onnx')} | ${median} | ${low} to ${high} | ${fastest.toFixed(3)} | ${fastestPeer.toFixed(3)} |`);
}
rmSync(folder, { recursive: true });
