import { expect, test } from "vitest";
import { trials } from "../../../test/oracle/seed/seed.js";
import { createSeededRandom } from "../../../test/oracle/seed/seededRandom.js";
import { coverageOf, numbersCovered, valuesCovered } from "../testing/coverageTrials.js";

/** Fewer than `npm run bench:coverage` has: with 150 a share of 95 % is off by 1.8 % at its standard deviation. */
const trialCount = trials(150, 400);
const [leastShare, mostShare] = [0.92, 0.985];
/** So few bars of a number say nothing of how often they hold. */
const givenMin = 100;

test.each(valuesCovered)(
  "error bars of sampled rows hold the truth 19 times of 20: %s",
  (values) => {
    for (const keptRows of [3, 5, 10, 20, 50, 100]) {
      const found = coverageOf(values, keptRows, trialCount, createSeededRandom(keptRows));
      for (const name of numbersCovered) {
        const { given, held } = found.get(name)!;
        if (given < givenMin) continue;
        const chance = 2.5 * Math.sqrt((0.05 * 0.95) / given);
        expect(held / given, `${name} of ${keptRows}`).toBeGreaterThan(leastShare - chance);
        expect(held / given, `${name} of ${keptRows}`).toBeLessThan(mostShare + chance);
      }
      // A count and a share have one however few rows there are.
      for (const name of ["count", "share"] as const) {
        expect(found.get(name)!.given, name).toBeGreaterThan(0.9 * trialCount);
      }
      for (const name of ["sum", "avg"] as const) {
        const { given } = found.get(name)!;
        if (keptRows <= 10) expect(given, name).toBe(0);
        else if (keptRows >= 50 && values !== "mixed rates") {
          expect(given, name).toBeGreaterThan(0.95 * trialCount);
        }
      }
    }
  },
  60_000,
);
