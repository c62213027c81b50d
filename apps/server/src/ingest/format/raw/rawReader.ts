import { startsEvent } from "../../../base/format/raw/lineEvents.js";
import {
  LineNumber,
  type LinePattern,
  type LineValues,
} from "../../../base/format/raw/lineValues.js";
import type { Steps } from "../../../base/schedule/steps.js";
import { MarkedTextDecoder, notUtf8 } from "../../row/markedText.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { NumberText } from "../../value/numberText.js";
import { quote, RowRejected } from "../../value/rowRejected.js";
import { lineTime } from "./lineTime.js";

/** Lines read in one step: some take 20 µs. */
const stepLines = 32;

/** An event whose next line may follow. */
interface OpenEvent {
  readonly line: number;
  readonly first: string;
  readonly more: string[];
  units: number;
}

/** Reads raw lines by a pattern: each is a row, or belongs to the row before. */
export class RawReader implements RowReader {
  readonly #collector: RowCollector;
  readonly #pattern: LinePattern;
  readonly #timeName: string;
  readonly #nowMs: number;
  readonly #decoder = new MarkedTextDecoder();
  /** The start of a line whose end has not come. */
  #rest: string[] = [];
  #restUnits = 0;
  #line = 0;
  #event: OpenEvent | null = null;

  constructor(collector: RowCollector, pattern: LinePattern, timeName: string) {
    this.#collector = collector;
    this.#pattern = pattern;
    this.#timeName = timeName;
    this.#nowMs = collector.timeRule.receivedMs ?? Date.now();
  }

  push(bytes: Uint8Array): Steps<void> {
    return this.#take(this.#decoder.push(bytes));
  }

  *end(): Steps<void> {
    yield* this.#take(this.#decoder.end());
    if (this.#restUnits > 0) this.#takeLine(this.#takeRest(""));
    this.#endEvent();
  }

  *#take(text: string): Steps<void> {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#takeLine(this.#takeRest(text.slice(from, end)));
      from = end + 1;
      if (this.#line % stepLines === 0) yield;
    }
    const rest = from === 0 ? text : text.slice(from);
    // Of a line that is too long, more than its length does not matter.
    if (rest !== "" && this.#restUnits <= rowBytesMax) this.#rest.push(rest);
    this.#restUnits += rest.length;
  }

  #takeRest(end: string): string {
    const text = this.#restUnits === 0 ? end : [...this.#rest, end].join("");
    this.#rest = [];
    this.#restUnits = 0;
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  #takeLine(text: string): void {
    const line = ++this.#line;
    const event = this.#event;
    const isBlank = text.trim() === "";
    // A blank line is nothing, except within an event.
    if (isBlank && (event === null || this.#pattern.multiline !== "unmatched")) return;
    if (event !== null && (isBlank || !startsEvent(this.#pattern, text))) {
      event.units += text.length + 1;
      if (event.units <= rowBytesMax) event.more.push(text);
      return;
    }
    this.#endEvent();
    this.#event = { line, first: text, more: [], units: text.length };
  }

  #endEvent(): void {
    const event = this.#event;
    this.#event = null;
    if (event === null) return;
    try {
      this.#collector.add(this.#rowOf(event), event.line);
    } catch (error) {
      this.#collector.refuse(error, event.line);
    }
  }

  #rowOf({ first, more, units }: OpenEvent): object {
    if (units > rowBytesMax) throw new RowRejected("row-too-long", rowTooLong);
    if (first.includes(notUtf8) || more.some((line) => line.includes(notUtf8)))
      throw new RowRejected("invalid-unicode", "The line is not UTF-8.");
    const values = this.#match(first);
    while (more.at(-1)?.trim() === "") more.pop();
    if (more.length > 0) values.set("message", [textOf(values.get("message")), ...more].join("\n"));
    return this.#row(values);
  }

  #match(line: string): LineValues {
    const { lineUnitsMax } = this.#pattern;
    if (line.length > lineUnitsMax)
      throw new RowRejected(
        "row-too-long",
        `The line has ${line.length} characters; a pattern of your own reads at most ${lineUnitsMax}.`,
      );
    const values = this.#pattern.match(line);
    if (values !== null) return values;
    throw new RowRejected("line-unmatched", `The pattern does not match the line: ${quote(line)}.`);
  }

  #row(values: LineValues): object {
    const row: Record<string, unknown> = Object.create(null);
    for (const [name, value] of values) {
      if (name === this.#timeName) row[name] = lineTime(value, this.#nowMs);
      else row[name] = value instanceof LineNumber ? new NumberText(value.text) : value;
    }
    if (this.#pattern.mayLackTime && !values.has(this.#timeName)) row[this.#timeName] = this.#nowMs;
    return row;
  }
}

const textOf = (value: string | LineNumber | undefined): string =>
  value instanceof LineNumber ? value.text : (value ?? "");
