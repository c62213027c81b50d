import { timeColumn } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import { encodedBytes } from "../../column/intEncodings.js";
import type { SegmentColumn, StoredInts } from "../../column/segmentColumn.js";
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSide,
} from "../../plan/query/resolvedQuery.js";
import { type SegmentView, timesOf } from "../../store/segment/segmentView.js";
import { decodedView } from "../derive/decodedView.js";
import { DerivedColumns, storedColumns } from "../derive/derivedColumns.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import { lowerDealt } from "../group/lowerDealt.js";
import { groupLoadOf } from "../group/lowerNarrow.js";
import { lowerComponents } from "../key/lowerComponents.js";
import type { LoweredComponent } from "../key/loweredComponent.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { lowerProgram } from "../program/lowerProgram.js";
import type { SummedProgram } from "../program/rememberSums.js";
import { ElementTables } from "../state/distinct/elementTables.js";
import { inputOf } from "../state/stateScans.js";
import type { ProgramTask } from "../task/programTask.js";
import type { ScanTask, ScanUnit, SideTask } from "../task/scanTask.js";
import {
  type LoweredBranch,
  lowerBranches,
  lowerUnitBranch,
  timesOfGroups,
} from "./lowerBranches.js";
import { LoweredOrders } from "./lowerOrders.js";
import { lowerSide } from "./lowerSide.js";

export interface LoweredQuery {
  readonly task: ScanTask;
  /**
   * The task of each lane: shared units, each scanned by one lane, and separate tables. The first
   * is `task`.
   */
  readonly lanes: readonly ScanTask[];
  /** The segment behind each unit of the task. */
  readonly segments: readonly SegmentView[];
  /** Per side: how each component was lowered. */
  readonly components: readonly (readonly LoweredComponent[])[];
  /** Aligned with the query's branches; null: there is no room for one. */
  readonly branches: readonly (LoweredBranch | null)[];
  /** What of its programs is worth remembering. */
  readonly summed: readonly SummedProgram[];
}

/** A query to lower. */
export interface LowerRequest {
  /** Of the task: no other running one has it. */
  readonly id: number;
  readonly query: ResolvedQuery;
  /** Each side's segments that have to be scanned. */
  readonly segments: readonly (readonly SegmentView[])[];
  readonly memory: QueryMemory;
  readonly lanesMax?: number;
  /** Keeps results about dictionaries. */
  readonly filters?: FilterLowering;
}

/**
 * Turns a query into addresses and numbers for scan threads. Evaluating dictionaries may take long,
 * and is done in steps; the rest is done at once.
 */
export function* lowerQuery(request: LowerRequest): Steps<LoweredQuery> {
  const { query, segments, memory } = request;
  const derived = new DerivedColumns(query.derived ?? [], memory);
  const segmentsOf =
    query.derived === undefined
      ? segments
      : bySide(segments, yield* derived.addTo(segments.flat()));
  const lowering = new QueryLowering(request, segmentsOf);
  for (const [sideIndex, side] of query.sides.entries()) lowering.addSide(side, sideIndex);
  // So far tasks only point to these: threads may run the task once they are written.
  for (const later of [lowering.filters, lowering.tables, derived, lowering.orders]) {
    yield* later.fill();
  }
  return lowering.finish();
}

class QueryLowering {
  readonly filters: FilterLowering;
  readonly tables: ElementTables;
  readonly orders: LoweredOrders;
  readonly #request: LowerRequest;
  /** With derived columns. */
  readonly #segmentsOf: readonly (readonly SegmentView[])[];
  readonly #laneCount: number;
  /** Per lane, and within it per side. */
  readonly #sides: SideTask[][];
  readonly #programs: ProgramTask[][];
  readonly #branches: readonly (LoweredBranch | null)[];
  readonly #components: LoweredComponent[][] = [];
  readonly #units: PlacedUnit[] = [];
  readonly #summed: SummedProgram[] = [];

