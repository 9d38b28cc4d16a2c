// Runs models of MicroRT in browsers and Node. See micrort.d.ts for the interface.

import { MicroRTError } from './error.mjs';
import { instantiate, moduleFile, read } from './load.mjs';

export { MicroRTError, moduleFile };

const MESSAGE_BYTES = 400;
const ALIGNMENT = 64;
const MAX_RANK = 8;

// As enum micrort_dtype numbers them. Halves, bfloat16 and pairs of int4 come as their bits.
const DTYPES = [
  null,
  ['float32', Float32Array],
  ['float16', Uint16Array],
  ['int8', Int8Array],
  ['uint8', Uint8Array],
  ['int16', Int16Array],
  ['uint16', Uint16Array],
  ['int32', Int32Array],
  ['uint32', Uint32Array],
  ['int64', BigInt64Array],
  ['uint64', BigUint64Array],
  ['float64', Float64Array],
  ['bool', Uint8Array],
  ['bfloat16', Uint16Array],
  ['int4', Uint8Array],
];

// Places in structures of the C interface; profile.cpp checks them.
const TENSOR = { bytes: 96, name: 0, dtype: 4, shape: 8, data: 80, size: 84, scale: 88, zeroPoint: 92 };
const SHAPE = { bytes: 72, rank: 0, dims: 8 };
const OPTIONS = { bytes: 128, threads: 4, shapes: 20, shapeCount: 24, values: 28, valueCount: 32, maxMemory: 64, keepInputs: 112 };
const STEP = { bytes: 48, type: 0, node: 4, algorithm: 8, multiplyAdds: 24, operators: 32, milliseconds: 40 };

const invalid = (message) => new MicroRTError(1, message);

// The module's functions and memory.
class Library {
  constructor({ exports, memory, threads }) {
    this.call = exports;
    this.memory = memory;
    this.threads = threads;
  }

  // Of one interpreter more: those that no other one has.
  get freeThreads() {
    return this.threads > 1 ? 1 + this.call.micrort_web_idle_workers() : 1;
  }

  view() {
    return new DataView(this.memory.buffer);
  }

  allocate(bytes) {
    const at = this.call.malloc(bytes) >>> 0;
    if (at === 0) throw new MicroRTError(4, `cannot allocate ${bytes} bytes`);
    return at;
  }

  // Runs work(address) with zeroed memory that is given back afterwards.
  with(bytes, work) {
    const at = this.allocate(bytes);
    try {
      new Uint8Array(this.memory.buffer, at, bytes).fill(0);
      return work(at);
    } finally {
      this.call.free(at);
    }
  }

