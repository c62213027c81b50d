import type { Needle, Values } from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import { fitsInt64, rescale } from "../../column/decimal.js";
import type { DictionaryInts } from "../../column/encodedInts.js";
import type {
  CodedColumn,
  IntColumn,
  SegmentColumn,
  TextColumn,
} from "../../column/segmentColumn.js";
import type { ResolvedFilter } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { DecodedView } from "../derive/decodedView.js";
import { EvaluatedTexts } from "../derive/derivedColumn.js";
import { printedSource } from "../derive/stringSource.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { parsePattern } from "../pattern/pattern.js";
import { type Literal, type RequiredLiteral, requiredLiteral } from "../pattern/patternLiteral.js";
import type { SegmentFilter } from "../task/scanTask.js";
import { CodeBitmaps } from "./codeBitmaps.js";
import { type CodedCondition, isOnLists, testOf } from "./codedCondition.js";
import { allOf, anyOf, every, none, otherwise } from "./filterLogic.js";
import { codesWithin } from "./tableCodes.js";

/** Each value is one search; more values are tested row by row. */
const searchedValuesMax = 8;

type Condition = Exclude<ResolvedFilter, { kind: "all" | "any" | "otherwise" }>;
type IntCondition = Extract<ResolvedFilter, { kind: "range" | "ints" }>;

/**
 * Turns a query's filter into one for each segment. Predicates on dictionaries run once per
 * distinct value and query.
 */
export class FilterLowering {
  readonly #memory: QueryMemory;
  readonly #bitmaps: CodeBitmaps;
  readonly #needles = new Map<string, Needle>();
  /** The literal that a text must contain to match a pattern. */
  readonly #literals = new Map<string, RequiredLiteral | null>();

  constructor(memory: QueryMemory) {
    this.#memory = memory;
    this.#bitmaps = new CodeBitmaps(memory);
  }

  /** Writes the bitmaps of the lowered filters; no filter may run before. */
  fill(): Steps<void> {
    return this.#bitmaps.fill();
  }

  lower(filter: ResolvedFilter, segment: DecodedView): SegmentFilter {
    if (filter.kind === "otherwise") return otherwise(this.lower(filter.filter, segment));
    if (filter.kind !== "all" && filter.kind !== "any")
      return this.#lowerCondition(filter, segment);
    const parts = filter.filters.map((part) => this.lower(part, segment));
    return filter.kind === "all" ? allOf(parts) : anyOf(parts);
  }

