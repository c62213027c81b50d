import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import type { BatchIntent } from "../ledger/ledgerEvents.js";
import type { UnitOfBatch } from "../place/outgoingBatch.js";

/** A unit whose parts are being sent. */
export class OpenUnit implements UnitOfBatch {
  readonly stamp: UnitStamp;
  readonly #stored = new Set<BatchIntent>();
  #failure: { readonly reason: unknown } | null = null;

  constructor(stamp: UnitStamp) {
    this.stamp = stamp;
  }

  check(): void {
    if (this.#failure !== null) throw this.#failure.reason;
  }

  /** The first reason why it cannot be completed counts. */
  fail(reason: unknown): void {
    this.#failure ??= { reason };
  }

  noteStored(intent: BatchIntent): void {
    this.#stored.add(intent);
  }

  hasStored(intent: BatchIntent): boolean {
    return this.#stored.has(intent);
  }

  /** The parts that leaves have stored. */
  get stored(): readonly BatchIntent[] {
    return [...this.#stored];
  }
}
