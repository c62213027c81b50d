import { HadalError, keepAtLeastDefault, type MemberTable, type ThinningStep } from "@hadal/sdk";
import type { BatchSender } from "../../base/row/batchSender.js";
import type { Thinning } from "../../base/row/reduction.js";
import type { LeafRequestBody } from "../../cluster/leafProtocol.js";
import type { LeafReply } from "../../cluster/leafReply.js";
import type { BatchIntent } from "../ledger/ledgerEvents.js";
import { reductionOf } from "../ledger/pendingDrops.js";
import type { RowCountLedger } from "../ledger/rowCountLedger.js";
import type { TableSettingsStore } from "./tableSettings.js";

/** What retention needs of a leaf; a LeafConnection is one. */
export interface RetainingLeaf {
  readonly id: string;
  readonly state: "alive" | "suspect" | "dead";
  readonly status: {
    readonly tables: readonly MemberTable[];
    /** What its rows take beyond its budget. */
    readonly excessBytes?: number;
  } | null;
  request(
    request: LeafRequestBody,
    body: undefined,
    options: { readonly timeoutMs: number },
  ): Promise<{ readonly header: LeafReply }>;
}

/** The ledger as rows are removed from it. */
export interface RetainedLedger
  extends Pick<RowCountLedger, "drops" | "pending" | "findPending" | "deleteTable" | "expire"> {
  /** Of several gateways one removes rows. */
  readonly isLeader: boolean;
  /** This gateway as the leaves know it; absent: it is the only one. */
  readonly sender?: BatchSender;
  /** Resolves when a leaf does nothing more for gateways whose place was taken. */
  fence(leaf: RetainingLeaf): Promise<void>;
  /** False: batches of other gateways may be on the leaf that are not counted yet. */
  whenSettled(leaf: string): Promise<boolean>;
  dropped(table: string, leaf: string): Promise<void> | void;
}

export interface RetentionDeps {
  readonly leaves: () => readonly RetainingLeaf[];
  readonly ledger: RetainedLedger;
  readonly settings: TableSettingsStore;
  /** The time by which rows expire ({@link ExpiryClock}). */
  readonly nowMs: () => Promise<number>;
  readonly sleep: (ms: number) => Promise<void>;
  /**
   * Resolves with whether no query asks a copy any longer that does not know of so many removals by
   * its leaf. Left out: there are no copies.
   */
  readonly whenRemovalsKnown?: (leafId: string, removals: number) => Promise<boolean>;
  /** Called when rows of a leaf have new weights: queries need them for error bars. */
  readonly onThinned?: () => Promise<void>;
  readonly warn: (text: string) => void;
}

const timeoutMs = 10_000;
/** A leaf that rewrites segments gives way to queries. */
const reduceTimeoutMs = 120_000;
/** A leaf answers for a batch within this time, or is gone. */
const pendingWaitMs = 10_000;
const pendingPollMs = 20;

/**
 * Removes old rows, or most of them, and deleted tables. Always in this order: the leaf lists the
 * rows, the ledger subtracts them (on the disk), the leaf removes them, the ledger forgets the
 * task. So a leaf never has fewer rows than expected, and completeness stays 1 if a process dies in
 * between.
 */
export class Retention {
  readonly #deps: RetentionDeps;
  #running: Promise<void> | null = null;
  /** By which each leaf was last freed of rows: it has less by now. */
  readonly #freedBy = new WeakMap<RetainingLeaf, RetainingLeaf["status"]>();

  constructor(deps: RetentionDeps) {
    this.#deps = deps;
  }

  /** One round over all leaves; callers share a running round. */
  run(): Promise<void> {
    return this.#go(this.#deps.settings.retained());
  }

  /** A round over what takes more with every batch: tables whose bytes are bounded, leaves that are full. */
  runBounded(): Promise<void> {
    return this.#go(this.#deps.settings.bounded());
  }

