import type { Steps } from "../../../base/schedule/steps.js";
import { MarkedTextDecoder, notUtf8 } from "../../row/markedText.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { NumberText } from "../../value/numberText.js";
import { quote, RowRejected } from "../../value/rowRejected.js";

const stepLines = 64;
const countAtEnd = /^(.*\S)\s+(\d{1,19})$/s;

/** Reads folded stacks, `main;render;paint 42` a line: the frames from the root on, and a count. */
export class FoldedReader implements RowReader {
  readonly #collector: RowCollector;
  readonly #timeName: string;
  readonly #atMs: number;
  readonly #decoder = new MarkedTextDecoder();
  #rest = "";
  #line = 0;

  constructor(collector: RowCollector, timeName: string, atMs: number) {
    this.#collector = collector;
    this.#timeName = timeName;
    this.#atMs = atMs;
  }

  push(bytes: Uint8Array): Steps<void> {
    return this.#take(this.#decoder.push(bytes));
  }

  *end(): Steps<void> {
    yield* this.#take(`${this.#decoder.end()}\n`);
  }

  *#take(text: string): Steps<void> {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#takeLine(this.#rest + text.slice(from, end));
      this.#rest = "";
      from = end + 1;
      if (this.#line % stepLines === 0) yield;
    }
    // Of a line that is too long, more than that does not matter.
    if (this.#rest.length <= rowBytesMax) this.#rest += text.slice(from);
  }

  #takeLine(text: string): void {
    const line = ++this.#line;
    if (text.trim() === "") return;
    try {
      this.#collector.add(this.#rowOf(text), line);
    } catch (error) {
      this.#collector.refuse(error, line);
    }
  }

  #rowOf(text: string): object {
    if (text.length > rowBytesMax) throw new RowRejected("row-too-long", rowTooLong);
    if (text.includes(notUtf8)) throw new RowRejected("invalid-unicode", "The line is not UTF-8.");
    const [, frames, count] = countAtEnd.exec(text.trimEnd()) ?? [];
    if (frames === undefined || count === undefined) {
      const detail = `${quote(text)} is no folded stack: frames separated by semicolons, a space, and a whole number.`;
      throw new RowRejected("line-unmatched", detail);
    }
    return {
      [this.#timeName]: this.#atMs,
      stack: frames.split(";"),
      value: new NumberText(count),
    };
  }
}