  #lowerCondition(condition: Condition, segment: DecodedView): SegmentFilter {
    if (condition.column === timeColumn) return lowerTime(condition, segment);
    const column = segment.columns.get(condition.column);
    const filter = this.#lowerKnown(condition, column, segment);
    // Who tests strings that are made row by row finds out which cannot be made.
    const overflown =
      filter.op === "test" && filter.overflown !== 0
        ? filter.overflown
        : segment.overflownOf(condition.column);
    return overflown === 0 ? filter : { op: "derived", filter, overflown };
  }

  #lowerKnown(
    condition: Condition,
    column: SegmentColumn | undefined,
    segment: DecodedView,
  ): SegmentFilter {
    if (condition.kind === "present")
      return condition.negated ? lowerMissing(column) : lowerPresence(column);
    if (column === undefined) return none;
    if (condition.kind === "range" || condition.kind === "ints") {
      if (column.kind !== "int") return none;
      return lowerInts(condition, column, this.#tableOf(condition.column, segment));
    }
    return this.#lowerCoded(condition, column);
  }

  #tableOf(name: string, segment: DecodedView): CodeTable | null {
    const encoded = segment.codesOf(name);
    if (encoded === null) return null;
    return { encoded, view: new DataView(this.#memory.leaf.memory.buffer) };
  }

  #lowerCoded(condition: CodedCondition, column: SegmentColumn): SegmentFilter {
    const { negated } = condition;
    if (column.kind === "coded") return this.#lowerCodes(condition, column);
    if (column.kind === "text") return this.#lowerText(condition, column);
    const source = printedSource(column);
    const test = testOf(condition);
    return { op: "test", source, test, candidates: null, overflown: 0, negated };
  }

  /**
   * The kernel searches all texts; only rows with the literal of a pattern, or of an equal text,
   * are read one by one.
   */
  #lowerText(condition: CodedCondition, column: TextColumn): SegmentFilter {
    const { negated } = condition;
    if (column instanceof EvaluatedTexts) {
      return {
        op: "test",
        source: column.source,
        test: testOf(condition),
        candidates: null,
        overflown: column.overflown,
        negated,
      };
    }
    if (condition.kind === "contains") {
      if (condition.needle === "") return negated ? none : lowerPresence(column);
      return this.#contains(column, { text: condition.needle, fold: false }, { negated });
    }
    const literal = condition.kind === "match" ? this.#literalOf(condition.pattern) : null;
    if (literal?.isWhole === true) return this.#contains(column, literal, { negated });
    const candidates =
      literal === null ? this.#candidates(condition, column) : this.#contains(column, literal);
    const test = testOf(condition);
    return { op: "test", source: column, test, candidates, overflown: 0, negated };
  }

  #literalOf(text: string): RequiredLiteral | null {
    let literal = this.#literals.get(text);
    if (literal === undefined) {
      const pattern = parsePattern(text);
      literal = pattern === null ? null : requiredLiteral(pattern);
      this.#literals.set(text, literal);
    }
    return literal;
  }

  #candidates(condition: CodedCondition, column: TextColumn): SegmentFilter | null {
    if (condition.kind !== "strings" || condition.values.length > searchedValuesMax) return null;
    if (condition.values.includes("")) return null;
    return anyOf(condition.values.map((text) => this.#contains(column, { text, fold: false })));
  }

  #contains(text: TextColumn, literal: Literal, { negated } = { negated: false }): SegmentFilter {
    return { op: "contains", text, needle: this.#needle(literal), negated };
  }

  #lowerCodes(condition: CodedCondition, column: CodedColumn): SegmentFilter {
    // Types only widen: a string condition means that no leaf has lists in this column.
    if (column.type !== "string" && !isOnLists(condition)) return none;
    const { bitmap, codeCount } = this.#bitmaps.bitmapOf(condition, column.dictionary);
    return { op: "codes", values: column.values, bitmap, codeCount };
  }

  #needle({ text, fold }: Literal): Needle {
    const key = `${fold ? "any" : "this"} case: ${text}`;
    let found = this.#needles.get(key);
    if (found === undefined) {
      const bytes = Buffer.from(text, "utf8");
      const address = this.#memory.allocate(bytes.length);
      this.#memory.leaf.bytes.set(bytes, address);
      found = { address, bytes: bytes.length, fold };
      this.#needles.set(key, found);
    }
    return found;
  }
}

/** The rows that have a value. */
function lowerPresence(column: SegmentColumn | undefined): SegmentFilter {
  if (column === undefined) return none;
  if (column.kind === "coded") return codesBetween(column, 1n, 0xffff_ffffn);
  return column.present === 0 ? every : { op: "bitmap", bitmap: column.present, negated: false };
}

/** The rows without a value. */
function lowerMissing(column: SegmentColumn | undefined): SegmentFilter {
  if (column === undefined) return every;
  if (column.kind === "coded") return codesBetween(column, 0n, 0n);
  return column.present === 0 ? none : { op: "bitmap", bitmap: column.present, negated: true };
}

const codesBetween = ({ values }: CodedColumn, low: bigint, high: bigint): SegmentFilter => ({
  ...{ op: "range", values, low, high, present: 0, negated: false },
});

/** Every row has a time, so presence is known and the zone map is the segment's own. */
function lowerTime(condition: Condition, segment: SegmentView): SegmentFilter {
  if (condition.kind === "present") return condition.negated ? none : every;
  if (condition.kind !== "range" && condition.kind !== "ints") return none;
  const column: IntColumn = {
    kind: "int",
    decimals: 0,
    values: segment.times,
    base: segment.timeBase,
    encoded: null,
    present: 0,
    min: BigInt(segment.minMs),
    max: BigInt(segment.maxMs),
  };
  return lowerInts(condition, column, null);
}

/** The table encoding of an integer column. */
interface CodeTable {
  readonly encoded: DictionaryInts;
  readonly view: DataView;
}

