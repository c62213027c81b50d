import { type UnitSnapshot, type UnitStamp, unitsOf } from "../../base/row/unitSnapshot.js";
import { stateOfUnit, type UnitDecisions } from "./unitDecisions.js";

/** Numbers kept exactly for each gateway: minutes of units. */
const numbersMax = 10_000;

interface GatewayFloor {
  /** The highest number of a unit whose rows have no stamp any more. */
  max: number;
  /** Up to here `numbers` may lack some. */
  unsure: number;
  readonly numbers: Set<number>;
}

/**
 * The units whose rows a table cannot leave out any more, because they are among sealed rows. A
 * snapshot without one of them is too old.
 */
export class UnitFloor {
  readonly #gateways = new Map<string, GatewayFloor>();

  /** What was decided before the process started may be sealed. */
  constructor(atStart: UnitDecisions) {
    for (const [gateway, { upTo }] of atStart)
      this.#gateways.set(gateway, { max: upTo, unsure: upTo, numbers: new Set() });
  }

  /** Those whose units it has. */
  get gateways(): readonly string[] {
    return [...this.#gateways.keys()];
  }

  add({ gateway, number }: UnitStamp): void {
    const floor = this.#gateways.get(gateway) ?? { max: 0, unsure: 0, numbers: new Set() };
    this.#gateways.set(gateway, floor);
    floor.max = Math.max(floor.max, number);
    floor.numbers.add(number);
    if (floor.numbers.size <= numbersMax) return;
    for (const oldest of floor.numbers) {
      floor.numbers.delete(oldest);
      floor.unsure = Math.max(floor.unsure, oldest);
      return;
    }
  }

  /** Whether a query with the snapshot may see the rows. */
  isCoveredBy(snapshot: UnitSnapshot, known: UnitDecisions): boolean {
    for (const [gateway, { max, unsure, numbers }] of this.#gateways) {
      const seen = unitsOf(snapshot, gateway);
      if (seen === undefined) continue;
      if (seen.upTo < max) return false;
      for (const number of seen.except) {
        if (numbers.has(number)) return false;
        const isUnsure = number <= unsure;
        if (isUnsure && stateOfUnit(known, { gateway, number, parts: 1 }) === "committed")
          return false;
      }
    }
    return true;
  }
}
