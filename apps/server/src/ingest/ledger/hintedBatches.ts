/**
 * Hinted handoff: another leaf keeps a batch whose own leaf has not answered, and no query sees it,
 * until its own leaf says whether it has the batch. The kinds are those of the journal on the disk.
 */
export type HintEvent =
  /** The batch is about to be sent to that leaf. */
  | HintStep<"aside">
  /** The hint is on that leaf's disk: from here on the batch may be acknowledged. */
  | HintStep<"asideHeld">
  /**
   * That leaf is about to be asked to store its hint: no other leaf may store the batch before it
   * has answered.
   */
  | HintStep<"asideTaken">
  /** That leaf has the hint no longer, or never had it. */
  | HintStep<"asideGone">;

interface HintStep<Kind extends string> {
  readonly kind: Kind;
  readonly table: string;
  readonly batchId: string;
  readonly leaf: string;
}

export interface HintedBatch {
  readonly table: string;
  readonly batchId: string;
  /** By leaf: whether it has confirmed the hint. */
  readonly leaves: ReadonlyMap<string, boolean>;
  /** The leaf that may have stored it already. */
  readonly taker: string | null;
  /** The first leaf with a hint: the rows are expected there until their leaf is known. */
  readonly countedOn: string | null;
}

interface KnownHint extends HintedBatch {
  readonly leaves: Map<string, boolean>;
  taker: string | null;
  countedOn: string | null;
}

/** The form in a snapshot. */
export type PrintedHint = readonly [
  table: string,
  batchId: string,
  taker: string | null,
  countedOn: string | null,
  ...(readonly [leaf: string, isHeld: boolean])[],
];

/** Hinted batches, by leaf. */
export class HintedBatches {
  readonly #batches = new Map<string, KnownHint>();

  apply({ kind, table, batchId, leaf }: HintEvent): void {
    const key = keyOf(table, batchId);
    if (kind === "asideGone") {
      const batch = this.#batches.get(key);
      batch?.leaves.delete(leaf);
      if (batch?.taker === leaf) batch.taker = null;
      if (batch?.leaves.size === 0) this.#batches.delete(key);
      return;
    }
    const batch = this.#batches.get(key) ?? { table, batchId, leaves: new Map(), ...noTaker };
    if (kind === "asideHeld") batch.countedOn ??= leaf;
    if (kind === "asideTaken") batch.taker = leaf;
    else batch.leaves.set(leaf, kind === "asideHeld" || batch.leaves.get(leaf) === true);
    this.#batches.set(key, batch);
  }

  /** The batch is sent again: whether an earlier hint still exists is unknown. */
  renew(table: string, batchId: string): void {
    const batch = this.#batches.get(keyOf(table, batchId));
    if (batch === undefined) return;
    Object.assign(batch, noTaker);
    for (const leaf of batch.leaves.keys()) batch.leaves.set(leaf, false);
  }

  /** The intent could not be written: no leaf stores the batch. */
  untake(table: string, batchId: string): void {
    const batch = this.#batches.get(keyOf(table, batchId));
    if (batch !== undefined) batch.taker = null;
  }

  find(table: string, batchId: string): HintedBatch | undefined {
    return this.#batches.get(keyOf(table, batchId));
  }

  /** Whether a leaf has confirmed a hint. */
  isHeld(table: string, batchId: string): boolean {
    return [...(this.find(table, batchId)?.leaves.values() ?? [])].includes(true);
  }

  list(): readonly HintedBatch[] {
    return [...this.#batches.values()];
  }

  /** Removes the batches of a deleted table. Returns a function that restores them. */
  forget(table: string): () => void {
    const gone = [...this.#batches].filter(([, batch]) => batch.table === table);
    for (const [key] of gone) this.#batches.delete(key);
    return () => {
      for (const [key, batch] of gone) this.#batches.set(key, batch);
    };
  }

  print(): readonly PrintedHint[] {
    return this.list().map(({ table, batchId, taker, countedOn, leaves }) => [
      table,
      batchId,
      taker,
      countedOn,
      ...leaves,
    ]);
  }

  restore(printed: readonly PrintedHint[]): void {
    for (const [table, batchId, taker, countedOn, ...leaves] of printed) {
      const batch = { table, batchId, taker, countedOn, leaves: new Map(leaves) };
      this.#batches.set(keyOf(table, batchId), batch);
    }
  }
}

const noTaker = { taker: null, countedOn: null };

/** Names have no control characters: the newline keeps the two parts apart. */
function keyOf(table: string, batchId: string): string {
  return `${table}\n${batchId}`;
}
