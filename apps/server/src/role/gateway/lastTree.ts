import type { QueryTree, TreeEdge, TreeNode } from "@hadal/sdk";
import { roundMs } from "../../base/schedule/roundMs.js";
import type { TracedNode } from "../../cluster/treeTrace.js";

/** The tree of the last query; it names members and times, and nothing of what was asked. */
export class LastTree {
  readonly #root: string;
  #noted: NotedTree | null = null;

  /** `root`: the id of this gateway. */
  constructor(root: string) {
    this.#root = root;
  }

  note(noted: NotedTree): void {
    this.#noted = noted;
  }

  /** Null: no leaf was asked yet. */
  get tree(): QueryTree | null {
    if (this.#noted === null) return null;
    const { atMs, mergeMs, asked } = this.#noted;
    const nodes: TreeNode[] = [{ id: this.#root, role: "gateway", mergeMs: roundMs(mergeMs) }];
    const edges: TreeEdge[] = [];
    addChildren(this.#root, asked, { nodes, edges });
    return { atMs, nodes, edges };
  }
}

export interface NotedTree {
  /** When it was answered, in milliseconds since 1970. */
  readonly atMs: number;
  /** Merging and finishing at the root. */
  readonly mergeMs: number;
  readonly asked: readonly TracedNode[];
}

function addChildren(
  from: string,
  children: readonly TracedNode[],
  tree: { readonly nodes: TreeNode[]; readonly edges: TreeEdge[] },
): void {
  for (const { name, role, waitMs, mergeMs, children: below } of children) {
    tree.nodes.push({ id: name, role, mergeMs: roundMs(mergeMs) });
    tree.edges.push({ from, to: name, waitMs });
    addChildren(name, below, tree);
  }
}
