import { HadalError } from "@hadal/sdk";
import { mergeSteps } from "../aggregate/merge/mergePartials.js";
import { hasFurtherTimes } from "../aggregate/merge/seriesOf.js";
import type { PartialResult, PartialSide } from "../aggregate/partial/partialResult.js";
import { stateKindOf } from "../aggregate/state/stateKinds.js";
import { atOnce, inTurns, type Steps } from "../base/schedule/steps.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafProtocol.js";
import { createColumnReader } from "../column/readColumn.js";
import { createTextReader } from "../column/textReader.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { SegmentTotals } from "../store/segment/segmentTotals.js";
import type { SegmentView, StoredSegment } from "../store/segment/segmentView.js";
import type { ReadableRows } from "../store/table/readableRows.js";
import type { Table } from "../store/table/table.js";
import { decodeSampleSteps, decodeSideSteps } from "./answer/decodeAnswer.js";
import { answerFollowUp } from "./answer/followUpAnswer.js";
import { offerPartials } from "./answer/offerPartials.js";
import { ranksNeverFall } from "./answer/ranksNeverFall.js";
import { FilterLowering } from "./filter/lowerFilter.js";
import { lowerLanes } from "./lower/lowerLanes.js";
import type { LoweredQuery } from "./lower/lowerQuery.js";
import { QueryMemory } from "./memory/queryMemory.js";
import { rememberSums } from "./program/rememberSums.js";
import { unitCountOf } from "./run/scanRun.js";
import { additiveStates, foldAdditive, sumsQuery } from "./sandbox/additiveStates.js";
import { FunctionScan } from "./sandbox/scanFunctions.js";
import { castSegments, columnsToCast } from "./segment/castColumns.js";
import { valueReaders } from "./segment/placedValues.js";
import { rowsOfMinutes } from "./segment/rowsOfMinutes.js";
import { aggregatesOnMainThread } from "./segment/sandboxParts.js";
import { type SplitSegments, splitSegments } from "./segment/splitSegments.js";
import type { ScanAnswer } from "./task/scanTask.js";
import type { ScanContext } from "./thread/scanContext.js";
import { firstRowsHere, isTiny, scanOnMainThread } from "./thread/scanOnMainThread.js";
import { createStringReader } from "./value/stringReader.js";

export interface LeafAnswer {
  readonly partial: PartialResult;
  /** Whether it holds what was asked for and nothing else: there is nothing to cut. */
  readonly isCut: boolean;
  readonly stats: LeafQueryStats;
}

/** The segments that a query is answered from. */
interface ScannedSegments {
  readonly segments: readonly SegmentView[];
  readonly totals: SegmentTotals | null;
  /** Rows in the whole minutes that cover the query's ranges. */
  readonly held: number;
  /** Whether some columns stand in the memory of the query. */
  readonly isCast: boolean;
}

/** Answers a query from one table: prunes, lowers, scans, and hands out what it has, the last answer returned. */
export async function scanTable(
  query: ResolvedQuery,
  table: Table | undefined,
  context: ScanContext,
  signal: StopSignal,
  onPartial: (answer: LeafAnswer) => Steps<void>,
): Promise<LeafAnswer> {
  const known = await answerFromKept(query, context, signal);
  if (known !== null) return known;
  const { segments: readable, unreadable } = table?.readable(columnsRead(query)) ?? noRows;
  if (table === undefined || unreadable === null)
    return scanReadable(query, table, readable, 0, context, signal, onPartial);
  const rows = rowsOfMinutes(query, unreadable.minuteRows);
  const told = (answer: LeafAnswer): LeafAnswer => ({
    ...answer,
    stats: { ...answer.stats, unreadable: { rows, columns: unreadable.columns } },
  });
  const tell = (answer: LeafAnswer): Steps<void> => onPartial(told(answer));
  return told(await scanReadable(query, table, readable, rows, context, signal, tell));
}

