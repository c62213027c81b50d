import { HadalError, type LedgerInfo, type LostColumnInfo, type LostRowsInfo } from "@hadal/sdk";
import { tableFolder } from "../../base/file/tableFolder.js";
import { hashDays, totalHash } from "../../base/row/minuteHash.js";
import type { LeafRequestBody } from "../../cluster/leafProtocol.js";
import type { HeldDays, LeafReply, TableHoldings } from "../../cluster/leafReply.js";
import { compareMinutes, differingDays, pairsOf } from "./compareMinutes.js";
import { totalOf } from "./minuteCounts.js";
import type { MinuteWatch } from "./minuteWatch.js";
import type { RowCountLedger } from "./rowCountLedger.js";
import { UncomparedMinutes } from "./uncomparedMinutes.js";

/** The parts of a leaf connection that the comparison uses. */
export interface AuditedLeaf {
  readonly id: string;
  readonly state: "alive" | "suspect" | "dead";
  readonly status: { readonly pid: number } | null;
  request(
    request: LeafRequestBody,
    body: undefined,
    options: { readonly timeoutMs: number },
  ): Promise<{ readonly header: LeafReply }>;
}

/** The ledger as it is compared. */
export interface AuditedLedger
  extends Pick<
    RowCountLedger,
    | "damage"
    | "doubtedTables"
    | "leaves"
    | "tables"
    | "tablesOn"
    | "minutesOf"
    | "watch"
    | "unwatch"
    | "noteDamage"
    | "heal"
    | "noteDoubt"
    | "isLeader"
    | "fence"
  > {
  noteRebuilt(): Promise<void>;
  /** False: batches of other gateways may be on the leaf that are not counted yet. */
  whenSettled(leaf: string): Promise<boolean>;
}

export interface AuditDeps {
  readonly leaves: () => readonly AuditedLeaf[];
  /** Leaves with rows that cannot be asked: the ledger's losses about them stay unknown. */
  readonly leavesLeftOut: readonly string[];
  readonly ledger: AuditedLedger;
  /** Asks leaves about batches whose outcome is open: the minutes of these cannot be compared. */
  readonly settlePending: () => Promise<unknown>;
  /** Whether all rows are known that leaves keep out of sight. */
  readonly areHintsKnown: () => boolean;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly warn: (text: string) => void;
}

const everyMs = 60_000;
const timeoutMs = 10_000;
/** Days of minutes in one request: some 300 KB of JSON. */
const daysAtOnce = 16;
const settleEveryMs = 20;

const nothingHeld = { hash: 0, rowsLost: 0, lostBecause: null, unknownLoss: null };

/**
 * Compares the ledger's counts with the leaves' own counts, by table, and by minute where hashes
 * differ. Rows of a leaf that were not counted are counted. Counted rows that a leaf does not have
 * are lost, and stay expected. Where both may have lost the same rows, the table is in doubt.
 */
export class LedgerAudit {
  readonly #deps: AuditDeps;
  readonly #uncompared = new UncomparedMinutes();
  /** What is uncompared, since when. */
  #damage: AuditedLedger["damage"] = null;
  readonly #lost = new Map<string, readonly LostRowsInfo[]>();
  readonly #lostColumns = new Map<string, readonly LostColumnInfo[]>();
  /** By leaf: folders whose tables it cannot name. */
  readonly #unreadFolders = new Map<string, readonly string[]>();
  readonly #pids = new Map<string, number>();
  #running: Promise<void> | null = null;
  #startedMs: number | null = null;
  /** When all leaves were compared. */
  #comparedMs: number | null = null;

  constructor(deps: AuditDeps) {
    this.#deps = deps;
  }