function lowerInts(
  condition: IntCondition,
  column: IntColumn,
  table: CodeTable | null,
): SegmentFilter {
  if (column.decimals !== condition.decimals) return lowerRescaled(condition, column, table);
  const { base, present } = column;
  const { negated } = condition;
  const nowhere = (): SegmentFilter => (negated ? lowerPresence(column) : none);
  if (condition.kind === "ints") {
    const offsets = condition.values
      .map(BigInt)
      .filter((value) => value >= column.min && value <= column.max)
      .map((value) => value - base);
    const wanted = table === null ? offsets : offsets.flatMap((value) => codeIn(table, value));
    // By the zone map or the table, no row has any of them.
    if (wanted.length === 0) return nowhere();
    return { op: "ints", values: table?.encoded.codes ?? column.values, wanted, present, negated };
  }
  const low = BigInt(condition.low);
  const high = BigInt(condition.high);
  const outside = low > high || low > column.max || high < column.min;
  const inside = low <= column.min && high >= column.max;
  // By the zone map no row matches, or every row with a value.
  if (outside || inside) {
    return outside === negated ? lowerPresence(column) : none;
  }
  // A bound beyond all values may also be beyond 64 bits.
  const from = (low > column.min ? low : column.min) - base;
  const to = (high < column.max ? high : column.max) - base;
  if (table !== null) {
    const { first, last } = codesWithin(table.encoded, table.view, from, to);
    if (first > last) return nowhere();
    const { codes } = table.encoded;
    const bounds = { low: BigInt(first), high: BigInt(last) };
    return { op: "range", values: codes, present, negated, ...bounds };
  }
  const { values } = column;
  const bounds = clampToWidth(from, to, values);
  return { op: "range", values, present, negated, ...bounds };
}

/** The code of a value; nothing when the table lacks it. */
function codeIn({ encoded, view }: CodeTable, value: bigint): bigint[] {
  const { first, last } = codesWithin(encoded, view, value, value);
  return first > last ? [] : [BigInt(first)];
}

/** Narrow values are unsigned offsets: bounds outside their range move to its edge. */
function clampToWidth(low: bigint, high: bigint, { width }: Values): { low: bigint; high: bigint } {
  if (width === 8) return { low, high };
  const max = (1n << BigInt(width * 8)) - 1n;
  return { low: low < 0n ? 0n : low, high: high > max ? max : high };
}

/**
 * The segment's values have fewer decimals than the query's bounds: bounds move to the values'
 * scale, inward.
 */
function lowerRescaled(
  condition: IntCondition,
  column: IntColumn,
  table: CodeTable | null,
): SegmentFilter {
  const { decimals } = column;
  if (decimals > condition.decimals) {
    // Values truncate to the query's scale when they are read; a bound there covers all that
    // truncate to it.
    const factor = 10n ** BigInt(decimals - condition.decimals);
    const spread = (text: string): readonly [bigint, bigint] => {
      const value = BigInt(text);
      const rest = factor - 1n;
      return [
        value * factor - (value <= 0n ? rest : 0n),
        value * factor + (value >= 0n ? rest : 0n),
      ];
    };
    if (condition.kind === "ints") {
      const ranges = condition.values.map((value) => spread(value));
      return lowerRanges(ranges, condition, column, table);
    }
    const range = [spread(condition.low)[0], spread(condition.high)[1]] as const;
    return lowerRanges([range], condition, column, table);
  }
  const factor = 10n ** BigInt(condition.decimals - decimals);
  if (condition.kind === "ints") {
    const whole = condition.values.map(BigInt).filter((value) => value % factor === 0n);
    const values = whole.map((value) => rescale(value, condition.decimals, decimals).toString());
    return lowerInts({ ...condition, decimals, values }, column, table);
  }
  const low = ceilDivide(BigInt(condition.low), factor);
  const high = -ceilDivide(-BigInt(condition.high), factor);
  return lowerRanges([[low, high]], condition, column, table);
}

function lowerRanges(
  ranges: readonly (readonly [bigint, bigint])[],
  condition: IntCondition,
  column: IntColumn,
  table: CodeTable | null,
): SegmentFilter {
  const parts = ranges.map(([low, high]) =>
    lowerInts(
      {
        kind: "range",
        column: condition.column,
        decimals: column.decimals,
        low: clampInt64(low).toString(),
        high: clampInt64(high).toString(),
        negated: condition.negated,
      },
      column,
      table,
    ),
  );
  return condition.negated ? allOf(parts) : anyOf(parts);
}

function clampInt64(value: bigint): bigint {
  if (fitsInt64(value)) return value;
  return value < 0n ? -(2n ** 63n) : 2n ** 63n - 1n;
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return value > 0n ? (value + by - 1n) / by : value / by;
}
