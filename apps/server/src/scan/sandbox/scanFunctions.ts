import { setImmediate } from "node:timers/promises";
import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { assert } from "../../base/assert.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import { createTextReader } from "../../column/textReader.js";
import { placedProblem } from "../../function/sandbox/functionProblem.js";
import type { SandboxRoom } from "../../function/sandbox/sandboxHost.js";
import type { ResolvedFilter, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { type SegmentView, segmentRowsMax } from "../../store/segment/segmentView.js";
import { decodedView } from "../derive/decodedView.js";
import { DerivedColumns } from "../derive/derivedColumns.js";
import { refuseOverflown } from "../filter/checkOverflow.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import { byTime, type LoweredQuery, lowerQuery } from "../lower/lowerQuery.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { overlaidView } from "../segment/overlaidView.js";
import { functionsOf, isFunctionState, storedPartOf } from "../segment/sandboxParts.js";
import { splitFilter } from "../segment/splitFilter.js";
import type { ScanAnswer } from "../task/scanTask.js";
import type { ScanContext } from "../thread/scanContext.js";
import { type DecodeContext, decodeColumns } from "../value/decodeColumns.js";
import { createStringReader, type StringReader } from "../value/stringReader.js";
import { aggregateOnMainThread, takeStates } from "./aggregateOnMainThread.js";
import { FunctionAggregator } from "./functionAggregate.js";
import { FunctionColumn } from "./functionColumn.js";
import { rowsOfFunctions } from "./functionRows.js";
import { type AskedRows, markRows } from "./functionValues.js";
import type { RowAggregator } from "./rowAggregator.js";
import { TextExtremes } from "./textExtremes.js";

/** No column of a table can be called so. */
const selectedColumn = "\u0000selected";
const selected: ResolvedFilter = { kind: "present", column: selectedColumn, negated: false };

/** Segments of a round: few at first, so that there soon is something to show; as many as a leaf holds columns of at a time later. */
const roundSegmentsMin = 2;
const roundSegmentsMax = 32;
/** Raw rows are found in the newest segments, or they are not. */
const sampleRoundSegments = 2;

/** What one round of the scan has found, with what it cost. */
export interface FunctionRound {
  /** Of all rounds so far. */
  readonly partial: PartialResult;
  readonly lowered: LoweredQuery;
  readonly answers: readonly ScanAnswer[];
  /** Segments that are done, of all that have to be scanned. */
  readonly share: number;
}

interface FunctionUnit {
  readonly side: number;
  readonly segment: SegmentView;
}

/**
 * Scans a query some of whose columns are given by functions, in rounds of a few segments: the sandbox works out the
 * columns of one round while the rows of the round before are scanned. Functions see the rows that the filter on
 * stored columns lets through, and no others.
 */
export class FunctionScan {
  readonly #stored: ResolvedQuery["sides"];
  /** The same filters where the rows that pass those on stored columns are marked. */
  readonly #rest: ResolvedQuery["sides"];
  readonly #filters: FilterLowering;
  /** The round that is being prepared. */
  #coming: Promise<PreparedRound> | null = null;
  readonly #aggregators: RowAggregator[] = [];

  readonly #query: ResolvedQuery;
  readonly #context: ScanContext;
  readonly #signal: StopSignal;
  readonly #decode: (
    query: ResolvedQuery,
    lowered: LoweredQuery,
    answer: ScanAnswer,
  ) => PartialResult;

  constructor(
    query: ResolvedQuery,
    context: ScanContext,
    memory: QueryMemory,
    signal: StopSignal,
    decode: (query: ResolvedQuery, lowered: LoweredQuery, answer: ScanAnswer) => PartialResult,
  ) {
    this.#query = query;
    this.#context = context;
    this.#signal = signal;
    this.#decode = decode;
    const names = new Set((query.derived ?? []).map(({ name }) => name));
    this.#stored = storedPartOf(query).sides;
    this.#rest = query.sides.map((side) => ({
      ...side,
      filter: { kind: "all", filters: [selected, ...splitFilter(side.filter, names).rest] },
    }));
    this.#filters = new FilterLowering(memory);
  }

  /** `onRound` hears of every round; the last has all. */
  async run(
    toScan: readonly (readonly SegmentView[])[],
    onRound: (round: FunctionRound) => void,
  ): Promise<void> {
    const units = this.#inOrder(toScan);
    const paths = this.#functionPaths();
    const room = paths.length === 0 ? null : await this.#room(paths);
    try {
      const columns = room === null ? [] : await this.#open(room);
      await this.#openAggregates(room);
      await this.#scanRounds(units, columns, onRound);
    } finally {
      room?.close();
      // Without its run it ends soon; what it reads must stay until then.
      await this.#coming?.then(
        ({ memory }) => memory.release(),
        () => undefined,
      );
    }
  }

  #room(paths: readonly string[]): Promise<SandboxRoom> {
    const [context, signal] = [this.#context, this.#signal];
    return context.sandbox.room(paths.length, signal).catch((error: unknown) => {
      throw placedProblem(error, paths.at(-1) ?? "derive", null);
    });
  }

  /** Where each function that runs in the sandbox stands in the query. */
  #functionPaths(): readonly string[] {
    const { states } = this.#query;
    return [
      ...functionsOf(this.#query).map(({ index }) => `derive[${index}]`),
      ...states.flatMap((state, i) => (isFunctionState(state) ? [`states[${i}]`] : [])),
    ];
  }

  /** One realm for each function; nothing is shared between them. */
  async #open(room: SandboxRoom): Promise<FunctionColumn[]> {
    const { memory } = this.#context;
    const strings = this.#strings();
    const columns: FunctionColumn[] = [];
    for (const derived of functionsOf(this.#query)) {
      const { source, call, body, result } = derived.how;
      const names = derived.inputs.map(({ name }) => name);
      const program = { kind: "scalar", source, call, body, names, result } as const;
      try {
        const run = await room.open(program);
        columns.push(new FunctionColumn(derived, run, memory.memory, strings));
      } catch (error) {
        throw placedProblem(error, `derive[${derived.index}]`, derived.name);
      }
    }
    return columns;
  }

  async #openAggregates(room: SandboxRoom | null): Promise<void> {
    const strings = this.#strings();
    for (const [stateIndex, spec] of this.#query.states.entries()) {
      if (spec.kind === "text") {
        this.#aggregators.push(new TextExtremes(spec, stateIndex, this.#selecting(), strings));
      }
      if (spec.kind !== "function") continue;
      assert(room !== null, "functions have a room");
      const { source, columns } = spec;
      const program = { kind: "aggregate", source, columnCount: columns.length } as const;
      try {
        const run = await room.open(program);
        this.#aggregators.push(
          new FunctionAggregator(spec, stateIndex, run, this.#selecting(), strings),
        );
      } catch (error) {
        throw placedProblem(error, `states[${stateIndex}]`, null);
      }
    }
  }

  async #scanRounds(
    units: readonly FunctionUnit[],
    columns: readonly FunctionColumn[],
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
      if (!isSample) size = Math.min(this.#roundMax(columns.length), size * 2);
      const prepared = this.#prepare(taken, columns);
      // Whoever waits for it hears of its failure, however late.
      prepared.catch(() => undefined);
      return prepared;
    };
    this.#coming = take();
    while (this.#coming !== null) {
      const round: PreparedRound = await this.#coming;
      const done = Math.min(units.length, next);
      try {
        // Raw rows may be found already: nothing is worked out ahead.
        this.#coming = isSample ? null : take();
        const { lowered, answers } = await this.#scan(round);
        const decoded = answers.map((answer) => this.#decode(this.#query, lowered, answer));
        const parts = await Promise.all(decoded.map((part) => takeStates(this.#aggregators, part)));
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

  /** Two rounds are in memory at a time, and other queries need some too. */
  #roundMax(columnCount: number): number {
    const segmentBytes = (1 + columnCount) * segmentRowsMax * 8;
    const fitting = Math.floor(this.#context.memory.queries.freeBytes / 8 / segmentBytes);
    return Math.max(1, Math.min(roundSegmentsMax, fitting));
  }

  /** Whether no row of the next segment can be among the raw rows that are asked for. */
  #isEnough({ sample }: PartialResult, next: FunctionUnit | undefined): boolean {
    const { sample: asked } = this.#query;
    if (next === undefined || sample === null || asked === null) return next === undefined;
    // Any row may be among the first.
    if (asked.orders !== undefined) return false;
    if (sample.rowCount < asked.limit) return false;
    const last = sample.times[asked.limit - 1] ?? 0;
    return asked.newestFirst ? next.segment.maxMs < last : next.segment.minMs > last;
  }

  /** Raw rows by time; else any beginning should be a fair sample of the whole. */
  #inOrder(toScan: readonly (readonly SegmentView[])[]): readonly FunctionUnit[] {
    const units = toScan.flatMap((segments, side) =>
      segments.map((segment): FunctionUnit => ({ side, segment })),
    );
    const { sample } = this.#query;
    if (sample !== null) return byTime(units, sample.newestFirst, ({ segment }) => segment);
    const strides = Math.max(1, Math.floor(Math.sqrt(units.length)));
    return Array.from({ length: strides }, (_, first) =>
      units.filter((_, i) => i % strides === first),
    ).flat();
  }

  async #prepare(
    units: readonly FunctionUnit[],
    columns: readonly FunctionColumn[],
  ): Promise<PreparedRound> {
    const memory = new QueryMemory(this.#context.memory, () => this.#context.kept.releaseOldest());
    // What the functions said lies in it too: it cannot be given back to scan with less.
    memory.startAgain(true);
    const views = this.#query.sides.map((): SegmentView[] => []);
    try {
      for (const { side, segment } of units) {
        // The round before is scanned by others meanwhile, if they hear of it.
        await setImmediate();
        const stored = this.#stored[side]!;
        const [context, signal] = [this.#context, this.#signal];
        const rows = await rowsOfFunctions(context, this.#filters, stored, segment, signal);
        if (rows.length === 0) continue;
        views[side]!.push(await this.#overlay(segment, rows, columns, memory));
      }
      return { views, memory };
    } catch (error) {
      memory.release();
      throw error;
    }
  }

  /** What reading segments on the main thread takes. */
  #selecting(): DecodeContext {
    const { memory, kernel, scratch } = this.#context;
    return { memory: memory.memory, kernel, rows: this.#strings().rows, scratch };
  }

  #strings(): StringReader {
    const { memory, kernel, scratch } = this.#context;
    const texts = createTextReader(memory.memory, kernel, scratch.pages);
    return createStringReader(createColumnReader(memory.memory), texts);
  }

  /** The segment with the functions' columns, and a mark on the rows that they were asked of. */
  async #overlay(
    segment: SegmentView,
    rows: Uint32Array,
    functions: readonly FunctionColumn[],
    memory: QueryMemory,
  ): Promise<SegmentView> {
    const { rowCount } = segment;
    const asked = {
      rows,
      rowCount,
      marked: markRows(rows, rowCount, memory, this.#context.kernel),
    };
    const own = new Map<string, SegmentColumn>([
      [
        selectedColumn,
        {
          kind: "int",
          decimals: 0,
          values: { address: 0, width: 0 },
          base: 0n,
          encoded: null,
          present: asked.marked,
          min: 0n,
          max: 0n,
        },
      ],
    ]);
    const overlaid = overlaidView(segment, own);
    const { derived = [] } = this.#query;
    for (const one of functions) {
      // What is derived before it may be what it reads; functions' own columns are there already.
      const before = derived.slice(0, derived.indexOf(one.derived));
      const readable = new DerivedColumns(before, memory);
      own.set(one.derived.name, await this.#evaluate(one, readable, overlaid, asked, memory));
    }
    return overlaid;
  }

  async #evaluate(
    one: FunctionColumn,
    readable: DerivedColumns,
    overlaid: SegmentView,
    asked: AskedRows,
    memory: QueryMemory,
  ): Promise<SegmentColumn> {
    const decoding = new QueryMemory(this.#context.memory);
    try {
      const [segment] = await inTurns(readable.addTo([overlaid]), this.#signal);
      assert(segment !== undefined, "each segment is given back");
      const view = decodedView(segment, decoding);
      const columns = one.inputs.map((input) => input.columnOf(view));
      // Asking for the values of an encoded column has it decoded.
      for (const column of columns) {
        if (column === undefined || column.kind === "text") continue;
        void column.values.width;
        if (column.kind === "int") void column.present;
      }
      await inTurns(readable.fill(), this.#signal);
      const { rowCount } = segment;
      const overflown = decodeColumns(this.#selecting(), { decodes: view.decodes, rowCount });
      refuseOverflown(this.#context.memory.bytes, overflown, asked.rows);
      // It has read the columns when it returns, before it has an answer: another may have their rooms then.
      return one.evaluate({ columns, ...asked }, memory);
    } finally {
      decoding.release();
    }
  }

  async #scan({ views, memory }: PreparedRound): Promise<{
    readonly lowered: LoweredQuery;
    readonly answers: readonly ScanAnswer[];
  }> {
    const signal = this.#signal;
    const id = this.#context.nextTaskId();
    const lanes = this.#aggregators.length > 0 ? 1 : this.#context.threads.count;
    const query = { ...this.#query, sides: this.#rest };
    const lowered = await inTurns(
      lowerQuery({ id, query, segments: views, memory, lanesMax: lanes }),
      signal,
    );
    // Only the merge of all rounds sees the whole of a group.
    const uncut = lowered.lanes.map((task) => ({
      ...task,
      sides: task.sides.map((side) => ({ ...side, preCut: null })),
    }));
    const [only] = uncut;
    if (this.#aggregators.length > 0 && only !== undefined) {
      return {
        lowered,
        answers: [
          await aggregateOnMainThread(
            this.#aggregators,
            lowered,
            only,
            this.#context,
            memory,
            signal,
          ),
        ],
      };
    }
    const answers = await this.#context.threads.run(uncut, signal, () => undefined);
    return { lowered, answers };
  }
}

interface PreparedRound {
  /** By side. */
  readonly views: readonly (readonly SegmentView[])[];
  readonly memory: QueryMemory;
}
