import type { OracleTable } from "./oracleTable.js";
import type { TableShape } from "./randomTable.js";
import { randomTable, sampleRateShapes, timeShapes } from "./randomTable.js";

const missingShares = [0, 0.05, 0.3, 0.9];

/** Tables that between them have every shape of time, sample rate and missing values. */
export function oracleTables(seed: number, rowCount: number): OracleTable[] {
  return timeShapes.map((times, index) =>
    randomTable({
      name: `oracle_${times.replaceAll(" ", "_")}`,
      rowCount,
      seed: seed + index,
      times,
      sampleRates: choose(sampleRateShapes, seed + index),
      missing: choose(missingShares, Math.floor(seed / 4) + index + 1),
    } satisfies TableShape),
  );
}

function choose<T>(choices: readonly T[], index: number): T {
  return choices[index % choices.length] as T;
}
