// The bytes that a page loads, compressed as servers do:
//   size_test.mjs WASM_BUILD PROGRAMS SOURCE

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

import { compressedBytes } from './compressed.mjs';

const [build, programs, source] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'micrort-web-sizes-'));
after(() => rmSync(folder, { recursive: true }));

const start = (program, ...flags) => {
  const run = spawnSync(join(programs, program), flags, { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
};

test('the module with all operators takes at most 250 KB', () => {
  const bytes = compressedBytes(join(build, 'web/micrort.wasm'));
  assert.ok(bytes <= 250_000, `${bytes} bytes`);
});

test('the module of one network takes at most 120 KB, and runs it as the one with all operators does', async () => {
  const bytes = compressedBytes(join(build, 'web-digits/micrort.wasm'));
  assert.ok(bytes <= 120_000, `${bytes} bytes`);

  const digits = join(source, 'examples/meter_reader/meter_digits.onnx');
  const model = join(folder, 'digits.fb'), quantized = join(folder, 'int8.fb');
  start('mnnconvert', digits, '-o', model, '--quiet');
  start('mnnconvert', digits, '-o', quantized, '--quiet', '--quant', 'int8');
  start('mnnconvert', '--emit', 'resolver', model, '-o', join(folder, 'digits_ops.h'), '--quiet');
  assert.equal(readFileSync(join(source, 'tests/web/digits_ops.h'), 'utf8'), readFileSync(join(folder, 'digits_ops.h'), 'utf8'));

  const [all, one] = await Promise.all(['web', 'web-digits'].map(async (name) => {
    const { Model } = await import(pathToFileURL(join(build, name, 'micrort.mjs')));
    return Model;
  }));
  const [expected, found] = await Promise.all([all, one].map(async (Model) => {
    const interpreter = (await Model.fetch(model)).createInterpreter({ profile: true });
    interpreter.inputs[0].data.forEach((_, i, data) => { data[i] = (i % 17) / 17; });
    interpreter.run();
    return { output: [...interpreter.outputs[0].data], algorithms: interpreter.profile().map(({ algorithm }) => algorithm) };
  }));
  assert.deepEqual(found, expected);
  const other = await one.fetch(quantized);
  assert.throws(() => other.createInterpreter(), { status: 'unsupported' });
});
