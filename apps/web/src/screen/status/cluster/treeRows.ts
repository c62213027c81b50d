import type { QueryTree, TreeNode } from "@hadal/sdk";

/** A line of the drawing: one member, or the leaves of a machine together. */
export interface TreeRow {
  readonly key: string;
  readonly name: string;
  /** What it stands for, where that is more than one member. */
  readonly title: string;
  readonly role: TreeNode["role"];
  /** How long it was waited for; of several leaves the slowest. null: for the root, or no answer. */
  readonly waitMs: number | null;
  readonly isMissing: boolean;
  readonly mergeMs: number;
  /** Whether each of its ancestors but the root, and then it itself, has a sibling below. */
  readonly goesOn: readonly boolean[];
}

/** Larger trees show the leaves of a machine as one line. */
export const leavesShownMax = 24;
/** Of one screen and a bit; what is beyond is counted. */
export const rowsMax = 60;

interface Branch {
  readonly node: TreeNode;
  readonly waitMs: number | null;
  readonly isRoot: boolean;
  readonly children: readonly Branch[];
}

/** The lines of a tree, from the root, each member before those that it asked. */
export function treeRows(tree: QueryTree): readonly TreeRow[] {
  const root = branchOf(tree);
  if (root === null) return [];
  const leafCount = tree.nodes.filter(({ role }) => role === "leaf").length;
  const folds = leafCount > leavesShownMax;
  const rows: TreeRow[] = [];
  add(root, []);
  return rows;

  function add({ node, waitMs, isRoot, children }: Branch, goesOn: readonly boolean[]): void {
    const isMissing = !isRoot && waitMs === null;
    const { id, role, mergeMs } = node;
    rows.push({ ...{ key: id, name: id, title: id, role, waitMs, isMissing, mergeMs, goesOn } });
    const leaves = children.filter((child) => child.node.role === "leaf");
    const others = children.filter((child) => child.node.role !== "leaf");
    const isFolded = folds && leaves.length > 1;
    const shown = isFolded ? others : children;
    if (isFolded) rows.push(foldedRow(id, leaves, [...goesOn, others.length > 0]));
    shown.forEach((child, i) => {
      add(child, [...goesOn, i < shown.length - 1]);
    });
  }
}

function foldedRow(
  machine: string,
  leaves: readonly Branch[],
  goesOn: readonly boolean[],
): TreeRow {
  const missing = leaves.filter(({ waitMs }) => waitMs === null);
  const slowest = leaves.reduce((one, other) =>
    (other.waitMs ?? -1) > (one.waitMs ?? -1) ? other : one,
  );
  const silent = missing.map(({ node }) => node.id).join(", ");
  return {
    key: `${machine}\u0000leaves`,
    name: `${leaves.length} leaves${missing.length === 0 ? "" : `, ${missing.length} silent`}`,
    title: missing.length === 0 ? `slowest: ${slowest.node.id}` : `no answer: ${silent}`,
    ...{ role: "leaf", waitMs: slowest.waitMs, isMissing: missing.length > 0, mergeMs: 0, goesOn },
  };
}

function branchOf({ nodes, edges }: QueryTree): Branch | null {
  const [root] = nodes;
  if (root === undefined) return null;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const below = new Map<string, QueryTree["edges"][number][]>();
  for (const edge of edges) below.set(edge.from, [...(below.get(edge.from) ?? []), edge]);
  const build = (node: TreeNode, waitMs: number | null, isRoot: boolean): Branch => ({
    ...{ node, waitMs, isRoot },
    children: (below.get(node.id) ?? []).flatMap(({ to, waitMs: waited }) => {
      const child = byId.get(to);
      return child === undefined ? [] : [build(child, waited, false)];
    }),
  });
  return build(root, null, true);
}
