import type { HadalError, LedgerInfo } from "@hadal/sdk";
import type { BatchSender, SenderList } from "../../../base/row/batchSender.js";
import type { UnitSnapshot } from "../../../base/row/unitSnapshot.js";
import { leaveLedger } from "../../../registry/ledger/ledgerGateways.js";
import { releaseDoubts } from "../../../registry/ledger/ledgerTasks.js";
import { leaseMs } from "../../../registry/ledger/ledgerVersion.js";
import { purgeLedger } from "../../../registry/ledger/purgeLedger.js";
import { type LedgerNews, readLedger } from "../../../registry/ledger/readLedger.js";
import type { ExpectedRows } from "../../../tree/expectedRows.js";
import { windowMs } from "../batchWindow.js";
import type { AuditedLedger } from "../ledgerAudit.js";
import type { Doubt } from "../ledgerDoubts.js";
import { addMinutes, type MinuteRows, pairsOfMinutes } from "../minuteCounts.js";
import type { MinuteWatch } from "../minuteWatch.js";
import type { PendingDrop, PendingDrops } from "../pendingDrops.js";
import { RowCountLedger } from "../rowCountLedger.js";
import { type FencedLeaf, PlacingLease } from "./fence/placingLease.js";
import { SharedKeys } from "./keys/storedKeys.js";
import { OtherGateways } from "./otherGateways.js";
import { Publisher, type PublisherDeps } from "./publisher.js";
import { lostHours, SharedChanges } from "./sharedChanges.js";
import { SharedCounts } from "./sharedCounts.js";
import { SharedDoubts } from "./sharedDoubts.js";
import { SharedDrops } from "./sharedDrops.js";
import { Turns } from "./turns.js";

export interface SharedLedgerOptions extends Omit<PublisherDeps, "own" | "openLeaves"> {
  /** All leaves of members. */
  readonly leaves: () => readonly (FencedLeaf & { readonly id: string })[];
  readonly folder: string;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Called when another gateway has deleted a table. */
  readonly onDeleted?: (table: string) => Promise<void>;
}

const turnEveryMs = 1_000;
/** Who has the lease leaves off before another may take it. */
const leaderMs = leaseMs - 2_000;
/** Others publish every second; one that does not will be late soon. */
const settleMsMax = 5_000;
const settlePollMs = 100;
/** A sender may wait so long to hear that its key is in doubt. */
const keysMsMax = 3_000;
const purgeEveryMs = 60_000;
/** After a loss of the registry others are silent, too: they get so long to publish. */
const graceMs = 3_000;

/**
 * The row counts of all gateways: those in the registry, as they were last read, and this gateway's
 * own that are not there yet. Nothing on a query's path waits for the registry.
 */
export class SharedLedger implements ExpectedRows, AuditedLedger {
  /** What this gateway places, with the counts that the registry does not have yet. */
  readonly own: RowCountLedger;
  readonly #options: SharedLedgerOptions;
  readonly #publisher: Publisher;
  readonly #others: OtherGateways;
  readonly #shared = new SharedCounts();
  readonly #keys = new SharedKeys();
  readonly #changes: SharedChanges;
  readonly #doubts = new SharedDoubts();
  readonly #sharedDrops: SharedDrops;
  readonly #turns = new Turns(() => this.#turn());
  readonly #lease: PlacingLease;
  #senders: SenderList = { version: -1, senders: [] };
  /** Of what is in memory. */
  #version = -1;
  /** Of the deletions that it knows, also of the runs before. */
  #seenVersion = 0;
  /** Since when it has the lease, as it last read; null: another gateway has it. */
  #ledAt: number | null = null;
  #report: string | null = null;
  #changesAsked = 0;
  #timer: NodeJS.Timeout | undefined;
  #isLost = false;
  /** When there were others for the last time, as far as it knows: there may have been, before. */
  #othersAt: number;
  /** When there was a doubt for the last time about one that had ended. */
  #endedAt = Number.NEGATIVE_INFINITY;
  #turnedAt: number | null = null;
  #purgedAt = Number.NEGATIVE_INFINITY;
  /** Until then it takes the place of no other. */
  #graceUntil = Number.NEGATIVE_INFINITY;

