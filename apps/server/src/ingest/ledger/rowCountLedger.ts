import { assert } from "../../base/assert.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";
import { AsideBatches, type AsideEvent, type PrintedAside } from "./asideBatches.js";
import { type Attempt, BatchWindow, type KeyEntry } from "./batchWindow.js";
import { type Doubt, type DoubtEvent, LedgerDoubts, reasonOf } from "./ledgerDoubts.js";
import type { JournalContent } from "./ledgerFiles.js";
import { LedgerJournal } from "./ledgerJournal.js";
import { MinuteCounts, type MinuteRows, minuteMs, noRows, totalOf } from "./minuteCounts.js";
import { MinuteWatch } from "./minuteWatch.js";
import { type DropEvent, type PendingDrop, PendingDrops } from "./pendingDrops.js";

/** Said before a batch is sent. */
export interface BatchIntent {
  readonly table: string;
  readonly batchId: string;
  readonly contentHash: string;
  readonly leaf: string;
  /** Idempotency-Key of the request, if it had one, and the hash of its bytes. */
  readonly key: string | null;
  readonly requestHash: string;
  readonly rows: MinuteRows;
  readonly atMs: number;
}

/**
 * A batch counts from the moment its leaf said that it holds it. `known`: it has held it for longer than this key was
 * remembered here, so that it counts already.
 */
export type BatchOutcome = "stored" | "known" | "refused";

type BatchEvent =
  | ({ readonly kind: "intent" } & BatchIntent)
  | { readonly kind: BatchOutcome; readonly table: string; readonly batchId: string }
  /** Its own leaf does not hold it; this one had it aside, and has stored it. */
  | {
      readonly kind: "moved";
      readonly table: string;
      readonly batchId: string;
      readonly leaf: string;
    };

/** A batch that lies aside on its leaf, and that the ledger had forgotten. */
type FoundEvent = { readonly kind: "found" } & BatchIntent;

type LedgerEvent = BatchEvent | FoundEvent | AsideEvent | DropEvent | DoubtEvent;

interface LedgerSnapshot {
  readonly counts: readonly {
    readonly table: string;
    readonly leaf: string;
    readonly rows: MinuteRows;
  }[];
  readonly pending: readonly BatchIntent[];
  /** Absent in snapshots of before there was retention. */
  readonly drops?: readonly PendingDrop[];
  /** Absent in snapshots of before there were any. */
  readonly asides?: readonly PrintedAside[];
  readonly windows: readonly {
    readonly table: string;
    readonly keys: readonly {
      readonly key: string;
      readonly requestHash: string;
      readonly atMs: number;
      readonly batches: readonly (readonly [string, Attempt])[];
    }[];
  }[];
  /** Absent in snapshots of before there were any. */
  readonly damage?: Doubt | null;
  readonly doubts?: ReturnType<LedgerDoubts["list"]>;
  readonly keysLostSince?: number | null;
}

/**
 * Counts, apart from the leaves, the rows placed on each leaf per table and minute of event time, and remembers
 * the batches of the requests that may come again. Everything is in a journal: an intent before a batch is sent, an
 * outcome after, so that a restart knows which batches to ask the leaves about.
 */
export class RowCountLedger implements ExpectedRows {
  /** Null: it is only read. */
  readonly #opened: LedgerJournal | null;
  readonly #warn: (text: string) => void;
  readonly #counts = new Map<string, Map<string, MinuteCounts>>();
  readonly #pendingBatches = new Map<string, BatchIntent>();
  /** Those of them that an earlier run began. */
  readonly #openAtStart = new Set<string>();
  readonly #windows = new Map<string, BatchWindow>();
  readonly drops = new PendingDrops();
  readonly asides = new AsideBatches();
  readonly #doubts = new LedgerDoubts();
  readonly #watches = new Set<MinuteWatch>();
  /** Since the ledger was last known to be whole. */
  #rowsHealed = 0;
  readonly #changeCounts = new Map<string, number>();
  #snapshotting: Promise<void> | null = null;

  private constructor(opened: LedgerJournal | null, warn: (text: string) => void) {
    this.#opened = opened;
    this.#warn = warn;
  }

  get #journal(): LedgerJournal {
    assert(this.#opened !== null, "a ledger that is only read does not change");
    return this.#opened;
  }

  /** What was counted by what was read of a journal. */
  static countsOf(content: JournalContent): Pick<RowCountLedger, "tables" | "expected"> {
    const ledger = new RowCountLedger(null, () => undefined);
    ledger.#takeIn(content);
    return ledger;
  }

