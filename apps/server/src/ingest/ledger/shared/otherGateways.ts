import type { KnownGateway } from "../../../registry/ledger/readLedger.js";
import { type MinuteRows, rowsBetween } from "../minuteCounts.js";

/** A gateway that has not published for so long is late: it publishes every second. */
const lateMs = 3_000;
/** Rows are usually no older than that when they arrive. */
const behindMs = 60_000;

interface SeenGateway {
  readonly id: string;
  readonly name: string;
  /** On the clock of `now`, as below: all that it had counted by then is known here. */
  readonly publishedAt: number;
  /** The same as a time of day, less how late its rows come. */
  readonly closedMs: number;
  readonly settledAt: number;
  readonly seenVersion: number;
  readonly placesOn: ReadonlySet<string>;
  readonly open: KnownGateway["body"]["open"];
  readonly isCut: boolean;
  /** On the clock of the database, as below; 0: not known. */
  readonly settledMs: number;
  /** When it first said, after it had placed on a leaf, that it places there no longer. */
  readonly leftMs: ReadonlyMap<string, number>;
  /** When it was first heard from. */
  readonly knownMs: number;
}

export interface ReadMoment {
  /** When reading began, on the monotonic clock. */
  readonly at: number;
  /** The same as a time of day. */
  readonly wallMs: number;
  /** On the clock of the database, later than that. */
  readonly databaseMs: number;
}

/** What is known of the other gateways, and since when. */
export class OtherGateways {
  readonly #now: () => number;
  #seen: readonly SeenGateway[] = [];
  #read: ReadMoment | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  get areThere(): boolean {
    return this.#seen.length > 0;
  }

  /** The leaves that any of them places rows on. */
  get placesOn(): ReadonlySet<string> {
    return new Set(this.#seen.flatMap(({ placesOn }) => [...placesOn]));
  }

  /** `gateways`: without this one. */
  update(gateways: readonly KnownGateway[], read: ReadMoment): void {
    this.#read = read;
    const before = new Map(this.#seen.map((gateway) => [gateway.id, gateway]));
    this.#seen = gateways.map((gateway) => seenGateway(gateway, read, before.get(gateway.id)));
  }

  /** Why rows before `toMs` may not be counted; null: others have said what they have counted. */
  whyLate(toMs: number): string | null {
    for (const { name, publishedAt, closedMs, isCut } of this.#seen) {
      // Hints are among them: rows of any time that no query sees.
      if (isCut) return `${name} has more batches that leaves have not confirmed than it can list`;
      const silentMs = this.#now() - publishedAt;
      if (silentMs <= lateMs || toMs <= closedMs) continue;
      return `${name} has not said for ${Math.round(silentMs / 1_000)} s which rows it has placed`;
    }
    return null;
  }

  /** The same for a leaf that cannot say itself which rows it has. */
  whyUnsure(leaf: string, toMs: number): string | null {
    const { at, wallMs } = this.#read ?? { at: Number.NEGATIVE_INFINITY, wallMs: 0 };
    if (this.#now() - at > lateMs && toMs > wallMs - behindMs)
      return "the registry cannot be reached: another gateway may have placed rows";
    for (const { name, placesOn, closedMs } of this.#seen) {
      if (!placesOn.has(leaf) || toMs <= closedMs) continue;
      return `rows that ${name} has just sent to ${leaf} may not be counted yet`;
    }
    return null;
  }

  /** All rows sent to leaves before that time are counted, or in `openOn`. */
  areSettledSince(at: number): boolean {
    return this.#isReadSince(at) && this.#seen.every(({ settledAt }) => settledAt > at);
  }

  /** Rows in the whole minutes that cover [fromMs, toMs) that are counted, and that only hints have. */
  unseen(table: string, fromMs: number, toMs: number): number {
    return this.#seen.reduce(
      (sum, { open }) =>
        sum +
        open
          .filter((batch) => batch.table === table && batch.countedOn !== null)
          .reduce((rows, batch) => rows + rowsBetween(batch.rows, fromMs, toMs), 0),
      0,
    );
  }

  /**
   * Whether all batches are known that were sent to leaves: the others have left off sending there,
   * and have said since which ones are open.
   */
  haveLeft(leaves: readonly string[]): boolean {
    const now = this.#now();
    return (
      this.#isReadSince(now - lateMs) &&
      this.#seen.every(({ publishedAt, placesOn, settledMs, leftMs, knownMs }) => {
        const isClear = (leaf: string): boolean =>
          !placesOn.has(leaf) && settledMs >= (leftMs.get(leaf) ?? knownMs);
        return now - publishedAt <= lateMs && leaves.every(isClear);
      })
    );
  }

  /** Batches that leaves keep hints of; null: not all are known of that time. */
  hintsSince(at: number): ReadonlySet<string> | null {
    if (!this.areSettledSince(at)) return null;
    return new Set(
      this.#seen.flatMap(({ open }) => open.map(({ table, batchId }) => `${table}\n${batchId}`)),
    );
  }

  /** Rows of batches that may be on a leaf or not. */
  openOn(leaf: string): readonly { readonly table: string; readonly rows: MinuteRows }[] {
    return this.#seen.flatMap(({ open }) => open.filter(({ leaves }) => leaves.includes(leaf)));
  }

  /** Whether a batch with such an id may be on a leaf or not. */
  isOpen(table: string, idsStart: string): boolean {
    return this.#seen.some(({ open }) =>
      open.some((batch) => batch.table === table && batch.batchId.startsWith(idsStart)),
    );
  }

  haveSeen(version: number): boolean {
    return this.#seen.every(({ seenVersion }) => seenVersion >= version);
  }

  /** Whether it is known who was there so long ago, or later. */
  areReadWithin(ms: number): boolean {
    return this.#isReadSince(this.#now() - ms);
  }

  #isReadSince(at: number): boolean {
    return this.#read !== null && this.#read.at > at;
  }
}

function seenGateway(
  { id, name, publishedMs, lateMs: behind, seenVersion, body }: KnownGateway,
  read: ReadMoment,
  before: SeenGateway | undefined,
): SeenGateway {
  // The database's clock was read after `at`: so this is never too late.
  const ageMs = read.databaseMs - publishedMs;
  const { open, settledMs, isCut = false } = body;
  const placesOn = new Set(body.placesOn);
  const leftMs = new Map(before?.leftMs);
  for (const leaf of before?.placesOn ?? []) leftMs.set(leaf, publishedMs);
  for (const leaf of placesOn) leftMs.delete(leaf);
  return {
    ...{ id, name, seenVersion, open, isCut, placesOn, settledMs, leftMs },
    knownMs: before?.knownMs ?? publishedMs,
    publishedAt: read.at - ageMs,
    closedMs: read.wallMs - ageMs - Math.max(behind, behindMs),
    settledAt: settledMs === 0 ? Number.NEGATIVE_INFINITY : read.at - (read.databaseMs - settledMs),
  };
}
