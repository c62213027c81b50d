import type { Query } from "@hadal/sdk";
import { expect } from "vitest";
import { oracleSeed } from "../seed/seed.js";
import { shrinkQuery } from "./shrinkQuery.js";

const failuresShown = 5;

/** Fails with the first few queries that differ, each as small as it still does. */
export async function expectNone(
  queries: readonly Query[],
  difference: (query: Query) => Promise<string | null>,
): Promise<void> {
  const failures: string[] = [];
  for (const [index, query] of queries.entries()) {
    const first = await difference(query);
    if (first === null) continue;
    const small = await shrinkQuery(query, async (smaller) => (await difference(smaller)) !== null);
    const left = (await difference(small)) ?? `at first ${first}`;
    failures.push(`query ${index}: ${left}\n${JSON.stringify(small)}`);
    if (failures.length === failuresShown) break;
  }
  if (failures.length > 0) expect.fail(`HADAL_TEST_SEED=${oracleSeed()}\n${failures.join("\n\n")}`);
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
