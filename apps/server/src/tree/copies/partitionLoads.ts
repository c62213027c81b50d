import type { AnswerTrace, TracedNode } from "../../cluster/treeTrace.js";

/** A queue that nobody has heard of for so long may be empty by now. */
const newsMsMax = 2_000;

interface Load {
  requests: number;
  newsMs: number;
}

/**
 * How many requests wait at each place of a partition, as a root knows: those that its machine has
 * last said, and those that the root has sent since then.
 */
export class PartitionLoads {
  readonly #loads = new Map<string, Load>();
  readonly #now: () => number;

  /** Monotonic milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  of(machine: string, leafId: string): number {
    return this.#known(machine, leafId)?.requests ?? 0;
  }

  noteSent(machine: string, leafId: string): void {
    const known = this.#known(machine, leafId);
    if (known === null) this.#set(machine, leafId, 1);
    else known.requests++;
  }

  /** What a machine and those below it have said of their leaves with an answer. */
  noteTrace({ name, children }: Pick<AnswerTrace, "name" | "children">): void {
    for (const child of children) {
      if (child.role === "aggregator") this.noteTrace(child);
      else this.#noteLeaf(name, child);
    }
  }

  #noteLeaf(machine: string, { name, queued }: TracedNode): void {
    if (queued !== undefined) this.#set(machine, name, queued);
  }

  #known(machine: string, leafId: string): Load | null {
    const known = this.#loads.get(placeOf(machine, leafId));
    return known === undefined || this.#now() - known.newsMs > newsMsMax ? null : known;
  }

  #set(machine: string, leafId: string, requests: number): void {
    this.#loads.set(placeOf(machine, leafId), { requests, newsMs: this.#now() });
  }
}

const placeOf = (machine: string, leafId: string): string => `${machine} ${leafId}`;
