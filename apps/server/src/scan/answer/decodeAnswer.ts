import type { ColumnType } from "@hadal/sdk";
import { timeColumn } from "@hadal/sdk";
import type {
  KeyColumn,
  PartialSample,
  PartialSide,
  SampleColumn,
} from "../../aggregate/partial/partialResult.js";
import { stringKeysOf } from "../../aggregate/partial/stringKeys.js";
import { decodeStrings, type EncodedStrings } from "../../base/bytes/stringList.js";
import { atOnce, StepMeter, type Steps } from "../../base/schedule/steps.js";
import { fitsInt64, printDecimal, rescale } from "../../column/decimal.js";
import { Dictionary } from "../../column/dictionary.js";
import { NearInts } from "../../column/nearInts.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { TextReader } from "../../column/textReader.js";
import { overflow } from "../../function/term/cell.js";
import type { ResolvedSample } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import {
  type CellReaders,
  DerivedCodes,
  DerivedInts,
  DerivedTexts,
} from "../derive/derivedColumn.js";
import type { LoweredComponent } from "../key/loweredComponent.js";
import type { LoweredQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { KeyAnswer, SampleAnswer, SideAnswer } from "../task/scanAnswer.js";
import { stringOfCell } from "../value/rowEvaluator.js";
import { valueOverflow } from "../value/valueOverflow.js";
import { noStrings } from "../value/virtualCodes.js";

/** Turns codes back into strings, a key a step. */
export function* decodeSideSteps(
  side: Omit<SideAnswer, "levelCounts" | "levelSlots" | "isRadix" | "isFilled">,
  components: readonly LoweredComponent[],
): Steps<PartialSide> {
  const decoded: DecodedKey[] = [];
  for (const [index, key] of side.keys.entries()) {
    decoded.push(decodeKey(key, components[index]!));
    yield;
  }
  return {
    groupCount: side.groupCount,
    keys: decoded.map(({ column }) => column),
    states: side.states,
    groupsCut: side.groupsCut,
    // No two groups of a scan have the same codes.
    keysDiffer: decoded.every(({ isDistinct }) => isDistinct),
    ...(side.cutRanks === undefined ? {} : { cutRanks: side.cutRanks }),
  };
}

/** The same in one step. */
export const decodeSide = (...of: Parameters<typeof decodeSideSteps>): PartialSide =>
  atOnce(decodeSideSteps(...of));

interface DecodedKey {
  readonly column: KeyColumn;
  /** Whether codes that differ have become values that differ. */
  readonly isDistinct: boolean;
}

function decodeKey(key: KeyAnswer, component: LoweredComponent): DecodedKey {
  if (key.kind !== "codes") return { column: key, isDistinct: true };
  const { task, dictionary, printedInts } = component;
  if (task.kind !== "codes") throw new Error("codes come of a component of another kind");
  // The dictionary may have grown since lowering: only the codes of that time count.
  const { firstVirtualCode } = task;
  const { codes, strings } = key;
  const hasVirtual = strings.lengths.length > 0;
  if (printedInts === null && (dictionary === null || dictionary instanceof Dictionary)) {
    const column = decodeCodes(codes, strings, dictionary, firstVirtualCode);
    // Text without a code may be one that has a code in other segments.
    return { column, isDistinct: !hasVirtual || dictionary === null };
  }
  const virtual = decodeStrings(strings.text, strings.lengths);
  const textOf = (code: number): string =>
    virtual[code - firstVirtualCode] ?? dictionary!.valueOf(code);
  if (printedInts !== null) {
    return { column: parseInts(codes, textOf, printedInts), isDistinct: false };
  }
  return decodeTexts(codes, textOf);
}

/** Values that are made to be read, such as lists: some of them may read alike. */
function decodeTexts(codes: Uint32Array, textOf: (code: number) => string): DecodedKey {
  const strings = new StringCodes();
  const localOf = new Map<number, number>([[0, -1]]);
  const locals = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    let local = localOf.get(code);
    if (local === undefined) {
      local = strings.codeOf(textOf(code));
      localOf.set(code, local);
    }
    locals[i] = local;
  }
  const column = { kind: "string", dictionary: strings.values, codes: locals } as const;
  return { column, isDistinct: strings.values.length === localOf.size - 1 };
}

