// The package of web/ under Node, beside micrort-run with the same kernels:
//   package_test.mjs PACKAGE PROGRAMS EXAMPLES [MODEL_DATA]
// PACKAGE: the folder of micrort.mjs; MODEL_DATA: real models, which need not be there.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';

const [packageFolder, programs, examples, modelData = ''] = process.argv.slice(2);
const { Model, MicroRTError, init, version } = await import(pathToFileURL(join(packageFolder, 'micrort.mjs')));

const folder = mkdtempSync(join(tmpdir(), 'micrort-web-'));
after(() => rmSync(folder, { recursive: true }));

const start = (program, ...flags) => {
  const run = spawnSync(join(programs, program), flags, { encoding: 'utf8' });
  assert.equal(run.status, 0, `${program} ${flags.join(' ')}: ${run.stderr}`);
  return run.stdout;
};

let models = 0;
const convert = (source, ...flags) => {
  const path = join(folder, `model${models++}.fb`);
  start('mnnconvert', source, '-o', path, '--quiet', ...flags);
  return path;
};

const KINDS = {
  float32: '<f4', float16: '<f2', float64: '<f8', int8: '|i1', uint8: '|u1', int16: '<i2', uint16: '<u2', int32: '<i4', uint32: '<u4',
  int64: '<i8', uint64: '<u8', bool: '|b1',
};

const writeNpy = (path, tensor) => {
  const shape = tensor.shape.length === 1 ? `${tensor.shape[0]},` : tensor.shape.join(', ');
  const text = `{'descr': '${KINDS[tensor.dtype]}', 'fortran_order': False, 'shape': (${shape}), }`;
  const header = Buffer.from(text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n', 'latin1');
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 255, header.length >> 8]);
  const data = Buffer.from(tensor.data.buffer, tensor.data.byteOffset, tensor.data.byteLength);
  writeFileSync(path, Buffer.concat([start, header, data]));
};

const elementsOfNpy = (path, Elements) => {
  const bytes = readFileSync(path);
  return new Elements(new Uint8Array(bytes.subarray(10 + bytes.readUInt16LE(8))).slice().buffer);
};

// Small ones, positive, as indices and pixels are.
const fill = (tensor, seed) => {
  const { data } = tensor;
  let state = seed + 1;
  for (let i = 0; i < data.length; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const value = state >>> 24;
    if (typeof data[i] === 'bigint') data[i] = BigInt(value % 2);
    else if (tensor.dtype === 'float16') data[i] = 0x3800 + value;
    else if (tensor.dtype.startsWith('float')) data[i] = value / 256;
    else data[i] = value % (tensor.dtype === 'bool' ? 2 : 100);
  }
};

const fileName = (name) => name.replace(/[^A-Za-z0-9._-]/g, '_');

// Integers bit for bit, floats to 1e-4.
const expectSame = (name, found, expected) => {
  assert.equal(found.length, expected.length, name);
  for (let i = 0; i < found.length; ++i) {
    if (found[i] === expected[i] || (Number.isNaN(found[i]) && Number.isNaN(expected[i]))) continue;
    const isClose = found instanceof Float32Array && Math.abs(found[i] - expected[i]) <= 1e-4 * Math.max(1, Math.abs(expected[i]));
    assert.ok(isClose, `${name}[${i}]: expected ${expected[i]}, found ${found[i]}`);
  }
};

const expectSameAsProgram = async (path, inputShapes) => {
  const model = await Model.fetch(path);
  const interpreter = model.createInterpreter({ keepInputs: true, inputShapes });
  const flags = [];
  interpreter.inputs.forEach((input, i) => {
    fill(input, i);
    const file = join(folder, `input${i}.npy`);
    writeNpy(file, input);
    flags.push('--input', `#${i}=${file}`);
  });
  interpreter.run();
  const out = join(folder, 'out');
  const table = JSON.parse(start('micrort-run', path, '--isa', 'sse41', '--output-dir', out, '--json', '-', ...flags));
  assert.equal(table.outputs.length, interpreter.outputs.length);
  interpreter.outputs.forEach((output, i) => {
    assert.deepEqual(output.shape, table.outputs[i].shape, output.name);
    expectSame(output.name, output.data, elementsOfNpy(join(out, table.outputs[i].file), output.data.constructor));
  });
  interpreter.delete();
  model.delete();
};

