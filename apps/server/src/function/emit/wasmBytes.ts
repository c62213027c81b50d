import { importCount, importIndex } from "./moduleImports.js";

/** The parts of WebAssembly's binary format that derived columns need: https://webassembly.github.io/spec/core/binary */

export const wasmTypes = { i32: 0x7f, i64: 0x7e, f64: 0x7c } as const;
export type WasmType = keyof typeof wasmTypes;

/** Instructions without immediates. */
export const plainOps = {
  else: 0x05,
  end: 0x0b,
  drop: 0x1a,
  select: 0x1b,
  "i32.eqz": 0x45,
  "i32.eq": 0x46,
  "i32.ne": 0x47,
  "i32.lt_s": 0x48,
  "i32.lt_u": 0x49,
  "i32.gt_s": 0x4a,
  "i32.le_s": 0x4c,
  "i32.ge_s": 0x4e,
  "i64.eqz": 0x50,
  "i64.eq": 0x51,
  "i64.ne": 0x52,
  "i64.lt_s": 0x53,
  "i64.lt_u": 0x54,
  "i64.gt_s": 0x55,
  "i64.gt_u": 0x56,
  "i64.le_s": 0x57,
  "i64.le_u": 0x58,
  "i64.ge_s": 0x59,
  "i64.ge_u": 0x5a,
  "f64.eq": 0x61,
  "f64.ne": 0x62,
  "f64.lt": 0x63,
  "f64.gt": 0x64,
  "f64.le": 0x65,
  "f64.ge": 0x66,
  "i32.add": 0x6a,
  "i32.sub": 0x6b,
  "i32.mul": 0x6c,
  "i32.and": 0x71,
  "i32.or": 0x72,
  "i32.xor": 0x73,
  "i32.shl": 0x74,
  "i32.shr_s": 0x75,
  "i32.shr_u": 0x76,
  "i64.add": 0x7c,
  "i64.sub": 0x7d,
  "i64.mul": 0x7e,
  "i64.div_s": 0x7f,
  "i64.div_u": 0x80,
  "i64.rem_s": 0x81,
  "i64.rem_u": 0x82,
  "i64.and": 0x83,
  "i64.or": 0x84,
  "i64.xor": 0x85,
  "i64.shl": 0x86,
  "i64.shr_s": 0x87,
  "i64.shr_u": 0x88,
  "f64.abs": 0x99,
  "f64.neg": 0x9a,
  "f64.ceil": 0x9b,
  "f64.floor": 0x9c,
  "f64.trunc": 0x9d,
  "f64.nearest": 0x9e,
  "f64.sqrt": 0x9f,
  "f64.add": 0xa0,
  "f64.sub": 0xa1,
  "f64.mul": 0xa2,
  "f64.div": 0xa3,
  "f64.min": 0xa4,
  "f64.max": 0xa5,
  "f64.copysign": 0xa6,
  "i32.wrap_i64": 0xa7,
  "i64.extend_i32_s": 0xac,
  "i64.extend_i32_u": 0xad,
  "i64.trunc_f64_s": 0xb0,
  "f64.convert_i32_s": 0xb7,
  "f64.convert_i32_u": 0xb8,
  "f64.convert_i64_s": 0xb9,
} as const;
export type PlainOp = keyof typeof plainOps;

/** Loads and stores; the exponent of their natural alignment does not matter and is written as 0. */
const memoryOps = {
  "i32.load": 0x28,
  "i64.load": 0x29,
  "i32.load8_u": 0x2d,
  "i32.load16_u": 0x2f,
  "i64.load8_u": 0x31,
  "i64.load16_u": 0x33,
  "i64.load32_u": 0x35,
  "i32.store": 0x36,
  "i64.store": 0x37,
  "i64.store32": 0x3e,
} as const;
export type MemoryOp = keyof typeof memoryOps;

/** One function being written: its locals, and its instructions so far. */
export class WasmFunction {
  readonly #locals: WasmType[] = [];
  readonly #code: number[] = [];

  constructor(
    readonly params: readonly WasmType[],
    readonly result: WasmType,
  ) {}

  /** A new local; 0 when the function begins. */
  local(type: WasmType): number {
    return this.params.length + this.#locals.push(type) - 1;
  }

  op(...ops: readonly PlainOp[]): this {
    for (const op of ops) this.#code.push(plainOps[op]);
    return this;
  }

  i32(value: number): this {
    this.#code.push(0x41, ...signedLeb(BigInt(value)));
    return this;
  }

