import type { GroupCell } from "../intent.js";
import { holdsZero, type Interval, intervalAt, intervalOfSum } from "../interval.js";
import {
  asAmount,
  asNumber,
  type ChartInput,
  type ChartMeasure,
  groupOf,
  indexOfColumn,
  keyOfGroup,
  labelOfCell,
} from "../series.js";
import type { Whole } from "../whole.js";

/** A value at a stage, or all the values of the stage that have no place of their own. */
export interface FlowNode {
  /** Unique among all nodes. */
  readonly id: string;
  readonly stage: number;
  readonly label: string;
  /** null: the others. */
  readonly cell: GroupCell | null;
  readonly now: number;
  readonly was: number;
  readonly unsure: boolean;
}

/** What goes from a value of one stage to one of the next. */
export interface FlowLink {
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly now: number;
  readonly was: number;
  readonly unsure: boolean;
}

export interface Flow {
  readonly nodes: readonly FlowNode[];
  readonly links: readonly FlowLink[];
  readonly now: number;
  /** Ways below 0 have no width. */
  readonly negativeCount: number;
}

/** How wide it is drawn: as it is, or what is gone as it was. */
export const drawnSize = ({ now, was }: Pick<FlowLink, "now" | "was">): number =>
  now > 0 ? now : was;

/** One way through all stages. */
interface Way {
  readonly cells: readonly (GroupCell | null)[];
  readonly now: number;
  readonly was: number;
  readonly deltaInterval: Interval | null;
}

/** The groups of an answer as ways from stage to stage; beyond the largest of a stage all others are one. */
export function buildFlow(
  input: ChartInput,
  measure: ChartMeasure,
  perStage: number,
  whole: Whole | null,
): Flow {
  const all = waysOf(input, measure);
  const ways = all.filter(({ now, was }) => now >= 0 && was >= 0);
  const complete = input.result.completeness.fraction >= 1;
  const withRest = [...ways, ...restOf(input, ways, whole)];
  const stages = input.groupColumns.map((_, stage) => nodesOf(withRest, stage, perStage, complete));
  return {
    nodes: stages.flatMap(({ nodes }) => nodes),
    links: stages.slice(1).flatMap((to, i) => linksOf(withRest, stages[i], to, complete)),
    now: withRest.reduce((sum, { now }) => sum + now, 0),
    negativeCount: all.length - ways.length,
  };
}

function waysOf({ result, groupColumns, texts }: ChartInput, measure: ChartMeasure): Way[] {
  const indexes = groupColumns.map((name) => indexOfColumn(result, name));
  const nowIndex = indexOfColumn(result, measure.name);
  const wasIndex = indexOfColumn(result, `${measure.name}.compare`);
  return result.rows.map((row, at) => ({
    cells: groupOf(row, groupColumns, indexes, texts),
    now: asNumber(asAmount(row[nowIndex])) ?? 0,
    was: asNumber(asAmount(row[wasIndex])) ?? 0,
    deltaInterval: intervalAt(result, `${measure.name}.delta`, at),
  }));
}

/** Ways that the answer left out go through the others of every stage. */
function restOf(
  { result, groupColumns }: ChartInput,
  ways: readonly Way[],
  whole: Whole | null,
): Way[] {
  if (whole === null || !((result.truncated?.groups ?? 0) > 0)) return [];
  const left = (all: number, side: "now" | "was") =>
    Math.max(0, all - ways.reduce((sum, way) => sum + way[side], 0));
  const now = left(asNumber(whole.now) ?? 0, "now");
  const was = left(asNumber(whole.was) ?? 0, "was");
  return now === 0 && was === 0
    ? []
    : [{ cells: groupColumns.map(() => null), now, was, deltaInterval: null }];
}

interface Stage {
  readonly index: number;
  readonly nodes: readonly FlowNode[];
  readonly nodeOf: (cell: GroupCell | null) => FlowNode | undefined;
}

function nodesOf(ways: readonly Way[], stage: number, perStage: number, complete: boolean): Stage {
  const byKey = new Map<string, { cell: GroupCell; ways: Way[]; size: number }>();
  const rest: Way[] = [];
  for (const way of ways) {
    const cell = way.cells[stage] ?? null;
    if (cell === null) {
      rest.push(way);
      continue;
    }
    const key = keyOfGroup([cell]);
    const known = byKey.get(key) ?? { cell, ways: [], size: 0 };
    known.ways.push(way);
    known.size += Math.max(way.now, way.was);
    byKey.set(key, known);
  }
  const ranked = [...byKey.values()].sort((a, b) => b.size - a.size);
  // "1 other" would take as much room as the one itself.
  const shown = ranked.length === perStage + 1 ? ranked : ranked.slice(0, perStage);
  const others = ranked.slice(shown.length);
  const nodes = shown.map(
    ({ cell, ways: mine }, i): FlowNode => ({
      id: `${stage}:${i}`,
      stage,
      label: labelOfCell(cell),
      cell,
      ...amountsOf(mine, complete),
    }),
  );
  const otherWays = [...others.flatMap((one) => one.ways), ...rest];
  const other: FlowNode | undefined =
    otherWays.length === 0
      ? undefined
      : {
          id: `${stage}:others`,
          stage,
          label: others.length === 0 ? "others" : `${others.length} others`,
          cell: null,
          ...amountsOf(otherWays, complete),
        };
  const byCell = new Map(shown.map(({ cell }, i) => [keyOfGroup([cell]), nodes[i]]));
  return {
    index: stage,
    nodes: other === undefined ? nodes : [...nodes, other],
    nodeOf: (cell) => (cell === null ? other : (byCell.get(keyOfGroup([cell])) ?? other)),
  };
}

function linksOf(
  ways: readonly Way[],
  from: Stage | undefined,
  to: Stage,
  complete: boolean,
): FlowLink[] {
  const found = new Map<string, { from: FlowNode; to: FlowNode; ways: Way[] }>();
  for (const way of ways) {
    const source = from?.nodeOf(way.cells[to.index - 1] ?? null);
    const target = to.nodeOf(way.cells[to.index] ?? null);
    if (source === undefined || target === undefined) continue;
    const key = `${source.id} ${target.id}`;
    const known = found.get(key) ?? { from: source, to: target, ways: [] };
    known.ways.push(way);
    found.set(key, known);
  }
  return [...found.values()].map(({ ways: mine, ...ends }) => ({
    ...ends,
    ...amountsOf(mine, complete),
  }));
}

function amountsOf(ways: readonly Way[], complete: boolean) {
  const deltas = ways.map((way) => ({ value: way.now - way.was, interval: way.deltaInterval }));
  return {
    now: ways.reduce((sum, { now }) => sum + now, 0),
    was: ways.reduce((sum, { was }) => sum + was, 0),
    unsure: holdsZero(intervalOfSum(deltas, complete)),
  };
}