// Of models that do not run at the smallest sizes.
const SIZES = { 'silero_vad_16k_op15.onnx': [[1, 512], [2, 1, 128], []] };

const digits = join(examples, 'meter_reader/meter_digits.onnx');
const pictures = ['--calib', join(examples, 'meter_reader/calibration'), '--mean', '127', '--scale', '0.0078125', '--color', 'gray'];

test('runs what mnnconvert writes as micrort-run does', async (t) => {
  const kinds = {
    float: [], fp16: ['--quant', 'fp16'], int8: ['--quant', 'int8', ...pictures],
    'int8 weights': ['--quant', 'int8-weights'], 'int16x8': ['--quant', 'int16x8', ...pictures],
    'packed for it': ['--target', 'wasm'],
    'packed for it, nothing else': ['--target', 'wasm', '--packed-only', '--quant', 'int8', ...pictures],
  };
  for (const [kind, flags] of Object.entries(kinds)) {
    if (kind.includes('nothing else')) continue;
    await t.test(kind, () => expectSameAsProgram(convert(digits, ...flags)));
  }
  // micrort-run has addresses of 64 bits, and refuses it.
  await t.test('packed for it, nothing else', async () => {
    const packed = await Model.fetch(convert(digits, ...kinds['packed for it, nothing else']));
    const plain = await Model.fetch(convert(digits, ...kinds.int8));
    const [found, expected] = [packed, plain].map((model) => {
      const interpreter = model.createInterpreter();
      fill(interpreter.inputs[0], 0);
      interpreter.run();
      return interpreter.outputs[0].data.slice();
    });
    expectSame('output', found, expected);
  });
});

test('runs real models as micrort-run does', { skip: !existsSync(join(modelData, 'models')) && 'no model data' }, async (t) => {
  let compared = 0;
  for (const format of ['onnx', 'tflite']) {
    for (const name of readdirSync(join(modelData, 'models', format))) {
      if (!/\.(onnx|tflite)$/.test(name)) continue;
      const path = join(folder, `${fileName(name)}.fb`);
      const run = spawnSync(join(programs, 'mnnconvert'), [join(modelData, 'models', format, name), '-o', path, '--quiet']);
      if (run.status !== 0) continue;
      await t.test(name, () => expectSameAsProgram(path, SIZES[name]));
      ++compared;
    }
  }
  assert.ok(compared > 20, `${compared} models were compared`);
});

