import { decodePackedSections, packSteps } from "../../base/bytes/packedSections.js";
import type { SectionArray, SectionReader } from "../../base/bytes/sections.js";
import { decodeStrings, type EncodedStrings, encodeStrings } from "../../base/bytes/stringList.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import { branchQuery } from "../../plan/query/branchQuery.js";
import type { ResolvedQuery, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type {
  KeyColumn,
  PartialResult,
  PartialSample,
  PartialSide,
  SampleColumn,
} from "../partial/partialResult.js";
import { stringKeysOf } from "../partial/stringKeys.js";
import { expectCount, type StateHead } from "../state/stateKind.js";
import { stateKindOf } from "../state/stateKinds.js";

/** "HDP2" */
const magic = 0x32504448;

// Lists, not objects: to read the names of properties takes a short answer longer than all else.
type SideHead = readonly [
  groupCount: number,
  groupsCut: number,
  keys: readonly KeyColumn["kind"][],
  /** By its kind alone where there is no more to say of it. */
  states: readonly (StateHead | StateHead["kind"])[],
  keysDiffer: boolean,
  hasCutRanks: boolean,
  /** Left out by leaves. */
  hasUnsentMax?: boolean,
];

type SampleHead = readonly [rowCount: number, columns: readonly SampleColumn["kind"][]];

type PartialHead = readonly [
  sides: readonly SideHead[],
  sample: SampleHead | null,
  /** Whether each branch is there: as one section, a partial result of its own. */
  branches: readonly boolean[] | null,
  grows: boolean,
];

/** In one step, see {@link encodePartialSteps}. */
export const encodePartialResult = (partial: PartialResult, resolved: ResolvedQuery): Uint8Array =>
  atOnce(encodePartialSteps(partial, resolved));

/** A JSON head that names every column, then the columns as raw typed arrays. A column is a step: there may be millions of groups. */
export function* encodePartialSteps(
  partial: PartialResult,
  resolved: ResolvedQuery,
): Steps<Uint8Array> {
  const sections: SectionArray[] = [];
  const sides: SideHead[] = [];
  for (const side of partial.sides) sides.push(yield* encodeSide(side, resolved, sections));
  const { sample } = partial;
  if (sample !== null) {
    sections.push(sample.sides, sample.times);
    for (const column of sample.columns) sections.push(...encodeSampleColumn(column));
  }
  const branches: boolean[] = [];
  for (const [i, part] of (partial.branches ?? []).entries()) {
    branches.push(part !== null);
    if (part === null) continue;
    sections.push(yield* encodePartialSteps(part, branchQuery(resolved, resolved.branches![i]!)));
  }
  const head: PartialHead = [
    sides,
    sample && [sample.rowCount, sample.columns.map(({ kind }) => kind)],
    partial.branches === undefined ? null : branches,
    partial.grows === true,
  ];
  return yield* packSteps(magic, head, sections);
}

function* encodeSide(
  { keys, states, groupCount, groupsCut, cutRanks, unsentMax, keysDiffer }: PartialSide,
  resolved: ResolvedQuery,
  sections: SectionArray[],
): Steps<SideHead> {
  for (const key of keys) {
    sections.push(...encodeKeys(key));
    yield;
  }
  const heads: (StateHead | StateHead["kind"])[] = [];
  for (const [i, column] of states.entries()) {
    const encoded = stateKindOf(resolved.states[i]!).encode(column);
    for (const section of encoded.sections) sections.push(section);
    heads.push(printStateHead(encoded.head));
    yield;
  }
  const kinds = keys.map(({ kind }) => kind);
  if (cutRanks !== undefined) sections.push(cutRanks);
  const head = [groupCount, groupsCut, kinds, heads, keysDiffer === true] as const;
  if (unsentMax === undefined) return [...head, cutRanks !== undefined];
  sections.push(Float64Array.of(unsentMax));
  return [...head, cutRanks !== undefined, true];
}

function printStateHead(head: StateHead): StateHead | StateHead["kind"] {
  for (const name in head) if (name !== "kind") return head;
  return head.kind;
}

/** Throws when the bytes are no partial result of this query, or their parts do not fit together. */
export function decodePartialResult(bytes: Uint8Array, resolved: ResolvedQuery): PartialResult {
  const reader = decodePackedSections<PartialHead>(magic, bytes);
  const [sideHeads, sampleHead, branchHeads, grows] = reader.head;
  expectCount("sides", sideHeads.length, resolved.sample === null ? resolved.sides.length : 0);
  const sides = sideHeads.map((side, i) => decodeSide(side, reader, resolved, resolved.sides[i]!));
  const sample = sampleHead === null ? null : decodeSample(sampleHead, reader, resolved);
  const partial = grows ? { sides, sample, grows } : { sides, sample };
  if (resolved.branches === undefined) return partial;
  const present = branchHeads ?? [];
  expectCount("branches", present.length, resolved.branches.length);
  const branches = resolved.branches.map((branch, i) =>
    present[i] ? decodePartialResult(reader.bytes(), branchQuery(resolved, branch)) : null,
  );
  return { ...partial, branches };
}

function decodeSide(
  [groupCount, groupsCut, keyKinds, stateHeads, keysDiffer, hasCutRanks, hasUnsentMax]: SideHead,
  reader: SectionReader<PartialHead>,
  resolved: ResolvedQuery,
  { buckets }: ResolvedSide,
): PartialSide {
  expectCount("keys", keyKinds.length, resolved.groupBy.length);
  expectCount("states", stateHeads.length, resolved.states.length);
  const keys = keyKinds.map((kind) => decodeKeys(kind, reader, groupCount));
  const states = stateHeads.map((head, i) => {
    const stateHead = typeof head === "string" ? { kind: head } : head;
    const kind = stateKindOf(resolved.states[i]!);
    const column = kind.decode(stateHead, reader);
    kind.check(column, groupCount);
    return column;
  });
  return {
    ...{ groupCount, groupsCut, keys, states },
    ...(keysDiffer ? { keysDiffer } : {}),
    ...(hasCutRanks ? { cutRanks: decodeCutRanks(reader, buckets) } : {}),
    ...(hasUnsentMax === true ? { unsentMax: decodeUnsentMax(reader) } : {}),
  };
}

function decodeCutRanks(
  reader: SectionReader<PartialHead>,
  buckets: ResolvedSide["buckets"],
): Float64Array {
  const ranks = reader.f64();
  expectCount("cut ranks", ranks.length, buckets === null ? 0 : edgesOfBuckets(buckets).length - 1);
  return ranks;
}

function decodeUnsentMax(reader: SectionReader<PartialHead>): number {
  const bound = reader.f64();
  expectCount("bounds of groups that were not sent", bound.length, 1);
  return bound[0]!;
}

function encodeKeys(key: KeyColumn): SectionArray[] {
  switch (key.kind) {
    case "bucket":
      return [key.indexes];
    case "int":
      return [key.values, key.present];
    case "string":
      return encodeCoded(key, key.bytes);
  }
}

function decodeKeys(
  kind: KeyColumn["kind"],
  reader: SectionReader<PartialHead>,
  groupCount: number,
): KeyColumn {
  switch (kind) {
    case "bucket": {
      const indexes = reader.i32();
      expectCount("bucket indexes", indexes.length, groupCount);
      return { kind, indexes };
    }
    case "int":
      return { kind, ...decodeInts(reader, groupCount) };
    case "string":
      return decodeStringKeys(reader, groupCount);
  }
}

function encodeSampleColumn(column: SampleColumn): SectionArray[] {
  return column.kind === "int" ? [column.values, column.present] : encodeCoded(column);
}

function decodeSample(
  [rowCount, columnKinds]: SampleHead,
  reader: SectionReader<PartialHead>,
  resolved: ResolvedQuery,
): PartialSample {
  expectCount("columns", columnKinds.length, resolved.sample?.columns.length ?? 0);
  const sides = reader.bytes();
  expectCount("sides of rows", sides.length, rowCount);
  const times = reader.f64();
  expectCount("times", times.length, rowCount);
  const columns = columnKinds.map(
    (kind): SampleColumn =>
      kind === "int"
        ? { kind, ...decodeInts(reader, rowCount) }
        : { kind, ...decodeCoded(reader, rowCount) },
  );
  return { rowCount, sides, times, columns };
}

interface Coded {
  readonly dictionary: readonly string[];
  readonly codes: Int32Array;
}

function encodeCoded(coded: Coded, bytes?: EncodedStrings): SectionArray[] {
  const { text, lengths } = bytes ?? encodeStrings(coded.dictionary);
  return [text, lengths, coded.codes];
}

function decodeCoded(reader: SectionReader<PartialHead>, count: number): Coded {
  const text = reader.bytes();
  const dictionary = decodeStrings(text, reader.u32());
  return { dictionary, codes: decodeCodes(reader, count, dictionary.length) };
}

function decodeStringKeys(reader: SectionReader<PartialHead>, groupCount: number): KeyColumn {
  const text = reader.bytes();
  const lengths = reader.u32();
  return stringKeysOf({ text, lengths }, decodeCodes(reader, groupCount, lengths.length));
}

function decodeCodes(
  reader: SectionReader<PartialHead>,
  count: number,
  entryCount: number,
): Int32Array {
  const codes = reader.i32();
  expectCount("codes", codes.length, count);
  for (let i = 0; i < codes.length; i++) {
    if (codes[i]! < -1 || codes[i]! >= entryCount) {
      throw new Error(`code ${codes[i]} has no entry`);
    }
  }
  return codes;
}

function decodeInts(reader: SectionReader<PartialHead>, count: number) {
  const values = reader.i64();
  const present = reader.bytes();
  expectCount("integers", values.length, count);
  expectCount("presence", present.length, count);
  return { values, present };
}
