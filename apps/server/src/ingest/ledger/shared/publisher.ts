import type { SharedDoubt } from "../../../registry/ledger/ledgerDoubts.js";
import {
  type GatewayBody,
  joinLedger,
  newDoubtId,
  type Publication,
  publishCounts,
  rejoinLedger,
  type SharingGateway,
} from "../../../registry/ledger/ledgerGateways.js";
import { noteDoubt } from "../../../registry/ledger/ledgerTasks.js";
import { readClock } from "../../../registry/ledger/readLedger.js";
import type { Registry } from "../../../registry/registry.js";
import type { StoredKey } from "../ledgerBatches.js";
import type { BatchIntent } from "../ledgerEvents.js";
import { minuteMs } from "../minuteCounts.js";
import type { RowCountLedger } from "../rowCountLedger.js";
import { printKeys } from "./keys/storedKeys.js";

export interface PublisherDeps {
  readonly registry: Registry;
  readonly gateway: SharingGateway;
  /** The counts that the registry does not have yet. */
  readonly own: RowCountLedger;
  /** Leaves that get rows now. */
  readonly openLeaves: () => readonly string[];
  readonly wallMs: () => number;
  readonly warn: (text: string) => void;
}

/** More are not listed: then nothing counts as settled. */
const openMax = 10_000;
/** How late rows come is the most of so many turns. */
const turnsKept = 60;

/** Adds a gateway's counts to the shared ones, each once, whatever fails in between. */
export class Publisher {
  readonly #deps: PublisherDeps;
  /** Batches that were pending at the last snapshot, and when that was. */
  #pending: ReadonlySet<BatchIntent>;
  #snapshotMs = 0;
  /** What goes with the counts that are being added; null: they are of an earlier run. */
  #state: Publication["state"] = null;
  readonly #behindMs: number[] = [];
  #epoch = 0;
  /** Those that others may not know yet. */
  #keys: StoredKey[] = [];

  constructor(deps: PublisherDeps) {
    this.#deps = deps;
    this.#pending = new Set(deps.own.pending());
  }

  /** The version of the ledger in which it was announced; 0: it is not yet. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Announces the gateway. Returns the version of the ledger that it has seen. */
  async join(): Promise<number> {
    const { registry, gateway, own } = this.#deps;
    const { isJoined, position, rows } = own.unpublished.publishing;
    const { damage } = own;
    const isLost = damage !== null && !own.isNew;
    const first = own.isNew ? "the row-count ledger is new" : null;
    const firstDoubt = first === null ? null : this.#doubt(first);
    const found = await joinLedger(registry, gateway, { wasJoined: isJoined, firstDoubt });
    const positions = isJoined ? [position, rows === null ? position : position - 1] : [0];
    const isKnown = found !== null && positions.includes(found.position);
    if (isKnown && !isJoined) await own.unpublished.noteMembership({ kind: "joined", position: 0 });
    if (isKnown) this.#epoch = found.epoch;
    const seenVersion = isKnown ? found.seenVersion : await this.#rejoin();
    if (isLost) await noteDoubt(registry, this.#doubt(damage.reason));
    // From here on the registry has the doubt. Keys may be lost with the counts.
    if (damage !== null) await own.noteRebuilt(isLost ? 1 : 0);
    return seenVersion;
  }

  /**
   * Adds the counts since the last time, and says that there are no others. Returns the version
   * that it has seen.
   */
  async publish(seenVersion: number): Promise<number> {
    const { registry, gateway, own, wallMs } = this.#deps;
    const databaseMs = await readClock(registry);
    if (own.unpublished.publishing.rows === null) {
      // In one turn of the event loop: what is settled is among the counts.
      this.#state = this.#snapshot(databaseMs);
      if (!own.unpublished.areNone) await own.unpublished.begin();
    }
    const { position, rows } = own.unpublished.publishing;
    // Whatever is counted, or not open any more, has its key among these.
    this.#keys.push(...own.unpublished.takeStoredKeys());
    const count = this.#keys.length;
    const keys = printKeys(this.#keys, wallMs());
    const publication = { position, rows: rows ?? [], seenVersion, state: this.#state, keys };
    if (!(await publishCounts(registry, gateway, publication))) return this.#rejoin();
    this.#keys.splice(0, count);
    return seenVersion;
  }

  /**
   * Other gateways have taken its place, and count what it had not published. Returns the version
   * of the ledger from which on it takes part again.
   */
  async #rejoin(): Promise<number> {
    const { registry, gateway, own, warn } = this.#deps;
    const reason = `${gateway.name} was away, and others have counted rows in its place`;
    warn(`ledger: ${reason}; its rows are compared with the leaves`);
    // The doubt comes first, and is held until this gateway publishes again.
    const version = await rejoinLedger(registry, gateway, {
      ...this.#doubt(reason),
      heldBy: gateway.id,
    });
    await own.unpublished.noteMembership({ kind: "fenced" });
    await own.unpublished.noteMembership({ kind: "joined", position: 0 });
    // From here on leaves take what it sends: batches of before are known to be left to others.
    this.#epoch = version;
    this.#state = null;
    this.#pending = new Set(own.pending());
    return version;
  }

  #doubt(reason: string): SharedDoubt {
    const sinceMs = this.#deps.wallMs();
    const any = { table: null, fromMs: null, toMs: null, heldBy: null };
    return { id: newDoubtId(), reason, sinceMs, ...any };
  }

  #snapshot(databaseMs: number): NonNullable<Publication["state"]> {
    const { own, openLeaves } = this.#deps;
    const pending = own.pending();
    const isOld = (intent: BatchIntent): boolean =>
      this.#pending.has(intent) || own.hints.find(intent.table, intent.batchId) !== undefined;
    const open = pending.filter(isOld);
    const allMs = open.length === pending.length ? databaseMs : this.#snapshotMs;
    const areListed = open.length <= openMax;
    const body: GatewayBody = {
      settledMs: areListed ? allMs : 0,
      placesOn: openLeaves(),
      open: areListed ? open.map((intent) => this.#printOpen(intent)) : [],
      ...(areListed ? {} : { isCut: true }),
    };
    this.#pending = new Set(pending);
    this.#snapshotMs = databaseMs;
    this.#noteBehind(databaseMs);
    return { publishedMs: databaseMs, lateMs: Math.max(...this.#behindMs), body };
  }

  #printOpen({ table, batchId, leaf, rows }: BatchIntent): GatewayBody["open"][number] {
    const hint = this.#deps.own.hints.find(table, batchId);
    const leaves = [...new Set([leaf, ...(hint?.leaves.keys() ?? [])])];
    // What others count is not subtracted should this gateway end.
    const isCounted = !this.#deps.own.isLeftToOthers({ table, batchId });
    const countedOn = isCounted ? (hint?.countedOn ?? null) : null;
    return { table, batchId, leaves, countedOn, rows };
  }

  #noteBehind(databaseMs: number): void {
    const oldest = this.#deps.own.unpublished.firstMinute ?? Number.POSITIVE_INFINITY;
    this.#behindMs.push(Math.max(0, databaseMs - oldest * minuteMs));
    if (this.#behindMs.length > turnsKept) this.#behindMs.shift();
  }
}
