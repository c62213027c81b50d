import { HadalError } from "@hadal/sdk";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import { emptySnapshot, type UnitSnapshot } from "../../base/row/unitSnapshot.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";
import type { KeyEntry } from "./batchWindow.js";
import type { HintedBatches } from "./hintedBatches.js";
import { type Doubt, type LedgerDoubts, reasonOf } from "./ledgerDoubts.js";
import type { BatchIntent, BatchOutcome, LedgerEvent } from "./ledgerEvents.js";
import type { JournalContent } from "./ledgerFiles.js";
import { LedgerJournal } from "./ledgerJournal.js";
import { LedgerState } from "./ledgerState.js";
import type { LedgerUnits } from "./ledgerUnits.js";
import type { MinuteRows } from "./minuteCounts.js";
import type { MinuteWatch } from "./minuteWatch.js";
import type { DropEvent, PendingDrop, PendingDrops } from "./pendingDrops.js";
import { UnpublishedCounts } from "./unpublishedCounts.js";

export interface OpenLedgerOptions {
  readonly nowMs?: () => number;
  readonly extent?: "all" | "part";
}

/**
 * Counts the rows placed on each leaf, per table and minute of event time, independently of the
 * leaves, and remembers the batches of requests that may come again. A journal has an intent before
 * each batch is sent, and its outcome after: so a restart knows which batches to ask the leaves
 * about.
 */
export class RowCountLedger implements ExpectedRows {
  readonly #journal: LedgerJournal;
  readonly #warn: (text: string) => void;
  readonly #state: LedgerState;
  #snapshotting: Promise<void> | null = null;
  /** Its folder was empty. */
  readonly isNew: boolean;
  /** Where other gateways place rows, too: how far its counts have come to the registry. */
  readonly unpublished: UnpublishedCounts;
  /** Of several gateways one may. */
  readonly isLeader: boolean = true;

