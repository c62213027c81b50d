import type { BoundTerm, EmittedType, Slot } from "../bind/boundTerm.js";
import { TermEmitter } from "./emitTerm.js";
import type { EmittedTerm } from "./emittedTerm.js";
import { moduleBytes, WasmFunction, type WasmType } from "./wasmBytes.js";

/** How the values of a derived column are written: integers less the base, as in a stored column; strings as their codes. */
export interface Output {
  readonly width: 4 | 8;
  readonly hasPresent: boolean;
  readonly hasOverflow: boolean;
}

/**
 * A module whose `run` writes the term's value for each of the first rows of a segment, and with it bitmaps of the
 * rows that have one and of those whose arithmetic has overflown; it returns 1 when there are such.
 *
 *   run(rowCount, out, base: i64, present, overflown, …slots) → i32
 *
 * A slot of integers takes (address, base: i64, present?, overflown?), one of a table (codes, entries, states?).
 * Addresses are i32. Bitmaps are read and written by words of 64 rows.
 */
export function emitModule(
  term: BoundTerm,
  slots: readonly Slot[],
  output: Output,
): Uint8Array<ArrayBuffer> {
  const params: WasmType[] = ["i32", "i32", "i64", "i32", "i32", ...slots.flatMap(paramsOf)];
  const fn = new WasmFunction(params, "i32");
  const loops = new RowLoops(fn, output);
  const readers: SlotReader[] = [];
  let param = 5;
  for (const slot of slots) {
    readers.push(new SlotReader(fn, slot, param));
    param += paramsOf(slot).length;
  }
  loops.beginWord();
  for (const reader of readers) reader.readWords(loops.wordOffset);
  loops.beginRow();
  const terms = readers.map((reader) => reader.readRow());
  const emitter = new TermEmitter(fn, terms);
  loops.write(emitter.emit(term), term.type);
  loops.end();
  return moduleBytes([...emitter.sharedFunctions, fn]);
}

function paramsOf(slot: Slot): readonly WasmType[] {
  if (slot.kind === "table") return slot.hasStates ? ["i32", "i32", "i32"] : ["i32", "i32"];
  const params: WasmType[] = ["i32", "i64"];
  if (slot.hasPresent) params.push("i32");
  if (slot.hasOverflow) params.push("i32");
  return params;
}

/** Two loops: over words of 64 rows, and over the rows of a word. */
class RowLoops {
  readonly #fn: WasmFunction;
  readonly #output: Output;
  /** Number of the current row. */
  readonly rowIndex: number;
  /** Where the current word lies in a bitmap. */
  readonly wordOffset: number;
  readonly #left: number;
  readonly #presentWord: number;
  readonly #overflowWord: number;
  readonly #overflown: number;
  readonly #bit: number;

  constructor(fn: WasmFunction, output: Output) {
    this.#fn = fn;
    this.#output = output;
    this.rowIndex = fn.local("i32");
    this.wordOffset = fn.local("i32");
    this.#left = fn.local("i32");
    this.#presentWord = fn.local("i64");
    this.#overflowWord = fn.local("i64");
    this.#overflown = fn.local("i32");
    this.#bit = fn.local("i64");
  }

