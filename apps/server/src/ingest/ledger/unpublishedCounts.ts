import type { LedgerEvent } from "./ledgerEvents.js";
import type { LedgerState } from "./ledgerState.js";
import type { PrintedPublishing, PublishEvent } from "./publishing.js";

interface Journal {
  /** Applies an event; resolves when it is on disk. */
  note(event: LedgerEvent): Promise<void>;
  /** Only writes it. */
  append(event: LedgerEvent): Promise<void>;
}

/** The counts of a ledger that the registry does not have yet. */
export class UnpublishedCounts {
  readonly #state: LedgerState;
  readonly #journal: Journal;

  constructor(state: LedgerState, journal: Journal) {
    this.#state = state;
    this.#journal = journal;
  }

  get publishing(): PrintedPublishing {
    return this.#state.publishing.print();
  }

  /** Whether there are none, not even some that are being added. */
  get areNone(): boolean {
    const { publishing, counts } = this.#state;
    return publishing.rows === null && counts.isEmpty;
  }

  /** The first minute with one; null: there are none. */
  get firstMinute(): number | null {
    const first = this.#state.counts.copy().map(({ rows }) => rows.minutes[0]!);
    return first.length === 0 ? null : Math.min(...first);
  }

  /** Whether there are pending batches whose rows other gateways count. */
  get areLeftToOthers(): boolean {
    return this.#state.batches.areUncounted;
  }

  /** See `LedgerBatches`. */
  takeStoredKeys(): ReturnType<LedgerState["batches"]["takeStoredKeys"]> {
    return this.#state.batches.takeStoredKeys();
  }

  /** All counts up to here are about to be added. Resolves when that is on disk. */
  async begin(): Promise<void> {
    const { publishing } = this.#state;
    const event: PublishEvent = { kind: "publishing", position: publishing.position + 1 };
    publishing.apply(event);
    try {
      await this.#journal.append(event);
    } catch (error) {
      publishing.callOff();
      throw error;
    }
  }

  /** They have been added. Should the line be lost, the registry knows it. */
  end(): Promise<void> {
    return this.#journal.note({
      kind: "published",
      position: this.#state.publishing.position,
    });
  }

  /** The gateway is announced to the others, or no longer. */
  noteMembership(
    event: Exclude<PublishEvent, { readonly kind: "publishing" | "published" }>,
  ): Promise<void> {
    return this.#journal.note(event);
  }
}
