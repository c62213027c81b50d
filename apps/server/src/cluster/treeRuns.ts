/** What an aggregator does now for trees, over all of its connections. */
export class TreeRuns {
  readonly #stops = new Map<string, Set<() => void>>();

  /** Notes work that `stop` ends. Returns what to call when it is over. */
  enter(treeId: string, stop: () => void): () => void {
    const stops = this.#stops.get(treeId) ?? new Set();
    this.#stops.set(treeId, stops.add(stop));
    return () => {
      stops.delete(stop);
      if (stops.size === 0 && this.#stops.get(treeId) === stops) this.#stops.delete(treeId);
    };
  }

  stop(treeId: string): void {
    for (const stop of [...(this.#stops.get(treeId) ?? [])]) stop();
  }
}