  beginWord(): void {
    const fn = this.#fn;
    fn.get(0).op("i32.eqz").if().i32(0).return().op("end");
    fn.loop();
    fn.i64(0n).set(this.#presentWord).i64(0n).set(this.#overflowWord).i64(1n).set(this.#bit);
    fn.get(this.rowIndex).i32(3).op("i32.shr_u").set(this.wordOffset);
    // min(64, rows left)
    fn.get(0, this.rowIndex).op("i32.sub").tee(this.#left).i32(64);
    fn.get(this.#left).i32(64).op("i32.lt_u", "select").set(this.#left);
  }

  beginRow(): void {
    this.#fn.loop();
  }

  write({ value, present, overflown }: EmittedTerm, type: EmittedType): void {
    const isInt = type === "int";
    const fn = this.#fn;
    const output = this.#output;
    const isThere = fn.local("i32");
    if (present === null) fn.i32(1);
    else fn.get(present);
    if (overflown !== null) {
      fn.get(overflown).op("i32.eqz", "i32.and");
      this.#note(overflown, this.#overflowWord);
      fn.get(this.#overflown, overflown).op("i32.or").set(this.#overflown);
    }
    fn.set(isThere);
    this.#note(isThere, this.#presentWord);
    fn.get(1);
    fn.get(value);
    if (isInt) fn.get(2).op("i64.sub");
    if (present !== null || overflown !== null) {
      if (isInt) fn.i64(0n);
      else fn.i32(0);
      fn.get(isThere).op("select");
    }
    fn.memory(isInt ? (output.width === 8 ? "i64.store" : "i64.store32") : "i32.store");
    fn.get(1).i32(output.width).op("i32.add").set(1);
  }

  /** Adds the current row's bit to a word where the flag is 1. */
  #note(flag: number, word: number): void {
    const fn = this.#fn;
    fn.i64(0n).get(flag).op("i64.extend_i32_u", "i64.sub").get(this.#bit).op("i64.and");
    fn.get(word).op("i64.or").set(word);
  }

  end(): void {
    const fn = this.#fn;
    const output = this.#output;
    fn.get(this.#bit).i64(1n).op("i64.shl").set(this.#bit);
    fn.get(this.rowIndex).i32(1).op("i32.add").set(this.rowIndex);
    fn.get(this.#left).i32(1).op("i32.sub").tee(this.#left).branchIf(0).op("end");
    if (output.hasPresent) {
      fn.get(3, this.wordOffset).op("i32.add").get(this.#presentWord).memory("i64.store");
    }
    if (output.hasOverflow) {
      fn.get(4, this.wordOffset).op("i32.add").get(this.#overflowWord).memory("i64.store");
    }
    fn.get(this.rowIndex, 0).op("i32.lt_u").branchIf(0).op("end");
    fn.get(this.#overflown);
  }
}

/** Reads one slot: its words of presence once for 64 rows, its value row by row. */
class SlotReader {
  readonly #fn: WasmFunction;
  readonly #slot: Slot;
  /** Its first parameter. */
  readonly #param: number;
  readonly #presentWord: number;
  readonly #overflowWord: number;

  constructor(fn: WasmFunction, slot: Slot, param: number) {
    this.#fn = fn;
    this.#slot = slot;
    this.#param = param;
    this.#presentWord = fn.local("i64");
    this.#overflowWord = fn.local("i64");
  }

  readWords(wordOffset: number): void {
    const slot = this.#slot;
    const fn = this.#fn;
    const param = this.#param;
    if (slot.kind === "table") return;
    const read = (address: number, word: number): void => {
      fn.get(address, wordOffset).op("i32.add").memory("i64.load").set(word);
    };
    if (slot.hasPresent) read(param + 2, this.#presentWord);
    if (slot.hasOverflow) read(param + (slot.hasPresent ? 3 : 2), this.#overflowWord);
  }

  readRow(): EmittedTerm {
    return this.#slot.kind === "ints" ? this.#readInt(this.#slot) : this.#readTable(this.#slot);
  }

  #readInt(slot: Extract<Slot, { kind: "ints" }>): EmittedTerm {
    const fn = this.#fn;
    const param = this.#param;
    const value = fn.local("i64");
    this.#load("i64");
    fn.get(param + 1)
      .op("i64.add")
      .set(value);
    return {
      value,
      present: slot.hasPresent ? this.#nextBit(this.#presentWord) : null,
      overflown: slot.hasOverflow ? this.#nextBit(this.#overflowWord) : null,
    };
  }

  #nextBit(word: number): number {
    const fn = this.#fn;
    const bit = fn.local("i32");
    fn.get(word).op("i32.wrap_i64").i32(1).op("i32.and").set(bit);
    fn.get(word).i64(1n).op("i64.shr_u").set(word);
    return bit;
  }

  #readTable(slot: Extract<Slot, { kind: "table" }>): EmittedTerm {
    const fn = this.#fn;
    const param = this.#param;
    const code = fn.local("i32");
    this.#load("i32");
    fn.set(code);
    const isInt = slot.entry === "i64";
    const value = fn.local(slot.entry);
    fn.get(param + 1, code)
      .i32(isInt ? 3 : 2)
      .op("i32.shl", "i32.add");
    fn.memory(isInt ? "i64.load" : "i32.load").set(value);
    if (!slot.hasStates) return { value, present: null, overflown: null };
    const state = fn.local("i32");
    const [present, overflown] = [fn.local("i32"), fn.local("i32")];
    fn.get(param + 2, code)
      .op("i32.add")
      .memory("i32.load8_u")
      .tee(state);
    fn.i32(1).op("i32.and").set(present);
    fn.get(state).i32(1).op("i32.shr_u").set(overflown);
    return { value, present, overflown };
  }

  /** Leaves the stored number of the current row on the stack, and moves on to the next. */
  #load(type: "i32" | "i64"): void {
    const is64 = type === "i64";
    const fn = this.#fn;
    const param = this.#param;
    const { width } = this.#slot;
    if (width === 0) {
      if (is64) fn.i64(0n);
      else fn.i32(0);
      return;
    }
    fn.get(param);
    if (width === 8) fn.memory("i64.load");
    else if (width === 4) fn.memory(is64 ? "i64.load32_u" : "i32.load");
    else if (width === 3) {
      // The byte too much is the next value's, or the slack's.
      if (is64) fn.memory("i64.load32_u").i64(0xff_ffffn).op("i64.and");
      else fn.memory("i32.load").i32(0xff_ffff).op("i32.and");
    } else if (width === 2) fn.memory(is64 ? "i64.load16_u" : "i32.load16_u");
    else fn.memory(is64 ? "i64.load8_u" : "i32.load8_u");
    fn.get(param).i32(width).op("i32.add").set(param);
  }
}