  constructor(request: LowerRequest, segmentsOf: readonly (readonly SegmentView[])[]) {
    const { query, memory, lanesMax = 1, filters = new FilterLowering(memory) } = request;
    this.filters = filters;
    this.#request = request;
    this.#segmentsOf = segmentsOf;
    this.#laneCount = countLanes(segmentsOf, lanesMax);
    this.#sides = Array.from({ length: this.#laneCount }, () => []);
    this.#programs = Array.from({ length: this.#laneCount }, () => []);
    this.tables = new ElementTables(memory);
    const place = { tables: this.tables, memory, laneCount: this.#laneCount };
    this.#branches = lowerBranches(query, segmentsOf, place);
    this.orders = new LoweredOrders(query, memory);
  }

  addSide(side: ResolvedSide, sideIndex: number): void {
    const { query, memory } = this.#request;
    const segments = this.#segmentsOf[sideIndex]!;
    const components = lowerComponents(query.groupBy, side, segments, memory);
    this.#components.push(components);
    const load = groupLoadOf(query, segments);
    for (const own of this.#sides) {
      const asked = { query, segments, components, load };
      const lowered = lowerSide(asked, { tables: this.tables, memory });
      // Only the merge sees the whole of a group that several lanes have rows of.
      own.push(this.#laneCount > 1 ? { ...lowered, preCut: null } : lowered);
    }
    const columnsRead = columnsOf(query, side);
    const bytesOf = (segment: SegmentView): number => bytesRead(columnsRead, segment);
    const others = this.#addProgram(sideIndex, bytesOf);
    for (const segment of others) this.#addUnit(side, sideIndex, segment, bytesOf(segment));
  }

  /** Returns the segments that no program covers. */
  #addProgram(
    sideIndex: number,
    bytesOf: (segment: SegmentView) => number,
  ): readonly SegmentView[] {
    const { query, memory, segments: stored } = this.#request;
    const { states } = this.#sides[0]![sideIndex]!;
    const segments = this.#segmentsOf[sideIndex]!;
    const place = { memory, laneCount: this.#laneCount, bytesOf };
    const { program, others } = lowerProgram({ query, sideIndex, segments, states }, place);
    for (const [lane, task] of program?.lanes.entries() ?? []) this.#programs[lane]!.push(task);
    const [task] = program?.lanes ?? [];
    if (program !== null && task !== undefined && task.unitTotals !== 0) {
      const covered = Array.from(program.covered, (index) => stored[sideIndex]![index]!);
      this.#summed.push({ task, segments: covered });
    }
    return others;
  }

  #addUnit(side: ResolvedSide, sideIndex: number, segment: SegmentView, bytes: number): void {
    const { query, memory } = this.#request;
    const view = decodedView(segment, memory);
    const filter = this.filters.lower(side.filter, view);
    if (filter.op === "none") return;
    view.endFilter();
    const unit: ScanUnit = {
      side: sideIndex,
      rowCount: segment.rowCount,
      sorted: segment.sorted,
      times: timesOfGroups(query, segment, view),
      timeBase: segment.timeBase,
      encodedTimes: segment.encodedTimes,
      minMs: segment.minMs,
      maxMs: segment.maxMs,
      fromMs: side.fromMs,
      toMs: side.toMs,
      weights: segment.weights,
      filter,
      groups: this.#components[sideIndex]!.map((component) => component.groupOf(view)),
      inputs: query.states.map((spec) => inputOf(spec, view, this.tables)),
      orders: this.orders.of(segment, view),
      bytes,
      decodes: view.decodes,
      branches: this.#branches.map(
        (branch) =>
          branch && lowerUnitBranch(branch, sideIndex, segment, { tables: this.tables, memory }),
      ),
    };
    this.#units.push({ unit, segment });
  }

