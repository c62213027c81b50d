/** A batch whose leaf has not answered lies on another leaf, where no query sees it, until the first one says whether it holds it. */
export type AsideEvent =
  /** It is about to be sent there. */
  | AsideStep<"aside">
  /** It is on that leaf's disk: from here on it may be acknowledged. */
  | AsideStep<"asideHeld">
  /** A `takeAside` is about to be sent to that leaf: no other leaf may take the batch before it has answered. */
  | AsideStep<"asideTaken">
  /** That leaf has it no longer, or never had. */
  | AsideStep<"asideGone">;

interface AsideStep<Kind extends string> {
  readonly kind: Kind;
  readonly table: string;
  readonly batchId: string;
  readonly leaf: string;
}

export interface AsideBatch {
  readonly table: string;
  readonly batchId: string;
  /** By leaf: whether it has said that it has it. */
  readonly leaves: ReadonlyMap<string, boolean>;
  /** The leaf that may have taken it in already. */
  readonly taker: string | null;
  /** The first leaf that had it: its rows are expected there until it is known where they are. */
  readonly countedOn: string | null;
}

interface KnownAside extends AsideBatch {
  readonly leaves: Map<string, boolean>;
  taker: string | null;
  countedOn: string | null;
}

/** As a snapshot has it. */
export type PrintedAside = readonly [
  table: string,
  batchId: string,
  taker: string | null,
  countedOn: string | null,
  ...(readonly [leaf: string, isHeld: boolean])[],
];

/** Batches that lie aside on leaves, and which of them are no longer needed. */
export class AsideBatches {
  readonly #batches = new Map<string, KnownAside>();

  apply({ kind, table, batchId, leaf }: AsideEvent): void {
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

  /** It is sent again: whether an earlier copy still lies aside is unknown. */
  renew(table: string, batchId: string): void {
    const batch = this.#batches.get(keyOf(table, batchId));
    if (batch === undefined) return;
    Object.assign(batch, noTaker);
    for (const leaf of batch.leaves.keys()) batch.leaves.set(leaf, false);
  }

  /** The intent could not be written: no leaf takes it in. */
  untake(table: string, batchId: string): void {
    const batch = this.#batches.get(keyOf(table, batchId));
    if (batch !== undefined) batch.taker = null;
  }

  find(table: string, batchId: string): AsideBatch | undefined {
    return this.#batches.get(keyOf(table, batchId));
  }

  /** Whether a leaf has said that it has it. */
  isHeld(table: string, batchId: string): boolean {
    return [...(this.find(table, batchId)?.leaves.values() ?? [])].includes(true);
  }

  list(): readonly AsideBatch[] {
    return [...this.#batches.values()];
  }

  /** With a table its batches go, on every leaf. Returns how they come back, should it stay. */
  forget(table: string): () => void {
    const gone = [...this.#batches].filter(([, batch]) => batch.table === table);
    for (const [key] of gone) this.#batches.delete(key);
    return () => {
      for (const [key, batch] of gone) this.#batches.set(key, batch);
    };
  }

  print(): readonly PrintedAside[] {
    return this.list().map(({ table, batchId, taker, countedOn, leaves }) => [
      table,
      batchId,
      taker,
      countedOn,
      ...leaves,
    ]);
  }

  restore(printed: readonly PrintedAside[]): void {
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