  /** See {@link open}. */
  constructor(
    journal: LedgerJournal,
    content: JournalContent,
    warn: (text: string) => void,
    extent: "all" | "part" = "all",
  ) {
    this.#journal = journal;
    this.#warn = warn;
    this.#state = replayed(content, extent);
    this.isNew = content.isNew;
    this.unpublished = new UnpublishedCounts(this.#state, {
      note: (event) => this.#note(event),
      append: (event) => this.#append(event),
    });
  }

  /** The counts of a journal that is only read. */
  static countsOf(content: JournalContent): Pick<RowCountLedger, "tables" | "expected"> {
    const { counts } = replayed(content);
    return {
      tables: () => counts.tables(),
      expected: (table, fromMs, toMs) => counts.sums(table, fromMs, toMs),
    };
  }

  /**
   * Damaged files are renamed; what is lost with them is in doubt until the leaves are compared.
   * `extent`: a part where other gateways place rows, too, see {@link Publishing}.
   */
  static async open(
    folder: string,
    warn: (text: string) => void,
    { nowMs = Date.now, extent = "all" }: OpenLedgerOptions = {},
  ): Promise<RowCountLedger> {
    const { journal, content } = await LedgerJournal.open(folder);
    const ledger = new RowCountLedger(journal, content, warn, extent);
    ledger.#state.batches.noteStart();
    if (content.linesDropped > 0) {
      warn(`the row-count ledger in ${folder} had ${content.linesDropped} torn lines; left out`);
    }
    await ledger.#noteLoss(folder, content, nowMs());
    if (content.isBehind) await journal.snapshot(() => ledger.#state.print());
    return ledger;
  }

  async #noteLoss(
    folder: string,
    { loss, damaged, isNew }: JournalContent,
    sinceMs: number,
  ): Promise<void> {
    if (damaged !== null) {
      const end = loss === null ? "it was made again from what came before" : "counts are lost";
      this.#warn(`the row-count ledger in ${folder}: ${damaged}; renamed, ${end}`);
    }
    const reason = loss ?? (isNew ? (damaged ?? "the row-count ledger is new") : null);
    if (reason !== null && (this.damage === null || loss !== null))
      await this.noteDamage(reason, sinceMs);
  }

  get drops(): PendingDrops {
    return this.#state.drops;
  }

  expected(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number> {
    return this.#state.counts.sums(table, fromMs, toMs);
  }

  unseen(table: string, fromMs: number, toMs: number): number {
    return this.#state.batches.hintedRows(table, fromMs, toMs);
  }

  snapshot(gateway = ""): UnitSnapshot {
    const { visible } = this.units;
    return visible.upTo === 0 ? emptySnapshot : { [gateway]: visible };
  }

  expectedMinutes(table: string, fromMs: number, toMs: number): ReadonlyMap<string, MinuteRows> {
    return this.#state.counts.minutes(table, fromMs, toMs);
  }

  changes(table: string): number {
    return this.#state.changes(table);
  }

  /**
   * A text that names the rows of a range: where it is the same as before, the rows are the same. Null: they are not
   * known, or a leaf may show rows that do not count.
   */
  version(table: string, fromMs: number, toMs: number): string | null {
    return this.doubt(table, fromMs) === null ? this.#state.version(table, fromMs, toMs) : null;
  }

  /** How late the rows of a table came in the last minute, ms. */
  lateMs(table: string, nowMs: number): number {
    return this.#state.lateness.of(table, nowMs);
  }

  firstMs(table: string): number | null {
    return this.#state.counts.firstMs(table);
  }

  /** Why there may be more rows from `fromMs` on than the expected ones; null: there are not. */
  doubt(table: string, fromMs: number): string | null {
    return (
      reasonOf(this.#state.doubts.damage, fromMs) ??
      reasonOf(this.#state.doubts.of(table), fromMs) ??
      this.#state.batches.openReason(table, fromMs)
    );
  }

  /** A loss of the ledger that is not counted again yet. */
  get damage(): Doubt | null {
    return this.#state.doubts.damage;
  }

  /** Tables that have lost rows which were never counted. */
  doubtedTables(): ReturnType<LedgerDoubts["list"]> {
    return this.#state.doubts.list();
  }

  /** Leaves that rows were placed on. */
  leaves(): ReadonlySet<string> {
    return this.#state.counts.leaves();
  }

  /** Tables with rows on any leaf. */
  tables(): string[] {
    return this.#state.counts.tables();
  }

  /** Tables with rows on a leaf. */
  tablesOn(leaf: string): string[] {
    return this.#state.counts.tablesOn(leaf);
  }

  minutesOf(table: string, leaf: string): MinuteRows {
    return this.#state.counts.of(table, leaf);
  }

  /**
   * Notes from here on which minutes of a leaf change, with those of batches on their way to it.
   */
  watch(leaf: string): MinuteWatch {
    const watch = this.#state.watches.open(leaf);
    for (const intent of this.pending())
      if (this.#state.batches.mayStore(intent, leaf)) watch.touch(intent.table, intent.rows);
    for (const drop of this.drops.list()) if (drop.leaf === leaf) watch.void(drop.table);
    return watch;
  }

  unwatch(watch: MinuteWatch): void {
    this.#state.watches.close(watch);
  }

  /** These minutes of a leaf have changed, by other gateways. */
  touch(table: string, leaf: string, rows: MinuteRows): void {
    this.#state.watches.touch(table, leaf, rows);
  }

  /** All batches that were sent to a leaf before are in its counts, or pending: they are its own. */
  async whenSettled(_leaf: string): Promise<boolean> {
    return true;
  }

  /** There is no other gateway that a leaf would have to keep out. */
  async fence(_leaf: unknown): Promise<void> {}

  /** The ledger has lost something: until it is rebuilt, the expected rows are unknown. */
  async noteDamage(reason: string, sinceMs: number): Promise<void> {
    await this.#note({ kind: "damaged", reason, sinceMs });
  }

  /** Counts rows of a leaf that were not counted; at once, before the journal has them. */
  async heal(table: string, leaf: string, rows: MinuteRows): Promise<void> {
    await this.#note({ kind: "healed", table, leaf, rows });
  }

  /** Whether a request may be a repetition although its key is unknown. */
  areKeysLost(nowMs: number): boolean {
    return this.#state.doubts.areKeysLost(nowMs);
  }

  async noteDoubt(table: string, doubt: Doubt): Promise<void> {
    await this.#note({ kind: "doubted", table, ...doubt });
  }

  /** Every leaf has been compared since the damage was found. */
  async noteRebuilt(rowsHealed = this.#state.rowsHealed): Promise<void> {
    await this.#note({ kind: "rebuilt", rowsHealed });
    this.#state.rowsHealed = 0;
    this.compact();
  }

  /**
   * Resolves when the intent is on disk; only then may the batch be sent. Null: its table is
   * deleted already.
   */
  async begin(intent: BatchIntent): Promise<BatchIntent | null> {
    this.#state.apply({ kind: "intent", ...intent });
    const begun = this.findPending(intent.table, intent.batchId);
    try {
      await this.#append({ kind: "intent", ...intent });
    } catch (error) {
      this.#state.apply({ kind: "refused", table: intent.table, batchId: intent.batchId });
      throw error;
    }
    const pending = this.findPending(intent.table, intent.batchId);
    return pending === begun ? (pending ?? null) : null;
  }

  /**
   * A leaf has stored a batch that this ledger does not know. Its rows are counted by whoever sent
   * them, or when the leaf is compared. Resolves when that is on disk.
   */
  noteHeld(intent: BatchIntent): Promise<void> {
    // Never pending: a leaf that is asked about pending batches would say that it has it, and it
    // would count twice.
    return this.#note({ kind: "held", ...intent });
  }

  get units(): Omit<LedgerUnits, "apply" | "restore"> {
    return this.#state.units;
  }

  /** The pending batches of a unit. */
  batchesOfUnit(number: number): readonly BatchIntent[] {
    return this.#state.batches.ofUnit(number);
  }

  /**
   * All batches of a unit are stored: they count, and are visible, from here on. Should the line be
   * lost, leaves are asked again.
   */
  commitUnit(number: number): void {
    this.#noteLater({ kind: "unitCommitted", number });
    if (this.#journal.full) this.compact();
  }

  /** Resolves when it is on disk: a later start would commit a unit that is stored by then. */
  async abortUnit(number: number): Promise<void> {
    const event = { kind: "unitAborted", number } as const;
    this.#state.apply(event);
    await this.#journal.note(event).catch(refuse);
  }

  /** All leaves know for good that these were aborted. */
  forgetUnits(numbers: readonly number[]): void {
    this.#noteLater({ kind: "unitsForgotten", numbers });
  }

  get hints(): HintedBatches {
    return this.#state.batches.hints;
  }

  /**
   * Resolves when it is on disk that a leaf may get a hint; only then may the batch be sent there.
   */
  beginHint(table: string, batchId: string, leaf: string): Promise<void> {
    return this.#note({ kind: "aside", table, batchId, leaf });
  }

  /** The leaf has the hint on its disk: the rows are expected from here on. */
  noteHintHeld(table: string, batchId: string, leaf: string): void {
    this.#noteLater({ kind: "asideHeld", table, batchId, leaf });
  }

  /** Resolves when it is on disk that the leaf may store its hint; only then may it be asked to. */
  async beginTaking(table: string, batchId: string, leaf: string): Promise<void> {
    try {
      await this.#note({ kind: "asideTaken", table, batchId, leaf });
    } catch (error) {
      this.hints.untake(table, batchId);
      throw error;
    }
  }

  /**
   * Notes a hint that the ledger had lost: its batch is in doubt, and its rows are expected.
   * Resolves when that is on disk.
   */
  async adopt(intent: BatchIntent): Promise<void> {
    const { table, batchId, leaf, rows } = intent;
    this.#state.apply({ kind: "found", ...intent });
    const found = this.findPending(table, batchId);
    try {
      await this.#append({ kind: "found", ...intent });
    } catch (error) {
      if (this.findPending(table, batchId) === found) {
        this.#state.apply({ kind: "refused", table, batchId });
        this.#state.apply({ kind: "asideGone", table, batchId, leaf });
        this.#state.counts.subtract(table, leaf, rows);
      }
      throw error;
    }
  }

  noteHintGone(table: string, batchId: string, leaf: string): void {
    this.#noteLater({ kind: "asideGone", table, batchId, leaf });
  }

  /** A leaf has stored a batch in doubt from its hint. */
  move(table: string, batchId: string, leaf: string): void {
    if (this.findPending(table, batchId) !== undefined)
      this.#noteLater({ kind: "moved", table, batchId, leaf });
  }

  /** The outcome of a batch; a second one for the same batch changes nothing. */
  settle(table: string, batchId: string, outcome: BatchOutcome): void {
    if (this.findPending(table, batchId) === undefined) return;
    this.#noteLater({ kind: outcome, table, batchId });
    if (this.#journal.full) this.compact();
  }

  /**
   * Not awaited: should the line be lost, the leaf is asked again. But counts are not published
   * before it: they would be counted again then.
   */
  #noteLater(event: LedgerEvent): void {
    this.#state.apply(event);
    this.#journal.note(event).catch((error: unknown) => this.#warn(`ledger: ${String(error)}`));
  }

  /** Batches whose leaf has not said yet whether it stored them. */
  pending(): readonly BatchIntent[] {
    return this.#state.batches.pending();
  }

  /** Whether others have taken the place of this gateway since a pending batch was begun. */
  isLeftToOthers(batch: Pick<BatchIntent, "table" | "batchId">): boolean {
    return this.#state.batches.isUncounted(batch);
  }

  findPending(table: string, batchId: string): BatchIntent | undefined {
    return this.#state.batches.findPending(table, batchId);
  }

  findKey(table: string, key: string): KeyEntry | undefined {
    return this.#state.batches.findKey(table, key);
  }

  /**
   * Subtracts rows that retention removes from a leaf. Resolves when that is on disk; only then may
   * the leaf remove them.
   */
  async expire(drop: Omit<Extract<DropEvent, { kind: "expired" }>, "kind">): Promise<void> {
    const { table, leaf, rows } = drop;
    try {
      await this.#note({ kind: "expired", ...drop });
    } catch (error) {
      // The next start would not repeat the drop: the leaf keeps these rows, so they are expected.
      this.drops.apply({ kind: "dropped", table, leaf });
      this.#state.counts.add(table, leaf, rows);
      throw error;
    }
  }

  /**
   * Removes a whole table, with the batches whose outcome is open. Resolves when that is on disk.
   */
  async deleteTable(table: string, leaves: readonly string[]): Promise<void> {
    const restoreBatches = this.#state.batches.forget(table);
    const restoreCounts = this.#state.counts.forget(table);
    try {
      await this.#note({ kind: "deleted", table, leaves });
    } catch (error) {
      for (const leaf of leaves) this.drops.apply({ kind: "dropped", table, leaf });
      restoreCounts();
      restoreBatches();
      throw error;
    }
  }

  /** The leaf has removed the rows of its pending drop. */
  dropped(table: string, leaf: string): void {
    // If the line is lost, the order is sent again, and the leaf has nothing left to do.
    this.#noteLater({ kind: "dropped", table, leaf });
  }

  /** Another gateway has deleted the table. */
  forgetTable(table: string): Promise<void> {
    return this.#note({ kind: "deleted", table, leaves: [] });
  }

  /** A drop that the registry keeps. */
  setDrop(drop: PendingDrop): void {
    this.drops.add(drop);
    this.#state.generations.raise(drop.table);
    this.#state.watches.void(drop.table, drop.leaf);
  }

  endDrop(table: string, leaf: string): void {
    this.drops.apply({ kind: "dropped", table, leaf });
    this.#state.generations.raise(table);
    this.#state.watches.void(table, leaf);
  }

  /** Resolves when everything noted so far is on disk. */
  async close(): Promise<void> {
    await this.#snapshotting;
    await this.#journal.close();
  }

  /** Replaces the journal by a snapshot, in the background. */
  compact(): void {
    this.#snapshotting ??= this.#journal
      .snapshot(() => this.#state.print())
      .catch((error: unknown) => this.#warn(`ledger snapshot: ${String(error)}`))
      .finally(() => {
        this.#snapshotting = null;
      });
  }

  #note(event: LedgerEvent): Promise<void> {
    this.#state.apply(event);
    return this.#append(event);
  }

  #append(event: LedgerEvent): Promise<void> {
    return this.#journal.append(event).catch(refuse);
  }
}

/** Whoever sends rows may wait for a line, and is answered with the problem. */
function refuse(error: unknown): never {
  throw new HadalError("storage-full", { leaf: "gateway", detail: systemErrorText(error) });
}

function replayed(content: JournalContent, extent: "all" | "part" = "all"): LedgerState {
  const state = new LedgerState(extent);
  state.replay(content);
  return state;
}