  /** One round over all reachable leaves; callers share a running round. */
  run(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Runs a round if one is due: every minute, after the restart of a leaf, and at once while the
   * ledger is damaged.
   */
  async runIfDue(): Promise<void> {
    const { ledger, leaves, nowMs } = this.#deps;
    if (!ledger.isLeader) return;
    const isNew = leaves().some(
      ({ id, state, status }) => state === "alive" && status?.pid !== this.#pids.get(id),
    );
    const isDue = this.#startedMs === null || nowMs() - this.#startedMs >= everyMs;
    if (isNew || isDue || ledger.damage !== null) await this.run();
  }

  /** Compares in rounds until the reachable leaves leave nothing in doubt, for a time at most. */
  async settle(waitMs: number): Promise<void> {
    const { ledger, nowMs, sleep } = this.#deps;
    const deadlineMs = nowMs() + waitMs;
    for (;;) {
      await this.run();
      if (ledger.damage === null || !ledger.isLeader || nowMs() >= deadlineMs) return;
      await sleep(settleEveryMs);
    }
  }

  report(): LedgerInfo {
    const { ledger } = this.#deps;
    const doubts = ledger.doubtedTables().map(([table, { reason }]) => ({ table, reason }));
    return {
      state: ledger.damage === null ? "whole" : "rebuilding",
      reason: this.#whyRebuilding(),
      comparedMs: this.#comparedMs,
      lostRows: [...this.#lost.values()].flat(),
      lostColumns: [...this.#lostColumns.values()].flat(),
      doubts,
    };
  }

  #whyRebuilding(): string | null {
    const { damage } = this.#deps.ledger;
    if (damage === null) return null;
    const waiting = this.#leafIds().filter((id) => !this.#uncompared.isDone(id));
    const detail = waiting.length === 0 ? "" : `; waiting for ${waiting.join(", ")}`;
    return `${damage.reason}${detail}`;
  }

  /** Leaves to compare, with those that have rows and are gone. */
  #leafIds(): string[] {
    const { leaves, leavesLeftOut, ledger } = this.#deps;
    return [...new Set([...leaves().map(({ id }) => id), ...leavesLeftOut, ...ledger.leaves()])];
  }

  async #round(): Promise<void> {
    const { leaves, ledger, settlePending, nowMs, warn } = this.#deps;
    await settlePending();
    this.#startedMs = nowMs();
    // Others may have lost counts since.
    if (ledger.damage !== this.#damage && ledger.damage !== null) this.#uncompared.clear();
    this.#damage = ledger.damage;
    const alive = leaves().filter(({ state }) => state === "alive");
    const compared = await Promise.all(
      alive.map((leaf) =>
        this.#auditLeaf(leaf).then(
          () => true,
          (error: unknown) => {
            if (!(error instanceof HadalError)) warn(`rows of ${leaf.id} compared: ${error}`);
            return false;
          },
        ),
      ),
    );
    const areAll = alive.length === leaves().length && !compared.includes(false);
    if (areAll) this.#comparedMs = nowMs();
    if (ledger.damage === null || !this.#leafIds().every((id) => this.#uncompared.isDone(id)))
      return;
    if (!this.#deps.areHintsKnown() || ledger.damage !== this.#damage) return;
    await this.#doubtUnread();
    await ledger.noteRebuilt();
  }

  async #auditLeaf(leaf: AuditedLeaf): Promise<void> {
    const { ledger } = this.#deps;
    const pid = leaf.status?.pid;
    const { damage } = ledger;
    const watch = ledger.watch(leaf.id);
    try {
      // What is compared stays so: no gateway adds to it whose place others have taken.
      await ledger.fence(leaf);
      const holdings = await this.#ask(leaf, { kind: "holdings" }, "holdings");
      const reported = new Map(holdings.tables.map((table) => [table.name, table]));
      const names = new Set([...reported.keys(), ...ledger.tablesOn(leaf.id)]);
      const lost: LostRowsInfo[] = [];
      const left = new Map<string, ReadonlySet<number> | "all">();
      for (const name of names) {
        const table = reported.get(name) ?? { ...nothingHeld, name };
        const found = await this.#compareTable(leaf, table, watch);
        if (found === null) left.set(name, "all");
        else {
          if (found.undecided.size > 0) left.set(name, found.undecided);
          const rows = table.rowsLost + found.rowsOver;
          if (rows > 0) lost.push({ leaf: leaf.id, table: name, rows, reason: whyLost(table) });
          const gone = found.rowsOver > 0 ? "rows are gone" : null;
          await this.#noteDoubt(leaf.id, name, table.unknownLoss ?? gone);
        }
      }
      this.#reportLost(leaf.id, lost);
      const columnsOf = ({ name, lostColumns = [] }: TableHoldings): LostColumnInfo[] =>
        lostColumns.map((column) => ({ leaf: leaf.id, table: name, ...column }));
      // The leaf's own log has reported them.
      this.#lostColumns.set(leaf.id, holdings.tables.flatMap(columnsOf));
      this.#unreadFolders.set(leaf.id, holdings.unreadFolders);
      // Minutes compared before the damage was found are compared again: they may be in doubt.
      if (ledger.damage === damage) this.#uncompared.note(leaf.id, left);
      if (pid !== undefined) this.#pids.set(leaf.id, pid);
    } finally {
      ledger.unwatch(watch);
    }
  }

  /** Warns once for each change; the status shows the loss all the time. */
  #reportLost(leafId: string, lost: readonly LostRowsInfo[]): void {
    const before = new Set(this.#lost.get(leafId)?.map(({ table, rows }) => `${table} ${rows}`));
    for (const { table, rows, reason } of lost) {
      if (!before.has(`${table} ${rows}`))
        this.#deps.warn(`${leafId} has lost ${rows} rows of ${table}: ${reason}`);
    }
    this.#lost.set(leafId, lost);
  }

  /** Null: unknown now, as rows of the table are being removed. */
  async #compareTable(
    leaf: AuditedLeaf,
    { name, hash }: TableHoldings,
    watch: MinuteWatch,
  ): Promise<{ rowsOver: number; undecided: ReadonlySet<number> } | null> {
    const { ledger } = this.#deps;
    const counted = () => ledger.minutesOf(name, leaf.id);
    const undecided = new Set<number>();
    let rowsOver = 0;
    if (watch.isVoid(name)) return null;
    if (totalHash(hashDays(pairsOf(counted()))) === hash) return { rowsOver, undecided };
    const days = differingDays(counted(), await this.#askDays(leaf, name));
    for (let at = 0; at < days.length; at += daysAtOnce) {
      const some = days.slice(at, at + daysAtOnce);
      const request = { kind: "heldMinutes", table: name, days: some } as const;
      const held = await this.#ask(leaf, request, "heldMinutes");
      if (!(await ledger.whenSettled(leaf.id)) || watch.isVoid(name)) return null;
      const own = pairsOf(counted(), new Set(some));
      const found = compareMinutes(own, pairsOf(held), watch.of(name));
      // In the same turn as the comparison, or a batch that is stored meanwhile would count twice.
      const healed = this.#heal(leaf, name, found.short);
      rowsOver += found.rowsOver;
      for (const minute of found.undecided) undecided.add(minute);
      await healed;
    }
    return { rowsOver, undecided };
  }

  async #heal(
    leaf: AuditedLeaf,
    table: string,
    short: ReturnType<typeof compareMinutes>["short"],
  ): Promise<void> {
    const { ledger, nowMs, warn } = this.#deps;
    if (short.minutes.length === 0) return;
    const rows = totalOf(short);
    const notes: Promise<void>[] = [];
    if (ledger.damage === null) {
      // Counts of other leaves may be lost as well.
      this.#uncompared.clear();
      const reason = `the row-count ledger lacked ${rows} rows of ${table} on ${leaf.id}`;
      notes.push(ledger.noteDamage(reason, nowMs()));
    }
    notes.push(ledger.heal(table, leaf.id, short));
    warn(`${rows} rows of ${table} on ${leaf.id} had not been counted; they are now`);
    await Promise.all(notes);
  }