  /** Last, when every lane has its tables. */
  finish(): LoweredQuery {
    const { query, memory } = this.#request;
    const cursor = this.#laneCount === 1 ? 0 : memory.bitmap(64);
    this.#dealRows();
    const ordered =
      query.sample === null
        ? spread(this.#units)
        : byTime(this.#units, query.sample, ({ unit }) => unit);
    const shared = {
      id: this.#request.id,
      units: ordered.map(({ unit }) => unit),
      cursor,
      sample: query.sample && this.orders.taskOf(query.sample),
      background: query.background === true,
    };
    const lanes = this.#sides.map((sides, lane): ScanTask => {
      const branches = this.#branches.map((branch) => branch && branch.lanes[lane]!);
      return { ...shared, sides, programs: this.#programs[lane]!, branches };
    });
    return {
      task: lanes[0]!,
      lanes,
      segments: ordered.map(({ segment }) => segment),
      components: this.#components,
      branches: this.#branches,
      summed: this.#summed,
    };
  }

  /**
   * Rows that are grouped by elements of lists are added as they are exploded: they are not dealt
   * out.
   */
  #dealRows(): void {
    const { query, memory } = this.#request;
    for (const own of this.#sides) {
      for (const [i, side] of own.entries()) {
        if (this.#components[i]!.some(({ itemsMax }) => itemsMax > 1)) continue;
        own[i] = { ...side, dealt: lowerDealt(query, side, this.#segmentsOf[i]!, memory) };
      }
    }
  }
}

/** All sides' segments, end to end, as each side has them. */
function bySide(
  sides: readonly (readonly SegmentView[])[],
  all: readonly SegmentView[],
): readonly (readonly SegmentView[])[] {
  let end = 0;
  return sides.map(({ length }) => {
    end += length;
    return all.slice(end - length, end);
  });
}

/** Starting a lane and merging its tables takes as long as scanning this many segments. */
const unitsPerLaneMin = 2;

function countLanes(segmentsOf: readonly (readonly SegmentView[])[], lanesMax: number): number {
  const unitCount = segmentsOf.reduce((sum, segments) => sum + segments.length, 0);
  return Math.max(1, Math.min(lanesMax, Math.ceil(unitCount / unitsPerLaneMin)));
}

interface PlacedUnit {
  readonly unit: ScanUnit;
  readonly segment: SegmentView;
}

/**
 * Any beginning of the scan should be a fair sample of the whole: bit-reversed order spreads over
 * time and sides.
 */
function spread(units: readonly PlacedUnit[]): PlacedUnit[] {
  const bits = Math.ceil(Math.log2(Math.max(2, units.length)));
  const rank = (index: number): number => {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) reversed = (reversed << 1) | ((index >> bit) & 1);
    return reversed;
  };
  return units
    .map((unit, index) => ({ unit, rank: rank(index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ unit }) => unit);
}

/** Raw rows stop early when the best segments come first. */
export function byTime<Item>(
  items: readonly Item[],
  { newestFirst }: { readonly newestFirst: boolean },
  spanOf: (item: Item) => Pick<ScanUnit, "minMs" | "maxMs">,
): Item[] {
  return items.toSorted((a, b) =>
    newestFirst ? spanOf(b).maxMs - spanOf(a).maxMs : spanOf(a).minMs - spanOf(b).minMs,
  );
}

/** The columns that the query reads on one side. */
function columnsOf(query: ResolvedQuery, side: ResolvedSide): ReadonlySet<string> {
  const names = new Set<string>();
  collectColumns(side.filter, names);
  const { sample } = query;
  for (const { columnIndex } of sample?.orders ?? []) names.add(sample!.columns[columnIndex]!.name);
  for (const { groupBy, states } of [query, ...(query.branches ?? [])]) {
    for (const group of groupBy) names.add(group.kind === "time" ? timeColumn : group.column);
    for (const state of states) {
      if (state.kind === "function") for (const { name } of state.columns) names.add(name);
      else if ("column" in state && state.column !== null) names.add(state.column);
    }
  }
  return storedColumns(names, query.derived ?? []);
}

/** Bytes of these columns in a segment. */
function bytesRead(names: ReadonlySet<string>, segment: SegmentView): number {
  let bytes = (segment.weights?.width ?? 0) * segment.rowCount;
  for (const name of names) {
    const column = name === timeColumn ? timesOf(segment) : segment.columns.get(name);
    if (column !== undefined) bytes += bytesOf(column, segment.rowCount);
  }
  return bytes;
}

/** Of texts all, whether or not a signature spares some. */
function bytesOf(column: StoredInts | SegmentColumn, rowCount: number): number {
  if ("encoded" in column && column.encoded !== null) return encodedBytes(column.encoded, rowCount);
  if ("kind" in column && column.kind === "text") return column.textBytes;
  return column.values.width * rowCount;
}

function collectColumns(filter: ResolvedFilter, into: Set<string>): void {
  if (filter.kind === "otherwise") collectColumns(filter.filter, into);
  else if (filter.kind === "all" || filter.kind === "any") {
    for (const part of filter.filters) collectColumns(part, into);
  } else {
    into.add(filter.column);
  }
}
