// How long a run takes with so many threads, in Node: the shortest and the median time in milliseconds.
//   threads.mjs PACKAGE MODEL.fb THREADS

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const WARM_MILLISECONDS = 1500, MILLISECONDS = 3000;

const [packageFolder, path, count] = process.argv.slice(2);
const threads = Number(count);
const { init, Model } = await import(pathToFileURL(resolve(packageFolder, 'micrort.mjs')).href);
await init(undefined, threads > 1 ? { threads } : {});
const model = await Model.fromBuffer(new Uint8Array(readFileSync(path)));
const interpreter = model.createInterpreter({ keepInputs: true, ...(threads > 1 ? { threads } : {}) });

const timesFor = (milliseconds) => {
  const times = [];
  for (let start = performance.now(), now = start; now - start < milliseconds;) {
    const before = now;
    interpreter.run();
    now = performance.now();
    times.push(now - before);
  }
  return times.sort((a, b) => a - b);
};

timesFor(WARM_MILLISECONDS);
const times = timesFor(MILLISECONDS);
console.log(`${threads} threads: ${times[0].toFixed(3)} ms, median ${times[times.length >> 1].toFixed(3)} ms`);
process.exit(0); // workers keep Node