const noRows: ReadableRows = { segments: [], unreadable: null };

/** The stored columns that the query reads, beside the time; null: it does not say. */
function columnsRead({ bound }: ResolvedQuery): ReadonlySet<string> | null {
  if (bound === undefined) return null;
  return new Set(bound.map(({ name, numbersOf }) => numbersOf?.column ?? name));
}

/** Answers from these segments; so many rows of the ranges are in others, which the query cannot read. */
async function scanReadable(
  query: ResolvedQuery,
  table: Table | undefined,
  readable: readonly StoredSegment[],
  rowsUnreadable: number,
  context: ScanContext,
  signal: StopSignal,
  onPartial: (answer: LeafAnswer) => Steps<void>,
): Promise<LeafAnswer> {
  // A leaf that lacks nothing is asked for nothing.
  const segments = query.only?.groupCount === 0 ? [] : readable;
  const held = table === undefined ? 0 : rowsOfMinutes(query, table.minuteRows) - rowsUnreadable;
  const totals = table?.totals ?? null;
  totals?.follow(segments);
  const stored: ScannedSegments = { segments, totals, held, isCast: false };
  const toCast = table === undefined ? [] : columnsToCast(query, table.columns, segments);
  if (table === undefined || toCast.length === 0) {
    return scanSegments(query, stored, context, signal, onPartial);
  }
  for (const { pins } of segments) pins.pin();
  const memory = new QueryMemory(context.memory, () => context.kept.releaseOldest());
  try {
    const means = { memory, readers: valueReaders(context) };
    const steps = castSegments(query, toCast, segments, table.columns, means);
    const cast = await inTurns(steps, signal);
    // Others may have followed the table meanwhile.
    totals?.follow(segments);
    const seen = cast.totals === null ? stored : { ...cast, held, isCast: true };
    return await scanSegments(query, seen, context, signal, onPartial);
  } finally {
    memory.release();
    for (const { pins } of segments) pins.unpin();
  }
}

async function scanSegments(
  query: ResolvedQuery,
  scanned: ScannedSegments,
  context: ScanContext,
  signal: StopSignal,
  onPartial: (answer: LeafAnswer) => Steps<void>,
): Promise<LeafAnswer> {
  const { segments: snapshot, totals, held } = scanned;
  const split = splitSegments(query, snapshot, totals, context.memory.memory);
  const pinned = split.flatMap(({ scanned }) => scanned);
  for (const { pins } of pinned) pins.pin();
  const memory = new QueryMemory(context.memory, () => context.kept.releaseOldest());
  let kept = false;
  try {
    const sums = additiveStates(query, pinned);
    if (sums !== null) {
      const fold = (answer: LeafAnswer): LeafAnswer => ({
        ...answer,
        partial: foldAdditive(answer.partial, query.states, sums),
      });
      const asked = sumsQuery(query, sums);
      const whole = await scanSegments(asked, scanned, context, signal, (part) =>
        onPartial(fold(part)),
      );
      return fold(whole);
    }
    if (aggregatesOnMainThread(query)) {
      const segments = snapshot.length * query.sides.length;
      return await scanFunctions(
        query,
        split,
        { held, segments },
        context,
        memory,
        signal,
        onPartial,
      );
    }
    const filters = new FilterLowering(memory);
    const first = await inTurns(firstRowsHere(query, pinned, context, memory, filters), signal);
    if (first !== null) {
      const decoding = decodeAnswer(query, first.lowered, first.answer, context, memory);
      const partial = await inTurns(decoding, signal);
      const stats = statsOf(first.lowered, [first.answer], held, snapshot.length);
      return { partial, isCut: false, stats };
    }
    const toScan = split.map(({ scanned }) => scanned);
    const lanesMax = context.threads.count;
    const id = context.nextTaskId();
    const lowered = await inTurns(lowerLanes(id, query, toScan, memory, lanesMax, filters), signal);
    const known = aggregatesOf(query, split);
    const knownRows = split.reduce((sum, side) => sum + side.knownRows, 0);
    const grows = query.groupBy.length > 0 && ranksNeverFall(query, pinned);
    function* answerOf(answers: readonly ScanAnswer[]): Steps<LeafAnswer> {
      const partial = yield* assemble(query, lowered, answers, known, context, memory);
      return {
        partial: grows ? { grows, ...partial } : partial,
        isCut: false,
        stats: statsOf(lowered, answers, held, snapshot.length * query.sides.length, knownRows),
      };
    }
    function* tell(answers: readonly ScanAnswer[]): Steps<void> {
      if (isSoonDecoded(answers)) yield* onPartial(yield* answerOf(answers));
    }
    const answers = isTiny(lowered)
      ? [scanOnMainThread(lowered.task, context)]
      : await offerPartials(signal, (offer) =>
          context.threads.run(lowered.lanes, signal, (parts) => offer(() => tell(parts))),
        );
    if (totals !== null) rememberSums(query, lowered.summed, totals, context.memory.memory);
    const whole = await inTurns(answerOf(answers), signal);
    const [answer] = answers;
    // Several lanes have left no groups out, and none of their tables has all.
    kept = answers.length === 1 && !scanned.isCast && isAskedAgain(query, lowered, answer!);
    if (kept) context.kept.keep({ query, lowered, answer: answer!, stats: whole.stats, memory });
    return whole;
  } finally {
    if (!kept) memory.release();
    for (const { pins } of pinned) pins.unpin();
  }
}

