import type { BitmapAddress, RowSet, Values } from "../base/addresses.js";

/** Numbers at addresses, little-endian like WASM on every machine. */
export class MemoryView {
  readonly #view: DataView;

  constructor(memory: WebAssembly.Memory) {
    this.#view = new DataView(memory.buffer);
  }

  byte(address: number): number {
    return this.#view.getUint8(address);
  }

  setByte(address: number, value: number): void {
    this.#view.setUint8(address, value);
  }

  u16(address: number): number {
    return this.#view.getUint16(address, true);
  }

  setU16(address: number, value: number): void {
    this.#view.setUint16(address, value, true);
  }

  u32(address: number): number {
    return this.#view.getUint32(address, true);
  }

  setU32(address: number, value: number): void {
    this.#view.setUint32(address, value, true);
  }

  u64(address: number): bigint {
    return this.#view.getBigUint64(address, true);
  }

  /** Modulo 2^64. */
  setU64(address: number, value: bigint): void {
    this.#view.setBigUint64(address, BigInt.asUintN(64, value), true);
  }

  f64(address: number): number {
    return this.#view.getFloat64(address, true);
  }

  setF64(address: number, value: number): void {
    this.#view.setFloat64(address, value, true);
  }

  i64(address: number): bigint {
    return this.#view.getBigInt64(address, true);
  }

  /** Modulo 2^64. */
  setI64(address: number, value: bigint): void {
    this.#view.setBigInt64(address, BigInt.asIntN(64, value), true);
  }

  value(values: Values, row: number): bigint {
    const address = values.address + row * values.width;
    if (values.width === 0) return 0n;
    if (values.width === 8) return this.i64(address);
    return BigInt(this.#narrow(values.width, address));
  }

  /** Modulo the width. */
  setValue(values: Values, row: number, value: bigint): void {
    if (values.width === 0) return;
    const address = values.address + row * values.width;
    const narrow = Number(BigInt.asUintN(Math.min(values.width, 4) * 8, value));
    if (values.width === 8) this.setI64(address, value);
    else if (values.width === 1) this.#view.setUint8(address, narrow);
    else if (values.width === 2) this.#view.setUint16(address, narrow, true);
    else if (values.width === 3) this.#setUint24(address, narrow);
    else this.#view.setUint32(address, narrow, true);
  }

  bit(bitmap: BitmapAddress, row: number): boolean {
    return ((this.byte(bitmap + (row >> 3)) >> (row & 7)) & 1) === 1;
  }

  /** Makes `bytes` bytes 0, a multiple of four. */
  clear(address: number, bytes: number): void {
    for (let at = 0; at < bytes; at += 4) this.setU32(address + at, 0);
  }

  /** Whether the row has a value; without a bitmap every row has. */
  isPresent(present: BitmapAddress, row: number): boolean {
    return present === 0 || this.bit(present, row);
  }

  /** All words that cover rowCount; bits past it become 0. */
  writeBits(out: BitmapAddress, rowCount: number, isSet: (row: number) => boolean): void {
    for (let byte = 0; byte < Math.ceil(rowCount / 64) * 8; byte++) {
      let bits = 0;
      for (let i = 0; i < 8; i++) {
        const row = byte * 8 + i;
        if (row < rowCount && isSet(row)) bits |= 1 << i;
      }
      this.#view.setUint8(out + byte, bits);
    }
  }

  rowOf(rows: RowSet, k: number): number {
    return rows.rows === 0 ? rows.start + k : this.u32(rows.rows + k * 4);
  }

  groupOf(groups: number, k: number): number {
    return groups === 0 ? 0 : this.u32(groups + k * 4);
  }

  weight(weights: Values | null, row: number): bigint {
    if (weights === null) return 1n;
    const weight = this.value(weights, row);
    return weight === 0n ? 1n : weight;
  }

  #setUint24(address: number, value: number): void {
    this.#view.setUint16(address, value & 0xffff, true);
    this.#view.setUint8(address + 2, (value >>> 16) & 0xff);
  }

  #narrow(width: 1 | 2 | 3 | 4, address: number): number {
    if (width === 1) return this.#view.getUint8(address);
    if (width === 4) return this.#view.getUint32(address, true);
    const low = this.#view.getUint16(address, true);
    return width === 2 ? low : low | (this.#view.getUint8(address + 2) << 16);
  }
}
