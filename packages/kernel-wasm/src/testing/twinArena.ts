import { expect } from "vitest";
import { READ_AHEAD_BYTES } from "../../assembly/abi.js";
import type { RowSet, Values } from "../base/addresses.js";
import { createSharedMemory, kernelReservedBytes, switchReadAhead } from "../base/memory.js";
import type { KernelOperations } from "../contract.js";
import { createKernel } from "../kernel.js";
import { createReferenceKernel } from "../reference.js";
import { builtKernel } from "./builtKernel.js";
import { Random } from "./random.js";

const arenaBytesDefault = 8 << 20;
const guardBytes = 65_536;

/**
 * Two memories with the same (random) bytes. An operation runs as WASM over one and as plain
 * TypeScript over the other; afterwards every byte must be the same: wrong answers and stray writes
 * show alike. Regions are taken from the end down, so the first one touches the end of the memory,
 * or ends `aheadBytes` before it where operations read ahead: reading past what the contract allows
 * traps.
 */
export class TwinArena {
  readonly #memory: WebAssembly.Memory;
  readonly #twinMemory: WebAssembly.Memory;
  readonly #kernel: KernelOperations;
  readonly #twin: KernelOperations;
  readonly #view: DataView;
  #low: number;
  #readsAhead = false;

  constructor(
    private readonly arenaBytes = arenaBytesDefault,
    private readonly aheadBytes = 0,
  ) {
    this.#memory = createSharedMemory(arenaBytes);
    this.#twinMemory = createSharedMemory(arenaBytes);
    this.#kernel = createKernel(this.#memory, builtKernel());
    this.#twin = createReferenceKernel(this.#twinMemory);
    this.#view = new DataView(this.#memory.buffer);
    this.#low = arenaBytes - aheadBytes;
    const random = new Random(7);
    for (let at = 0; at < arenaBytes; at += 4) this.#view.setUint32(at, random.u32(), true);
  }

  /** For operations that may read ahead of where they are: every other time they do. */
  static readingAhead(arenaBytes = arenaBytesDefault): TwinArena {
    return new TwinArena(arenaBytes, READ_AHEAD_BYTES);
  }

  /** Frees all regions; their bytes stay as they are. */
  clear(): this {
    this.#low = this.arenaBytes - this.aheadBytes;
    return this;
  }

  /** A region with whatever bytes are there, at a multiple of 8, `slackBytes` before the next. */
  region(bytes: number, slackBytes = 0): number {
    this.#low = Math.floor((this.#low - slackBytes - bytes) / 8) * 8;
    if (this.#low < kernelReservedBytes) throw new RangeError("arena too small for this case");
    return this.#low;
  }

  values(width: Values["width"], values: readonly bigint[]): Values {
    const address = this.region(values.length * width, 16);
    for (const [i, value] of values.entries()) {
      if (width === 1) this.#view.setUint8(address + i, Number(value));
      else if (width === 2) this.#view.setUint16(address + i * 2, Number(value), true);
      else if (width === 4) this.#view.setUint32(address + i * 4, Number(value), true);
      else if (width === 3) this.#set24(address + i * 3, Number(value));
      else if (width === 8) this.#view.setBigInt64(address + i * 8, value, true);
    }
    return { address, width };
  }

  #set24(address: number, value: number): void {
    this.#view.setUint16(address, value & 0xffff, true);
    this.#view.setUint8(address + 2, value >>> 16);
  }

  u32s(values: readonly number[]): number {
    const address = this.region(values.length * 4);
    for (const [i, value] of values.entries()) this.#view.setUint32(address + i * 4, value, true);
    return address;
  }

  i64s(values: readonly bigint[]): number {
    return this.values(8, values).address;
  }

  bytes(bytes: Uint8Array): number {
    const address = this.region(bytes.length);
    this.write(address, bytes);
    return address;
  }

  write(address: number, bytes: Uint8Array): void {
    new Uint8Array(this.#memory.buffer).set(bytes, address);
  }

  bitmap(rowCount: number, isSet: (row: number) => boolean): number {
    const wordsBytes = Math.ceil(rowCount / 64) * 8;
    const bits = new Uint8Array(wordsBytes);
    for (let row = 0; row < rowCount; row++) if (isSet(row)) bits[row >> 3]! |= 1 << (row & 7);
    return this.bytes(bits);
  }

  /** A row set that lists these rows. */
  listed(rows: readonly number[]): RowSet {
    return { start: 12345, count: rows.length, rows: this.u32s(rows) };
  }

  /** Bytes of a region, as the kernel left them. */
  read(address: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#memory.buffer).slice(address, address + bytes);
  }

  /**
   * Runs on both, expects the same result and the same memory, and returns the result. `scratch`
   * are regions [address, bytes] whose contents the contract leaves open.
   */
  run<T>(
    operation: (kernel: KernelOperations) => T,
    scratch: readonly (readonly [address: number, bytes: number])[] = [],
  ): T {
    this.#readsAhead = this.aheadBytes > 0 && !this.#readsAhead;
    switchReadAhead(this.#memory, this.#readsAhead ? "on" : "off");
    // What lies further below than this is left alone for speed; the first page is cheap to watch
    // too.
    const from = Math.max(0, this.#low - guardBytes);
    const bytes = Buffer.from(this.#memory.buffer);
    const twinBytes = Buffer.from(this.#twinMemory.buffer);
    bytes.copy(twinBytes, from, from);
    bytes.copy(twinBytes, 0, 0, guardBytes);
    const expected = operation(this.#twin);
    const result = operation(this.#kernel);
    expect(result).toEqual(expected);
    for (const [address, count] of scratch) {
      bytes.copy(twinBytes, address, address, address + count);
    }
    expectEqualBytes(bytes, twinBytes, 0, guardBytes);
    expectEqualBytes(bytes, twinBytes, from, this.arenaBytes);
    return result;
  }
}

function expectEqualBytes(bytes: Buffer, twin: Buffer, from: number, to: number): void {
  if (bytes.compare(twin, from, to, from, to) === 0) return;
  const at = bytes.findIndex((byte, i) => i >= from && byte !== twin[i]);
  throw new Error(`byte ${at} is ${bytes[at]}, expected ${twin[at]}`);
}