  i64(value: bigint): this {
    this.#code.push(0x42, ...signedLeb(value));
    return this;
  }

  f64(value: number): this {
    this.#code.push(0x44, ...new Uint8Array(Float64Array.of(value).buffer));
    return this;
  }

  get(...locals: readonly number[]): this {
    for (const local of locals) this.#code.push(0x20, ...unsignedLeb(local));
    return this;
  }

  set(local: number): this {
    this.#code.push(0x21, ...unsignedLeb(local));
    return this;
  }

  tee(local: number): this {
    this.#code.push(0x22, ...unsignedLeb(local));
    return this;
  }

  memory(op: MemoryOp, offset = 0): this {
    this.#code.push(memoryOps[op], 0, ...unsignedLeb(offset));
    return this;
  }

  /** Global 0 is the only one: a second result of a called function. */
  getGlobal(): this {
    this.#code.push(0x23, 0);
    return this;
  }

  setGlobal(): this {
    this.#code.push(0x24, 0);
    return this;
  }

  /** A function of the module itself. */
  call(functionIndex: number): this {
    return this.callImport(importCount + functionIndex);
  }

  callImport(importIndex: number): this {
    this.#code.push(0x10, ...unsignedLeb(importIndex));
    return this;
  }

  /** i64.trunc_sat_f64_s: toward zero, to the nearest integer there is, 0 of NaN. */
  truncate(): this {
    this.#code.push(0xfc, 0x06);
    return this;
  }

  /** Ended by `op("end")`; leaves nothing on the stack. */
  if(): this {
    this.#code.push(0x04, 0x40);
    return this;
  }

  loop(): this {
    this.#code.push(0x03, 0x40);
    return this;
  }

  branchIf(depth: number): this {
    this.#code.push(0x0d, ...unsignedLeb(depth));
    return this;
  }

  return(): this {
    this.#code.push(0x0f);
    return this;
  }

  body(): number[] {
    const locals = this.#locals.flatMap((type) => [1, wasmTypes[type]]);
    const bytes = [...unsignedLeb(this.#locals.length), ...locals, ...this.#code, plainOps.end];
    return [...unsignedLeb(bytes.length), ...bytes];
  }
}

/** Of the imports, in the order of their indexes. */
const importTypes: readonly Pick<WasmFunction, "params" | "result">[] = [
  { params: ["f64", "f64"], result: "f64" },
  { params: ["f64", "f64"], result: "f64" },
  { params: ["f64", "i32"], result: "i64" },
  { params: ["f64", "i32"], result: "i32" },
];

/** A module over the leaf's memory that exports its last function as `run`, and has one mutable i32. */
export function moduleBytes(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = [...importTypes, ...functions].map(({ params, result }) => [
    0x60,
    ...vector(params.map((type) => [wasmTypes[type]])),
    1,
    wasmTypes[result],
  ]);
  const imported = Object.entries(importIndex).map(([key, index]) => [
    ...name("env"),
    ...name(key),
    0x00,
    ...unsignedLeb(index),
  ]);
  // Shared, and as large as the leaf's may be.
  const memory = [...name("env"), ...name("memory"), 0x02, 0x03, 0, ...unsignedLeb(65_536)];
  const exported = [...name("run"), 0x00, ...unsignedLeb(importCount + functions.length - 1)];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector(types)),
    ...section(2, vector([...imported, memory])),
    ...section(3, vector(functions.map((_, i) => unsignedLeb(importCount + i)))),
    ...section(6, vector([[wasmTypes.i32, 1, 0x41, 0, plainOps.end]])),
    ...section(7, vector([exported])),
    ...section(10, vector(functions.map((one) => one.body()))),
  ]);
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...unsignedLeb(bytes.length), ...bytes];
}

function vector(items: readonly (readonly number[])[]): number[] {
  const bytes = unsignedLeb(items.length);
  for (const item of items) for (const byte of item) bytes.push(byte);
  return bytes;
}

function name(text: string): number[] {
  return vector(Array.from(new TextEncoder().encode(text), (byte) => [byte]));
}

function unsignedLeb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest % 128;
    rest = (rest - low) / 128;
    bytes.push(rest === 0 ? low : low | 0x80);
    if (rest === 0) return bytes;
  }
}

function signedLeb(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = Number(BigInt.asUintN(7, rest));
    rest >>= 7n;
    const isLast = (rest === 0n && low < 64) || (rest === -1n && low >= 64);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}