  text(at) {
    const bytes = new Uint8Array(this.memory.buffer, at >>> 0);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // work(message, bytes) gives a status and writes the reason.
  check(work) {
    this.with(MESSAGE_BYTES, (message) => {
      const status = work(message, MESSAGE_BYTES);
      if (status !== 0) throw new MicroRTError(status, this.text(message));
    });
  }

  readShape(at) {
    const view = this.view();
    const rank = view.getInt32(at + SHAPE.rank, true);
    return Array.from({ length: rank }, (_, d) => Number(view.getBigInt64(at + SHAPE.dims + 8 * d, true)));
  }

  writeShape(at, shape) {
    if (!Array.isArray(shape) || shape.length > MAX_RANK || !shape.every(Number.isSafeInteger)) {
      throw invalid(`expected a shape of at most ${MAX_RANK} integers, found ${JSON.stringify(shape)}`);
    }
    const view = this.view();
    view.setInt32(at + SHAPE.rank, shape.length, true);
    shape.forEach((size, d) => view.setBigInt64(at + SHAPE.dims + 8 * d, BigInt(size), true));
  }

  // work(shapes, values, count), with null for what nobody gave.
  withSizes(shapes, values, work) {
    const count = shapes.length;
    const held = [];
    try {
      return this.with(Math.max(count, 1) * (SHAPE.bytes + 4), (at) => {
        shapes.forEach((shape, i) => this.writeShape(at + i * SHAPE.bytes, shape));
        const list = at + count * SHAPE.bytes;
        (values ?? []).forEach((value, i) => {
          if (value == null) return;
          const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
          held.push(this.allocate(Math.max(bytes.length, 1)));
          new Uint8Array(this.memory.buffer).set(bytes, held.at(-1));
          this.view().setUint32(list + 4 * i, held.at(-1), true);
        });
        return work(at, values ? list : 0, count);
      });
    } finally {
      held.forEach((at) => this.call.free(at));
    }
  }

  // What read(tensor) writes, as a description whose data is a view into the module's memory.
  tensor(read) {
    const at = this.allocate(TENSOR.bytes);
    try {
      if (read(at) !== 0) throw invalid('no such tensor');
      const view = this.view();
      const [dtype, Elements] = DTYPES[view.getInt32(at + TENSOR.dtype, true)];
      return new Tensor(this, Elements, {
        name: this.text(view.getUint32(at + TENSOR.name, true)),
        dtype,
        shape: this.readShape(at + TENSOR.shape),
        scale: view.getFloat32(at + TENSOR.scale, true),
        zeroPoint: view.getInt32(at + TENSOR.zeroPoint, true),
        address: view.getUint32(at + TENSOR.data, true),
        bytes: view.getUint32(at + TENSOR.size, true),
      });
    } finally {
      this.call.free(at);
    }
  }
}

class Tensor {
  #library;
  #Elements;
  #address;

  constructor(library, Elements, { address, ...description }) {
    this.#library = library;
    this.#Elements = Elements;
    this.#address = address;
    Object.assign(this, description);
  }

  // Made each time, as memory that grows takes former views away.
  get data() {
    return new this.#Elements(this.#library.memory.buffer, this.#address, this.bytes / this.#Elements.BYTES_PER_ELEMENT);
  }
}

let shared = null;

// Loads the module once; models do so by themselves, with one thread.
export const init = (source, { threads = 1 } = {}) => {
  shared ??= instantiate(source, threads).then((loaded) => new Library(loaded)).catch((error) => {
    shared = null;
    throw error;
  });
  return shared.then(({ threads }) => ({ threads }));
};

const library = async () => {
  await init();
  return shared;
};

export const version = async () => {
  const lib = await library();
  return lib.text(lib.call.micrort_version());
};

export class Model {
  #library;
  #block;
  #handle = 0;
  #interpreters = 0;