/** The same where functions give some of the columns. */
async function scanFunctions(
  query: ResolvedQuery,
  split: readonly SplitSegments[],
  { held, segments }: { readonly held: number; readonly segments: number },
  context: ScanContext,
  memory: QueryMemory,
  signal: StopSignal,
  onPartial: (answer: LeafAnswer) => Steps<void>,
): Promise<LeafAnswer> {
  const scan = new FunctionScan(query, context, memory, signal, (...parts) =>
    atOnce(decodeAnswer(...parts, context, memory)),
  );
  let whole: LeafAnswer | null = null;
  const toScan = split.map(({ scanned }) => scanned);
  await scan.run(toScan, ({ partial, lowered, answers, share }) => {
    const round = statsOf(lowered, answers, held, segments);
    const stats = { ...addStats(whole?.stats ?? null, round), share };
    whole = { partial, isCut: false, stats };
    if (share < 1) atOnce(onPartial(whole));
  });
  if (whole === null) throw new Error("a scan ends with an answer");
  return whole;
}

/** Numbers of one more round of the same scan. */
function addStats(before: LeafQueryStats | null, round: LeafQueryStats): LeafQueryStats {
  if (before === null) return round;
  return {
    ...round,
    rowsScanned: before.rowsScanned + round.rowsScanned,
    rowsMatched: before.rowsMatched + round.rowsMatched,
    bytesScanned: before.bytesScanned + round.bytesScanned,
    segmentsSkipped: before.segmentsSkipped + round.segmentsSkipped - round.segments,
    scanMs: before.scanMs + round.scanMs,
  };
}

/** Whether the root may ask for groups that the cut leaves out. Strings with and without codes may be one group, and series may lie apart by several time buckets: those are looked up by a scan. */
function isAskedAgain(
  query: ResolvedQuery,
  { components }: LoweredQuery,
  answer: ScanAnswer,
): boolean {
  if (query.only !== undefined || query.groupBy.length === 0) return false;
  if (query.cut.bySeries && hasFurtherTimes(query)) return false;
  if (components.some((side) => side.some(({ mixesText }) => mixesText))) return false;
  return answer.sides.some(({ groupCount, groupsCut }) => groupCount + groupsCut > query.cut.max);
}