  #go(tables: Iterable<string>): Promise<void> {
    if (!this.#deps.ledger.isLeader) return Promise.resolve();
    this.#running ??= this.#round([...tables]).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /**
   * Removes a table from the ledger, and then from every leaf. Refuses while a leaf cannot be
   * reached. `onBooked` is awaited once the ledger has removed the table; a leaf that fails is
   * asked again in the next round.
   */
  async deleteTable(table: string, onBooked: () => Promise<void>): Promise<void> {
    const leaves = this.#deps.leaves();
    const away = leaves.filter(({ state }) => state === "dead").map(({ id }) => id);
    if (away.length > 0) {
      const detail = `${table} cannot be deleted while ${away.join(", ")} cannot be reached.`;
      throw new HadalError("unavailable", { detail });
    }
    await this.#running;
    await Promise.all(leaves.map((leaf) => this.#planDrop(leaf, table)));
    await this.#deps.ledger.deleteTable(
      table,
      leaves.map(({ id }) => id),
    );
    await onBooked();
    await Promise.all(leaves.map((leaf) => this.#finishDrop(leaf, table)));
  }

  async #round(tables: readonly string[]): Promise<void> {
    await Promise.all(
      this.#deps.leaves().map(async (leaf) => {
        const owed = this.#deps.ledger.drops.list().filter((drop) => drop.leaf === leaf.id);
        const steps = [
          ...owed.map(({ table }) => [table, () => this.#finishDrop(leaf, table)] as const),
          ...tables.map((table) => [table, () => this.#expire(leaf, table)] as const),
          ...tables.map((table) => [table, () => this.#thin(leaf, table)] as const),
          ...tables.map((table) => [table, () => this.#cut(leaf, table)] as const),
          ...this.#overBudget(leaf).map(
            ({ name, maxBytes }) => [name, () => this.#shrink(leaf, name, maxBytes)] as const,
          ),
        ];
        for (const [table, step] of steps) {
          if (leaf.state === "dead") return;
          try {
            await step();
          } catch (error) {
            // Tried again in the next round; what comes after it may be what makes room for it.
            this.#deps.warn(`retention of ${table} on ${leaf.id}: ${String(error)}`);
            if (error instanceof HadalError && error.code === "connection-lost") return;
          }
        }
      }),
    );
  }

  /** Rejects while copies of the table could still answer for it. */
  async #planDrop(leaf: RetainingLeaf, table: string): Promise<void> {
    const plan = await this.#ask(leaf, { kind: "planDrop", table }, timeoutMs);
    if (plan.kind === "expiring" && (await this.#isKnown(leaf, plan.removals))) return;
    const detail = `${table} cannot be deleted: machines of the cluster do not hear of it.`;
    throw new HadalError("unavailable", { detail });
  }

  #isKnown({ id }: RetainingLeaf, removals: number | undefined): Promise<boolean> {
    const { whenRemovalsKnown } = this.#deps;
    if (whenRemovalsKnown === undefined || removals === undefined) return Promise.resolve(true);
    return whenRemovalsKnown(id, removals);
  }

  /**
   * Subtracts the rows that a leaf listed. Batches among them whose outcome is open are settled
   * first, or their rows would be expected forever. False: try again later.
   */
  async #bookOut(
    leaf: RetainingLeaf,
    removals: number | undefined,
    drop: Parameters<RetainedLedger["expire"]>[0],
  ): Promise<boolean> {
    const { ledger, sleep } = this.#deps;
    if (!(await this.#isKnown(leaf, removals))) return false;
    const open = ledger
      .pending()
      .filter(({ table, leaf }) => table === drop.table && leaf === drop.leaf);
    const isOpen = (intent: BatchIntent): boolean =>
      ledger.findPending(intent.table, intent.batchId) === intent;
    for (let waitedMs = 0; open.some(isOpen); waitedMs += pendingPollMs) {
      if (waitedMs >= pendingWaitMs) return false;
      await sleep(pendingPollMs);
    }
    if (!(await ledger.whenSettled(drop.leaf))) return false;
    // The table may have been deleted meanwhile.
    if (ledger.drops.find(drop.table, drop.leaf) !== undefined) return false;
    await ledger.expire(drop);
    return true;
  }

  async #expire(leaf: RetainingLeaf, table: string): Promise<void> {
    const { settings, nowMs } = this.#deps;
    const { maxAgeMs, maxBytes } = settings.of(table).retention;
    await this.#drop(leaf, table, {
      beforeMs: maxAgeMs === null ? null : (await nowMs()) - maxAgeMs,
      maxBytes: maxBytes === null ? null : this.#shareOf(leaf, table, maxBytes),
    });
  }

  /**
   * What tables of a full leaf may still take there: those furthest over an equal share shrink, so
   * that a small table keeps its rows however much comes for another one.
   */
  #overBudget(
    leaf: RetainingLeaf,
  ): readonly { readonly name: string; readonly maxBytes: number }[] {
    const { status } = leaf;
    let excess = status?.excessBytes ?? 0;
    if (status === null || excess === 0 || this.#freedBy.get(leaf) === status) return [];
    this.#freedBy.set(leaf, status);
    const total = status.tables.reduce((sum, { bytes }) => sum + bytes, 0);
    const share = Math.max(0, total - excess) / Math.max(1, status.tables.length);
    const over = status.tables
      .filter(({ bytes }) => bytes > share)
      .sort((a, b) => b.bytes - a.bytes);
    return over.flatMap(({ name, bytes }) => {
      const taken = Math.min(excess, bytes - share);
      excess -= taken;
      return taken > 0 ? [{ name, maxBytes: Math.floor(bytes - taken) }] : [];
    });
  }

  #shrink(leaf: RetainingLeaf, table: string, maxBytes: number): Promise<void> {
    return this.#drop(leaf, table, { beforeMs: null, maxBytes });
  }

  async #drop(
    leaf: RetainingLeaf,
    table: string,
    bounds: { readonly beforeMs: number | null; readonly maxBytes: number | null },
  ): Promise<void> {
    if (this.#deps.ledger.drops.find(table, leaf.id) !== undefined) return;
    const plan = await this.#ask(leaf, { kind: "expire", table, ...bounds }, timeoutMs);
    if (plan.kind !== "expiring" || plan.generations.length === 0) return;
    const { generations, rows, removals } = plan;
    if (await this.#bookOut(leaf, removals, { table, leaf: leaf.id, generations, rows }))
      await this.#finishDrop(leaf, table);
  }

  /** The oldest rows of the oldest segment, where all of it would be too much. */
  async #cut(leaf: RetainingLeaf, table: string): Promise<void> {
    const { ledger, settings } = this.#deps;
    const { maxBytes } = settings.of(table).retention;
    if (maxBytes === null || ledger.drops.find(table, leaf.id) !== undefined) return;
    const own = this.#shareOf(leaf, table, maxBytes);
    const plan = await this.#ask(leaf, { kind: "planCut", table, maxBytes: own }, timeoutMs);
    if (plan.kind !== "expiring" || plan.generations.length === 0) return;
    const { generations, rows, removals, keepNewest } = plan;
    if (keepNewest === undefined) return;
    const drop = { table, leaf: leaf.id, generations, rows, keepNewest };
    if (await this.#bookOut(leaf, removals, drop)) await this.#finishDrop(leaf, table);
  }

  /** Thins some segments at a time, oldest first, until all have the wanted share. */
  async #thin(leaf: RetainingLeaf, table: string): Promise<void> {
    const { ledger, settings, nowMs } = this.#deps;
    for (const step of settings.of(table).thinning.toReversed()) {
      const thinning = thinningOf(step);
      const bounds = { table, beforeMs: (await nowMs()) - step.afterMs, ...thinning };
      for (;;) {
        if (ledger.drops.find(table, leaf.id) !== undefined) return;
        const request = { kind: "planThinning", ...bounds } as const;
        const plan = await this.#ask(leaf, request, timeoutMs);
        if (plan.kind !== "expiring" || plan.generations.length === 0) break;
        const { generations, rows, removals } = plan;
        const drop = { table, leaf: leaf.id, generations, rows, ...thinning };
        if (!(await this.#bookOut(leaf, removals, drop))) return;
        await this.#finishDrop(leaf, table);
      }
    }
  }

  async #finishDrop(leaf: RetainingLeaf, table: string): Promise<void> {
    const { ledger } = this.#deps;
    const drop = ledger.drops.find(table, leaf.id);
    if (drop === undefined) return;
    // An order of before, of a gateway that was frozen, would remove rows that come after this one.
    await ledger.fence(leaf);
    const { generations } = drop;
    const reduction = reductionOf(drop);
    const sent = ledger.sender === undefined ? {} : { sender: ledger.sender };
    const order = { table, generations, ...sent };
    if (generations === null || reduction === null)
      await this.#ask(leaf, { kind: "drop", ...order }, timeoutMs);
    else
      await this.#ask(leaf, { kind: "reduce", ...order, generations, reduction }, reduceTimeoutMs);
    await ledger.dropped(table, leaf.id);
    if (drop.keepOneIn !== undefined) await this.#deps.onThinned?.();
  }

  async #ask(leaf: RetainingLeaf, request: LeafRequestBody, waitMs: number): Promise<LeafReply> {
    const { header } = await leaf.request(request, undefined, { timeoutMs: waitMs });
    if (header.kind === "problem") throw HadalError.fromProblem(header.problem);
    return header;
  }

  /** A leaf's part of the table's bytes is its part of the bound. */
  #shareOf(leaf: RetainingLeaf, table: string, maxBytes: number): number {
    const bytesOn = ({ status }: RetainingLeaf): number =>
      status?.tables.find(({ name }) => name === table)?.bytes ?? 0;
    const total = this.#deps.leaves().reduce((sum, one) => sum + bytesOn(one), 0);
    const share = total === 0 ? 1 / this.#deps.leaves().length : bytesOn(leaf) / total;
    return Math.floor(maxBytes * share);
  }
}

/** As the leaves know it. */
function thinningOf({ keepOneIn, key, groups, keepAtLeast }: ThinningStep): Thinning {
  if (key !== undefined) return { keepOneIn, basis: { kind: "key", column: key } };
  if (groups === undefined) return { keepOneIn };
  const least = keepAtLeast ?? keepAtLeastDefault;
  return { keepOneIn, basis: { kind: "groups", columns: groups, keepAtLeast: least } };
}
