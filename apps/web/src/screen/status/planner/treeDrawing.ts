import type { ClusterPlan } from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";

/** A row of the drawing: nodes of one level. */
export interface TreeRow {
  readonly label: string;
  /** Centres in percent of the width. */
  readonly places: readonly number[];
  /** For each place that of its parent in the row above; the root has none. */
  readonly parents: readonly number[];
}

/** More nodes of a level would touch each other: the label has their number. */
export const nodesMax = 40;

/** The rows of the drawing of a tree: the root, the levels between, machines, leaves. */
export function drawTree({ tree, levels }: Pick<ClusterPlan, "tree" | "levels">): TreeRow[] {
  const rows = tree.map(({ level, aggregators }) => ({
    count: aggregators,
    label: level === 0 ? counted(aggregators, "machine") : betweenLabel(level, levels, aggregators),
  }));
  const machines = tree.at(-1);
  const leaves = (machines?.aggregators ?? 0) * (machines?.children ?? 0);
  rows.push({ count: leaves, label: counted(leaves, "leaf", "leaves") });
  let above: readonly number[] = [];
  return rows.map(({ count, label }) => {
    const shown = Math.min(count, nodesMax);
    const places = Array.from({ length: shown }, (_, i) => ((i + 0.5) / shown) * 100);
    const parents = above.length === 0 ? [] : places.map((_, i) => parentOf(i, shown, above));
    above = places;
    return { label, places, parents };
  });
}

/** Whether a level has more nodes than are drawn. */
export const isDrawnInPart = ({ tree }: Pick<ClusterPlan, "tree">): boolean =>
  tree.some(({ aggregators, children }) => aggregators * children > nodesMax);

const betweenLabel = (level: number, levels: number, aggregators: number): string =>
  level === levels ? "root" : counted(aggregators, "aggregator");

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${formatExact(count)} ${count === 1 ? one : many}`;

/** Children are split evenly, in their order. */
const parentOf = (index: number, count: number, above: readonly number[]): number =>
  above[Math.floor((index * above.length) / count)] ?? 50;