  /** What cannot be read is set aside, and what is lost with it is in doubt until leaves have been compared. */
  static async open(
    folder: string,
    warn: (text: string) => void,
    nowMs: () => number = Date.now,
  ): Promise<RowCountLedger> {
    const { journal, content } = await LedgerJournal.open(folder);
    const ledger = new RowCountLedger(journal, warn);
    ledger.#takeIn(content);
    for (const key of ledger.#pendingBatches.keys()) ledger.#openAtStart.add(key);
    if (content.linesDropped > 0) {
      warn(`the row-count ledger in ${folder} had ${content.linesDropped} torn lines; left out`);
    }
    await ledger.#noteLoss(folder, content, nowMs());
    if (content.isBehind) await journal.snapshot(() => ledger.#print());
    return ledger;
  }

  #takeIn({ snapshot, events }: JournalContent): void {
    if (snapshot !== null) this.#restore(snapshot as LedgerSnapshot);
    for (const event of events) this.#apply(event as LedgerEvent);
  }

  async #noteLoss(
    folder: string,
    { loss, damaged, isNew }: JournalContent,
    sinceMs: number,
  ): Promise<void> {
    if (damaged !== null) {
      const end = loss === null ? "it was made again from what came before" : "counts are lost";
      this.#warn(`the row-count ledger in ${folder}: ${damaged}; set aside, ${end}`);
    }
    const reason = loss ?? (isNew ? (damaged ?? "the row-count ledger is new") : null);
    if (reason !== null && (this.damage === null || loss !== null))
      await this.noteDamage(reason, sinceMs);
  }

