import { HadalError } from "@hadal/sdk";
import type { LeafMemory } from "../memory/leafMemory.js";

/** Everything one query takes from the pool of running queries; given back at once at its end. */
export class QueryMemory {
  readonly #extents: number[] = [];

  constructor(readonly leaf: LeafMemory) {}

  allocate(bytes: number): number {
    const address = this.leaf.queries.allocate(bytes);
    if (address === null) {
      throw new HadalError("query-memory", {
        neededBytes: bytes,
        limitName: "queryPoolBytes",
        freeBytes: this.leaf.queries.freeBytes,
      });
    }
    this.#extents.push(address);
    return address;
  }

  /** A zeroed bitmap of so many bits. */
  bitmap(bitCount: number): number {
    const bytes = Math.ceil(bitCount / 64) * 8;
    const address = this.allocate(bytes);
    this.leaf.bytes.fill(0, address, address + bytes);
    return address;
  }

  release(): void {
    for (const address of this.#extents) this.leaf.queries.release(address);
    this.#extents.length = 0;
  }
}
