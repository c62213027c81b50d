import type { Reduction } from "../../base/row/reduction.js";
import { inTurns, neverStops } from "../../base/schedule/steps.js";
import { type LeafExpiry, nothingExpires, type SealedSegments } from "../file/sealedSegments.js";
import { chooseCut, type HeldBytes } from "../segment/byteBound.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { chooseExpired, type RetentionBounds } from "../upkeep/chooseExpired.js";
import { nextStoreTurn } from "../upkeep/nextStoreTurn.js";
import { removedMinutes } from "../upkeep/reduceSegment.js";
import { chooseThinned, type ThinningBounds } from "../upkeep/thinSegment.js";
import type { SavedTableFile } from "./tableFile.js";

export interface RemovalPlansParts {
  readonly sealed: SealedSegments;
  readonly tableFile: SavedTableFile;
  readonly context: TableContext;
  /** Resolves when no file is being written and nothing is being merged. */
  readonly atRest: () => Promise<void>;
}

/**
 * Which segments of a table go next, as a whole or in part, and which rows with them. What is planned
 * is not merged until it is gone, also after a restart.
 */
export class RemovalPlans {
  readonly #parts: RemovalPlansParts;

  constructor(parts: RemovalPlansParts) {
    this.#parts = parts;
  }

  /** Segments beyond these bounds whose files are complete. */
  async expiry(held: () => HeldBytes, bounds: RetentionBounds): Promise<LeafExpiry> {
    const { sealed, atRest } = this.#parts;
    await atRest();
    const expired = chooseExpired(sealed.onDisk, held(), bounds);
    const generations = expired.map(({ generation }) => generation);
    const expiry = { generations, rows: sealed.minutesOf(expired) };
    await this.#note(generations);
    return expiry;
  }

  /** The segments to thin, and the rows to remove. */
  async thinning(bounds: ThinningBounds): Promise<LeafExpiry> {
    const { sealed, atRest } = this.#parts;
    await atRest();
    return this.#reduction(chooseThinned(sealed.onDisk, bounds), bounds);
  }

  /** The segment to cut by a bound on bytes, how many newest rows stay, and which rows go. */
  async cut(held: () => HeldBytes, maxBytes: number): Promise<LeafExpiry> {
    const { sealed, atRest } = this.#parts;
    await atRest();
    const { edge } = chooseCut(sealed.onDisk, held(), maxBytes);
    if (edge === null) return nothingExpires;
    const { segment, keepNewest } = edge;
    return { ...(await this.#reduction([segment], { keepNewest })), keepNewest };
  }

  async #reduction(chosen: readonly SealedSegment[], reduction: Reduction): Promise<LeafExpiry> {
    const { sealed, context } = this.#parts;
    const generations = chosen.map(({ generation }) => generation);
    const held = sealed.minutesOf(chosen);
    for (const { pins } of chosen) pins.pin();
    try {
      // From here on no merge takes them, however long it takes to choose their rows.
      await this.#note(generations);
      const steps = removedMinutes(chosen, held, reduction, context);
      return { generations, rows: await inTurns(steps, neverStops, nextStoreTurn) };
    } finally {
      for (const { pins } of chosen) pins.unpin();
    }
  }

  async #note(generations: readonly number[]): Promise<void> {
    const { sealed, tableFile } = this.#parts;
    const { expiring } = tableFile.content;
    // Noted before, though perhaps in memory only.
    if (generations.every((one) => expiring.includes(one))) return tableFile.save();
    const held = new Set(sealed.list.map(({ generation }) => generation));
    const both = new Set([...expiring.filter((one) => held.has(one)), ...generations]);
    await tableFile.save({ expiring: [...both] });
  }
}
