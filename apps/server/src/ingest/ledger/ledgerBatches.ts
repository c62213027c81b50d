import { type Attempt, BatchWindow, type KeyEntry } from "./batchWindow.js";
import { type HintEvent, HintedBatches } from "./hintedBatches.js";
import type { LeafCounts } from "./leafCounts.js";
import type { BatchEvent, BatchIntent, PrintedBatches } from "./ledgerEvents.js";
import { minuteMs, rowsBetween, totalOf } from "./minuteCounts.js";
import type { MinuteWatches } from "./minuteWatches.js";

/** A batch of a request that may come again. */
export interface StoredKey {
  readonly table: string;
  readonly key: string;
  readonly batchId: string;
  readonly leaf: string;
  readonly atMs: number;
}

/**
 * Batches whose outcome is open, their hints on other leaves, and the keys of requests that may
 * come again. An outcome counts the rows on the leaf that has stored them.
 */
export class LedgerBatches {
  readonly hints = new HintedBatches();
  readonly #pending = new Map<string, BatchIntent>();
  /** Pending batches that an earlier run began. */
  readonly #openAtStart = new Set<string>();
  /** Pending batches whose rows another gateway counts. */
  readonly #uncounted = new Set<string>();
  readonly #windows = new Map<string, BatchWindow>();
  /** Null where no other gateway has to know them. */
  readonly #storedKeys: StoredKey[] | null;
  readonly #counts: LeafCounts;
  readonly #watches: MinuteWatches;

  constructor(counts: LeafCounts, watches: MinuteWatches, extent: "all" | "part") {
    this.#storedKeys = extent === "all" ? null : [];
    this.#counts = counts;
    this.#watches = watches;
  }