/**
 * Slots of {@link decodeCodes} for each group: 4 bytes each are cleared faster than one code is
 * hashed.
 */
const slotsPerCode = 64;

/**
 * The strings of codes as bytes: those of the dictionary that are used, then those without a code.
 */
function decodeCodes(
  codes: Uint32Array,
  virtual: EncodedStrings,
  values: Dictionary | null,
  firstVirtualCode: number,
): KeyColumn {
  let most = 0;
  for (let i = 0; i < codes.length; i++) {
    if (codes[i]! > most && codes[i]! < firstVirtualCode) most = codes[i]!;
  }
  const isDense = most < codes.length * slotsPerCode + 4_096;
  const known = isDense ? new Int32Array(most + 1) : new Map<number, number>();
  const used: number[] = [];
  const locals = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code >= firstVirtualCode) {
      locals[i] = firstVirtualCode - code - 2;
      continue;
    }
    // Local code + 1; 0 and undefined are of none yet.
    let local = 0;
    if (code > 0) {
      local = (known instanceof Map ? known.get(code) : known[code]) ?? 0;
      if (local === 0) {
        local = used.push(code);
        if (known instanceof Map) known.set(code, local);
        else known[code] = local;
      }
    }
    locals[i] = local - 1;
  }
  if (virtual.lengths.length === 0) return stringKeysOf(encodeUsed(values, used), locals);
  // -2 and below: strings without a code, the first of which is -2.
  for (let i = 0; i < locals.length; i++) {
    if (locals[i]! < -1) locals[i] = used.length - 2 - locals[i]!;
  }
  const strings = used.length === 0 ? virtual : joinStrings(encodeUsed(values, used), virtual);
  return stringKeysOf(strings, locals);
}

const encodeUsed = (values: Dictionary | null, codes: readonly number[]): EncodedStrings =>
  codes.length === 0 ? noStrings : values!.encode(codes);

function joinStrings(a: EncodedStrings, b: EncodedStrings): EncodedStrings {
  const text = new Uint8Array(a.text.length + b.text.length);
  text.set(a.text);
  text.set(b.text, a.text.length);
  const lengths = new Uint32Array(a.lengths.length + b.lengths.length);
  lengths.set(a.lengths);
  lengths.set(b.lengths, a.lengths.length);
  return { text, lengths };
}

/**
 * Integers that were grouped by their text, and lower bounds of buckets; code 0 is the group of the
 * missing.
 */
function parseInts(codes: Uint32Array, textOf: (code: number) => string, name: string): KeyColumn {
  const values = new BigInt64Array(codes.length);
  const present = new Uint8Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    if (codes[i] === 0) continue;
    values[i] = checkedInt64(BigInt(textOf(codes[i]!)), name);
    present[i] = 1;
  }
  return { kind: "int", values, present };
}

/** Rows may have come before their column had decimals, and have no room for them. */
function checkedInt64(value: bigint, name: string): bigint {
  if (!fitsInt64(value)) throw valueOverflow(name);
  return value;
}

/** Numbers strings in order of arrival. */
class StringCodes {
  readonly values: string[] = [];
  readonly #codes = new Map<string, number>();

  codeOf(value: string): number {
    let code = this.#codes.get(value);
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.#codes.set(value, code);
    }
    return code;
  }
}

export interface SampleReading {
  readonly segments: LoweredQuery["segments"];
  /** The memory of the query, whose share the values count against. */
  readonly query: QueryMemory;
  readonly texts: TextReader;
}

/**
 * Reads the rows that a scan has found, column by column, in steps. Throws `query-memory` where
 * their values exceed the query's share of its pool.
 */
export function* decodeSampleSteps(
  sample: ResolvedSample,
  answer: SampleAnswer,
  { segments, query, texts }: SampleReading,
): Steps<PartialSample> {
  const reader = createColumnReader(query.leaf.memory);
  const room = new CountedRoom(query);
  room.take(answer.rows.length * cellBytes * (sample.columns.length + 2));
  const found = Array.from(answer.rows, (row, k) => ({
    row,
    segment: segments[answer.units[k]!]!,
  }));
  const readers = { columns: reader, texts };
  const columns: SampleColumn[] = [];
  for (const wanted of sample.columns) {
    columns.push(
      wanted.type !== "int"
        ? yield* readStrings(readers, { name: wanted.name, type: wanted.type }, found, room)
        : wanted.name === timeColumn
          ? readTimes(answer.times)
          : yield* readInts(readers, new NearInts(query.leaf.memory), wanted, found),
    );
  }
  const sides = new Uint8Array(found.length);
  return { rowCount: found.length, sides, times: answer.times, columns };
}

