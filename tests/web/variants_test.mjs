// The modules for threads and for systems without vectors, beside the usual one, in Node and, if it is there, in Chromium:
//   variants_test.mjs PACKAGE PROGRAMS EXAMPLES [CHROMIUM]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { Browser, serve } from './chromium.mjs';
import { compressedBytes } from './compressed.mjs';
import { outputsOf } from './outputs.mjs';

const [packageFolder, programs, examples, chromium = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'micrort-variants-'));
after(() => rmSync(folder, { recursive: true }));

// Each has a module of its own.
const load = async (name) => import(`${pathToFileURL(join(packageFolder, 'micrort.mjs'))}?${name}`);

const pictures = ['--calib', join(examples, 'meter_reader/calibration'), '--mean', '127', '--scale', '0.0078125', '--color', 'gray'];
const kinds = { float: [], 'float packed for vectors': ['--target', 'wasm'], int8: ['--quant', 'int8', ...pictures], dynamic: ['--quant', 'int8'] };
const models = Object.entries(kinds).map(([kind, flags], i) => {
  const path = join(folder, `model${i}.fb`);
  const run = spawnSync(join(programs, 'mnnconvert'), [join(examples, 'meter_reader/meter_digits.onnx'), '-o', path, '--quiet', ...flags],
    { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return { kind, path };
});

const usual = await load('usual');
const threaded = await load('threaded');
const expected = await Promise.all(models.map(async ({ path }) => outputsOf(await usual.Model.fetch(path))));

test('a system gets the module that it can run', () => {
  assert.equal(usual.moduleFile(), 'micrort.wasm');
  assert.equal(usual.moduleFile({ threads: 2 }), 'micrort-threads.wasm');
  const { validate } = WebAssembly;
  WebAssembly.validate = () => false;
  assert.equal(usual.moduleFile({ threads: 2 }), 'micrort-portable.wasm');
  WebAssembly.validate = validate;
  globalThis.crossOriginIsolated = false; // as in a page that may not share memory
  assert.equal(usual.moduleFile({ threads: 2 }), 'micrort.wasm');
  delete globalThis.crossOriginIsolated;
});

test('threads give the same bits', async () => {
  assert.deepEqual(await threaded.init(undefined, { threads: 3 }), { threads: 3 });
  for (const [i, { kind, path }] of models.entries()) {
    const model = await threaded.Model.fetch(path);
    for (const threads of [1, 2, 3]) assert.deepEqual(outputsOf(model, { threads }), expected[i], `${kind}, ${threads} threads`);
    model.delete();
  }
});

test('interpreters share the threads', async () => {
  await threaded.init(undefined, { threads: 3 });
  const model = await threaded.Model.fetch(models[0].path);
  assert.throws(() => model.createInterpreter({ threads: 4 }), /expected 1 to 3 threads/);
  const first = model.createInterpreter({ threads: 2 });
  assert.throws(() => model.createInterpreter({ threads: 3 }), /expected 1 to 2 threads/);
  const second = model.createInterpreter();
  assert.throws(() => model.createInterpreter({ threads: 2 }), /expected 1 to 1 threads/);
  for (let i = 0; i < 50; ++i) {
    first.run();
    second.run();
  }
  first.delete();
  second.delete();
  model.createInterpreter({ threads: 3 }).delete();
  model.delete();
});

test('one thread is all that a module without threads has', async () => {
  const model = await usual.Model.fetch(models[0].path);
  assert.deepEqual(await usual.init(undefined, { threads: 3 }), { threads: 1 });
  assert.throws(() => model.createInterpreter({ threads: 2 }), /expected 1 to 1 threads/);
  await assert.rejects((await load('none')).init(undefined, { threads: 0 }), { status: 'invalid argument' });
});

test('without vectors, integers have the same bits, floats to 1e-4', async () => {
  const portable = await load('portable');
  const source = readFileSync(join(packageFolder, 'micrort-portable.wasm'));
  await portable.init(source);
  for (const [i, { kind, path }] of models.entries()) {
    const found = outputsOf(await portable.Model.fetch(path));
    found.flat().forEach((value, at) => {
      const [close, exact] = [1e-4, expected[i].flat()[at]];
      assert.ok(Math.abs(value - exact) <= (kind === 'int8' ? 0 : close), `${kind}: expected ${exact}, found ${value}`);
    });
  }
});

test('variants are as small as the usual module', () => {
  for (const name of ['threads', 'portable']) {
    const bytes = compressedBytes(join(packageFolder, `micrort-${name}.wasm`));
    assert.ok(bytes <= 250_000, `${name}: ${bytes} bytes`);
  }
});

test('a page that is isolated has threads', { skip: chromium === '' && 'no Chromium' }, async () => {
  const server = await serve([['/package/', packageFolder], ['/models/', folder], ['/', dirname(fileURLToPath(import.meta.url))]]);
  const browser = new Browser(chromium, join(folder, 'profile'));
  const page = await browser.open(`${server.address}/empty.html`);
  await page.until('crossOriginIsolated');
  const found = JSON.parse(await page.evaluate(`(async () => {
    try {
      const { Model, init, moduleFile } = await import('/package/micrort.mjs');
      const { outputsOf } = await import('/outputs.mjs');
      const { threads } = await init(undefined, { threads: 2 });
      const outputs = [];
      for (let i = 0; i < ${models.length}; ++i) outputs.push(outputsOf(await Model.fetch('/models/model' + i + '.fb')));
      return JSON.stringify({ file: moduleFile({ threads: 2 }), threads, outputs });
    } catch (error) {
      return JSON.stringify({ error: error.stack });
    }
  })()`));
  await browser.close();
  server.close();
  assert.deepEqual(found, { file: 'micrort-threads.wasm', threads: 2, outputs: expected });
});
