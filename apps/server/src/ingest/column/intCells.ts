import { BatchArrays } from "./batchArrays.js";
import { type Growth, RowPlaces } from "./rowPlaces.js";
import { createInt64 } from "./smallArrays.js";

const bigArrays = new BatchArrays((length) => new BigInt64Array(length), 0n);
const presentArrays = new BatchArrays((length) => new Uint8Array(length));
const noBigs: BigInt64Array<ArrayBuffer> = new BigInt64Array(0);
const noHalves = new Int32Array(0);
const noBytes = new Uint8Array(0);

/** The integers of a column while its batch is built. */
export class IntCells extends RowPlaces {
  bigs = noBigs;
  /** The same values: a safe integer is written as two halves, and no BigInt is made for it. */
  halves = noHalves;
  present = noBytes;
  /**
   * 1 where the value is trunc(x · 10^decimals) already; null while all are whole and may stay so.
   */
  scaled: Uint8Array | null = null;

  protected get room(): number {
    return this.present.length;
  }

  write(row: number, value: number | bigint): number {
    const at = this.isDense && row < this.present.length ? row : this.placeFor(row);
    if (typeof value === "number") {
      this.halves[2 * at] = value | 0;
      this.halves[2 * at + 1] = Math.floor(value / 4_294_967_296);
    } else this.bigs[at] = value;
    this.present[at] = 1;
    return at;
  }

  /** Prepares for scaled values. */
  markScaled(): Uint8Array {
    this.scaled ??= new Uint8Array(this.present.length);
    return this.scaled;
  }

  /** Called after the batch is built: its columns are copies. */
  giveBack(): void {
    bigArrays.giveBack(this.bigs);
    presentArrays.giveBack(this.present);
    this.bigs = noBigs;
    this.halves = noHalves;
    this.present = noBytes;
    this.rows = null;
    this.count = 0;
  }

  protected hasValue(place: number): boolean {
    return this.present[place] === 1;
  }

  protected firstMissing(): number {
    return this.present.indexOf(0);
  }

  protected countFilled(placeCount: number): number {
    const { present } = this;
    let count = 0;
    for (let place = 0; place < placeCount; place++) count += present[place]!;
    return count;
  }

  protected grow(placeCount: number, growth: Growth): void {
    const { bigs, present, scaled } = this;
    if (placeCount <= present.length) return;
    this.#allocate(placeCount, growth);
    this.bigs.set(bigs);
    this.present.set(present);
    if (scaled !== null) this.scaled!.set(scaled);
  }

  protected gather(places: Uint32Array, placeCount: number): void {
    this.#move(placeCount, "step", (i) => [places[i]!, i], places.length);
  }

  protected scatter(places: Uint32Array, placeCount: number, growth: Growth): void {
    this.#move(placeCount, growth, (i) => [i, places[i]!], places.length);
  }

  #move(
    placeCount: number,
    growth: Growth,
    pair: (i: number) => readonly [from: number, to: number],
    count: number,
  ): void {
    const { bigs, halves, present, scaled } = this;
    this.#allocate(placeCount, growth);
    for (let i = 0; i < count; i++) {
      const [from, to] = pair(i);
      this.halves[2 * to] = halves[2 * from]!;
      this.halves[2 * to + 1] = halves[2 * from + 1]!;
      this.present[to] = present[from]!;
      if (scaled !== null) this.scaled![to] = scaled[from]!;
    }
    bigArrays.giveBack(bigs);
    presentArrays.giveBack(present);
  }

  #allocate(placeCount: number, growth: Growth): void {
    this.bigs = growth === "whole" ? bigArrays.take() : createInt64(placeCount);
    this.halves = new Int32Array(this.bigs.buffer, this.bigs.byteOffset, 2 * this.bigs.length);
    this.present = growth === "whole" ? presentArrays.take() : new Uint8Array(placeCount);
    if (this.scaled !== null) this.scaled = new Uint8Array(this.present.length);
  }
}
