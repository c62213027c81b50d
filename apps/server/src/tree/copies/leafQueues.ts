import type { QueriedNode } from "../queriedNode.js";

/** How many requests are under way to each partition of one machine, whoever asked for them. */
export class LeafQueues {
  readonly #lengths = new Map<string, number>();

  lengthOf(leafId: string): number {
    return this.#lengths.get(leafId) ?? 0;
  }

  /** The same leaf; what it is asked is counted. */
  counted(leaf: QueriedNode): QueriedNode {
    return {
      id: leaf.id,
      streamQuery: async (query, options) => {
        this.#add(leaf.id, 1);
        try {
          await leaf.streamQuery(query, options);
        } finally {
          this.#add(leaf.id, -1);
        }
      },
    };
  }

  #add(leafId: string, count: number): void {
    const length = this.lengthOf(leafId) + count;
    if (length === 0) this.#lengths.delete(leafId);
    else this.#lengths.set(leafId, length);
  }
}
