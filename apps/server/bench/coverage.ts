import {
  type Coverage,
  coverageOf,
  numbersCovered,
  valuesCovered,
} from "../src/aggregate/testing/coverageTrials.js";
import { createSeededRandom } from "../test/oracle/seed/seededRandom.js";

/** Prints how often error bars hold the truth, as a table of Markdown: `npm run bench:coverage [-- TRIALS]`. */
const trialCount = Number(process.argv[2] ?? 2_000);
const rowCounts = [3, 5, 10, 20, 50, 100, 1_000] as const;

/** A bar that is given less often is one of samples that are unlike the others. */
const givenShareMin = 0.02;

/** Percent of the bars that held the truth; in brackets of how many trials had a bar, where not all had. */
function cellOf({ given, held }: Coverage): string {
  if (given < givenShareMin * trialCount) return "–";
  const share = ((100 * held) / given).toFixed(1);
  return given === trialCount ? share : `${share} (${Math.ceil((100 * given) / trialCount)} %)`;
}

console.log(`| values | kept rows | ${numbersCovered.join(" | ")} |`);
console.log(`|---|---|${numbersCovered.map(() => "---").join("|")}|`);
for (const values of valuesCovered) {
  for (const keptRows of rowCounts) {
    const found = coverageOf(values, keptRows, trialCount, createSeededRandom(keptRows));
    const cells = numbersCovered.map((name) => cellOf(found.get(name)!));
    console.log(`| ${values} | ${keptRows} | ${cells.join(" | ")} |`);
  }
}
