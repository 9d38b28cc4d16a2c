// The package of web/ beside onnxruntime-web and LiteRT, one thread each, in turns, in Node and in headless Chromium:
//   compare.mjs PACKAGE PEERS MNNCONVERT CHROMIUM NAME=FILE[,FILE]...
// PACKAGE: the folder of micrort.mjs; PEERS: that of node_modules/onnxruntime-web and litert/package; CHROMIUM: a program, or nothing. FILE: the
// network as ONNX, for onnxruntime-web, and as TensorFlow Lite, for LiteRT; with both, the better one counts. A line of Markdown for each network: the
// median of the rounds' ratios to the better one, with the range between their quarters, and each one's fastest run in milliseconds.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import vm from 'node:vm';

import { Browser, serve } from '../../tests/web/chromium.mjs';
import { measure } from './measure.mjs';
import { litert, micrort, onnxruntime } from './runtimes.mjs';

const PEERS = { '.onnx': 'onnxruntime', '.tflite': 'litert' };
const TITLES = { onnxruntime: 'onnxruntime-web', litert: 'LiteRT' };
const FLOAT_LIMIT = 2e-3, INTEGER_LIMIT = 8; // units of the last place, which peers round otherwise

const [packageFolder, peersFolder, mnnconvert, chromium, ...networks] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'micrort-web-bench-'));

const convert = (path, name) => {
  const converted = `${name}.fb`;
  const conversion = spawnSync(mnnconvert, [path, '-o', join(folder, converted), '--quiet', '--target', 'wasm'], { encoding: 'utf8' });
  if (conversion.status !== 0) throw new Error(conversion.stderr);
  return converted;
};

// Of files by their names in `folder`.
const jobs = networks.map((network) => {
  const [name, list] = network.split('=');
  const files = list.split(',').map((path) => {
    const runtime = PEERS[extname(path)];
    const copy = `${name}${extname(path)}`;
    copyFileSync(path, join(folder, copy));
    return { runtime, path: copy, ours: convert(path, `${name}-${runtime}`) };
  });
  return { name, files, limit: /int8|quant/.test(network) ? INTEGER_LIMIT : FLOAT_LIMIT };
});

const row = (name, results) => {
  const [peer, { ratio, low, high, ours, theirs }] = Object.entries(results).sort(([, a], [, b]) => b.ratio - a.ratio)[0];
  console.log(`| ${name} | ${ratio.toFixed(2)} | ${low.toFixed(2)} to ${high.toFixed(2)} | ${TITLES[peer]} | ${ours.toFixed(3)} | ${theirs.toFixed(3)} |`);
};

const head = (place) => {
  console.log(`\n${place}:\n\n| network | ours / better one | quarters | better one | ours, ms | its, ms |\n| --- | --- | --- | --- | --- | --- |`);
};

const inNode = async () => {
  const read = async (path) => new Uint8Array(readFileSync(path.startsWith('file:') ? new URL(path) : join(folder, path)));
  const evaluate = (code, url) => {
    Object.assign(globalThis, { require: createRequire(import.meta.url), __dirname: dirname(fileURLToPath(url)), __filename: fileURLToPath(url) });
    vm.runInThisContext(code);
  };
  const at = (path) => pathToFileURL(resolve(path)).href;
  const runtimes = {
    micrort: await micrort(at(packageFolder)), onnxruntime: await onnxruntime(at(join(peersFolder, 'node_modules/onnxruntime-web'))),
    litert: await litert(at(join(peersFolder, 'litert/package')), { read, evaluate }),
  };
  head(`Node ${process.versions.node}`);
  for (const job of jobs) row(job.name, await measure(job, runtimes, read));
};

const inChromium = async () => {
  const server = await serve([['/package/', packageFolder], ['/peers/', peersFolder], ['/files/', folder], ['/', here]]);
  mkdirSync(join(folder, 'profile'));
  const browser = new Browser(chromium, join(folder, 'profile'));
  const page = await browser.open(`${server.address}/page.html`);
  await page.until('globalThis.measureIn !== undefined');
  head(`Chromium ${(await page.evaluate('navigator.userAgent')).match(/Chrome\/([\d.]+)/)[1]}`);
  for (const job of jobs) {
    const results = JSON.parse(await page.evaluate(`measureIn(${JSON.stringify(job)})`));
    if (results.error) throw new Error(results.error);
    row(job.name, results);
  }
  await browser.close();
  server.close();
};

await inNode();
if (chromium) await inChromium();
rmSync(folder, { recursive: true });
process.exit(0); // onnxruntime-web's and LiteRT's modules keep Node
