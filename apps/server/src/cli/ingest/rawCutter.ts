import { HadalError } from "@hadal/sdk";
import { lastEventStart } from "../../base/format/raw/lineEvents.js";
import type { LinePattern } from "../../base/format/raw/lineValues.js";
import { type BodyCutter, bodyBytesTarget, type CutBody, recordBytesMax } from "./bodyCutter.js";

/** Cuts raw lines between two events: the lines of one are sent together. */
export class RawCutter implements BodyCutter {
  readonly #pattern: LinePattern;
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;
  /** Held bytes at which the next cut is tried: an event may be longer than a body. */
  #nextCut = bodyBytesTarget;
  #firstLine = 1;

  constructor(pattern: LinePattern) {
    this.#pattern = pattern;
  }

  *push(bytes: Uint8Array): Generator<CutBody> {
    this.#pieces.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes < this.#nextCut) return;
    yield* this.takeWholeRecords();
    this.#nextCut = bodyBytesTarget + 2 * this.#heldBytes;
    if (this.#heldBytes <= recordBytesMax) return;
    throw new HadalError("body-undecodable", {
      detail: `The event that begins at line ${this.#firstLine} is longer than ${recordBytesMax} bytes (recordBytesMax).`,
    });
  }

  *takeWholeRecords(): Generator<CutBody> {
    const held = Buffer.concat(this.#pieces);
    yield* this.#cut(held, lastEventStart(this.#pattern, held));
  }

  *finish(): Generator<CutBody> {
    const held = Buffer.concat(this.#pieces);
    yield* this.#cut(held, held.length);
  }

  *#cut(held: Buffer, end: number): Generator<CutBody> {
    const bytes = held.subarray(0, end);
    const rest = held.subarray(end);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#heldBytes = rest.length;
    if (bytes.length === 0) return;
    const before = this.#firstLine - 1;
    const rows = countLines(bytes);
    this.#firstLine += rows;
    yield { bytes, rows, fileLine: (line) => before + line };
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return bytes.at(-1) === 10 ? count : count + 1;
}
