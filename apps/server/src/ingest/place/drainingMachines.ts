import { HadalError } from "@hadal/sdk";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { noteDrained, noteSendsNone } from "../../registry/member/drains.js";
import type { KnownMembers, MachineDrain, Member } from "../../registry/member/members.js";
import type { Registry } from "../../registry/registry.js";
import type { RowCountLedger } from "../ledger/rowCountLedger.js";

export type DrainedLeaf = Pick<LeafConnection, "id" | "request">;

export interface DrainDeps {
  readonly registry: Registry;
  readonly ledger: Pick<RowCountLedger, "pending">;
  readonly members: KnownMembers;
  readonly leaves: () => readonly DrainedLeaf[];
  /** Whether another machine, which stays, has a whole copy of the leaf. */
  readonly isCopied: (leafId: string) => boolean;
  readonly warn: (text: string) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const askTimeoutMs = 5_000;
/** A copy that is whole then has every row: it is compared with its leaf more often than that. */
const copyMsMax = 5_000;

/**
 * Machines that are being emptied. No gateway sends a new batch to their leaves, which answer queries as
 * before. A machine is drained, and may be stopped, once every gateway says that nothing is on its way
 * there, and each leaf holds no rows or has a copy on a machine that stays.
 */
export class DrainingMachines {
  readonly #deps: DrainDeps;
  /** Since when no gateway sends anything to a machine. */
  readonly #quietSince = new Map<string, number>();
  #running: Promise<void> | null = null;

  constructor(deps: DrainDeps) {
    this.#deps = deps;
  }

  /** Whether a leaf may get new rows. */
  takesRows(leafId: string): boolean {
    return !this.#draining().some(({ leafIds }) => leafIds.includes(leafId));
  }

  /** Says where this gateway sends nothing any more, and finds machines that are drained. */
  run(): Promise<void> {
    this.#running ??= this.#round()
      .catch((error: unknown) => {
        if (error instanceof HadalError && error.code === "registry-unavailable") return;
        this.#deps.warn(`drain: ${String(error)}`);
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  async #round(): Promise<void> {
    const { registry, members, ledger } = this.#deps;
    // Without the registry nothing is known of other gateways.
    if (members.problem() !== null) return;
    const draining = this.#draining();
    const expecting = new Set(ledger.pending().map(({ leaf }) => leaf));
    const quiet = draining
      .filter(({ leafIds }) => !leafIds.some((id) => expecting.has(id)))
      .map(({ name }) => name);
    const self = members.list().find(({ name }) => name === members.self);
    if (self !== undefined && quiet.join() !== self.sendsNoneTo.join()) {
      await noteSendsNone(registry, members.self, quiet);
    }
    for (const machine of draining) await this.#check(machine);
  }

  #draining(): readonly Member[] {
    return this.#deps.members
      .list()
      .filter(({ role, drain }) => role === "aggregator" && drain !== null);
  }

  async #check(machine: Member): Promise<void> {
    const { name, drain } = machine;
    const found = drain === null ? null : await this.#find(machine, drain);
    if (drain === null || found === null) return;
    const { isDrained, isEmpty } = found;
    if (isDrained === (drain.drainedMs !== null) && isEmpty === drain.isEmpty) return;
    const request = { machine: name, askedMs: drain.askedMs };
    await noteDrained(this.#deps.registry, { ...request, isDrained, isEmpty });
  }

  /** Null: leaves do not say what they hold. */
  async #find({ name, leafIds }: Member, drain: MachineDrain): Promise<FoundOfMachine | null> {
    const { now, isCopied } = this.#deps;
    if (!this.#areGatewaysQuiet(name)) {
      this.#quietSince.delete(name);
      return { isDrained: false, isEmpty: false };
    }
    const sinceMs = this.#quietSince.get(name) ?? now();
    this.#quietSince.set(name, sinceMs);
    const areCopiesCurrent = now() - sinceMs >= copyMsMax;
    const held = await Promise.all(leafIds.map((leafId) => this.#heldBy(leafId)));
    // What a stopped machine held is as it was: nothing was sent to it since.
    const isNothing = held.map((one) => one === "nothing" || (one === null && drain.isEmpty));
    const isDrained = leafIds.every(
      (leafId, i) => isNothing[i] || (areCopiesCurrent && isCopied(leafId)),
    );
    if (isDrained) return { isDrained, isEmpty: !isNothing.includes(false) };
    return held.includes(null) ? null : { isDrained, isEmpty: false };
  }

  /** A gateway that has not heard of the drain may have rows on their way. */
  #areGatewaysQuiet(machine: string): boolean {
    const gateways = this.#deps.members
      .list()
      .filter(({ role, state }) => role === "gateway" && state !== "dead");
    return (
      gateways.length > 0 && gateways.every(({ sendsNoneTo }) => sendsNoneTo.includes(machine))
    );
  }

  /** Null: it does not say. */
  async #heldBy(leafId: string): Promise<"nothing" | "rows" | null> {
    const leaf = this.#deps.leaves().find(({ id }) => id === leafId);
    if (leaf === undefined) return null;
    return holdsNothing(leaf).then(
      (isNothing) => (isNothing ? "nothing" : "rows"),
      () => null,
    );
  }
}

interface FoundOfMachine {
  readonly isDrained: boolean;
  readonly isEmpty: boolean;
}

/** Neither rows that queries see, nor hints of batches, which may become such rows. */
async function holdsNothing(leaf: DrainedLeaf): Promise<boolean> {
  const options = { timeoutMs: askTimeoutMs };
  const { header: status } = await leaf.request({ kind: "status" }, undefined, options);
  const { header: hints } = await leaf.request({ kind: "asides", after: null }, undefined, options);
  if (status.kind !== "status" || hints.kind !== "asides") {
    throw new Error(`${leaf.id} answered with ${status.kind} and ${hints.kind}`);
  }
  return status.status.rows === 0 && hints.batches.length === 0;
}