/** A value of eight bytes, and its presence. */
const cellBytes = 9;

/** Counts values outside the leaf's memory as if they were in it. */
class CountedRoom {
  #left = 0;

  readonly #query: QueryMemory;

  constructor(query: QueryMemory) {
    this.#query = query;
  }

  take(bytes: number): void {
    for (this.#left -= bytes; this.#left < 0; this.#left += roomBytes)
      this.#query.allocate(roomBytes);
  }
}

const roomBytes = 1_048_576;

/** Bytes of a string besides its characters, with its entry in the dictionary. */
const stringBytes = 64;

interface FoundRow {
  readonly row: number;
  readonly segment: SegmentView;
}

function readTimes(times: Float64Array): SampleColumn {
  const values = BigInt64Array.from(times, BigInt);
  return { kind: "int", values, present: new Uint8Array(times.length).fill(1) };
}

function* readInts(
  readers: CellReaders,
  ints: NearInts,
  { name, decimals }: { readonly name: string; readonly decimals: number },
  found: readonly FoundRow[],
): Steps<SampleColumn> {
  const values = new BigInt64Array(found.length);
  const present = new Uint8Array(found.length);
  const reader = readers.columns;
  const meter = new StepMeter();
  for (const [k, { row, segment }] of found.entries()) {
    if (meter.isFull(0)) yield;
    const column = segment.columns.get(name);
    if (column instanceof DerivedInts) {
      const cell = column.derived.cell(row, readers);
      if (cell === overflow) throw valueOverflow(name);
      if (typeof cell !== "bigint") continue;
      values[k] = cell;
      present[k] = 1;
      continue;
    }
    if (column?.kind !== "int" || !reader.isPresent(column.present, row)) continue;
    const stored = ints.read(column, row, segment.rowCount);
    values[k] = checkedInt64(rescale(stored, column.decimals, decimals), name);
    present[k] = 1;
  }
  return { kind: "int", values, present };
}

function* readStrings(
  readers: CellReaders,
  { name, type }: { readonly name: string; readonly type: Exclude<ColumnType, "int"> },
  found: readonly FoundRow[],
  room: CountedRoom,
): Steps<SampleColumn> {
  const strings = new StringCodes();
  const codes = new Int32Array(found.length);
  const meter = new StepMeter();
  for (const [k, place] of found.entries()) {
    const column = place.segment.columns.get(name);
    const value =
      column instanceof DerivedCodes || column instanceof DerivedTexts
        ? stringOfCell(column.derived.cell(place.row, readers), name)
        : readString(readers, column, type, place);
    const known = strings.values.length;
    codes[k] = value === null ? -1 : strings.codeOf(value);
    // Twice: as text here, and as bytes on the way to the root.
    if (strings.values.length > known) room.take(2 * value!.length + stringBytes);
    if (meter.isFull(value?.length ?? 0)) yield;
  }
  return { kind: "coded", dictionary: strings.values, codes };
}

/** The value as the wanted type; a narrower stored type is widened. */
function readString(
  { columns: reader, texts }: CellReaders,
  column: SegmentColumn | undefined,
  wanted: Exclude<ColumnType, "int">,
  { row, segment: { rowCount } }: FoundRow,
): string | null {
  if (column === undefined) return null;
  if (column.kind === "coded") {
    const code = reader.storedCode(column, row, rowCount);
    if (code === 0) return null;
    const value = column.dictionary.valueOf(code);
    return column.type === "string" ? asList(value, wanted) : value;
  }
  if (!reader.isPresent(column.present, row)) return null;
  return asList(
    column.kind === "text"
      ? texts.text(column, row)
      : printDecimal(reader.storedInt(column, row, rowCount), column.decimals),
    wanted,
  );
}

function asList(value: string, wanted: Exclude<ColumnType, "int">): string {
  return wanted === "string" ? value : JSON.stringify([value]);
}