  // Use Model.fromBuffer or Model.fetch.
  constructor(lib, bytes) {
    this.#library = lib;
    this.#block = lib.allocate(bytes.length + ALIGNMENT);
    const at = Math.ceil(this.#block / ALIGNMENT) * ALIGNMENT;
    new Uint8Array(lib.memory.buffer).set(bytes, at);
    try {
      lib.with(4, (handle) => {
        lib.check((message, size) => lib.call.micrort_model_from_buffer(at, bytes.length, handle, message, size));
        this.#handle = lib.view().getUint32(handle, true);
      });
    } catch (error) {
      lib.call.free(this.#block);
      throw error;
    }
  }

  static async fromBuffer(buffer) {
    const lib = await library();
    const isView = ArrayBuffer.isView(buffer);
    if (!isView && !(buffer instanceof ArrayBuffer)) throw invalid('expected an ArrayBuffer or a typed array');
    return new Model(lib, isView ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength) : new Uint8Array(buffer));
  }

  static async fetch(url) {
    return Model.fromBuffer(await read(url));
  }

  // As declared: a dimension is -1 where it is open.
  get inputs() {
    const lib = this.#library;
    const count = lib.call.micrort_model_input_count(this.handle);
    return Array.from({ length: count }, (_, i) => {
      const { name, dtype, shape, scale, zeroPoint } = lib.tensor((at) => lib.call.micrort_model_input(this.handle, i, at));
      return { name, dtype, shape, scale, zeroPoint };
    });
  }

  createInterpreter(options = {}) {
    const interpreter = new Interpreter(this.#library, this, options, () => --this.#interpreters);
    ++this.#interpreters;
    return interpreter;
  }

  // Of the module; not for callers.
  get handle() {
    if (this.#handle === 0) throw invalid('the model was deleted');
    return this.#handle;
  }

  delete() {
    if (this.#handle === 0) return;
    if (this.#interpreters !== 0) throw invalid(`the model has ${this.#interpreters} interpreters, which are to be deleted first`);
    this.#library.call.micrort_model_destroy(this.#handle);
    this.#library.call.free(this.#block);
    this.#handle = 0;
  }
}

// The library reads as many elements as shapes say.
const checkValues = (inputs, shapes, values) => {
  if (shapes?.length !== inputs.length || values.length !== inputs.length) {
    throw invalid(`expected inputValues and inputShapes of ${inputs.length} inputs`);
  }
  values.forEach((value, i) => {
    if (value == null) return;
    const [, Elements] = DTYPES.find((known) => known?.[0] === inputs[i].dtype);
    const count = shapes[i].reduce((product, size) => product * size, 1);
    if (value instanceof Elements && value.length === count) return;
    throw invalid(`input '${inputs[i].name}': expected ${count} elements in a ${Elements.name}, found ${value?.length} in a ${value?.constructor?.name}`);
  });
};

const checkThreads = (lib, threads) => {
  const most = lib.freeThreads;
  if (Number.isInteger(threads) && threads >= 1 && threads <= most) return;
  throw invalid(`expected 1 to ${most} threads, which init() started and no other interpreter has; found ${threads}`);
};

export class Interpreter {
  #library;
  #model;
  #handle = 0;
  #profile = 0;
  #runs = 0;
  #deleted;

  // Use Model.createInterpreter.
  constructor(lib, model, { inputShapes, inputValues, keepInputs = false, maxMemory = 0, profile = false, threads = lib.freeThreads }, deleted) {
    if (inputValues) checkValues(model.inputs, inputShapes, inputValues);
    if (!Number.isSafeInteger(maxMemory) || maxMemory < 0) throw invalid(`expected maxMemory in bytes, found ${maxMemory}`);
    checkThreads(lib, threads);
    this.#library = lib;
    this.#model = model;
    this.#deleted = deleted;
    try {
      lib.withSizes(inputShapes ?? [], inputValues, (shapes, values, count) =>
        lib.with(OPTIONS.bytes + 4, (options) => {
          lib.call.micrort_options_init(options);
          const view = lib.view();
          if (inputShapes) {
            view.setUint32(options + OPTIONS.shapes, shapes, true);
            view.setUint32(options + OPTIONS.shapeCount, count, true);
          }
          if (values) {
            view.setUint32(options + OPTIONS.values, values, true);
            view.setUint32(options + OPTIONS.valueCount, inputValues.length, true);
          }
          view.setInt32(options + OPTIONS.threads, threads, true);
          view.setBigUint64(options + OPTIONS.maxMemory, BigInt(maxMemory), true);
          view.setInt32(options + OPTIONS.keepInputs, keepInputs ? 1 : 0, true);
          if (profile) this.#profile = lib.call.micrort_web_profile_create(options) >>> 0;
          if (profile && this.#profile === 0) throw new MicroRTError(4, 'cannot allocate a profile');
          const handle = options + OPTIONS.bytes;
          lib.check((message, size) =>
            lib.call.micrort_interpreter_create(model.handle, options, handle, message, size));
          this.#handle = lib.view().getUint32(handle, true);
        }));
    } catch (error) {
      if (this.#profile !== 0) lib.call.micrort_web_profile_destroy(this.#profile);
      throw error;
    }
  }

  get #own() {
    if (this.#handle === 0) throw invalid('the interpreter was deleted');
    return this.#handle;
  }

  // kind: input, output or state.
  #tensors(kind) {
    const { call } = this.#library;
    const count = call[`micrort_interpreter_${kind}_count`](this.#own);
    const get = call[`micrort_interpreter_${kind}`];
    return Array.from({ length: count }, (_, i) => this.#library.tensor((at) => get(this.#own, i, at)));
  }

  #find(kind, name) {
    const list = this.#tensors(kind);
    const found = list.find((tensor) => tensor.name === name);
    if (found) return found;
    throw invalid(`no ${kind} is named '${name}'; there are ${list.map((tensor) => `'${tensor.name}'`).join(', ')}`);
  }

  get inputs() {
    return this.#tensors('input');
  }

  // As the last run left them.
  get outputs() {
    return this.#tensors('output');
  }

  // Values that the model carries from one run to the next; read and written between runs.
  get states() {
    return this.#tensors('state');
  }

  input(name) {
    return this.#find('input', name);
  }

  output(name) {
    return this.#find('output', name);
  }

  // On error the interpreter keeps its former shapes.
  resize(shapes) {
    const lib = this.#library;
    lib.withSizes(shapes, null, (at, _values, count) =>
      lib.check((message, size) => lib.call.micrort_interpreter_resize(this.#own, at, count, message, size)));
    if (this.#profile !== 0) lib.call.micrort_web_profile_clear(this.#profile);
    this.#runs = 0;
  }

  run() {
    const lib = this.#library;
    if (this.#profile !== 0) lib.call.micrort_web_profile_rewind(this.#profile);
    lib.check((message, size) => lib.call.micrort_interpreter_run(this.#own, message, size));
    ++this.#runs;
  }

  get arenaBytes() {
    return this.#library.call.micrort_interpreter_arena_bytes(this.#own) >>> 0;
  }

  resetState() {
    this.#library.call.micrort_interpreter_reset_state(this.#own);
  }

  saveState() {
    const lib = this.#library;
    const bytes = lib.call.micrort_interpreter_state_bytes(this.#own) >>> 0;
    return lib.with(Math.max(bytes, 1), (at) => {
      lib.check((message, size) => lib.call.micrort_interpreter_save_state(this.#own, at, bytes, message, size));
      return new Uint8Array(lib.memory.buffer, at, bytes).slice();
    });
  }

  restoreState(state) {
    if (!(state instanceof Uint8Array)) throw invalid('expected the Uint8Array that saveState gave');
    const lib = this.#library;
    lib.with(Math.max(state.length, 1), (at) => {
      new Uint8Array(lib.memory.buffer).set(state, at);
      lib.check((message, size) => lib.call.micrort_interpreter_restore_state(this.#own, at, state.length, message, size));
    });
  }

  // Mean times of the steps since the sizes were set, in run order.
  profile() {
    const lib = this.#library;
    if (this.#profile === 0) throw invalid('expected an interpreter that was created with { profile: true }');
    const count = lib.call.micrort_web_profile_count(this.#profile);
    const steps = lib.call.micrort_web_profile_steps(this.#profile) >>> 0;
    const view = lib.view();
    return Array.from({ length: count }, (_, i) => {
      const at = steps + i * STEP.bytes;
      const text = (place) => lib.text(view.getUint32(at + place, true));
      return {
        type: text(STEP.type),
        node: text(STEP.node),
        algorithm: text(STEP.algorithm),
        multiplyAdds: Number(view.getBigInt64(at + STEP.multiplyAdds, true)),
        operators: view.getUint32(at + STEP.operators, true),
        milliseconds: view.getFloat64(at + STEP.milliseconds, true) / Math.max(this.#runs, 1),
      };
    });
  }

  delete() {
    if (this.#handle === 0) return;
    this.#library.call.micrort_interpreter_destroy(this.#handle);
    if (this.#profile !== 0) this.#library.call.micrort_web_profile_destroy(this.#profile);
    this.#handle = 0;
    this.#deleted();
  }
}
