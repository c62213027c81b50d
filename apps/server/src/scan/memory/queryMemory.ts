import type { HashTable } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { extentBytes } from "../../memory/extents.js";
import type { LeafMemory } from "../../memory/leafMemory.js";

/** A query has a dozen accumulators of a few bytes: they are cut from one piece. */
const pieceBytes = 32_768;
const smallBytesMax = 2_048;

/**
 * "ample": tables that only make the query faster get memory, too; "short": only those that it
 * needs.
 */
export type MemoryUse = "ample" | "short";

/**
 * All memory of one query in the pool of running queries, given back at its end. No query may take
 * more than it leaves free, so that a small query finds room beside any number of large ones.
 */
export class QueryMemory {
  readonly #extents: number[] = [];
  #takenBytes = 0;
  #isShort = false;
  /** The rest of the piece that small allocations are cut from. */
  #pieceAt = 0;
  #pieceLeft = 0;

  readonly #giveBack: () => boolean;

  /** `giveBack` releases tables that are kept for follow-ups; false when there are none. */
  constructor(
    readonly leaf: LeafMemory,
    giveBack: () => boolean = () => false,
  ) {
    this.#giveBack = giveBack;
  }

  allocate(bytes: number): number {
    const cut = bytes <= smallBytesMax ? this.#cut(bytes) : null;
    if (cut !== null) return cut;
    let address = this.#take(bytes);
    while (address === null && this.#giveBack()) address = this.#take(bytes);
    if (address === null) {
      const { freeBytes } = this.leaf.queries;
      throw new HadalError("query-memory", {
        neededBytes: this.#takenBytes + bytes,
        limitName: "the query's share of queryPoolBytes",
        freeBytes: Math.floor((this.#takenBytes + freeBytes) / 2),
      });
    }
    this.#note(address);
    return address;
  }

  /** Takes memory that only makes a query faster; 0 where the query must do without. */
  allocateSpare(bytes: number): number {
    return this.#isShort || !this.#isWithinShare(bytes) ? 0 : this.allocate(bytes);
  }

  /** Null when there is no room for a piece: then it is allocated separately. */
  #cut(bytes: number): number | null {
    const wanted = extentBytes(bytes);
    if (wanted > this.#pieceLeft) {
      const piece = this.#take(pieceBytes);
      if (piece === null) return null;
      this.#note(piece);
      this.#pieceAt = piece;
      this.#pieceLeft = pieceBytes;
    }
    const address = this.#pieceAt;
    this.#pieceAt += wanted;
    this.#pieceLeft -= wanted;
    return address;
  }

  #note(address: number): void {
    this.#extents.push(address);
    this.#takenBytes += this.leaf.queries.bytesOf(address);
  }

  /** Whether this many more bytes are within the query's share, after kept tables are released. */
  fits(bytes: number): boolean {
    while (!this.#isWithinShare(bytes)) if (!this.#giveBack()) return false;
    return true;
  }

  #isWithinShare(bytes: number): boolean {
    return this.#takenBytes + bytes <= this.leaf.queries.freeBytes - bytes;
  }

  #take(bytes: number): number | null {
    return this.#isWithinShare(bytes) ? this.leaf.queries.allocate(bytes) : null;
  }

  /** A zeroed bitmap of `bitCount` bits. */
  bitmap(bitCount: number): number {
    const bytes = Math.ceil(bitCount / 64) * 8;
    const address = this.allocate(bytes);
    this.leaf.bytes.fill(0, address, address + bytes);
    return address;
  }

  /** Gives all memory back for another attempt, with this use of memory. */
  startAgain(use: MemoryUse): void {
    this.release();
    this.#isShort = use === "short";
  }

  release(): void {
    for (const address of this.#extents) this.leaf.queries.release(address);
    this.#extents.length = 0;
    this.#takenBytes = 0;
    this.#pieceLeft = 0;
  }
}

/** Room for `tableMax` keys, at most half full. */
export function allocateHashTable(tableMax: number, memory: QueryMemory): HashTable {
  const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, tableMax * 2)));
  return {
    slots: memory.allocate(slotCount * 4),
    slotCount,
    keys: memory.allocate(tableMax * 8),
    groupsMax: tableMax,
  };
}
