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
import { gathersOf } from "../group/lowerNarrow.js";
import { lowerComponents } from "../key/lowerComponents.js";
import type { LoweredComponent } from "../key/loweredComponent.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { lowerProgram } from "../program/lowerProgram.js";
import type { SummedProgram } from "../program/rememberSums.js";
import { ElementTables } from "../state/distinct/elementTables.js";
import { inputOf } from "../state/stateScans.js";
import type { ProgramTask } from "../task/programTask.js";
import type { ScanTask, ScanUnit, SideTask } from "../task/scanTask.js";
import { type LoweredBranch, lowerBranches, lowerUnitBranch } from "./lowerBranches.js";
import { LoweredOrders } from "./lowerOrders.js";
import { lowerSide } from "./lowerSide.js";

export interface LoweredQuery {
  readonly task: ScanTask;
  /** The task of each lane: the same units, each taken by one lane, and tables of its own. The first is `task`. */
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

/**
 * Turns a query into addresses and numbers for a scan thread. `storedOf` are each side's segments that have to be
 * scanned; `filters` keep what they found out of dictionaries. What is found out of each of a dictionary's values may
 * take long, and is done in steps; all else comes at once.
 */
export function* lowerQuery(
  id: number,
  query: ResolvedQuery,
  storedOf: readonly (readonly SegmentView[])[],
  memory: QueryMemory,
  lanesMax = 1,
  filters = new FilterLowering(memory),
): Steps<LoweredQuery> {
  const derived = new DerivedColumns(query.derived ?? [], memory);
  const segmentsOf =
    query.derived === undefined
      ? storedOf
      : bySide(storedOf, yield* derived.addTo(storedOf.flat()));
  const laneCount = countLanes(segmentsOf, lanesMax);
  const sides = Array.from({ length: laneCount }, (): SideTask[] => []);
  const programs = Array.from({ length: laneCount }, (): ProgramTask[] => []);
  // Else the times serve for the range alone, which is searched for in them as they are.
  const groupsTimes = query.groupBy.some(({ kind }) => kind === "time");
  const units: { unit: ScanUnit; segment: SegmentView }[] = [];
  const summed: SummedProgram[] = [];
  const lowered: LoweredComponent[][] = [];
  const tables = new ElementTables(memory);
  const branches = lowerBranches(query, segmentsOf, tables, memory, laneCount);
  const orders = new LoweredOrders(query, memory);
  query.sides.forEach((side, sideIndex) => {
    const segments = segmentsOf[sideIndex]!;
    const components = lowerComponents(query.groupBy, side, segments, memory);
    const gathers = gathersOf(query, segments);
    for (const own of sides) {
      const side = lowerSide(query, segments, components, tables, memory, gathers);
      // Only the merge sees the whole of a group that several lanes have gathered.
      own.push(laneCount > 1 ? { ...side, preCut: null } : side);
    }
    lowered.push(components);
    const { states } = sides[0]!.at(-1)!;
    const columnsRead = columnsOf(query, side);
    const bytesOf = (segment: SegmentView): number => bytesRead(columnsRead, segment);
    const { program, others } = lowerProgram(
      ...([query, sideIndex, segments, states, memory, laneCount, bytesOf] as const),
    );
    for (const [lane, task] of program?.lanes.entries() ?? []) programs[lane]!.push(task);
    const [task] = program?.lanes ?? [];
    if (program !== null && task !== undefined && task.unitTotals !== 0) {
      const stored = storedOf[sideIndex]!;
      summed.push({ task, segments: Array.from(program.covered, (index) => stored[index]!) });
    }
    for (const segment of others) {
      const view = decodedView(segment, memory);
      const filter = filters.lower(side.filter, view);
      if (filter.op === "none") continue;
      view.endFilter();
      const unit: ScanUnit = {
        side: sideIndex,
        rowCount: segment.rowCount,
        sorted: segment.sorted,
        times: groupsTimes ? view.lateTimes : segment.times,
        timeBase: segment.timeBase,
        encodedTimes: segment.encodedTimes,
        minMs: segment.minMs,
        maxMs: segment.maxMs,
        fromMs: side.fromMs,
        toMs: side.toMs,
        weights: segment.weights,
        filter,
        groups: components.map((component) => component.groupOf(view)),
        inputs: query.states.map((spec) => inputOf(spec, view, tables)),
        orders: orders.of(segment, view),
        bytes: bytesOf(segment),
        decodes: view.decodes,
        branches: branches.map(
          (branch) => branch && lowerUnitBranch(branch, sideIndex, segment, tables, memory),
        ),
      };
      units.push({ unit, segment });
    }
  });
  const ordered =
    query.sample === null
      ? spread(units)
      : byTime(units, query.sample.newestFirst, ({ unit }) => unit);
  // So far all of these are only pointed at: threads may have the task once they are there.
  for (const later of [filters, tables, derived, orders]) yield* later.fill();
  const cursor = laneCount === 1 ? 0 : memory.bitmap(64);
  // Last of all, when every lane has what it needs.
  for (const own of sides) {
    own.forEach((side, i) => {
      // Rows that stand for the elements of their lists are gathered as they are exploded.
      if (lowered[i]!.some(({ itemsMax }) => itemsMax > 1)) return;
      own[i] = { ...side, dealt: lowerDealt(query, side, segmentsOf[i]!, memory) };
    });
  }
  const taskUnits = ordered.map(({ unit }) => unit);
  const lanes = sides.map((own, lane) => ({
    id,
    sides: own,
    programs: programs[lane]!,
    units: taskUnits,
    cursor,
    sample: query.sample && orders.taskOf(query.sample),
    branches: branches.map((branch) => branch && branch.lanes[lane]!),
    background: query.background === true,
  }));
  return {
    task: lanes[0]!,
    lanes,
    segments: ordered.map(({ segment }) => segment),
    components: lowered,
    branches,
    summed,
  };
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

/** Waking a lane and merging its tables takes about as long as scanning so many segments. */
const unitsPerLaneMin = 2;

function countLanes(segmentsOf: readonly (readonly SegmentView[])[], lanesMax: number): number {
  const unitCount = segmentsOf.reduce((sum, segments) => sum + segments.length, 0);
  return Math.max(1, Math.min(lanesMax, Math.ceil(unitCount / unitsPerLaneMin)));
}

interface PlacedUnit {
  readonly unit: ScanUnit;
  readonly segment: SegmentView;
}

/** Any beginning of the scan should be a fair sample of the whole: bit-reversed order spreads over time and sides. */
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
  newestFirst: boolean,
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
