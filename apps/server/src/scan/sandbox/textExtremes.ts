import type { RowSet } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { beatsText } from "../../aggregate/state/textState.js";
import { printDecimal } from "../../column/decimal.js";
import { type ColumnReader, createColumnReader } from "../../column/readColumn.js";
import type { CodedColumn, SegmentColumn } from "../../column/segmentColumn.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { stringSourceOf } from "../derive/stringSource.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { DecodeContext } from "../value/decodeColumns.js";
import type { StringReader } from "../value/stringReader.js";
import { PlainInputs } from "./plainInputs.js";
import type { RowAggregator } from "./rowAggregator.js";

/** Groups whose texts one leaf keeps: as many as it sends at most. */
const textGroupsMax = 500_000;

/** The extremes of one side's groups in the present round. */
interface SideTexts {
  readonly texts: (string | undefined)[];
  /** The code of each group's text in the present dictionary; 0: it has none there. */
  codes: number[];
}

/** The smallest (largest) texts of one query on one leaf, found on its main thread. */
export class TextExtremes implements RowAggregator {
  readonly #reader: ColumnReader;
  readonly #inputs: PlainInputs;
  #sides = new Map<number, SideTexts>();
  #groupCount = 0;
  #dictionary: CodedColumn["dictionary"] | null = null;
  /** The text of each of its codes that was met. */
  #known: (string | undefined)[] = [];

  readonly #spec: Extract<StateSpec, { kind: "text" }>;
  readonly #reading: DecodeContext;
  readonly #strings: StringReader;

  constructor(
    spec: Extract<StateSpec, { kind: "text" }>,
    readonly stateIndex: number,
    reading: DecodeContext,
    strings: StringReader,
  ) {
    this.#spec = spec;
    this.#reading = reading;
    this.#strings = strings;
    this.#reader = createColumnReader(reading.memory);
    this.#inputs = new PlainInputs(reading, (view) => [view.columns.get(spec.column)]);
  }

  begin(memory: QueryMemory): void {
    this.#sides = new Map();
    this.#groupCount = 0;
    this.#inputs.begin(memory);
  }

  /** Rows with their groups (0: one has all). Nothing of it takes long enough to wait for. */
  update(side: number, segment: SegmentView, rows: RowSet, groups: number): Promise<unknown>[] {
    const { buffer } = this.#reading.memory;
    const listed = new Uint32Array(buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
    const numbers = new Uint32Array(buffer, groups, groups === 0 ? 0 : rows.count);
    const [column] = this.#inputs.columns(segment);
    if (column === undefined) return [];
    const own = Uint32Array.from({ length: rows.count }, (_, i) =>
      rows.rows === 0 ? rows.start + i : listed[i]!,
    );
    this.#inputs.refuseOverflown(own);
    const groupOf = (i: number): number => (groups === 0 ? 0 : numbers[i]!);
    const texts = this.#textsOf(side);
    if (column.kind === "coded") this.#addCodes(texts, column, own, groupOf);
    else {
      for (let i = 0; i < own.length; i++) {
        const text = this.#read(column, own[i]!);
        if (text !== null) this.#offer(texts, groupOf(i), text);
      }
    }
    return [];
  }

  async take(columns: readonly StateColumn[]): Promise<readonly StateColumn[]> {
    return columns.map((column, side): StateColumn => {
      if (column.kind !== "function") throw new Error("groups come as their numbers");
      const { texts } = this.#textsOf(side);
      const values = column.states.map(([group = ""]) => texts[Number(group)] ?? null);
      return { kind: "texts", values };
    });
  }

  #textsOf(side: number): SideTexts {
    let texts = this.#sides.get(side);
    if (texts === undefined) {
      texts = { texts: [], codes: [] };
      this.#sides.set(side, texts);
    }
    return texts;
  }

  #addCodes(
    texts: SideTexts,
    column: CodedColumn,
    rows: Uint32Array,
    groupOf: (i: number) => number,
  ): void {
    const { dictionary, values } = column;
    if (dictionary !== this.#dictionary) {
      this.#dictionary = dictionary;
      this.#known = [];
      for (const one of this.#sides.values()) one.codes = [];
    }
    for (let i = 0; i < rows.length; i++) {
      const code = this.#reader.code(values, rows[i]!);
      const group = groupOf(i);
      if (code === 0 || texts.codes[group] === code) continue;
      let text = this.#known[code];
      if (text === undefined) {
        text = dictionary.valueOf(code);
        this.#known[code] = text;
      }
      if (this.#offer(texts, group, text)) texts.codes[group] = code;
    }
  }

  /** Whether it is the group's best now. */
  #offer({ texts, codes }: SideTexts, group: number, text: string): boolean {
    const best = texts[group];
    if (best !== undefined && !beatsText(this.#spec.which, text, best)) return false;
    if (best === undefined) this.#countGroup();
    texts[group] = text;
    codes[group] = 0;
    return true;
  }

  #countGroup(): void {
    this.#groupCount += 1;
    if (this.#groupCount <= textGroupsMax) return;
    throw new HadalError("too-many-groups", { max: textGroupsMax });
  }

  /** A column that stored strings only lately has texts, and integers from before. */
  #read(column: Exclude<SegmentColumn, { kind: "coded" }>, row: number): string | null {
    if (column.kind === "text") return this.#strings.read(stringSourceOf(column), row);
    if (!this.#reader.isPresent(column.present, row)) return null;
    return printDecimal(this.#reader.int(column, row), column.decimals);
  }
}
