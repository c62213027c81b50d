import { cell, type JsonCells } from "@hadal/kernel-wasm";
import { BatchArrays } from "./batchArrays.js";
import type { RowBlock } from "./rowBlock.js";
import { type Growth, RowPlaces } from "./rowPlaces.js";
import { createUint32 } from "./smallArrays.js";

const codeArrays = new BatchArrays((length) => new Uint32Array(length));
const noCodes: Uint32Array<ArrayBuffer> = new Uint32Array(0);

/** The codes of a column of strings or lists while its batch is built; 0 where it has none. */
export class CodeCells extends RowPlaces {
  codes = noCodes;

  protected get room(): number {
    return this.codes.length;
  }

  write(row: number, code: number): void {
    const at = this.isDense && row < this.codes.length ? row : this.placeFor(row);
    this.codes[at] = code;
  }

  /** The code of the row written last; 0: it has none. */
  codeOfLast(row: number): number {
    const place = this.placeOfLast(row);
    return place < 0 ? 0 : this.codes[place]!;
  }

  /** Called after the batch is built: its columns are copies. */
  giveBack(): void {
    codeArrays.giveBack(this.codes);
    this.codes = noCodes;
    this.rows = null;
    this.count = 0;
  }

  protected hasValue(place: number): boolean {
    return this.codes[place] !== 0;
  }

  protected firstMissing(): number {
    return this.codes.indexOf(0);
  }

  protected countFilled(placeCount: number): number {
    const { codes } = this;
    let count = 0;
    for (let place = 0; place < placeCount; place++) if (codes[place] !== 0) count++;
    return count;
  }

  protected grow(placeCount: number, growth: Growth): void {
    const { codes } = this;
    if (placeCount <= codes.length) return;
    this.codes = growth === "whole" ? codeArrays.take() : new Uint32Array(placeCount);
    this.codes.set(codes);
  }

  protected gather(places: Uint32Array, placeCount: number): void {
    const { codes } = this;
    this.codes = createUint32(placeCount);
    for (let i = 0; i < places.length; i++) this.codes[i] = codes[places[i]!]!;
    codeArrays.giveBack(codes);
  }

  protected scatter(places: Uint32Array, placeCount: number, growth: Growth): void {
    const { codes } = this;
    this.codes = growth === "whole" ? codeArrays.take() : new Uint32Array(placeCount);
    for (let i = 0; i < places.length; i++) this.codes[places[i]!] = codes[i]!;
  }
}

/** Writes the codes of cells that the kernel read into a dense column. */
export function placeCodes(
  own: Uint32Array,
  { first, rows }: RowBlock,
  { kinds, codes: sent, missing }: JsonCells,
  codes: Uint32Array,
): void {
  if (missing === 0) for (let i = 0; i < rows; i++) own[first + i] = codes[sent[i]!]!;
  else {
    for (let i = 0; i < rows; i++) if (kinds[i] !== cell.missing) own[first + i] = codes[sent[i]!]!;
  }
}
