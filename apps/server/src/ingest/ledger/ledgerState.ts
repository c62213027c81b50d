import { Lateness } from "./lateness.js";
import { LeafCounts } from "./leafCounts.js";
import { LedgerBatches } from "./ledgerBatches.js";
import { LedgerDoubts } from "./ledgerDoubts.js";
import type { LedgerEvent, LedgerSnapshot } from "./ledgerEvents.js";
import type { JournalContent } from "./ledgerFiles.js";
import { LedgerUnits, type UnitEvent } from "./ledgerUnits.js";
import { totalOf } from "./minuteCounts.js";
import { MinuteWatches } from "./minuteWatches.js";
import { type DropEvent, PendingDrops } from "./pendingDrops.js";
import { type PublishEvent, Publishing } from "./publishing.js";
import { RowGenerations } from "./rowGenerations.js";

/** After these the rows of a table are as its counts say, and these have not been so before. */
const countedEvents: ReadonlySet<LedgerEvent["kind"]> = new Set([
  ...(["intent", "stored", "known", "unitCommitted", "unitAborted", "unitsForgotten"] as const),
  ...(["joined", "publishing", "published", "left"] as const),
]);

/** What the events of a ledger add up to, in memory. */
export class LedgerState {
  readonly drops = new PendingDrops();
  readonly counts: LeafCounts;
  readonly watches = new MinuteWatches();
  readonly batches: LedgerBatches;
  readonly doubts = new LedgerDoubts();
  readonly units = new LedgerUnits();
  readonly publishing: Publishing;
  readonly generations = new RowGenerations();
  readonly lateness = new Lateness();
  /** Rows counted by `heal` since the ledger was damaged. */
  rowsHealed = 0;
  readonly #changeCounts = new Map<string, number>();

  /** `"part"`: the counts that the registry does not have yet. */
  constructor(extent: "all" | "part" = "all") {
    this.counts = new LeafCounts(extent);
    this.batches = new LedgerBatches(this.counts, this.watches, extent);
    this.publishing = new Publishing(this.counts);
  }

  replay({ snapshot, events }: JournalContent): void {
    if (snapshot !== null) this.#restore(snapshot as LedgerSnapshot);
    for (const event of events) this.apply(event as LedgerEvent);
  }

  /** How many events of a table may have changed its counts. */
  changes(table: string): number {
    return this.#changeCounts.get(table) ?? 0;
  }

  /** See `RowCountLedger`; doubts are not looked at. */
  version(table: string, fromMs: number, toMs: number): string | null {
    // A leaf may show their rows, or not.
    if (this.drops.isOpen(table) || this.batches.isOpen(table, fromMs, toMs)) return null;
    const generation = this.generations.of(table);
    return [generation, ...this.counts.hashes(table, fromMs, toMs)].join("\n");
  }

  apply(event: LedgerEvent): void {
    this.#raiseGenerations(event);
    // Nothing is counted for a batch that is only begun.
    if ("table" in event && event.kind !== "intent") this.#noteChange(event.table);
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
        this.batches.applyHint(event);
        break;
      case "healed":
        this.watches.touch(event.table, event.leaf, event.rows);
        this.counts.add(event.table, event.leaf, event.rows);
        this.rowsHealed += totalOf(event.rows);
        break;
      case "damaged":
        this.doubts.apply(event);
        this.units.noteDamage(event.sinceMs);
        break;
      case "doubted":
      case "rebuilt":
        this.doubts.apply(event);
        break;
      case "joined":
      case "publishing":
      case "published":
      case "left":
      case "fenced":
        this.#applyPublishing(event);
        break;
      case "unitCommitted":
      case "unitAborted":
      case "unitsForgotten":
        this.#applyUnit(event);
        break;
      default:
        if (event.kind === "intent" && event.unit !== undefined) this.units.note(event.unit.number);
        if (event.kind === "stored") this.#noteLateness(event.table, event.batchId);
        this.batches.apply(event);
    }
  }

  #raiseGenerations(event: LedgerEvent): void {
    if (countedEvents.has(event.kind)) return;
    if ("table" in event) this.generations.raise(event.table);
    else this.generations.raiseAll();
  }

  #noteLateness(table: string, batchId: string): void {
    const stored = this.batches.findPending(table, batchId);
    if (stored !== undefined) this.lateness.note(table, stored.atMs, stored.rows);
  }

  #noteChange(table: string): void {
    this.#changeCounts.set(table, this.changes(table) + 1);
  }

  /** In one turn: its rows count from the moment on in which they are visible. */
  #applyUnit(event: UnitEvent): void {
    if (event.kind !== "unitsForgotten") {
      const outcome = event.kind === "unitCommitted" ? "stored" : "refused";
      for (const { table, batchId } of this.batches.ofUnit(event.number)) {
        this.#noteChange(table);
        if (outcome === "refused") this.generations.raise(table);
        if (outcome === "stored") this.#noteLateness(table, batchId);
        this.batches.apply({ kind: outcome, table, batchId });
      }
    }
    this.units.apply(event);
  }

  #applyPublishing(event: PublishEvent): void {
    this.publishing.apply(event);
    // Whoever took its place counts them as soon as a leaf has them.
    if (event.kind === "fenced") this.batches.leaveUncounted();
  }

  #applyDrop(event: DropEvent): void {
    const { table } = event;
    this.drops.apply(event);
    this.watches.noteDrop(event);
    if (event.kind === "expired") this.counts.subtract(table, event.leaf, event.rows);
    if (event.kind !== "deleted") return;
    this.doubts.forget(table);
    this.counts.forget(table);
    this.publishing.forget(table);
    this.batches.forget(table);
  }

  print(): LedgerSnapshot {
    const { damage, keysLostSince } = this.doubts;
    return {
      counts: this.counts.print(),
      ...this.batches.print(),
      ...{ drops: this.drops.list(), damage, doubts: this.doubts.list(), keysLostSince },
      publishing: this.publishing.print(),
      units: this.units.print(),
    };
  }

  #restore(snapshot: LedgerSnapshot): void {
    for (const { table, leaf, rows } of snapshot.counts) this.counts.add(table, leaf, rows);
    for (const drop of snapshot.drops ?? []) this.drops.add(drop);
    const { damage = null, doubts = [], keysLostSince = null } = snapshot;
    this.doubts.restore(damage, doubts, keysLostSince);
    this.batches.restore(snapshot);
    if (snapshot.units !== undefined) this.units.restore(snapshot.units);
    if (snapshot.publishing !== undefined) this.publishing.restore(snapshot.publishing);
  }
}
