import type { Values } from "@hadal/kernel-wasm";
import { readAskedKeys } from "../../aggregate/cut/askedKeys.js";
import type {
  KeyColumn,
  PartialResult,
  PartialSide,
} from "../../aggregate/partial/partialResult.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { AskedGroups } from "../../plan/query/resolvedQuery.js";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import { groupTableOf } from "../group/groupTables.js";
import type { GroupContext, GroupedUnit, GroupProgress } from "../key/groupNumbers.js";
import type { GroupValues } from "../key/groupValues.js";
import type { LoweredComponent } from "../key/loweredComponent.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { countedSide, readGroups } from "../run/readAnswer.js";
import type { KeyAnswer } from "../task/scanAnswer.js";
import type { ComponentTask, SegmentGroup, SideTask } from "../task/scanTask.js";
import { noStrings, VirtualCodes } from "../value/virtualCodes.js";
import { decodeSide } from "./decodeAnswer.js";
import { FollowUpStrings } from "./followUpStrings.js";
import type { KeptScan } from "./keptScans.js";

/**
 * Groups (or series, with all their points) for a follow-up, from the tables of a finished scan.
 */
export function* answerFollowUp(
  { query, lowered, answer, memory }: KeptScan,
  only: AskedGroups,
  context: GroupContext,
): Steps<PartialResult> {
  const asked = readAskedKeys(only);
  const columns = query.groupBy.map((group) =>
    group.kind === "time" && query.cut.bySeries ? null : asked.shift()!,
  );
  const sides: PartialSide[] = [];
  for (const [i, side] of lowered.task.sides.entries()) {
    const components = lowered.components[i]!;
    const { levelCounts, levelSlots, isRadix, isFilled, keys: scanned } = answer.sides[i]!;
    const strings: FollowUpStrings[] = [];
    for (const [k, column] of columns.entries())
      strings.push(yield* askedStringsOf(column, scanned[k]!));
    // No pause from here on: other scans use the same scratch.
    const codes = columns.map((column, k) =>
      column === null ? null : codesOf(column, components[k]!, strings[k]!),
    );
    const progress = {
      levelCounts: [...levelCounts],
      levelSlots: [...levelSlots],
      isRadix,
      isFilled,
      // The scan is over: no string gets a new code.
      virtualCodes: columns.map(() => new VirtualCodes()),
    };
    const wanted = { codes, count: only.groupCount };
    const groups = findGroups(context, { side, progress }, wanted, memory);
    const found = readGroups(context, countedSide(side, progress), progress, groups);
    const keys = found.keys.map((key, k) => withStrings(key, components[k]!, strings[k]!));
    sides.push(decodeSide({ ...found, keys, groupsCut: 0 }, components));
  }
  return { sides, sample: null };
}

/** The wanted strings among those that the scan's dictionary does not contain. */
function askedStringsOf(column: KeyColumn | null, scanned: KeyAnswer): Steps<FollowUpStrings> {
  if (column === null || scanned.kind !== "codes") return FollowUpStrings.find(noStrings, []);
  return FollowUpStrings.find(scanned.strings, textsOf(column));
}

function textsOf(column: KeyColumn): Iterable<string> {
  switch (column.kind) {
    case "bucket":
      return [];
    case "string":
      return column.dictionary;
    case "int":
      return Array.from(column.values, String);
  }
}

/** Keys of the wanted groups, with their strings only. */
function withStrings(
  key: KeyAnswer,
  { task }: LoweredComponent,
  asked: FollowUpStrings,
): KeyAnswer {
  if (key.kind !== "codes" || task.kind !== "codes") return key;
  const { strings, indexOf } = asked.all();
  const codes = key.codes.map((code) =>
    code < task.firstVirtualCode
      ? code
      : task.firstVirtualCode + indexOf.get(code - task.firstVirtualCode)!,
  );
  return { kind: "codes", codes, strings };
}

/** Wanted keys are already codes, and wanted times are bucket numbers: no times are read. */
const noTimes: Values = { address: 0, width: 8 };

/** Codes of wanted keys in one component; -1: no group has the key. */
type AskedCodes = Int32Array | BigInt64Array;

function codesOf(
  column: KeyColumn,
  { task, dictionary, printedInts }: LoweredComponent,
  strings: FollowUpStrings,
): AskedCodes {
  switch (column.kind) {
    case "bucket":
      return column.indexes;
    case "string":
      return codesOfStrings(column, task, dictionary, strings);
    case "int":
      return printedInts !== null
        ? codesOfPrinted(column, task, dictionary, strings)
        : codesOfInts(column, task);
  }
}

