import { mergeSteps } from "../aggregate/merge/mergePartials.js";
import type { PartialResult, PartialSide } from "../aggregate/partial/partialResult.js";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { Steps } from "../base/schedule/steps.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import { createTextReader } from "../column/textReader.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { decodeSampleSteps, decodeSideSteps } from "./answer/decodeAnswer.js";
import type { LoweredQuery } from "./lower/lowerQuery.js";
import type { QueryMemory } from "./memory/queryMemory.js";
import { unitCountOf } from "./run/scanRun.js";
import type { ScanAnswer } from "./task/scanAnswer.js";
import type { ScanContext } from "./thread/scanContext.js";

export interface LeafAnswer {
  readonly partial: PartialResult;
  /** Whether it contains exactly the wanted groups, so that nothing is cut. */
  readonly isCut: boolean;
  readonly stats: LeafQueryStats;
}

/** A query that a leaf answers. */
export interface LeafQuery {
  readonly query: ResolvedQuery;
  readonly context: ScanContext;
  readonly signal: StopSignal;
  /** The units that are visible, of all gateways. Absent: as the leaf knows. */
  readonly snapshot?: UnitSnapshot;
  /** Called with answers from a part of the rows. */
  onPartial(answer: LeafAnswer): Steps<void>;
}

/** A lowered query, and the memory of its tables. */
export interface LoweredScan {
  readonly query: ResolvedQuery;
  readonly lowered: LoweredQuery;
  readonly memory: QueryMemory;
  readonly context: ScanContext;
}

/** The partial result of the lanes, and of segments that were not scanned. */
export function* assemble(
  scan: LoweredScan,
  answers: readonly ScanAnswer[],
  known: PartialResult | null,
): Steps<PartialResult> {
  const { query, lowered } = scan;
  const parts: PartialResult[] = [];
  for (const answer of answers) {
    if (parts.length > 0) yield;
    parts.push(yield* decodeAnswer(scan, answer));
  }
  if (known !== null) parts.push(known);
  const mixed = [lowered, ...lowered.branches].some((asked) =>
    asked?.components.some((side) => side.some(({ mixesText }) => mixesText)),
  );
  const [only] = parts;
  return only !== undefined && parts.length === 1 && !mixed
    ? only
    : yield* mergeSteps(parts, query);
}

/** One lane's answer, with strings in place of codes. */
export function* decodeAnswer(
  { query: { sample }, lowered, memory, context: { kernel, scratch } }: LoweredScan,
  answer: ScanAnswer,
): Steps<PartialResult> {
  if (sample !== null) {
    if (answer.sample === null) throw new Error("a scan for raw rows answers with rows");
    const texts = createTextReader(memory.leaf.memory, kernel, scratch.pages);
    const rows = yield* decodeSampleSteps(sample, answer.sample, {
      segments: lowered.segments,
      query: memory,
      texts,
    });
    return { sides: [], sample: rows };
  }
  const whole = { sides: yield* decodeSides(answer.sides, lowered.components), sample: null };
  if (lowered.branches.length === 0) return whole;
  const branches: (PartialResult | null)[] = [];
  for (const [i, branch] of lowered.branches.entries()) {
    const sides = answer.branches[i] ?? null;
    branches.push(
      branch && sides && { sides: yield* decodeSides(sides, branch.components), sample: null },
    );
  }
  return { ...whole, branches };
}

function* decodeSides(
  sides: ScanAnswer["sides"],
  components: LoweredQuery["components"],
): Steps<PartialSide[]> {
  const decoded: PartialSide[] = [];
  for (const [i, side] of sides.entries())
    decoded.push(yield* decodeSideSteps(side, components[i]!));
  return decoded;
}

/**
 * The leaf's rows in the query's ranges, and how many of them segments answered by their
 * aggregates.
 */
export interface HeldRows {
  /** Rows in the whole minutes that cover the ranges. */
  readonly rows: number;
  readonly segments: number;
  /** Rows that matched in segments that were not scanned. */
  readonly knownRows?: number;
}

export function statsOf(
  { lanes, task }: LoweredQuery,
  answers: readonly ScanAnswer[],
  { rows, segments, knownRows = 0 }: HeldRows,
): LeafQueryStats {
  const sum = (numberOf: (answer: ScanAnswer) => number): number =>
    answers.reduce((total, answer) => total + numberOf(answer), 0);
  const unitsScanned = sum((answer) => answer.unitsScanned);
  const done = answers.length === lanes.length && answers.every((answer) => answer.done);
  return {
    rowsHeld: rows,
    share: done ? 1 : unitsScanned / unitCountOf(task),
    rowsScanned: sum((answer) => answer.rowsScanned),
    rowsMatched: sum((answer) => answer.rowsMatched) + knownRows,
    bytesScanned: sum((answer) => answer.bytesScanned),
    segments,
    segmentsSkipped: segments - unitsScanned,
    scanMs: sum((answer) => answer.scanMs),
  };
}