  expected(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const [leaf, counts] of this.#counts.get(table) ?? []) {
      const rows = counts.sum(fromMs, toMs);
      if (rows > 0) sums.set(leaf, rows);
    }
    return sums;
  }

  expectedMinutes(table: string, fromMs: number, toMs: number): ReadonlyMap<string, MinuteRows> {
    const leaves = this.#counts.get(table) ?? [];
    return new Map([...leaves].map(([leaf, counts]) => [leaf, counts.between(fromMs, toMs)]));
  }

  changes(table: string): number {
    return this.#changeCounts.get(table) ?? 0;
  }

  firstMs(table: string): number | null {
    let first: number | null = null;
    for (const counts of this.#counts.get(table)?.values() ?? []) {
      const own = counts.firstMs();
      if (own !== null) first = Math.min(first ?? own, own);
    }
    return first;
  }

  /** Why more rows than these may be expected from `fromMs` on; null: they are all. */
  doubt(table: string, fromMs: number): string | null {
    return (
      reasonOf(this.#doubts.damage, fromMs) ??
      reasonOf(this.#doubts.of(table), fromMs) ??
      this.#openReason(table, fromMs)
    );
  }

  /** A batch whose outcome the last run did not learn is held by its leaf or not: while it is away that is unknown. */
  #openReason(table: string, fromMs: number): string | null {
    for (const key of this.#openAtStart) {
      const intent = this.#pendingBatches.get(key);
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

  /** What the ledger lost and has not counted again yet. */
  get damage(): Doubt | null {
    return this.#doubts.damage;
  }

  /** Tables that have lost rows which were never counted. */
  doubtedTables(): ReturnType<LedgerDoubts["list"]> {
    return this.#doubts.list();
  }

  /** Leaves that rows were placed on. */
  leaves(): ReadonlySet<string> {
    return new Set([...this.#counts.values()].flatMap((leaves) => [...leaves.keys()]));
  }

  /** Tables with rows on any leaf. */
  tables(): string[] {
    return [...this.#counts.keys()];
  }

  /** Tables with rows on a leaf. */
  tablesOn(leaf: string): string[] {
    return [...this.#counts].flatMap(([table, leaves]) => (leaves.has(leaf) ? [table] : []));
  }

  minutesOf(table: string, leaf: string): MinuteRows {
    return this.#counts.get(table)?.get(leaf)?.list() ?? noRows;
  }

  /** From here on it notes which of a leaf's minutes change; those of batches on their way are among them. */
  watch(leaf: string): MinuteWatch {
    const watch = new MinuteWatch(leaf);
    for (const intent of this.pending()) {
      const isAside = this.asides.find(intent.table, intent.batchId)?.leaves.has(leaf) === true;
      if (intent.leaf === leaf || isAside) watch.touch(intent.table, intent.rows);
    }
    for (const drop of this.drops.list()) if (drop.leaf === leaf) watch.void(drop.table);
    this.#watches.add(watch);
    return watch;
  }

  unwatch(watch: MinuteWatch): void {
    this.#watches.delete(watch);
  }

  /** The ledger has lost something: until it is rebuilt, the expected rows are unknown. */
  async noteDamage(reason: string, sinceMs: number): Promise<void> {
    await this.#note({ kind: "damaged", reason, sinceMs });
  }

  /** Counts rows that a leaf holds and that were not counted. In the counts at once. */
  async heal(table: string, leaf: string, rows: MinuteRows): Promise<void> {
    await this.#note({ kind: "healed", table, leaf, rows });
  }

  /** Whether a request may have come before although its key is not known. */
  areKeysLost(nowMs: number): boolean {
    return this.#doubts.areKeysLost(nowMs);
  }

  async noteDoubt(table: string, doubt: Doubt): Promise<void> {
    await this.#note({ kind: "doubted", table, ...doubt });
  }

  /** Every leaf has been compared since the damage was found. */
  async noteRebuilt(): Promise<void> {
    await this.#note({ kind: "rebuilt", rowsHealed: this.#rowsHealed });
    this.#rowsHealed = 0;
    this.compact();
  }

  /** Resolves when the intent is on disk; only then may the batch be sent. Null: its table is deleted already. */
  async begin(intent: BatchIntent): Promise<BatchIntent | null> {
    this.#apply({ kind: "intent", ...intent });
    const begun = this.findPending(intent.table, intent.batchId);
    try {
      await this.#journal.append({ kind: "intent", ...intent });
    } catch (error) {
      this.#apply({ kind: "refused", table: intent.table, batchId: intent.batchId });
      throw error;
    }
    const pending = this.findPending(intent.table, intent.batchId);
    return pending === begun ? (pending ?? null) : null;
  }

  /** Resolves when it is on disk that a batch in doubt may lie aside on a leaf; only then may it be sent there. */
  beginAside(table: string, batchId: string, leaf: string): Promise<void> {
    return this.#note({ kind: "aside", table, batchId, leaf });
  }

  /** That leaf has it on its disk: its rows are expected from here on. */
  noteAsideHeld(table: string, batchId: string, leaf: string): void {
    this.#noteLater({ kind: "asideHeld", table, batchId, leaf });
  }

  /** Resolves when it is on disk; only then may the batch be sent to the leaf. */
  async beginTaking(table: string, batchId: string, leaf: string): Promise<void> {
    try {
      await this.#note({ kind: "asideTaken", table, batchId, leaf });
    } catch (error) {
      this.asides.untake(table, batchId);
      throw error;
    }
  }

  /** Resolves when it is on disk that a batch lies aside on its leaf; from here on it is in doubt, and its rows are expected. */
  async adopt(intent: BatchIntent): Promise<void> {
    const { table, batchId, leaf, rows } = intent;
    this.#apply({ kind: "found", ...intent });
    const found = this.findPending(table, batchId);
    try {
      await this.#journal.append({ kind: "found", ...intent });
    } catch (error) {
      if (this.findPending(table, batchId) === found) {
        this.#apply({ kind: "refused", table, batchId });
        this.#apply({ kind: "asideGone", table, batchId, leaf });
        this.#countsOf(table, leaf).subtract(rows);
      }
      throw error;
    }
  }

  noteAsideGone(table: string, batchId: string, leaf: string): void {
    this.#noteLater({ kind: "asideGone", table, batchId, leaf });
  }

  /** A batch in doubt is stored by a leaf that had it aside. */
  move(table: string, batchId: string, leaf: string): void {
    if (this.findPending(table, batchId) !== undefined)
      this.#noteLater({ kind: "moved", table, batchId, leaf });
  }

  /** What became of a batch begun. A second outcome for the same batch says nothing new. */
  settle(table: string, batchId: string, outcome: BatchOutcome): void {
    if (!this.#pendingBatches.has(batchKey(table, batchId))) return;
    this.#noteLater({ kind: outcome, table, batchId });
    if (this.#journal.full) this.compact();
  }

  /** Not awaited: should the line be lost, the next start asks the leaf again. */
  #noteLater(event: BatchEvent | AsideEvent): void {
    this.#note(event).catch((error: unknown) => this.#warn(`ledger: ${String(error)}`));
  }

  /** Batches whose leaf has not said yet whether it holds them. */
  pending(): readonly BatchIntent[] {
    return [...this.#pendingBatches.values()];
  }

  findPending(table: string, batchId: string): BatchIntent | undefined {
    return this.#pendingBatches.get(batchKey(table, batchId));
  }

  findKey(table: string, key: string): KeyEntry | undefined {
    return this.#windows.get(table)?.find(key);
  }

  /** Books rows out that retention removes from a leaf. Resolves when that is on disk; only then may the leaf let go. */
  async expire(drop: Omit<Extract<DropEvent, { kind: "expired" }>, "kind">): Promise<void> {
    const { table, leaf, rows } = drop;
    try {
      await this.#note({ kind: "expired", ...drop });
    } catch (error) {
      // The next start would not know of it: the leaf keeps these rows, so they are expected.
      this.drops.apply({ kind: "dropped", table, leaf });
      this.#countsOf(table, leaf).add(rows);
      throw error;
    }
  }

  /** Books a whole table out, with the batches whose outcome is open. Resolves when that is on disk. */
  async deleteTable(table: string, leaves: readonly string[]): Promise<void> {
    const [counts, window] = [this.#counts.get(table), this.#windows.get(table)];
    const pending = this.pending().filter((intent) => intent.table === table);
    const restoreAsides = this.asides.forget(table);
    try {
      await this.#note({ kind: "deleted", table, leaves });
    } catch (error) {
      restoreAsides();
      for (const leaf of leaves) this.drops.apply({ kind: "dropped", table, leaf });
      if (counts !== undefined) this.#counts.set(table, counts);
      if (window !== undefined) this.#windows.set(table, window);
      for (const intent of pending)
        this.#pendingBatches.set(batchKey(table, intent.batchId), intent);
      throw error;
    }
  }

  /** The leaf holds the rows of its pending drop no longer. */
  dropped(table: string, leaf: string): void {
    // If the line is lost, the order is sent again, and the leaf has nothing left to do.
    this.#note({ kind: "dropped", table, leaf }).catch((error: unknown) =>
      this.#warn(`ledger: ${String(error)}`),
    );
  }

  /** Resolves when everything said so far is on disk. */
  async close(): Promise<void> {
    await this.#snapshotting;
    await this.#journal.close();
  }

  /** Replaces the journal by a snapshot, in the background. */
  compact(): void {
    this.#snapshotting ??= this.#journal
      .snapshot(() => this.#print())
      .catch((error: unknown) => this.#warn(`ledger snapshot: ${String(error)}`))
      .finally(() => {
        this.#snapshotting = null;
      });
  }

  #note(event: LedgerEvent): Promise<void> {
    this.#apply(event);
    return this.#journal.append(event);
  }

  #applyDrop(event: DropEvent): void {
    const { table } = event;
    this.drops.apply(event);
    this.#tellDrop(event);
    if (event.kind === "expired") this.#countsOf(table, event.leaf).subtract(event.rows);
    if (event.kind !== "deleted") return;
    this.#doubts.forget(table);
    this.asides.forget(table);
    this.#counts.delete(table);
    this.#windows.delete(table);
    for (const intent of this.pending()) {
      if (intent.table === table) this.#pendingBatches.delete(batchKey(table, intent.batchId));
    }
  }

  #tellDrop(event: DropEvent): void {
    for (const watch of this.#watches) {
      if (event.kind === "deleted" || event.leaf === watch.leaf) watch.void(event.table);
    }
  }

  #tell(table: string, leaf: string, rows: MinuteRows): void {
    for (const watch of this.#watches) if (watch.leaf === leaf) watch.touch(table, rows);
  }

  #apply(event: LedgerEvent): void {
    // A batch that is only begun has not been answered yet.
    if ("table" in event && event.kind !== "intent")
      this.#changeCounts.set(event.table, this.changes(event.table) + 1);
    switch (event.kind) {
      case "expired":
      case "deleted":
      case "dropped":
        this.#applyDrop(event);
        break;
      case "aside":
      case "asideHeld":
      case "asideTaken":
      case "asideGone":
        this.#applyAside(event);
        break;
      case "found": {
        const { kind: _kind, ...intent } = event;
        const { table, batchId, leaf } = intent;
        this.#apply({ kind: "intent", ...intent });
        this.#applyAside({ kind: "asideHeld", table, batchId, leaf });
        break;
      }
      case "healed":
        this.#tell(event.table, event.leaf, event.rows);
        this.#countsOf(event.table, event.leaf).add(event.rows);
        this.#rowsHealed += totalOf(event.rows);
        break;
      case "damaged":
      case "doubted":
      case "rebuilt":
        this.#doubts.apply(event);
        break;
      default:
        this.#applyBatch(event);
    }
  }

  #applyBatch(event: BatchEvent): void {
    const id = batchKey(event.table, event.batchId);
    if (event.kind === "intent") {
      const { kind: _kind, ...intent } = event;
      this.#pendingBatches.set(id, intent);
      this.asides.renew(intent.table, intent.batchId);
      this.#tell(intent.table, intent.leaf, intent.rows);
      this.#remember(intent, "pending", intent.atMs);
      return;
    }
    const intent = this.#pendingBatches.get(id);
    if (intent === undefined) return;
    const { table, leaf, rows } = intent;
    this.#pendingBatches.delete(id);
    this.#tell(table, leaf, rows);
    const countedOn = this.asides.find(table, intent.batchId)?.countedOn ?? null;
    if (event.kind !== "refused") {
      const holder = event.kind === "moved" ? event.leaf : leaf;
      this.#tell(table, holder, rows);
      const newlyOn = event.kind === "known" ? null : holder;
      // Not taken from a leaf to be given back to it: queries that run take what goes meanwhile for rows that expired.
      if (countedOn !== newlyOn) {
        if (countedOn !== null) this.#countsOf(table, countedOn).subtract(rows);
        if (newlyOn !== null) this.#countsOf(table, newlyOn).add(rows);
      }
      this.#remember({ ...intent, leaf: holder }, "stored", intent.atMs);
    } else if (intent.key !== null) {
      this.#windows.get(intent.table)?.remove(intent.key, intent.batchId);
    }
  }

  #applyAside(event: AsideEvent): void {
    const { table, batchId, leaf } = event;
    const before = this.asides.find(table, batchId)?.countedOn ?? null;
    this.asides.apply(event);
    const intent = this.#pendingBatches.get(batchKey(table, batchId));
    if (intent === undefined) return;
    this.#tell(table, leaf, intent.rows);
    // It may be acknowledged: its rows are expected of the leaf that is most likely to take them in.
    if (event.kind === "asideHeld" && before === null) this.#countsOf(table, leaf).add(intent.rows);
  }

  #remember(intent: BatchIntent, state: Attempt["state"], atMs: number): void {
    const { table, key, requestHash, batchId, leaf, contentHash } = intent;
    if (key === null) return;
    this.#windowOf(table).set(key, requestHash, batchId, { leaf, contentHash, state }, atMs);
  }

  #countsOf(table: string, leaf: string): MinuteCounts {
    let leaves = this.#counts.get(table);
    if (leaves === undefined) {
      leaves = new Map();
      this.#counts.set(table, leaves);
    }
    let counts = leaves.get(leaf);
    if (counts === undefined) {
      counts = new MinuteCounts();
      leaves.set(leaf, counts);
    }
    return counts;
  }

  #windowOf(table: string): BatchWindow {
    let window = this.#windows.get(table);
    if (window === undefined) {
      window = new BatchWindow();
      this.#windows.set(table, window);
    }
    return window;
  }

  #print(): LedgerSnapshot {
    const counts = [...this.#counts].flatMap(([table, leaves]) =>
      [...leaves].map(([leaf, minutes]) => ({ table, leaf, rows: minutes.list() })),
    );
    const windows = [...this.#windows].map(([table, window]) => ({
      table,
      keys: [...window.list()].map((entry) => ({ ...entry, batches: [...entry.batches] })),
    }));
    const { damage, keysLostSince } = this.#doubts;
    const known = { damage, doubts: this.#doubts.list(), keysLostSince };
    const open = { pending: this.pending(), asides: this.asides.print(), drops: this.drops.list() };
    return { counts, ...open, windows, ...known };
  }

  #restore(snapshot: LedgerSnapshot): void {
    for (const { table, leaf, rows } of snapshot.counts) this.#countsOf(table, leaf).add(rows);
    for (const { table, keys } of snapshot.windows) {
      const window = this.#windowOf(table);
      for (const entry of keys) window.restore({ ...entry, batches: new Map(entry.batches) });
    }
    for (const drop of snapshot.drops ?? []) this.drops.add(drop);
    this.asides.restore(snapshot.asides ?? []);
    const { damage = null, doubts = [], keysLostSince = null } = snapshot;
    this.#doubts.restore(damage, doubts, keysLostSince);
    for (const intent of snapshot.pending) {
      this.#pendingBatches.set(batchKey(intent.table, intent.batchId), intent);
    }
  }
}

/** Names have no control characters: the newline keeps the two parts apart. */
function batchKey(table: string, batchId: string): string {
  return `${table}\n${batchId}`;
}
