import { HadalError } from "@hadal/sdk";
import { type Extents, extentBytes } from "../../memory/extents.js";

/** Where a seal stood: what was taken since can be given back. */
export interface ScratchMark {
  readonly pieces: number;
  readonly at: number;
}

interface Piece {
  readonly address: number;
  readonly end: number;
}

/**
 * What sealing takes and gives back, dozens of times for a segment: it is cut from one piece, which the leaf's memory keeps
 * as one. What does not fit that has a piece of its own.
 */
export class SealScratch {
  readonly #pieces: Piece[] = [];
  /** What is left of the last piece begins here. */
  #at = 0;
  readonly #store: Extents;

  constructor(store: Extents, bytes: number) {
    this.#store = store;
    this.#add(bytes);
  }

  take(bytes: number): number {
    const wanted = extentBytes(bytes);
    if (this.#at + wanted > this.#pieces.at(-1)!.end) this.#add(bytes);
    const address = this.#at;
    this.#at += wanted;
    return address;
  }

  mark(): ScratchMark {
    return { pieces: this.#pieces.length, at: this.#at };
  }

  /** What was taken last stays in the processor's caches for what is taken next. */
  giveBack({ pieces, at }: ScratchMark): void {
    for (const { address } of this.#pieces.splice(pieces)) this.#store.release(address);
    this.#at = at;
  }

  close(): void {
    this.giveBack({ pieces: 0, at: 0 });
  }

  #add(bytes: number): void {
    const address = this.#store.allocate(bytes);
    if (address === null) throw noRoomToSeal(bytes, this.#store);
    this.#pieces.push({ address, end: address + this.#store.bytesOf(address) });
    this.#at = address;
  }
}

/** There was room when it began, and others took it between two steps. */
export function noRoomToSeal(bytes: number, { freeBytes }: Extents): HadalError {
  const detail = `${bytes} bytes are wanted to seal rows, ${freeBytes} are free`;
  return new HadalError("storage-full", { leaf: "", detail });
}