// A model of one node, by Debian's Python.
const oneNode = (node, inputs, output) => {
  const path = join(folder, 'node.onnx');
  const script = `
import onnx
from onnx import TensorProto, helper
tensor = helper.make_tensor_value_info
graph = helper.make_graph([helper.make_node(${node})], "node", [${inputs}], [${output}])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), "${path}")
`;
  const run = spawnSync('/usr/bin/python3', ['-c', script], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return path;
};

// sum + x of open size, which is carried on where it is a state.
const runningSum = () => {
  const rows = (name) => `tensor("${name}", TensorProto.FLOAT, ["n", 3])`;
  return oneNode('"Add", ["x", "sum"], ["next"]', [rows('x'), rows('sum')].join(), rows('next'));
};

test('open sizes are set', async () => {
  const model = await Model.fetch(convert(runningSum()));
  assert.deepEqual(model.inputs.map((input) => input.shape), [[-1, 3], [-1, 3]]);
  const interpreter = model.createInterpreter({ inputShapes: [[2, 3], [2, 3]] });
  assert.deepEqual(interpreter.outputs[0].shape, [2, 3]);
  interpreter.resize([[5, 3], [5, 3]]);
  interpreter.input('x').data.fill(2);
  interpreter.input('sum').data.fill(3);
  interpreter.run();
  assert.deepEqual(interpreter.output('next').shape, [5, 3]);
  assert.deepEqual([...interpreter.output('next').data], Array(15).fill(5));
  assert.throws(() => interpreter.resize([[5, 4], [5, 4]]), { name: 'MicroRTError', status: 'invalid argument' });
  assert.deepEqual(interpreter.inputs[0].shape, [5, 3]);
  assert.throws(() => interpreter.resize([[1.5]]), /expected a shape/);
});

test('states are carried from run to run, saved and restored', async () => {
  const model = await Model.fetch(convert(runningSum(), '--state', 'next=sum', '--input-shape', 'x=1x3', '--input-shape', 'sum=1x3'));
  const interpreter = model.createInterpreter();
  const add = (value) => {
    interpreter.input('x').data.fill(value);
    interpreter.run();
    return interpreter.states[0].data[0];
  };
  assert.equal(add(1), 1);
  assert.equal(add(2), 3);
  const saved = interpreter.saveState();
  assert.equal(add(3), 6);
  interpreter.restoreState(saved);
  assert.equal(add(1), 4);
  interpreter.resetState();
  assert.equal(add(1), 1);
  assert.throws(() => interpreter.restoreState(saved.subarray(1)), { status: 'invalid argument' });
});

test('inputs whose values decide shapes are given whole', async () => {
  const inputs = 'tensor("x", TensorProto.FLOAT, [1]), tensor("shape", TensorProto.INT64, [2])';
  const model = await Model.fetch(convert(oneNode('"Expand", ["x", "shape"], ["y"]', inputs, 'tensor("y", TensorProto.FLOAT, ["a", "b"])')));
  const inputShapes = [[1], [2]];
  const interpreter = model.createInterpreter({ inputShapes, inputValues: [null, BigInt64Array.of(2n, 3n)] });
  interpreter.input('x').data[0] = 4;
  interpreter.input('shape').data.set([2n, 3n]);
  interpreter.run();
  assert.deepEqual(interpreter.outputs[0].shape, [2, 3]);
  assert.deepEqual([...interpreter.outputs[0].data], Array(6).fill(4));
  const create = (options) => () => model.createInterpreter(options);
  const values = [null, BigInt64Array.of(2n, 3n)];
  assert.throws(create({ inputValues: values }), /expected inputValues and inputShapes of 2 inputs/);
  assert.throws(create({ inputShapes, inputValues: Array(1000).fill(values[1]) }), /of 2 inputs/);
  assert.throws(create({ inputShapes, inputValues: [null, BigInt64Array.of(2n)] }), /expected 2 elements in a BigInt64Array, found 1/);
  assert.throws(create({ inputShapes, inputValues: [null, [2, 3]] }), /found 2 in a Array/);
  assert.throws(create({ maxMemory: 0.5 }), /expected maxMemory/);
});

test('a profile tells the time of each step', async () => {
  const interpreter = (await Model.fetch(convert(digits))).createInterpreter({ profile: true });
  interpreter.run();
  interpreter.run();
  const steps = interpreter.profile();
  assert.ok(steps.length > 1);
  assert.match(steps.find((step) => step.type === 'Conv2D').algorithm, /simd128/);
  assert.ok(steps.every((step) => step.milliseconds >= 0 && step.operators >= 1 && step.multiplyAdds >= 0));
  assert.throws(() => interpreter.output('nothing'), /no output is named 'nothing'; there are '/);
});

test('errors say what is wrong, and leave nothing behind', async () => {
  await assert.rejects(Model.fromBuffer(new Uint8Array(100)), { name: 'MicroRTError', status: 'invalid model' });
  await assert.rejects(Model.fromBuffer('text'), /expected an ArrayBuffer/);
  const model = await Model.fetch(convert(digits));
  assert.throws(() => model.createInterpreter({ maxMemory: 100 }), { status: 'unsupported' });
  const interpreter = model.createInterpreter();
  assert.throws(() => interpreter.profile(), /profile: true/);
  assert.throws(() => model.delete(), /1 interpreters/);
  interpreter.delete();
  interpreter.delete();
  assert.throws(() => interpreter.run(), /was deleted/);
  model.delete();
  assert.throws(() => model.inputs, /was deleted/);
  assert.ok(new MicroRTError(2, 'x') instanceof Error);
});

test('many models come and go in the same memory', async () => {
  const bytes = readFileSync(convert(digits));
  const arenas = new Set();
  for (let i = 0; i < 200; ++i) {
    const model = await Model.fromBuffer(bytes);
    const interpreter = model.createInterpreter();
    interpreter.run();
    arenas.add(interpreter.inputs[0].data.byteOffset);
    interpreter.delete();
    model.delete();
  }
  assert.ok(arenas.size < 20, `${arenas.size} places`);
  await init();
  assert.match(await version(), /^\d+\.\d+\.\d+$/);
});
