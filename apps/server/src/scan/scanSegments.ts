import { hasFurtherTimes } from "../aggregate/merge/seriesOf.js";
import type { PartialResult, PartialSide } from "../aggregate/partial/partialResult.js";
import { stateKindOf } from "../aggregate/state/stateKinds.js";
import { atOnce, inTurns, type Steps } from "../base/schedule/steps.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { SegmentTotals } from "../store/segment/segmentTotals.js";
import type { SegmentView } from "../store/segment/segmentView.js";
import { offerPartials } from "./answer/offerPartials.js";
import { ranksNeverFall } from "./answer/ranksNeverFall.js";
import { FilterLowering } from "./filter/lowerFilter.js";
import {
  assemble,
  decodeAnswer,
  type LeafAnswer,
  type LeafQuery,
  type LoweredScan,
  statsOf,
} from "./leafAnswer.js";
import { lowerLanes } from "./lower/lowerLanes.js";
import type { LoweredQuery } from "./lower/lowerQuery.js";
import { QueryMemory } from "./memory/queryMemory.js";
import { rememberSums } from "./program/rememberSums.js";
import { additiveStates, foldAdditive, sumsQuery } from "./sandbox/additiveStates.js";
import { FunctionScan, type FunctionScanOptions } from "./sandbox/scanFunctions.js";
import { aggregatesOnMainThread } from "./segment/sandboxParts.js";
import { type SplitSegments, splitSegments } from "./segment/splitSegments.js";
import type { ScanAnswer } from "./task/scanAnswer.js";
import { firstRowsOnMainThread, isTiny, scanOnMainThread } from "./thread/scanOnMainThread.js";

/** The segments that a query is answered from. */
export interface ScannedSegments {
  readonly segments: readonly SegmentView[];
  readonly totals: SegmentTotals | null;
  /** Rows in the whole minutes that cover the query's ranges. */
  readonly held: number;
  /** Whether some columns are in the memory of the query. */
  readonly isCast: boolean;
}

/** Answers a query from segments, which stay pinned, and gives the query's memory back. */
export async function scanSegments(
  asked: LeafQuery,
  scanned: ScannedSegments,
): Promise<LeafAnswer> {
  const { query, context } = asked;
  const { segments, totals } = scanned;
  const split = splitSegments(query, segments, totals, context.memory.memory);
  const pinned = split.flatMap((side) => side.scanned);
  for (const { pins } of pinned) pins.pin();
  const scan = new SegmentScan(asked, scanned, split);
  try {
    return await scan.run();
  } finally {
    scan.release();
    for (const { pins } of pinned) pins.unpin();
  }
}

/** One query over the segments that it needs of each side. */
class SegmentScan {
  readonly #asked: LeafQuery;
  readonly #scanned: ScannedSegments;
  readonly #split: readonly SplitSegments[];
  readonly #memory: QueryMemory;
  #isKept = false;

  constructor(asked: LeafQuery, scanned: ScannedSegments, split: readonly SplitSegments[]) {
    const { context } = asked;
    this.#asked = asked;
    this.#scanned = scanned;
    this.#split = split;
    this.#memory = new QueryMemory(context.memory, () => context.kept.releaseOldest());
  }

