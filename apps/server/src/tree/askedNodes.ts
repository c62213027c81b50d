import { roundMs } from "../base/schedule/roundMs.js";
import type { AnswerTrace, TracedNode } from "../cluster/treeTrace.js";
import type { QueriedNode } from "./queriedNode.js";

/** What a node has answered so far. */
export interface NodeProgress {
  readonly done: boolean;
  /** From the question to this answer. */
  readonly waitMs: number;
  /** Of an aggregator, with its last answer. */
  readonly trace?: AnswerTrace;
}

type NamedNode = Pick<QueriedNode, "id" | "machine" | "leafIds">;

/** The nodes that one asker asks, and how long it waits for each. */
export class AskedNodes {
  /** By the id of the node. */
  readonly #nodes: Map<string, TracedNode>;

  constructor(nodes: readonly QueriedNode[]) {
    this.#nodes = new Map(nodes.map((node) => [node.id, unanswered(node)]));
  }

  get all(): readonly TracedNode[] {
    return [...this.#nodes.values()];
  }

  /** The last call for a node counts. */
  note(node: NamedNode, { done, waitMs, trace }: NodeProgress): void {
    const { name, mergeMs, children, isSilent = false } = trace ?? unanswered(node);
    this.#nodes.set(node.id, {
      ...{ name, role: roleOf(node), mergeMs, children },
      waitMs: done && !isSilent ? roundMs(waitMs) : null,
    });
  }
}

const unanswered = (node: NamedNode): TracedNode & { readonly isSilent?: true } => ({
  ...{ name: node.machine ?? node.id, role: roleOf(node) },
  ...{ waitMs: null, mergeMs: 0, children: [] },
});

const roleOf = ({ leafIds }: NamedNode): TracedNode["role"] =>
  leafIds === undefined ? "leaf" : "aggregator";
