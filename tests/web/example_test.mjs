// The page of examples/web: its modules under Node, and the page itself in headless Chromium, where there is one:
//   example_test.mjs SOURCE PACKAGE PROGRAMS [CHROMIUM]

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Browser, serve } from './chromium.mjs';

const [source, packageFolder, programs, chromium = ''] = process.argv.slice(2);
const example = join(source, 'examples', 'web');
const { pictureLayout, writePicture } = await import(pathToFileURL(join(example, 'picture_input.mjs')));
const { bestClasses, foundBoxes, summaryOf } = await import(pathToFileURL(join(example, 'results.mjs')));
const { Model } = await import(pathToFileURL(join(packageFolder, 'micrort.mjs')));

const folder = mkdtempSync(join(tmpdir(), 'micrort-example-'));
after(() => rmSync(folder, { recursive: true }));

const tensor = (dtype, shape, data, scale = 0, zeroPoint = 0) => ({ name: 't', dtype, shape, data, scale, zeroPoint });

test('pictures are inputs of four dimensions with one or three channels', () => {
  assert.deepEqual(pictureLayout([1, 3, 4, 5]), { channels: 3, height: 4, width: 5, isPlanar: true });
  assert.deepEqual(pictureLayout([1, 4, 5, 1]), { channels: 1, height: 4, width: 5, isPlanar: false });
  assert.equal(pictureLayout([1, 10]), null);
  assert.equal(pictureLayout([1, 7, 4, 5]), null);
});

test('pixels are written in either layout, normalized', () => {
  const rgba = Uint8ClampedArray.of(1, 2, 3, 255, 4, 5, 6, 255);
  const planar = tensor('float32', [1, 3, 1, 2], new Float32Array(6));
  writePicture(rgba, planar, { mean: 1, scale: 2 });
  assert.deepEqual([...planar.data], [0, 6, 2, 8, 4, 10]);
  const last = tensor('float32', [1, 2, 1, 3], new Float32Array(6));
  writePicture(rgba, last);
  assert.deepEqual([...last.data], [1, 2, 3, 4, 5, 6]);
});

test('quantized inputs get quantized pixels, within their range', () => {
  const input = tensor('int8', [1, 1, 2, 1], new Int8Array(2), 0.5, -10);
  writePicture(Uint8ClampedArray.of(10, 10, 10, 255, 255, 255, 255, 255), input);
  assert.deepEqual([...input.data], [10, 127]);
  assert.throws(() => writePicture(new Uint8ClampedArray(4), tensor('int32', [1, 1, 1, 1], new Int32Array(1))), /picture of int32/);
});

test('classes come best first, with labels', () => {
  const output = tensor('uint8', [1, 3], Uint8Array.of(10, 200, 30), 0.01, 0);
  const found = bestClasses(output, ['a', 'b'], 2);
  assert.deepEqual(found.map(({ label }) => label), ['b', '2']);
  assert.ok(Math.abs(found[0].score - 2) < 1e-6);
  assert.match(summaryOf(output), /uint8 1x3: 0\.1000 to 2\.000/);
});

test('of boxes that overlap, the best remains', () => {
  const corners = tensor('float32', [1, 3, 4], Float32Array.of(0, 0, 0.5, 0.5, 0, 0, 0.5, 0.4, 0.6, 0.6, 1, 1));
  const scores = tensor('float32', [1, 3, 2], Float32Array.of(0.1, 0.9, 0.2, 0.8, 0.6, 0.4));
  const boxes = foundBoxes([scores, corners]);
  assert.equal(boxes.length, 1);
  assert.ok(Math.abs(boxes[0].score - 0.9) < 1e-6);
  assert.equal(foundBoxes([scores]), null);
});

// A crop of a digit as a bitmap of 24 bits a pixel, last row first.
const width = 24, height = 32;
const bitmapOf = (pixels) => {
  const bytes = Buffer.alloc(54 + 3 * width * height);
  bytes.write('BM');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) bytes.fill(pixels[(height - 1 - y) * width + x], 54 + 3 * (y * width + x), 57 + 3 * (y * width + x));
  }
  return bytes;
};

test('the page in Chromium says what the package says', { skip: chromium === '' && 'no Chromium' }, async () => {
  const digits = join(source, 'examples', 'meter_reader', 'meter_digits.onnx');
  const run = spawnSync(join(programs, 'mnnconvert'), [digits, '-o', join(folder, 'digits.fb'), '--quiet', '--target', 'wasm'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const crops = readFileSync(join(source, 'examples', 'meter_reader', 'crops', 'test_crops.npy'));
  const pixels = crops.subarray(crops.length - width * height);
  writeFileSync(join(folder, 'digit.bmp'), bitmapOf(pixels));

  const model = await Model.fetch(join(folder, 'digits.fb'));
  const interpreter = model.createInterpreter();
  const rgba = Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => pixels[i >> 2]);
  writePicture(rgba, interpreter.inputs[0], { mean: 127, scale: 0.0078125 });
  interpreter.run();
  const [best] = bestClasses(interpreter.outputs[0]);

  const server = await serve([['/build-wasm/web/', packageFolder], ['/test/', folder], ['/', source]]);
  const asked = 'model=/test/digits.fb&picture=/test/digit.bmp&mean=127&scale=0.0078125';
  const browser = new Browser(chromium, join(folder, 'profile'));
  const opened = await browser.open(`${server.address}/examples/web/?${asked}`);
  const page = await opened.until(`document.querySelector('#results li') || document.querySelector('#message')?.textContent ? document.body.outerHTML : ''`);
  await browser.close();
  server.close();
  assert.match(page, new RegExp(`<li>${best.label}  ${best.score.toFixed(3)}</li>`));
  assert.match(page, /<dd id="arena">\d+ KB<\/dd>/);
  assert.match(page, /<dd id="latency">[\d.]+ ms<\/dd>/);
});