/** What the root asks a second time stands in the tables of its first question, as a rule. */
async function answerFromKept(
  query: ResolvedQuery,
  { memory, kernel, scratch, kept }: ScanContext,
  signal: StopSignal,
): Promise<LeafAnswer | null> {
  if (query.only === undefined) return null;
  const scan = kept.take(query);
  if (scan === null) return null;
  try {
    const texts = createTextReader(memory.memory, kernel, scratch.pages);
    const strings = createStringReader(createColumnReader(memory.memory), texts);
    const context = { memory: memory.memory, kernel, scratch, strings };
    const partial = await inTurns(answerFollowUp(scan, query.only, context), signal);
    return { partial, isCut: true, stats: scan.stats };
  } catch (error) {
    // A table without room for the keys that were asked for: they are looked up by a scan.
    if (error instanceof HadalError && !signal.aborted) return null;
    throw error;
  } finally {
    scan.memory.release();
  }
}

/** What the segment aggregates say, as one more partial result; a side of which nothing is known has no groups. */
function aggregatesOf(query: ResolvedQuery, split: readonly SplitSegments[]): PartialResult | null {
  if (split.every(({ known }) => known === null)) return null;
  return {
    sides: split.map(({ known }) => known ?? nothing(query)),
    sample: null,
  };
}

function nothing({ states }: ResolvedQuery): PartialSide {
  const empty = states.map((spec) => stateKindOf(spec).create(0));
  return { groupCount: 0, keys: [], states: empty, groupsCut: 0 };
}

/** A partial answer of so many groups takes some 50 ms to make: of more it comes too late to be worth it. */
const partialGroupsMax = 100_000;

/** Raw rows too: the page asks for some hundreds. */
const partialRowsMax = 5_000;

function isSoonDecoded(answers: readonly ScanAnswer[]): boolean {
  let [groups, rows] = [0, 0];
  for (const { sides, sample } of answers) {
    for (const { groupCount } of sides) groups += groupCount;
    rows += sample?.rows.length ?? 0;
  }
  return groups <= partialGroupsMax && rows <= partialRowsMax;
}

function* assemble(
  query: ResolvedQuery,
  lowered: LoweredQuery,
  answers: readonly ScanAnswer[],
  known: PartialResult | null,
  context: ScanContext,
  memory: QueryMemory,
): Steps<PartialResult> {
  const parts: PartialResult[] = [];
  for (const answer of answers) {
    if (parts.length > 0) yield;
    parts.push(yield* decodeAnswer(query, lowered, answer, context, memory));
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

function* decodeAnswer(
  { sample }: ResolvedQuery,
  lowered: LoweredQuery,
  answer: ScanAnswer,
  { kernel, scratch }: ScanContext,
  memory: QueryMemory,
): Steps<PartialResult> {
  if (sample !== null) {
    if (answer.sample === null) throw new Error("a scan for raw rows answers with rows");
    const texts = createTextReader(memory.leaf.memory, kernel, scratch.pages);
    const rows = yield* decodeSampleSteps(sample, lowered, answer.sample, memory, texts);
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

function statsOf(
  { lanes, task }: LoweredQuery,
  answers: readonly ScanAnswer[],
  held: number,
  segments: number,
  knownRows = 0,
): LeafQueryStats {
  const sum = (numberOf: (answer: ScanAnswer) => number): number =>
    answers.reduce((total, answer) => total + numberOf(answer), 0);
  const unitsScanned = sum((answer) => answer.unitsScanned);
  const done = answers.length === lanes.length && answers.every((answer) => answer.done);
  return {
    rowsOfMinutes: held,
    share: done ? 1 : unitsScanned / unitCountOf(task),
    rowsScanned: sum((answer) => answer.rowsScanned),
    rowsMatched: sum((answer) => answer.rowsMatched) + knownRows,
    bytesScanned: sum((answer) => answer.bytesScanned),
    segments,
    segmentsSkipped: segments - unitsScanned,
    scanMs: sum((answer) => answer.scanMs),
  };
}
