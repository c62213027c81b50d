import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { type SegmentView, segmentRowsMax } from "../../store/segment/segmentView.js";
import { byTime, type LoweredQuery, lowerQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { splitFilter } from "../segment/splitFilter.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanContext } from "../thread/scanContext.js";
import { aggregateOnMainThread, takeStates } from "./aggregateOnMainThread.js";
import {
  FunctionRounds,
  type FunctionUnit,
  isSelected,
  type PreparedRound,
} from "./functionRounds.js";
import { OpenFunctions } from "./openFunctions.js";

/**
 * Segments of the first round, few for an early partial result, and of later ones, as many as a
 * leaf decodes at a time.
 */
const roundSegmentsMin = 2;
const roundSegmentsMax = 32;
/**
 * Segments of a round for raw rows: the newest segments have enough of them, or all must be read.
 */
const sampleRoundSegments = 2;

/** The result of one round of the scan, with its cost. */
export interface FunctionRound {
  /** Of all rounds so far. */
  readonly partial: PartialResult;
  readonly lowered: LoweredQuery;
  readonly answers: readonly ScanAnswer[];
  /** The share of the segments to scan that is done. */
  readonly share: number;
}

type DecodeAnswer = (
  query: ResolvedQuery,
  lowered: LoweredQuery,
  answer: ScanAnswer,
) => PartialResult;

export interface FunctionScanOptions {
  readonly memory: QueryMemory;
  readonly signal: StopSignal;
  readonly decode: DecodeAnswer;
}

/**
 * Scans a query with columns or states that functions compute, in rounds of a few segments: the
 * sandbox computes the columns of one round while the rows of the round before are scanned.
 * Functions see only rows that pass the filter on stored columns.
 */
export class FunctionScan {
  /** The filters on the remaining columns, for rows that pass those on stored columns. */
  readonly #rest: ResolvedQuery["sides"];
  readonly #rounds: FunctionRounds;
  /** The round that is being prepared. */
  #coming: Promise<PreparedRound> | null = null;
  readonly #query: ResolvedQuery;
  readonly #context: ScanContext;
  readonly #signal: StopSignal;
  readonly #decode: DecodeAnswer;

  constructor(
    query: ResolvedQuery,
    context: ScanContext,
    { memory, signal, decode }: FunctionScanOptions,
  ) {
    this.#query = query;
    this.#context = context;
    this.#signal = signal;
    this.#decode = decode;
    const names = new Set((query.derived ?? []).map(({ name }) => name));
    this.#rest = query.sides.map((side) => ({
      ...side,
      filter: { kind: "all", filters: [isSelected, ...splitFilter(side.filter, names).rest] },
    }));
    this.#rounds = new FunctionRounds(query, context, memory, signal);
  }

  /** Calls `onRound` after every round; the last one has the whole result. */
  async run(
    toScan: readonly (readonly SegmentView[])[],
    onRound: (round: FunctionRound) => void,
  ): Promise<void> {
    const functions = new OpenFunctions(this.#query, this.#context, this.#signal);
    try {
      await functions.open();
      await this.#scanRounds(this.#inOrder(toScan), functions, onRound);
    } finally {
      functions.close();
      // A closed sandbox ends the preparation soon; the memory that it reads must stay until then.
      await this.#coming?.then(
        ({ memory }) => memory.release(),
        () => undefined,
      );
    }
  }

  async #scanRounds(
    units: readonly FunctionUnit[],
    functions: OpenFunctions,
    onRound: (round: FunctionRound) => void,
  ): Promise<void> {
    const isSample = this.#query.sample !== null;
    let size = isSample ? sampleRoundSegments : roundSegmentsMin;
    let next = 0;
    let merged: PartialResult | null = null;
    const take = (): Promise<PreparedRound> | null => {
      if (next >= units.length && next > 0) return null;
      const taken = units.slice(next, next + size);
      next = Math.max(1, next + taken.length);
      if (!isSample) size = Math.min(this.#roundMax(functions.columns.length), size * 2);
      const prepared = this.#rounds.prepare(taken, functions.columns);
      // A failure is handled where the round is awaited.
      prepared.catch(() => undefined);
      return prepared;
    };
    this.#coming = take();
    while (this.#coming !== null) {
      const round: PreparedRound = await this.#coming;
      const done = Math.min(units.length, next);
      try {
        // Enough raw rows may be found already: no round is prepared ahead.
        this.#coming = isSample ? null : take();
        const { lowered, answers } = await this.#scan(round, functions);
        const decoded = answers.map((answer) => this.#decode(this.#query, lowered, answer));
        const parts = await Promise.all(
          decoded.map((part) => takeStates(functions.aggregators, part)),
        );
        if (merged !== null) parts.push(merged);
        merged = mergePartials(parts, this.#query);
        const share = units.length === 0 ? 1 : done / units.length;
        if (isSample && !this.#isEnough(merged, units[next])) this.#coming = take();
        onRound({ partial: merged, lowered, answers, share: this.#coming === null ? 1 : share });
      } finally {
        round.memory.release();
      }
    }
  }

  /** Two rounds are in memory at a time, beside other queries. */
  #roundMax(columnCount: number): number {
    const segmentBytes = (1 + columnCount) * segmentRowsMax * 8;
    const fitting = Math.floor(this.#context.memory.queries.freeBytes / 8 / segmentBytes);
    return Math.max(1, Math.min(roundSegmentsMax, fitting));
  }

  /** Whether no row of the next segment can be among the wanted raw rows. */
  #isEnough({ sample }: PartialResult, next: FunctionUnit | undefined): boolean {
    const { sample: asked } = this.#query;
    if (next === undefined || sample === null || asked === null) return next === undefined;
    // In another order than by time, any row may be among the first.
    if (asked.orders !== undefined) return false;
    if (sample.rowCount < asked.limit) return false;
    const last = sample.times[asked.limit - 1] ?? 0;
    return asked.newestFirst ? next.segment.maxMs < last : next.segment.minMs > last;
  }

  /** By time for raw rows; else so that each beginning is a fair sample of the whole. */
  #inOrder(toScan: readonly (readonly SegmentView[])[]): readonly FunctionUnit[] {
    const units = toScan.flatMap((segments, side) =>
      segments.map((segment): FunctionUnit => ({ side, segment })),
    );
    const { sample } = this.#query;
    if (sample !== null) return byTime(units, sample, ({ segment }) => segment);
    const strides = Math.max(1, Math.floor(Math.sqrt(units.length)));
    return Array.from({ length: strides }, (_, first) =>
      units.filter((_, i) => i % strides === first),
    ).flat();
  }

  async #scan(
    { views, memory }: PreparedRound,
    { aggregators }: OpenFunctions,
  ): Promise<{
    readonly lowered: LoweredQuery;
    readonly answers: readonly ScanAnswer[];
  }> {
    const signal = this.#signal;
    const id = this.#context.nextTaskId();
    const lanesMax = aggregators.length > 0 ? 1 : this.#context.threads.count;
    const query = { ...this.#query, sides: this.#rest };
    const lowering = lowerQuery({ id, query, segments: views, memory, lanesMax });
    const lowered = await inTurns(lowering, signal);
    // A group is complete only when all rounds are merged.
    const uncut = lowered.lanes.map((task) => ({
      ...task,
      sides: task.sides.map((side) => ({ ...side, preCut: null })),
    }));
    const [only] = uncut;
    if (aggregators.length > 0 && only !== undefined) {
      const round = { aggregators, segments: lowered.segments, task: only };
      const answer = await aggregateOnMainThread(this.#context, round, memory, signal);
      return { lowered, answers: [answer] };
    }
    const answers = await this.#context.threads.run(uncut, signal, () => undefined);
    return { lowered, answers };
  }
}
