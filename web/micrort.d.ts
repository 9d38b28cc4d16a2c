// Runs models of MicroRT (.fb files that mnnconvert writes) in browsers, workers and Node.
//
// Threads: one, or those of init(). A worker of your own loads its own module.
// Memory: a model is copied into the module's memory; delete() releases it. `data` of a tensor is a view into that memory. It becomes
// invalid when the memory grows, which new models, interpreters and sizes may cause: read `data` again then.
// Errors are MicroRTError.

export type Status =
  | 'invalid argument' | 'invalid model' | 'unsupported' | 'out of memory' | 'io' | 'out of range' | 'internal'
  | 'cancelled' | 'deadline exceeded';

export class MicroRTError extends Error {
  readonly status: Status;
}

export type DType =
  | 'float32' | 'float16' | 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'int64' | 'uint64'
  | 'float64' | 'bool' | 'bfloat16' | 'int4';

// float16 and bfloat16 are bits in a Uint16Array, bool is bytes of 0 and 1, int4 is two elements per byte.
export type Elements =
  | Float32Array | Float64Array | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
  | BigInt64Array | BigUint64Array;

export interface Declaration {
  readonly name: string;
  readonly dtype: DType;
  /** Outermost dimension first; an open dimension of a declaration is -1. */
  readonly shape: readonly number[];
  /** real = scale * (q - zeroPoint); scale is 0 if the tensor is not quantized as a whole. */
  readonly scale: number;
  readonly zeroPoint: number;
}

export interface Tensor extends Declaration {
  readonly bytes: number;
  /** A view, not a copy. Write inputs before each run; outputs are valid until inputs are written again. */
  readonly data: Elements;
}

export interface Step {
  /** Type of the first operator that runs in this step. */
  readonly type: string;
  readonly node: string;
  readonly algorithm: string;
  readonly multiplyAdds: number;
  /** How many operators run as one. */
  readonly operators: number;
  /** Mean of all runs since sizes were set. */
  readonly milliseconds: number;
}

export interface InterpreterOptions {
  /** The first shapes, one for each input; without it, open dimensions have the smallest sizes that the model accepts. */
  inputShapes?: number[][];
  /** One for each input: the elements of inputs that decide shapes, null for the others. */
  inputValues?: (Elements | null)[];
  /** Runs leave inputs unchanged; the arena is larger. */
  keepInputs?: boolean;
  /** In bytes; a model that needs more is 'unsupported'. 0: the library's default. */
  maxMemory?: number;
  /** Measures steps, for profile(). */
  profile?: boolean;
  /** At most those of init() that no other interpreter has, which is the default. */
  threads?: number;
}

export interface InitOptions {
  /** 1 to 64, the caller's included; the default is 1. More need SharedArrayBuffer: in browsers, a page that is crossOriginIsolated. Without it, and
   * without WebAssembly's vectors, there is one. Tensors are then views into a SharedArrayBuffer. Results have the same bits. */
  threads?: number;
}

/** Loads the module; the first call decides. Not needed for one thread if the modules are in the same folder as micrort.mjs.
 * Without `source`, it is the file that moduleFile() names. Resolves to the number of threads. */
export function init(source?: string | URL | BufferSource | WebAssembly.Module, options?: InitOptions): Promise<{ threads: number }>;
/** The file that fits this browser: micrort.wasm; micrort-threads.wasm, for more threads; micrort-portable.wasm, without WebAssembly's vectors. */
export function moduleFile(options?: InitOptions): string;
/** Version of the library, "0.2.0". */
export function version(): Promise<string>;

export class Model {
  private constructor();
  static fromBuffer(buffer: BufferSource): Promise<Model>;
  /** A URL, or a path of a file in Node. */
  static fetch(url: string | URL): Promise<Model>;
  readonly inputs: readonly Declaration[];
  createInterpreter(options?: InterpreterOptions): Interpreter;
  /** Call it after all interpreters of the model are deleted. */
  delete(): void;
}

export class Interpreter {
  private constructor();
  readonly inputs: readonly Tensor[];
  readonly outputs: readonly Tensor[];
  input(name: string): Tensor;
  output(name: string): Tensor;
  /** One shape for each input. On error the interpreter keeps its former shapes. */
  resize(shapes: number[][]): void;
  run(): void;
  readonly arenaBytes: number;
  /** State: values that the model carries from one run to the next. */
  readonly states: readonly Tensor[];
  resetState(): void;
  saveState(): Uint8Array;
  restoreState(state: Uint8Array): void;
  profile(): Step[];
  delete(): void;
}
