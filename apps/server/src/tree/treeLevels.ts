import type { TreeLevel } from "@hadal/sdk";
import { roundMs } from "../base/schedule/roundMs.js";
import type { TracedNode } from "../cluster/treeTrace.js";

type Asker = Pick<TracedNode, "mergeMs" | "children">;

/** The levels of a tree, the root first; of each level the largest figure of any of its aggregators. */
export function treeLevels(asked: readonly TracedNode[], mergeMs: number): readonly TreeLevel[] {
  const levels: TreeLevel[] = [];
  let askers: readonly Asker[] = [{ mergeMs, children: asked }];
  while (askers.length > 0) {
    levels.push(levelOf(levels.length, askers));
    askers = askers.flatMap(({ children }) => children.flatMap(thatAsked));
  }
  return levels;
}

function levelOf(level: number, askers: readonly Asker[]): TreeLevel {
  let [most, waitMs, mergeMs] = [0, 0, 0];
  for (const asker of askers) {
    most = Math.max(most, asker.children.length);
    mergeMs = Math.max(mergeMs, asker.mergeMs);
    for (const child of asker.children) waitMs = Math.max(waitMs, child.waitMs ?? 0);
  }
  return { level, children: most, waitMs, mergeMs: roundMs(mergeMs) };
}

/** Aggregators of which the children are known; those of a silent one were asked in its place. */
function thatAsked(node: TracedNode): readonly Asker[] {
  if (node.role === "leaf" || node.children.length === 0) return [];
  return node.waitMs === null ? node.children.flatMap(thatAsked) : [node];
}