  release(): void {
    if (!this.#isKept) this.#memory.release();
  }

  /** In the cheapest way that there is. */
  async run(): Promise<LeafAnswer> {
    const { query } = this.#asked;
    const summed = await this.#answerBySums();
    if (summed !== null) return summed;
    if (aggregatesOnMainThread(query)) return this.#answerByFunctions();
    const filters = new FilterLowering(this.#memory);
    return (await this.#firstRows(filters)) ?? this.#scan(filters);
  }

  get #toScan(): (readonly SegmentView[])[] {
    return this.#split.map(({ scanned }) => scanned);
  }

  /** The sums that give the states of all functions; null: a function has other states. */
  async #answerBySums(): Promise<LeafAnswer | null> {
    const { query, onPartial } = this.#asked;
    const sums = additiveStates(query, this.#toScan.flat());
    if (sums === null) return null;
    const fold = (answer: LeafAnswer): LeafAnswer => ({
      ...answer,
      partial: foldAdditive(answer.partial, query.states, sums),
    });
    const asked: LeafQuery = {
      ...this.#asked,
      query: sumsQuery(query, sums),
      onPartial: (part) => onPartial(fold(part)),
    };
    return fold(await scanSegments(asked, this.#scanned));
  }

  /**
   * For queries with columns or states from the sandbox, or with extreme texts, which the main
   * thread finds.
   */
  async #answerByFunctions(): Promise<LeafAnswer> {
    const { query, context, signal, onPartial } = this.#asked;
    const { segments, held } = this.#scanned;
    const memory = this.#memory;
    const decode: FunctionScanOptions["decode"] = (query, lowered, answer) =>
      atOnce(decodeAnswer({ query, lowered, context, memory }, answer));
    const scan = new FunctionScan(query, context, { memory, signal, decode });
    const heldRows = { rows: held, segments: segments.length * query.sides.length };
    let whole: LeafAnswer | null = null;
    await scan.run(this.#toScan, ({ partial, lowered, answers, share }) => {
      const round = statsOf(lowered, answers, heldRows);
      const stats = { ...addStats(whole?.stats ?? null, round), share };
      whole = { partial, isCut: false, stats };
      if (share < 1) atOnce(onPartial(whole));
    });
    if (whole === null) throw new Error("a scan ends with an answer");
    return whole;
  }

  /** Raw rows that the first few segments have; null: they have not all of them. */
  async #firstRows(filters: FilterLowering): Promise<LeafAnswer | null> {
    const { query, context, signal } = this.#asked;
    const { segments, held } = this.#scanned;
    const memory = this.#memory;
    const place = { context, memory, filters };
    const finding = firstRowsOnMainThread(query, this.#toScan.flat(), place);
    const first = await inTurns(finding, signal);
    if (first === null) return null;
    const { lowered, answer } = first;
    const partial = await inTurns(
      decodeAnswer({ query, lowered, context, memory }, answer),
      signal,
    );
    const stats = statsOf(lowered, [answer], { rows: held, segments: segments.length });
    return { partial, isCut: false, stats };
  }

  async #scan(filters: FilterLowering): Promise<LeafAnswer> {
    const { query, context, signal } = this.#asked;
    const { totals } = this.#scanned;
    const memory = this.#memory;
    const lowering = lowerLanes({
      ...{ id: context.nextTaskId(), query, segments: this.#toScan, memory, filters },
      lanesMax: context.threads.count,
    });
    const lowered = await inTurns(lowering, signal);
    const scan = { query, lowered, memory, context };
    const answers = await this.#runLanes(scan);
    if (totals !== null) rememberSums(query, lowered.summed, totals, context.memory.memory);
    const whole = await inTurns(this.#answerOf(scan, answers), signal);
    this.#keep(scan, answers, whole);
    return whole;
  }

  async #runLanes(scan: LoweredScan): Promise<readonly ScanAnswer[]> {
    const { context, signal, onPartial } = this.#asked;
    const { lowered } = scan;
    if (isTiny(lowered)) return [scanOnMainThread(lowered.task, context)];
    const answerOf = (answers: readonly ScanAnswer[]) => this.#answerOf(scan, answers);
    function* offerPart(answers: readonly ScanAnswer[]): Steps<void> {
      if (isSoonDecoded(answers)) yield* onPartial(yield* answerOf(answers));
    }
    return offerPartials(signal, (offer) =>
      context.threads.run(lowered.lanes, signal, (parts) => offer(() => offerPart(parts))),
    );
  }

  *#answerOf(scan: LoweredScan, answers: readonly ScanAnswer[]): Steps<LeafAnswer> {
    const { query, lowered } = scan;
    const { segments, held } = this.#scanned;
    const partial = yield* assemble(scan, answers, aggregatesOf(query, this.#split));
    const grows = query.groupBy.length > 0 && ranksNeverFall(query, this.#toScan.flat());
    const heldRows = {
      rows: held,
      segments: segments.length * query.sides.length,
      knownRows: this.#split.reduce((sum, side) => sum + side.knownRows, 0),
    };
    return {
      partial: grows ? { grows, ...partial } : partial,
      isCut: false,
      stats: statsOf(lowered, answers, heldRows),
    };
  }

  /**
   * Keeps the tables for a follow-up of the root. Not of several lanes: these left no groups out,
   * and no table has all rows.
   */
  #keep(
    { query, lowered, memory, context }: LoweredScan,
    answers: readonly ScanAnswer[],
    { stats }: LeafAnswer,
  ): void {
    const [answer] = answers;
    if (answer === undefined || answers.length > 1 || this.#scanned.isCast) return;
    if (!isAskedAgain(query, lowered, answer)) return;
    this.#isKept = true;
    const { snapshot } = this.#asked;
    const units = snapshot === undefined ? {} : { snapshot };
    context.kept.keep({ query, ...units, lowered, answer, stats, memory });
  }
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

/**
 * Whether the root may need groups that the cut leaves out, from kept tables. Where strings with
 * and without codes are one group, or series have several time buckets, a scan looks them up.
 */
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

/** The aggregates of segments as one more partial result; a side without any has no groups. */
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

/** A partial answer of this many groups takes some 50 ms: with more it would come too late. */
const partialGroupsMax = 100_000;

/** The same for raw rows: the page reads some hundreds. */
const partialRowsMax = 5_000;

function isSoonDecoded(answers: readonly ScanAnswer[]): boolean {
  let [groups, rows] = [0, 0];
  for (const { sides, sample } of answers) {
    for (const { groupCount } of sides) groups += groupCount;
    rows += sample?.rows.length ?? 0;
  }
  return groups <= partialGroupsMax && rows <= partialRowsMax;
}