  pending(): readonly BatchIntent[] {
    return [...this.#pending.values()];
  }

  /** The pending batches of a unit. */
  ofUnit(number: number): readonly BatchIntent[] {
    return this.pending().filter(({ unit }) => unit?.number === number);
  }

  findPending(table: string, batchId: string): BatchIntent | undefined {
    return this.#pending.get(keyOf(table, batchId));
  }

  findKey(table: string, key: string): KeyEntry | undefined {
    return this.#windows.get(table)?.find(key);
  }

  /** Whether the outcome is open of a batch with rows in the whole minutes that cover [fromMs, toMs). */
  isOpen(table: string, fromMs: number, toMs: number): boolean {
    for (const intent of this.#pending.values())
      if (intent.table === table && rowsBetween(intent.rows, fromMs, toMs) > 0) return true;
    return false;
  }

  /** The batches of keys that leaves have stored since the last call, or since the window begins. */
  takeStoredKeys(): readonly StoredKey[] {
    return this.#storedKeys?.splice(0) ?? [];
  }

  /** Whether a leaf may get the rows of a pending batch: as its own leaf, or by a hint. */
  mayStore({ table, batchId, leaf: own }: BatchIntent, leaf: string): boolean {
    return own === leaf || this.hints.find(table, batchId)?.leaves.has(leaf) === true;
  }

  /** Other gateways have taken over: they count the rows of pending batches. */
  leaveUncounted(): void {
    for (const key of this.#pending.keys()) this.#uncounted.add(key);
  }

  isUncounted({ table, batchId }: Pick<BatchIntent, "table" | "batchId">): boolean {
    return this.#uncounted.has(keyOf(table, batchId));
  }

  /** Whether there are such batches. */
  get areUncounted(): boolean {
    return this.#uncounted.size > 0;
  }

  /** Called once after the journal is read: an outcome is unknown until the leaf is asked. */
  noteStart(): void {
    for (const key of this.#pending.keys()) this.#openAtStart.add(key);
  }

  /**
   * Why the rows of a batch that an earlier run began are unknown; null: there is none of that
   * time.
   */
  openReason(table: string, fromMs: number): string | null {
    for (const key of this.#openAtStart) {
      const intent = this.#pending.get(key);
      if (intent === undefined) {
        this.#openAtStart.delete(key);
        continue;
      }
      const { leaf, rows } = intent;
      const endMs = ((rows.minutes.at(-1) ?? 0) + 1) * minuteMs;
      if (intent.table !== table || endMs <= fromMs) continue;
      return `${leaf} has not said whether it holds ${totalOf(rows)} rows that were on their way to it when the server ended`;
    }
    return null;
  }

  apply(event: BatchEvent): void {
    switch (event.kind) {
      case "intent": {
        const { kind: _kind, ...intent } = event;
        this.#begin(intent);
        break;
      }
      case "held": {
        const { kind: _kind, ...intent } = event;
        this.#begin(intent);
        this.#end({ kind: "known", table: intent.table, batchId: intent.batchId });
        break;
      }
      case "found": {
        const { kind: _kind, ...intent } = event;
        const { table, batchId, leaf } = intent;
        this.#begin(intent);
        this.applyHint({ kind: "asideHeld", table, batchId, leaf });
        break;
      }
      default:
        this.#end(event);
    }
  }

  applyHint(event: HintEvent): void {
    const { table, batchId, leaf } = event;
    const before = this.hints.find(table, batchId)?.countedOn ?? null;
    this.hints.apply(event);
    const intent = this.findPending(table, batchId);
    if (intent === undefined) return;
    this.#watches.touch(table, leaf, intent.rows);
    // It may be acknowledged: its rows are expected on the leaf that is most likely to store them.
    if (event.kind !== "asideHeld" || before !== null) return;
    if (!this.#uncounted.has(keyOf(table, batchId))) this.#counts.add(table, leaf, intent.rows);
  }

  /** Rows in the whole minutes that cover [fromMs, toMs) that only hints have, which no query sees. */
  hintedRows(table: string, fromMs: number, toMs: number): number {
    let rows = 0;
    for (const hint of this.hints.list()) {
      if (hint.table !== table || hint.countedOn === null) continue;
      const intent = this.findPending(table, hint.batchId);
      if (intent === undefined || this.#uncounted.has(keyOf(table, hint.batchId))) continue;
      rows += rowsBetween(intent.rows, fromMs, toMs);
    }
    return rows;
  }

  /** Removes the batches of a deleted table. Returns a function that restores them. */
  forget(table: string): () => void {
    const window = this.#windows.get(table);
    const pending = this.pending().filter((intent) => intent.table === table);
    const restoreHints = this.hints.forget(table);
    this.#windows.delete(table);
    for (const { batchId } of pending) {
      this.#pending.delete(keyOf(table, batchId));
      this.#uncounted.delete(keyOf(table, batchId));
    }
    return () => {
      restoreHints();
      if (window !== undefined) this.#windows.set(table, window);
      for (const intent of pending) this.#pending.set(keyOf(table, intent.batchId), intent);
    };
  }

  print(): PrintedBatches {
    const windows = [...this.#windows].map(([table, window]) => ({
      table,
      keys: [...window.list()].map((entry) => ({ ...entry, batches: [...entry.batches] })),
    }));
    const uncounted = [...this.#uncounted];
    return { pending: this.pending(), asides: this.hints.print(), windows, uncounted };
  }

  restore({ pending, asides = [], windows, uncounted = [] }: PrintedBatches): void {
    for (const key of uncounted) this.#uncounted.add(key);
    for (const { table, keys } of windows) {
      const window = this.#windowOf(table);
      for (const { batches, ...request } of keys) {
        window.restore({ ...request, batches: new Map(batches) });
        for (const [batchId, attempt] of batches) {
          const { key, atMs } = request;
          this.#noteStored({ table, key, batchId, leaf: attempt.leaf, atMs }, attempt.state);
        }
      }
    }
    this.hints.restore(asides);
    for (const intent of pending) this.#pending.set(keyOf(intent.table, intent.batchId), intent);
  }

  #begin(intent: BatchIntent): void {
    const { table, batchId, leaf, rows } = intent;
    this.#pending.set(keyOf(table, batchId), intent);
    this.hints.renew(table, batchId);
    this.#watches.touch(table, leaf, rows);
    this.#remember(intent, "pending");
  }

  #end(event: Exclude<BatchEvent, { readonly kind: "intent" | "held" | "found" }>): void {
    const intent = this.findPending(event.table, event.batchId);
    if (intent === undefined) return;
    const { table, batchId, leaf, rows, key } = intent;
    this.#pending.delete(keyOf(table, batchId));
    const isCounted = !this.#uncounted.delete(keyOf(table, batchId));
    this.#watches.touch(table, leaf, rows);
    if (event.kind === "refused") {
      if (key !== null) this.#windows.get(table)?.remove(key, batchId);
      return;
    }
    const holder = event.kind === "moved" ? event.leaf : leaf;
    this.#watches.touch(table, holder, rows);
    if (isCounted) this.#count(intent, event.kind === "known" ? null : holder);
    const { isReceived, ...stored } = intent;
    const isLoose = isReceived === true && event.kind === "stored";
    this.#remember({ ...stored, leaf: holder, ...(isLoose ? { isReceived } : {}) }, "stored");
  }

  /**
   * Counts the rows on a leaf, and no longer where a hint counted them. Null: they count already.
   */
  #count({ table, batchId, rows }: BatchIntent, leaf: string | null): void {
    const countedOn = this.hints.find(table, batchId)?.countedOn ?? null;
    // Never subtracted and added again on one leaf: running queries would take the rows for expired
    // ones.
    if (countedOn === leaf) return;
    if (countedOn !== null) this.#counts.subtract(table, countedOn, rows);
    if (leaf !== null) this.#counts.add(table, leaf, rows);
  }

  #remember(intent: BatchIntent, state: Attempt["state"]): void {
    const { table, key, requestHash, batchId, leaf, contentHash, atMs, isReceived } = intent;
    if (key === null) return;
    const request = { key, requestHash, atMs };
    const attempt = { leaf, contentHash, state, ...(isReceived && { isReceived }) };
    this.#windowOf(table).set(request, batchId, attempt);
    this.#noteStored({ table, key, batchId, leaf, atMs }, state);
  }

  #noteStored(stored: StoredKey, state: Attempt["state"]): void {
    if (state === "stored") this.#storedKeys?.push(stored);
  }

  #windowOf(table: string): BatchWindow {
    let window = this.#windows.get(table);
    if (window === undefined) {
      window = new BatchWindow();
      this.#windows.set(table, window);
    }
    return window;
  }
}

/** Names have no control characters: the newline separates the two parts. */
function keyOf(table: string, batchId: string): string {
  return `${table}\n${batchId}`;
}