function codesOfStrings(
  column: Extract<KeyColumn, { kind: "string" }>,
  task: ComponentTask,
  dictionary: GroupValues | null,
  strings: FollowUpStrings,
): Int32Array {
  const known = column.dictionary.map((text) => codeOf(text, task, dictionary, strings));
  const codes = new Int32Array(column.codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = column.codes[i]!;
    codes[i] = code < 0 ? 0 : known[code]!;
  }
  return codes;
}

function codesOfPrinted(
  { values, present }: Extract<KeyColumn, { kind: "int" }>,
  task: ComponentTask,
  dictionary: GroupValues | null,
  strings: FollowUpStrings,
): Int32Array {
  const codes = new Int32Array(values.length);
  for (let i = 0; i < codes.length; i++) {
    if (present[i] === 0) continue;
    codes[i] = codeOf(`${values[i]}`, task, dictionary, strings);
  }
  return codes;
}

/** -1: no row of the scan had the text. */
function codeOf(
  text: string,
  task: ComponentTask,
  dictionary: GroupValues | null,
  strings: FollowUpStrings,
): number {
  if (task.kind !== "codes") throw new Error("texts meet a component of another kind");
  const code = dictionary?.codeOf(text) ?? 0;
  // A string that entered the dictionary after the scan was lowered has a code that the scan used
  // otherwise.
  if (code > 0 && code < task.firstVirtualCode) return code;
  const found = strings.numberOf(text);
  return found < 0 ? -1 : task.firstVirtualCode + found;
}

function codesOfInts(
  { values, present }: Extract<KeyColumn, { kind: "int" }>,
  task: ComponentTask,
): BigInt64Array {
  if (task.kind !== "ints") throw new Error("integers meet a component of another kind");
  const codes = new BigInt64Array(values.length);
  for (let i = 0; i < codes.length; i++) {
    if (present[i] === 0) continue;
    const code = values[i]! - task.base + 1n;
    codes[i] = code > 0n && code < task.cardinality ? code : -1n;
  }
  return codes;
}

/**
 * The wanted groups, by component; null: the time component of series, which are wanted in every
 * bucket.
 */
interface AskedComponents {
  readonly codes: readonly (AskedCodes | null)[];
  readonly count: number;
}

/**
 * Numbers of the wanted groups that have rows, ascending: their keys go through the tables as rows
 * of a segment do.
 */
function findGroups(
  context: GroupContext,
  { side, progress }: { readonly side: SideTask; readonly progress: GroupProgress },
  { codes, count: askedCount }: AskedComponents,
  memory: QueryMemory,
): Uint32Array {
  const all = new Uint32Array(askedCount);
  let knownCount = 0;
  for (let i = 0; i < askedCount; i++) {
    if (codes.every((column) => column === null || column[i]! >= 0)) all[knownCount++] = i;
  }
  const known = all.subarray(0, knownCount);
  const time = codes.indexOf(null);
  const bucketCount = time < 0 ? 1 : Number(side.components[time]!.cardinality);
  const rowCount = known.length * bucketCount;
  const room = codes.map(() => memory.allocate(Math.min(rowCount, segmentRowsMax) * 8));
  const groups = new Uint32Array(rowCount);
  const numbered = progress.levelCounts.at(-1) ?? 0;
  let used = 0;
  for (let first = 0; first < rowCount; first += segmentRowsMax) {
    const count = Math.min(segmentRowsMax, rowCount - first);
    const columns = codes.map((column, k): SegmentGroup => {
      const address = room[k]!;
      const rows = { first, count, bucketCount, known };
      return { kind: "codes", values: writeCodes(context.memory, address, column, rows) };
    });
    const unit: GroupedUnit = { groups: columns, rowCount: count, times: noTimes, timeBase: 0n };
    const keys = { side, progress, unit, rows: { start: 0, count, rows: 0 } };
    const found = groupTableOf(side).find(context, keys, { numbered, found: used });
    for (const group of found) groups[used++] = group;
  }
  return groups.subarray(0, used).sort();
}

/** One component's codes of rows [first, first + count): each known key with each bucket. */
function writeCodes(
  { buffer }: WebAssembly.Memory,
  address: number,
  codes: AskedCodes | null,
  rows: { first: number; count: number; bucketCount: number; known: Uint32Array },
): Values {
  const { first, count, bucketCount, known } = rows;
  if (codes instanceof BigInt64Array) {
    const out = new BigInt64Array(buffer, address, count);
    for (let i = 0; i < count; i++) out[i] = codes[known[Math.floor((first + i) / bucketCount)]!]!;
    return { address, width: 8 };
  }
  const out = new Uint32Array(buffer, address, count);
  for (let i = 0; i < count; i++) {
    const row = first + i;
    out[i] = codes === null ? row % bucketCount : codes[known[Math.floor(row / bucketCount)]!]!;
  }
  return { address, width: 4 };
}