  /** Where the ledger has lost counts, rows that a leaf has lost may be counted nowhere. */
  async #noteDoubt(leafId: string, table: string, loss: string | null): Promise<void> {
    const { ledger } = this.#deps;
    const { damage } = ledger;
    if (damage === null || loss === null) return;
    const known = ledger.doubtedTables().find(([name]) => name === table)?.[1];
    if (known !== undefined && known.sinceMs >= damage.sinceMs) return;
    const reason = `${damage.reason}, and on ${leafId} ${loss}: an unknown number of rows is lost`;
    await ledger.noteDoubt(table, { reason, sinceMs: damage.sinceMs });
  }

  /** Called once all tables are known. A table that no leaf can name cannot be queried. */
  async #doubtUnread(): Promise<void> {
    const names = new Map(this.#deps.ledger.tables().map((name) => [tableFolder(name), name]));
    for (const [leafId, folders] of this.#unreadFolders) {
      for (const folder of folders) {
        const name = names.get(folder);
        if (name !== undefined)
          await this.#noteDoubt(leafId, name, "the table's own file is damaged");
      }
    }
  }

  async #askDays(leaf: AuditedLeaf, table: string): Promise<Map<number, number>> {
    const hashes = new Map<number, number>();
    let fromDay: number | null = null;
    do {
      const request: LeafRequestBody = { kind: "heldDays", table, fromDay };
      const held: HeldDays = await this.#ask(leaf, request, "heldDays");
      for (const [i, day] of held.days.entries()) hashes.set(day, held.hashes[i] ?? 0);
      fromDay = held.nextDay;
    } while (fromDay !== null);
    return hashes;
  }

  async #ask<Kind extends LeafReply["kind"]>(
    leaf: AuditedLeaf,
    request: LeafRequestBody,
    kind: Kind,
  ): Promise<Extract<LeafReply, { readonly kind: Kind }>> {
    const { header } = await leaf.request(request, undefined, { timeoutMs });
    if (header.kind === "problem") throw HadalError.fromProblem(header.problem);
    if (header.kind !== kind) throw new Error(`${leaf.id} answered ${header.kind} to ${kind}`);
    return header as Extract<LeafReply, { readonly kind: Kind }>;
  }
}

function whyLost({ lostBecause, unknownLoss, tornLog }: TableHoldings): string {
  return lostBecause ?? unknownLoss ?? tornLog ?? "they are not in its files";
}
