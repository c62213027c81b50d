import * as abi from "../../assembly/abi.js";
import { createOwnMemory } from "../base/memory.js";
import {
  type JsonCells,
  type JsonPlace,
  PlaceCells,
  type RowLayout,
  rowLayout,
} from "./jsonCells.js";
import {
  cellBytes,
  cellsMax,
  jsonLayout,
  jsonMemoryBytes,
  keptBytesMax,
  keyBytesMax,
  placesMax,
  placeWords,
  rowsMax,
  slotBytes,
  slotsMax,
  slotsMost,
  windowBytesMost,
  wordBytes,
} from "./jsonLayout.js";

/** Texts end to end, with the hash of each. Good until others are packed. */
export interface HashedTexts {
  /** How many texts have numbers from earlier reads; 0: numbering starts again. */
  readonly before: number;
  readonly count: number;
  readonly bytes: Uint8Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
  readonly hashes: Int32Array;
}

interface JsonRowExports {
  readJsonRows(
    ...a: [
      ...[next: number, text: number, end: number, places: number, placeCount: number],
      ...[rootPlaces: number, required: number, rowsMax: number, layout: number],
      ...[seed: bigint, kept: number, steps: number],
    ]
  ): number;
  packJsonTexts(
    ...a: [
      ...[out: number, ends: number, hashes: number, texts: number, count: number],
      ...[seed: number],
    ]
  ): void;
}

export interface JsonRowsOptions {
  /** Random: senders cannot choose texts that share a slot. */
  readonly seed: bigint;
  /** How much is loaded at once, at most {@link windowBytesMost}, which is the default. */
  readonly windowBytes?: number;
  /** At least {@link jsonMemoryBytes}, not shared, for nothing else; it need not be cleared. */
  readonly memory?: WebAssembly.Memory;
}

/**
 * Rows of JSON into cells, column by column, in a memory of its own. Any number of readers take
 * turns with it, each from load to the last read without a pause. Texts keep their numbers from one
 * read to the next until other places are set.
 */
export class JsonRows {
  readonly windowBytesMax: number;
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: JsonRowExports;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #seed: bigint;
  #loaded = 0;
  #loadedBytes = 0;
  #places: readonly JsonPlace[] = [];
  /**
   * For how many places there is room in this layout, and the cells of those that were set so far.
   */
  #laidOut = 0;
  #cells: PlaceCells[] = [];
  #roomRows = 0;
  #keptEnd = jsonLayout.kept;
  #turn = 0;
  #slots = 0;
  #rootPlaces = 0;

  constructor(
    module: WebAssembly.Module,
    {
      seed,
      windowBytes = windowBytesMost,
      memory = createOwnMemory(jsonMemoryBytes),
    }: JsonRowsOptions,
  ) {
    const instance = new WebAssembly.Instance(module, { env: { memory } });
    this.#wasm = instance.exports as unknown as JsonRowExports;
    this.#memory = memory;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#view = new DataView(memory.buffer);
    this.#seed = seed;
    this.windowBytesMax = windowBytes;
  }

  /**
   * The parts one behind the other, at most windowBytesMax of them, where they can be read: good
   * until others are joined or loaded.
   */
  join(parts: readonly Uint8Array[]): Uint8Array {
    let end = jsonLayout.text;
    for (const part of parts) {
      this.#bytes.set(part, end);
      end += part.length;
    }
    return this.#bytes.subarray(jsonLayout.text, end);
  }

  /**
   * Takes the rows at bytes[start, end): well-formed UTF-8 of at most windowBytesMax, at its end a
   * newline, or two behind a list.
   */
  load(bytes: Uint8Array, start: number, end: number): void {
    // Bytes that were joined here are where they belong.
    if (bytes.buffer === this.#memory.buffer) {
      this.#loaded = jsonLayout.text - bytes.byteOffset;
      this.#loadedBytes = end - this.#loaded;
      return;
    }
    this.join([bytes.subarray(start, end)]);
    this.#loaded = start;
    this.#loadedBytes = end - start;
  }

