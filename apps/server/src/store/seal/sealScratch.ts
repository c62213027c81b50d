import { HadalError } from "@hadal/sdk";
import { type Extents, extentBytes } from "../../memory/extents.js";

/** A position in the scratch: what was taken since can be given back. */
export interface ScratchMark {
  readonly pieces: number;
  readonly at: number;
}

interface Piece {
  readonly address: number;
  readonly end: number;
}

/**
 * Scratch memory of a seal, which takes and gives back memory dozens of times: it is cut from one
 * piece. What does not fit has a separate piece.
 */
export class SealScratch {
  readonly #pieces: Piece[] = [];
  /** The free rest of the last piece begins here. */
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

  /** The next step gets the memory of the last one, which is still in the processor's caches. */
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

/** There was room when sealing began; others took it between two steps. */
export function noRoomToSeal(bytes: number, { freeBytes }: Extents): HadalError {
  const detail = `${bytes} bytes are wanted to seal rows, ${freeBytes} are free`;
  return new HadalError("storage-full", { leaf: "", detail });
}