  private constructor(options: SharedLedgerOptions, own: RowCountLedger) {
    this.#options = options;
    this.own = own;
    this.#othersAt = options.now();
    this.#publisher = new Publisher({ ...options, own, openLeaves: () => this.#openLeaves() });
    const { leaves, now } = options;
    this.#lease = new PlacingLease({
      ...{ leaves, now, sender: () => this.sender, senders: () => this.#senders },
    });
    this.#others = new OtherGateways(options.now);
    this.#changes = new SharedChanges(options.registry, options.gateway);
    this.#sharedDrops = new SharedDrops(own);
  }

  /** Rejects where the registry cannot be reached. */
  static async open(options: SharedLedgerOptions): Promise<SharedLedger> {
    const { folder, warn } = options;
    const own = await RowCountLedger.open(folder, warn, { extent: "part" });
    const ledger = new SharedLedger(options, own);
    try {
      ledger.#seenVersion = await ledger.#publisher.join();
      await ledger.turn();
      const [version, at] = [ledger.#version, options.now()];
      // Others must know of this one before it places rows, and it of all that they have placed.
      await ledger.#until(
        () => ledger.#others.haveSeen(version) && ledger.#others.areSettledSince(at),
      );
    } catch (error) {
      await own.close();
      throw error;
    }
    ledger.#timer = setInterval(() => {
      void ledger.#tick();
      // A turn may hang where the registry does not answer.
      void ledger.#lease.askIfLate();
    }, turnEveryMs);
    return ledger;
  }

  /** Publishes what is new here, and reads what is new elsewhere. */
  turn(): Promise<void> {
    return this.#turns.next();
  }

  /** This gateway as the leaves know it. */
  get sender(): BatchSender {
    return { gateway: this.#options.gateway.id, epoch: this.#publisher.epoch };
  }

  /** Why this gateway may place no rows now; null: it may. */
  get placingProblem(): HadalError | null {
    return this.#lease.problem;
  }

  /** Resolves when a leaf takes no more rows of gateways whose place was taken. */
  fence(leaf: FencedLeaf): Promise<void> {
    return this.#lease.fence(leaf);
  }

  /** Whether other gateways place rows. */
  get areOthersThere(): boolean {
    return this.#others.areThere;
  }

  /** Whether this gateway does what only one may do. */
  get isLeader(): boolean {
    return this.#ledAt !== null && this.#options.now() - this.#ledAt < leaderMs;
  }

  expected(table: string, fromMs: number, toMs: number): ReadonlyMap<string, number> {
    const sums = new Map(this.own.expected(table, fromMs, toMs));
    for (const [leaf, rows] of this.#shared.counts.sums(table, fromMs, toMs))
      sums.set(leaf, (sums.get(leaf) ?? 0) + rows);
    for (const [leaf, rows] of sums) if (rows <= 0) sums.delete(leaf);
    return sums;
  }

  /** Of other gateways leaves say which they show. */
  snapshot(): UnitSnapshot {
    return this.own.snapshot(this.#options.gateway.id);
  }

  unseen(table: string, fromMs: number, toMs: number): number {
    return this.own.unseen(table, fromMs, toMs) + this.#others.unseen(table, fromMs, toMs);
  }

  expectedMinutes(table: string, fromMs: number, toMs: number): ReadonlyMap<string, MinuteRows> {
    const minutes = new Map(this.own.expectedMinutes(table, fromMs, toMs));
    for (const [leaf, rows] of this.#shared.counts.minutes(table, fromMs, toMs))
      minutes.set(leaf, addMinutes(rows, minutes.get(leaf) ?? { minutes: [], counts: [] }));
    return new Map([...minutes].map(([leaf, rows]) => [leaf, positive(rows)]));
  }

  /** Others may have placed rows that are not known here yet: then no two moments are the same. */
  changes(table: string): number {
    if (this.#others.areThere) this.#changesAsked++;
    return this.own.changes(table) + this.#shared.changes(table) + this.#changesAsked;
  }

  /** Null also where another gateway places rows, or may have begun to: its rows are known a second later. */
  version(table: string, fromMs: number, toMs: number): string | null {
    // One that joins waits longer for this gateway to hear of it.
    const isAlone = !this.#others.areThere && this.#others.areReadWithin(graceMs);
    if (!isAlone || this.doubt(table, fromMs, toMs) !== null) return null;
    const own = this.own.version(table, fromMs, toMs);
    return own === null ? null : `${own}\n\n${this.#shared.version(table, fromMs, toMs)}`;
  }

  /** Of the rows that this gateway has placed. */
  lateMs(table: string, nowMs: number): number {
    return this.own.lateMs(table, nowMs);
  }

  firstMs(table: string): number | null {
    const own = this.own.firstMs(table);
    const shared = this.#shared.counts.firstMs(table);
    return own === null ? shared : Math.min(own, shared ?? own);
  }

  doubt(table: string, fromMs: number, toMs = Number.POSITIVE_INFINITY): string | null {
    return (
      this.own.doubt(table, fromMs) ??
      this.#doubts.reason(table, fromMs, toMs) ??
      this.#whyDamaged() ??
      this.#others.whyLate(toMs)
    );
  }

  /** A copy may have answered for a leaf that this gateway does not reach. */
  doubtOfLeaves(leafIds: readonly string[], toMs: number): string | null {
    const open = new Set(this.#openLeaves());
    const silent = [...this.leaves()].filter((leaf) => !open.has(leaf));
    for (const leaf of new Set([...leafIds, ...silent])) {
      const reason = this.#others.whyUnsure(leaf, toMs);
      if (reason !== null) return reason;
    }
    return null;
  }

  get damage(): Doubt | null {
    return this.#doubts.damage;
  }

  doubtedTables(): readonly (readonly [table: string, doubt: Doubt])[] {
    return this.#doubts.tables();
  }

  leaves(): ReadonlySet<string> {
    return new Set([...this.own.leaves(), ...this.#shared.counts.leaves()]);
  }

  tables(): string[] {
    return [...new Set([...this.own.tables(), ...this.#shared.counts.tables()])];
  }

  tablesOn(leaf: string): string[] {
    return [...new Set([...this.own.tablesOn(leaf), ...this.#shared.counts.tablesOn(leaf)])];
  }

  minutesOf(table: string, leaf: string): MinuteRows {
    return positive(
      addMinutes(this.#shared.counts.of(table, leaf), this.own.minutesOf(table, leaf)),
    );
  }

  watch(leaf: string): MinuteWatch {
    return this.own.watch(leaf);
  }

  unwatch(watch: MinuteWatch): void {
    this.own.unwatch(watch);
  }

  /**
   * Waits until all gateways have published since the call. Batches that are still open then make
   * their minutes incomparable. False: one has not published in time.
   */
  async whenSettled(leaf: string): Promise<boolean> {
    const at = this.#options.now();
    if (!(await this.#until(() => this.#others.areSettledSince(at)))) return false;
    for (const { table, rows } of this.#others.openOn(leaf)) this.own.touch(table, leaf, rows);
    return true;
  }

  /** Hints that leaves keep for other gateways; null: not all are known. */
  async hintsOfOthers(): Promise<ReadonlySet<string> | null> {
    const at = this.#options.now();
    await this.#until(() => this.#others.areSettledSince(at));
    return this.#others.hintsSince(at);
  }

  async whenPublished(): Promise<void> {
    if (!this.#others.areThere) return;
    await this.turn().catch(() => undefined);
    await this.#untilSeen(this.#version);
  }

  isGone(gateway: string): boolean {
    const { version, senders } = this.#senders;
    return version >= 0 && senders.every((sender) => sender.gateway !== gateway);
  }

  get leavesOfOthers(): ReadonlySet<string> {
    return this.#others.placesOn;
  }

  isOpenElsewhere(table: string, idsStart: string): boolean {
    return this.#others.isOpen(table, idsStart);
  }

  mayHaveStored(table: string, key: string): boolean {
    const isKnown = this.#keys.has(table, key);
    return this.#others.areThere || isKnown || this.#options.now() - this.#othersAt < windowMs;
  }

  /** In the time in which their keys may come again. */
  get #haveGatewaysEnded(): boolean {
    return this.#options.now() - this.#endedAt < windowMs;
  }

  async isKeyOpen(
    key: Parameters<SharedKeys["isOnOneOf"]>[0],
    {
      silent,
      copied,
    }: { readonly silent: readonly string[]; readonly copied: ReadonlySet<string> },
  ): Promise<boolean> {
    const at = this.#options.now();
    const areKnown = (): boolean =>
      this.#others.haveLeft(silent) || this.#others.areSettledSince(at);
    if (!areKnown() && !(await this.#until(areKnown, keysMsMax))) return true;
    if (silent.some((leaf) => !copied.has(leaf)) && this.#haveGatewaysEnded) return true;
    return (
      this.#others.isOpen(key.table, `${key.key}/`) || this.#keys.isOnOneOf(key, new Set(silent))
    );
  }

  async noteDamage(reason: string, sinceMs: number): Promise<void> {
    await this.#changes.noteDoubt({ reason, sinceMs });
    await this.turn();
  }

  async noteDoubt(table: string, doubt: Doubt): Promise<void> {
    await this.#changes.noteDoubt(doubt, table);
    await this.turn();
  }

  async heal(table: string, leaf: string, rows: MinuteRows): Promise<void> {
    await this.#changes.heal(table, leaf, rows);
    await this.turn();
  }

  async noteRebuilt(): Promise<void> {
    await this.#changes.endDoubts(this.#doubts.ending);
    await this.turn();
  }

  get drops(): PendingDrops {
    return this.own.drops;
  }

  pending(): ReturnType<RowCountLedger["pending"]> {
    return this.own.pending();
  }

  findPending(table: string, batchId: string): ReturnType<RowCountLedger["findPending"]> {
    return this.own.findPending(table, batchId);
  }

  /** Resolves when the other gateways expect the rows no longer, too. */
  async expire({ rows, ...drop }: PendingDrop & { readonly rows: MinuteRows }): Promise<void> {
    const counted = this.minutesOf(drop.table, drop.leaf);
    await this.#untilSeen(await this.#changes.bookOut(drop, rows, counted));
  }

  /** Resolves when the other gateways place no rows of the table any more. */
  async deleteTable(table: string, leaves: readonly string[]): Promise<void> {
    await this.#untilSeen(await this.#changes.deleteTable(table, leaves));
  }

  async dropped(table: string, leaf: string): Promise<void> {
    const drop = this.drops.find(table, leaf);
    if (drop === undefined) return;
    await this.#changes.endDrop(drop);
    this.own.endDrop(table, leaf);
  }

  /** What the gateway with the lease has found; null: nothing yet. */
  get reportOfLeader(): LedgerInfo | null {
    return this.#report === null ? null : (JSON.parse(this.#report) as LedgerInfo);
  }

  async shareReport(report: LedgerInfo): Promise<void> {
    const printed = JSON.stringify(report);
    if (printed !== this.#report) await this.#changes.writeReport(printed);
  }

  /** Publishes the rest. A gateway with open batches stays announced: its rows are not all known. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const { registry, gateway, warn } = this.#options;
    try {
      await this.turn();
      if (this.own.unpublished.areNone && this.own.pending().length === 0) {
        await leaveLedger(registry, gateway);
        await this.own.unpublished.noteMembership({ kind: "left" });
      }
    } catch (error) {
      warn(`ledger: ${String(error)}`);
    }
    await this.own.close();
  }

  async #tick(): Promise<void> {
    const { warn } = this.#options;
    try {
      await this.turn();
      if (this.#isLost) warn("ledger: the counts of all gateways are known again");
      this.#isLost = false;
    } catch (error) {
      if (!this.#isLost) warn(`ledger: counts cannot be shared now: ${String(error)}`);
      this.#isLost = true;
    }
  }

  async #turn(): Promise<void> {
    const { registry, gateway, now, wallMs, onDeleted } = this.#options;
    const startedAt = now();
    this.#seenVersion = await this.#publisher.publish(this.#seenVersion);
    this.#lease.renew(startedAt);
    const moment = { at: now(), wallMs: wallMs() };
    const cursor = { sinceVersion: this.#version, seenVersion: this.#seenVersion };
    const news = await readLedger(registry, cursor);
    this.#use(news, { ...moment, databaseMs: news.nowMs });
    this.#ledAt = news.leaseHolder === gateway.id ? startedAt : null;
    this.#version = news.version;
    for (const table of news.changes?.deleted ?? []) {
      await this.own.forgetTable(table);
      this.#shared.forgetEmpty(table);
      await onDeleted?.(table);
    }
    this.#seenVersion = news.version;
    if (this.#doubts.isHeldBy(gateway.id) && !this.own.unpublished.areLeftToOthers)
      await releaseDoubts(registry, gateway.id);
    if (this.#turnedAt !== null && now() - this.#turnedAt > graceMs)
      this.#graceUntil = now() + graceMs;
    this.#turnedAt = now();
    if (!this.isLeader) return;
    if (this.#doubts.unfenced.length > 0) this.#noteLater(this.#endUnfenced(news.nowMs));
    if (now() >= this.#graceUntil) await this.#changes.takePlaces(news);
    await this.#changes.replaceHours(this.#shared.damaged, news.nowMs);
    if (now() - this.#purgedAt < purgeEveryMs) return;
    this.#purgedAt = now();
    await purgeLedger(registry);
  }

  /** In one turn of the event loop: rows move from the own counts to the shared ones. */
  #use(news: LedgerNews, moment: Parameters<OtherGateways["update"]>[1]): void {
    const { gateway } = this.#options;
    const { position, rows } = this.own.unpublished.publishing;
    const self = news.gateways.find(({ id }) => id === gateway.id);
    // Only hours that were read after it published have its rows.
    if (rows !== null && self?.position === position) this.#noteLater(this.own.unpublished.end());
    if (news.changes !== null) {
      const { hours, keys, doubts, drops } = news.changes;
      this.#shared.apply(hours, (...changed) => this.own.touch(...changed));
      this.#keys.use(keys, news.nowMs);
      this.#doubts.use(doubts);
      this.#sharedDrops.use(drops);
    }
    this.#others.update(
      news.gateways.filter(({ id }) => id !== gateway.id),
      moment,
    );
    if (this.#others.areThere) this.#othersAt = moment.at;
    if (this.#doubts.haveEnded) this.#endedAt = moment.at;
    this.#report = news.report;
    this.#senders = news.senders;
  }

  /** Half of the leaves refuse them: the others are too few for them to go on. */
  async #endUnfenced(nowMs: number): Promise<void> {
    const { unfenced } = this.#doubts;
    const leafCount = this.#options.leaves().length;
    const fenced = await this.#lease.fenceAll();
    if (2 * fenced >= leafCount) await this.#changes.endUnfenced(unfenced, nowMs);
  }

  #openLeaves(): readonly string[] {
    return this.#options.leaves().flatMap(({ id, state }) => (state === "alive" ? [id] : []));
  }

  #noteLater(noting: Promise<void>): void {
    noting.catch((error: unknown) => this.#options.warn(`ledger: ${String(error)}`));
  }

  #whyDamaged(): string | null {
    const { damaged } = this.#shared;
    return damaged.length === 0 ? null : lostHours(damaged);
  }

  /** Others read every second; one that does not is late, and says nothing about these rows. */
  async #untilSeen(version: number): Promise<void> {
    await this.#until(() => this.#version >= version && this.#others.haveSeen(version));
  }

  /** Reads again and again until it is so; false: it was not in time, or cannot be read. */
  async #until(isSo: () => boolean, waitMs = settleMsMax): Promise<boolean> {
    const { now, sleep } = this.#options;
    const deadline = now() + waitMs;
    for (;;) {
      const isRead = await this.turn().then(
        () => true,
        () => false,
      );
      if (!isRead) return false;
      if (isSo()) return true;
      if (now() >= deadline) return false;
      await sleep(settlePollMs);
    }
  }
}

/** A minute cannot have fewer rows than none: other counts of it are on their way. */
function positive(rows: MinuteRows): MinuteRows {
  if (rows.counts.every((count) => count > 0)) return rows;
  const kept = pairsOfMinutes(rows).filter(([, count]) => count > 0);
  return { minutes: kept.map(([minute]) => minute), counts: kept.map(([, count]) => count) };
}
