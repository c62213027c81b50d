import type { GroupCell } from "../../kit/answer/intent.js";
import { noOverlap } from "../../kit/answer/overlap.js";
import { type PartErrors, partErrorsOf } from "../../kit/answer/partErrors.js";
import {
  type ChartInput,
  type ChartMeasure,
  keyOfGroup,
  labelOfCell,
} from "../../kit/answer/series.js";
import type { Whole } from "../../kit/answer/whole.js";
import {
  amountsOf,
  differenceOfRest,
  hasSize,
  type Part,
  partsOf,
  restOf,
  type Sides,
  wholeOfShares,
} from "../../kit/answer/wholeParts.js";

/** A value at a stage, or all values of the stage that have no node. */
export interface FlowNode extends Sides {
  /** Unique among all nodes. */
  readonly id: string;
  readonly stage: number;
  readonly label: string;
  /** null: the others. */
  readonly cell: GroupCell | null;
  readonly unsure: boolean;
}

/** What goes from a value of one stage to one of the next. */
export interface FlowLink extends Sides {
  readonly from: FlowNode;
  readonly to: FlowNode;
  readonly unsure: boolean;
}

export interface Flow {
  readonly nodes: readonly FlowNode[];
  readonly links: readonly FlowLink[];
  /** The whole for shares; null: unknown. */
  readonly whole: Sides | null;
  /** Whether a value, or what goes between two, adds up groups that overlap: rows in several of them count as often. */
  readonly overlaps: (ends: readonly FlowNode[]) => boolean;
  /** Ways below 0 have no width. */
  readonly negativeCount: number;
}

/** One way through all stages. */
interface Way extends Omit<Part, "group"> {
  readonly cells: readonly (GroupCell | null)[];
}

/** How many values a stage keeps, and the whole that they are part of. */
export interface FlowLimits {
  readonly perStage: number;
  readonly whole: Whole | null;
  readonly overlapping?: ReadonlySet<string>;
}

/** The groups of an answer as ways from stage to stage; beyond the largest of a stage all others are one. */
export function buildFlow(
  input: ChartInput,
  measure: ChartMeasure,
  { perStage, whole, overlapping = noOverlap }: FlowLimits,
): Flow {
  const all = partsOf(input, measure).map(({ group, ...way }): Way => ({ cells: group, ...way }));
  const ways = all.filter(hasSize);
  const partErrors = partErrorsOf(input.result);
  const isOverlapping = input.groupColumns.map((name) => overlapping.has(name));
  const overlap = isOverlapping.includes(true);
  // What groups that overlap leave of the whole is not what the others are.
  const withRest = overlap ? ways : [...ways, ...otherWays(input, ways, whole)];
  const stages = input.groupColumns.map((_, stage) =>
    nodesOf(withRest, stage, perStage, partErrors),
  );
  return {
    nodes: stages.flatMap(({ nodes }) => nodes),
    links: stages.slice(1).flatMap((to, i) => linksOf(withRest, stages[i], to, partErrors)),
    whole: wholeOfShares(withRest, { whole, overlap }),
    overlaps: (ends) => {
      const known = new Set(ends.filter(({ cell }) => cell !== null).map(({ stage }) => stage));
      return isOverlapping.some((is, stage) => is && !known.has(stage));
    },
    negativeCount: all.length - ways.length,
  };
}

/** Ways that the answer left out go through the others of every stage. */
function otherWays(
  { result, groupColumns }: ChartInput,
  ways: readonly Way[],
  whole: Whole | null,
): Way[] {
  if (whole === null || !((result.truncated?.groups ?? 0) > 0)) return [];
  const rest = restOf(ways, whole);
  return rest === null
    ? []
    : [
        {
          ...rest,
          cells: groupColumns.map(() => null),
          difference: differenceOfRest(rest, ways),
        },
      ];
}

interface Stage {
  readonly index: number;
  readonly nodes: readonly FlowNode[];
  readonly nodeOf: (cell: GroupCell | null) => FlowNode | undefined;
}

function nodesOf(
  ways: readonly Way[],
  stage: number,
  perStage: number,
  partErrors: PartErrors,
): Stage {
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
      ...amountsOf(mine, partErrors),
    }),
  );
  const left = [...others.flatMap((one) => one.ways), ...rest];
  const other: FlowNode | undefined =
    left.length === 0
      ? undefined
      : {
          id: `${stage}:others`,
          stage,
          label: others.length === 0 ? "others" : `${others.length} others`,
          cell: null,
          ...amountsOf(left, partErrors),
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
  partErrors: PartErrors,
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
    ...amountsOf(mine, partErrors),
  }));
}
