import type { BatchIntent } from "../ledger/ledgerEvents.js";
import type { PlacerDeps } from "../place/outgoingBatch.js";
import { askForPart } from "../place/unconfirmedParts.js";

/** After this time a unit is given up whose leaves do not answer: its client was not answered either. */
const undecidedMsMax = 600_000;

/**
 * Units that an earlier run began and did not decide, as far as its journal says. Where leaves have
 * all parts the unit is committed, as it may have been acknowledged; else it is aborted.
 */
export class OpenAtStart {
  readonly #deps: PlacerDeps;
  /** Whether the parts of a unit are being sent now. */
  readonly #isLive: (number: number) => boolean;
  #resolving: Promise<boolean> | null = null;

  constructor(deps: PlacerDeps, isLive: (number: number) => boolean) {
    this.#deps = deps;
    this.#isLive = isLive;
  }

  /** Returns whether any was decided; callers share one round. */
  resolve(): Promise<boolean> {
    this.#resolving ??= this.#resolveAll().finally(() => {
      this.#resolving = null;
    });
    return this.#resolving;
  }

  async #resolveAll(): Promise<boolean> {
    const { ledger } = this.#deps;
    let isAny = false;
    const earlier = ledger.units.open.filter((number) => !this.#isLive(number));
    for (const number of earlier) {
      const decision = await this.#decide(number);
      // Others decide by what leaves have while they have its place.
      if (decision === null || (this.#deps.others?.placingProblem ?? null) !== null) continue;
      // The search for lost units may have decided it meanwhile.
      if (!ledger.units.isOpen(number)) continue;
      if (decision === "committed") ledger.commitUnit(number);
      else await ledger.abortUnit(number);
      isAny = true;
    }
    return isAny;
  }

  /** Null: not yet. */
  async #decide(number: number): Promise<"committed" | "aborted" | null> {
    const { ledger, leaves, nowMs } = this.#deps;
    const intents = ledger.batchesOfUnit(number);
    const parts = intents[0]?.unit?.parts ?? 0;
    const held = await Promise.all(
      intents.map((intent) =>
        askForPart(
          leaves().find(({ id }) => id === intent.leaf),
          intent,
        ),
      ),
    );
    if (intents.length < parts || intents.length === 0 || held.includes("none")) return "aborted";
    if (!held.includes("unknown")) return "committed";
    return isOld(intents, nowMs()) ? "aborted" : null;
  }
}

const isOld = (intents: readonly BatchIntent[], nowMs: number): boolean =>
  intents.every(({ atMs }) => nowMs - atMs > undecidedMsMax);