  /**
   * The names that rows may have, in the order in which they mostly come, at least one: first those
   * that are within no object. False when they are too many.
   */
  setPlaces(places: readonly JsonPlace[]): boolean {
    // Readers that take turns have separate lists.
    if (places === this.#places) return true;
    const known = this.#places;
    this.#places = [];
    this.#turn++;
    if (places.length > placesMax) return false;
    // Places stay where they are while their number grows up to the next power of two.
    const laidOut = 2 ** Math.ceil(Math.log2(places.length));
    const isLaidOut = this.#laidOut === laidOut;
    if (!isLaidOut) this.#layOut(laidOut);
    let key = jsonLayout.keys;
    let isSame = isLaidOut;
    for (const [index, place] of places.entries()) {
      const padded = Math.ceil(place.key.length / 16) * 16;
      if (key + padded > jsonLayout.keys + keyBytesMax) return false;
      // Behind the first place that differs, keys are elsewhere.
      isSame &&= place === known[index];
      if (!isSame) this.#writePlace(index, place, key);
      key += padded;
    }
    for (let index = this.#cells.length; index < places.length; index++)
      this.#cells.push(this.#cellsOf(index));
    this.#places = places;
    this.#rootPlaces = places[0]!.children?.[0] ?? places.length;
    this.#forgetTexts();
    return true;
  }

  /**
   * Reads rows from where one starts, at `from` of the bytes that were loaded, until one has a name
   * that is no place or twice, or lacks that of the place `required`, or a value that its place
   * does not accept, or is no JSON, or spaced in an unusual way. Returns how many it read; {@link
   * next} is where that row starts.
   */
  read(from: number, required: number, most: number, layout: RowLayout = rowLayout.lines): number {
    const start = from + this.#shift;
    const end = jsonLayout.text + this.#loadedBytes;
    const rowsMost = Math.min(most, this.#roomRows);
    this.#makeRoom(rowsMost, end - start);
    const rows = this.#wasm.readJsonRows(
      ...([jsonLayout.next, start, end] as const),
      ...([jsonLayout.places, this.#places.length, this.#rootPlaces, required] as const),
      ...([rowsMost, layout] as const),
      ...([this.#seed, this.#keptEnd, jsonLayout.steps] as const),
    );
    this.#keptEnd = this.#view.getUint32(jsonLayout.next + wordBytes, true);
    return rows;
  }

  /**
   * The texts of the place `index` that were listed since it was last asked for them; `seed` goes
   * into their hashes.
   */
  packTexts(index: number, seed: number): HashedTexts {
    const cells = this.#cells[index]!;
    const before = cells.textsReported;
    const count = cells.textCount - before;
    const { packed, packedEnds, packedHashes } = jsonLayout;
    this.#wasm.packJsonTexts(
      ...([packed, packedEnds, packedHashes] as const),
      ...([this.#textAt(index, before), count, seed] as const),
    );
    cells.textsReported += count;
    const { buffer } = this.#memory;
    const ends = new Uint32Array(buffer, packedEnds, count);
    const bytes = new Uint8Array(buffer, packed, count === 0 ? 0 : ends[count - 1]);
    return { before, count, bytes, ends, hashes: new Int32Array(buffer, packedHashes, count) };
  }

  get next(): number {
    return this.#view.getUint32(jsonLayout.next, true) - this.#shift;
  }

  /**
   * Changes when other places are set and all texts are forgotten: as long as it is the same, no
   * other caller has read.
   */
  get turn(): number {
    return this.#turn;
  }

  /** How many were set last. */
  get placeCount(): number {
    return this.#places.length;
  }

  /** Of each place, in their order, and maybe of more. Good until other places are set. */
  get cells(): readonly JsonCells[] {
    return this.#cells;
  }

  get #shift(): number {
    return jsonLayout.text - this.#loaded;
  }

  #textAt(index: number, number: number): number {
    return jsonLayout.texts + (index * 2 * this.#roomRows + number) * abi.TEXT_BYTES;
  }

  /** For the texts of `rows` rows in `bytes` bytes. */
  #makeRoom(rows: number, bytes: number): void {
    const keptMax = jsonLayout.kept + keptBytesMax;
    if (this.#keptEnd + 2 * bytes > keptMax) this.#forgetTexts();
    for (let index = 0; index < this.#places.length; index++) {
      const cells = this.#cells[index]!;
      if (cells.textCount + rows > 2 * this.#roomRows) cells.forgetTexts();
    }
  }

  #forgetTexts(): void {
    this.#keptEnd = jsonLayout.kept;
    for (let index = 0; index < this.#places.length; index++) this.#cells[index]!.forgetTexts();
  }

  #layOut(placeCount: number): void {
    this.#laidOut = placeCount;
    this.#roomRows = Math.min(rowsMax, cellsMax / placeCount);
    this.#slots = Math.min(slotsMost, slotsMax / placeCount);
    this.#cells = [];
  }

  #writePlace(index: number, place: JsonPlace, key: number): void {
    const at = jsonLayout.places + index * abi.PLACE_BYTES;
    const room = this.#roomRows;
    this.#bytes.set(place.key, key);
    this.#bytes.fill(0, key + place.key.length, key + Math.ceil(place.key.length / 16) * 16);
    const write = (offset: number, value: number) => this.#view.setUint32(at + offset, value, true);
    const start = place.key.subarray(0, 16);
    this.#bytes.fill(0, at + abi.PLACE_KEY_START, at + abi.PLACE_KEY);
    this.#bytes.set(start, at + abi.PLACE_KEY_START);
    this.#bytes.fill(255, at + abi.PLACE_KEY_MASK, at + abi.PLACE_KEY_MASK + start.length);
    write(abi.PLACE_KEY, key);
    write(abi.PLACE_KEY_BYTES, place.key.length);
    write(abi.PLACE_ACCEPTS, place.accepts);
    write(abi.PLACE_DECIMALS, place.decimals);
    const [first, last] = place.children ?? [0, 0];
    write(abi.PLACE_CHILDREN, jsonLayout.places + first * abi.PLACE_BYTES);
    write(abi.PLACE_CHILDREN_END, jsonLayout.places + last * abi.PLACE_BYTES);
    this.#view.setBigInt64(at + abi.PLACE_MIN, place.min, true);
    this.#view.setBigInt64(at + abi.PLACE_MAX, place.max, true);
    write(abi.PLACE_KINDS, jsonLayout.kinds + index * room);
    write(abi.PLACE_CELLS, jsonLayout.cells + index * room * cellBytes);
    write(abi.PLACE_TEXTS, this.#textAt(index, 0));
    write(abi.PLACE_SLOTS, jsonLayout.slots + index * this.#slots * slotBytes);
    // Half as many pairs.
    write(abi.PLACE_SLOT_SHIFT, 65 - Math.log2(this.#slots));
  }

  #cellsOf(index: number): PlaceCells {
    const room = this.#roomRows;
    const { buffer } = this.#memory;
    const cells = jsonLayout.cells + index * room * cellBytes;
    const views = {
      kinds: new Uint8Array(buffer, jsonLayout.kinds + index * room, room),
      numbers: new BigInt64Array(buffer, cells, room),
      halves: new Int32Array(buffer, cells, 2 * room),
      codes: new Uint32Array(buffer, cells, room),
    };
    const place = new Uint32Array(buffer, jsonLayout.places + index * abi.PLACE_BYTES, placeWords);
    return new PlaceCells(views, place);
  }
}
