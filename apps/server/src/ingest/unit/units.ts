import { HadalError } from "@hadal/sdk";
import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import type { PlacedBatch, PlacerDeps, UnitOfBatch } from "../place/outgoingBatch.js";
import { UnitBroken } from "../place/unconfirmedParts.js";
import { OpenAtStart } from "./openAtStart.js";
import { OpenUnit } from "./openUnit.js";
import { OrphanUnits } from "./orphanUnits.js";
import { UnitSettler } from "./unitSettler.js";

/** How often it is looked whether a leaf has said something of itself: at first, and at last. */
const saidEveryMs = 20;
const saidEveryMsMax = 500;

/** Sends a part of a unit. */
export type PlacePart<Part> = (part: Part, unit: UnitOfBatch) => Promise<PlacedBatch>;

/** Requests of several batches, each of which becomes visible in one moment or never. */
export class Units {
  readonly #deps: PlacerDeps;
  readonly #settler: UnitSettler;
  readonly #earlier: OpenAtStart;
  readonly #orphans: OrphanUnits;
  readonly #live = new Set<number>();

  constructor(deps: PlacerDeps) {
    this.#deps = deps;
    const gateway = (): string => deps.others?.sender.gateway ?? "";
    this.#settler = new UnitSettler({ ...deps, gateway });
    this.#earlier = new OpenAtStart(deps, (number) => this.#live.has(number));
    this.#orphans = new OrphanUnits(deps);
  }

  /** Whether no leaf has a unit that the ledger has lost. */
  get areKnown(): boolean {
    return this.#orphans.areFound;
  }

  /**
   * Whether a unit may be begun: all leaves that have said anything of themselves hide what is not
   * committed, and the numbers that were given are known. Right after a start no leaf has said
   * anything, and none was searched for units that the ledger has lost: that is waited for.
   */
  async areTaken(deadlineMs: number): Promise<boolean> {
    const { leaves, nowMs, sleep } = this.#deps;
    for (let pauseMs = saidEveryMs; ; pauseMs = Math.min(pauseMs * 2, saidEveryMsMax)) {
      if (!this.areKnown) await this.resolve();
      // A leaf that is away may stay so for long.
      if (!this.areKnown && !this.#orphans.areSoonFound) return false;
      const said = leaves().flatMap(({ state, status }) =>
        state === "alive" && status != null ? [status.takesUnits === true] : [],
      );
      if (said.includes(false)) return false;
      if (said.length > 0 && this.areKnown) return true;
      if (nowMs() >= deadlineMs) return false;
      await sleep(pauseMs);
    }
  }

  /**
   * Resolves when all parts are stored and visible. Rejects when none of them ever will be; a part that
   * was stored before, and is visible, stays so.
   */
  async store<Part>(
    parts: readonly Part[],
    place: PlacePart<Part>,
    deadlineMs: number,
  ): Promise<void> {
    for (let left = parts; left.length > 0; ) {
      const { known, failure } = await this.#attempt(left, place);
      if (failure === null && known.size === 0) return;
      left = left.filter((part) => !known.has(part));
      if (failure === null) continue;
      const mayRepeat = failure instanceof UnitBroken && this.#deps.nowMs() < deadlineMs;
      if (!mayRepeat) throw nothingStored(failure);
    }
  }

  /** Decides units of an earlier run, and repeats decisions to leaves that do not know them. */
  async resolve(): Promise<void> {
    const areDecided = [await this.#orphans.search(), await this.#earlier.resolve()];
    if (areDecided.includes(true)) await this.#settler.noteDecision();
    await this.#settler.repeat();
  }

  /** `known`: parts that leaves had stored before, so that the unit was not sent as a whole. */
  async #attempt<Part>(
    parts: readonly Part[],
    place: PlacePart<Part>,
  ): Promise<{ readonly known: ReadonlySet<Part>; readonly failure: unknown }> {
    const { ledger, others } = this.#deps;
    const unit = this.#begin(parts.length);
    const { number } = unit.stamp;
    const epoch = others?.sender.epoch;
    const known = new Set<Part>();
    try {
      await Promise.all(
        parts.map((part) =>
          place(part, unit).then(
            (placed) => {
              if (placed === "known") known.add(part);
            },
            // The others end soon: the first reason is the one to report.
            (reason: unknown) => unit.fail(reason),
          ),
        ),
      );
      const problem = others?.placingProblem ?? null;
      const isFenced = problem !== null || others?.sender.epoch !== epoch;
      // Whoever takes its place decides by what leaves have; so does the next start.
      if (isFenced) return { known, failure: problem ?? fenced() };
      const failure = failureOf(unit);
      const isWhole = unit.stored.length === parts.length && isPending(unit, ledger);
      if (failure === null && isWhole) ledger.commitUnit(number);
      else await ledger.abortUnit(number);
      const settled = this.#settler.noteDecision();
      // Queries through other gateways show what leaves know.
      if (others?.areOthersThere === true) await settled;
      if (failure === null && !isWhole && known.size === 0)
        return { known, failure: new UnitBroken("A table of the request was deleted meanwhile") };
      return { known, failure };
    } finally {
      this.#live.delete(number);
    }
  }

  #begin(parts: number): OpenUnit {
    const { ledger, others, nowMs } = this.#deps;
    const number = ledger.units.begin(nowMs());
    this.#live.add(number);
    const stamp: UnitStamp = { gateway: others?.sender.gateway ?? "", number, parts };
    return new OpenUnit(stamp);
  }
}

function failureOf(unit: OpenUnit): unknown {
  try {
    unit.check();
    return null;
  } catch (error) {
    return error;
  }
}

/** No table of it was deleted meanwhile, with rows that leaves had stored. */
const isPending = (unit: OpenUnit, ledger: PlacerDeps["ledger"]): boolean =>
  unit.stored.every((intent) => ledger.findPending(intent.table, intent.batchId) === intent);

function fenced(): HadalError {
  const detail = "others had taken its place while the rows were on their way";
  return new HadalError("gateway-fenced", { detail });
}

function nothingStored(failure: unknown): unknown {
  if (failure instanceof UnitBroken) {
    const detail = `${failure.message}. Nothing of the request was stored: send all of it again.`;
    return new HadalError("unavailable", { detail }, [{ code: "nothing-stored", detail }]);
  }
  if (!(failure instanceof HadalError) || failure.code === "gateway-fenced") return failure;
  const detail = "Nothing of the request was stored.";
  const error = new HadalError(failure.code, {}, [
    ...failure.errors,
    { code: "nothing-stored", detail },
  ]);
  error.message = failure.message.includes(detail)
    ? failure.message
    : `${failure.message} ${detail}`;
  return error;
}
