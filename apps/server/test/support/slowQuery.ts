import type { Query } from "@hadal/sdk";
import type { Cluster } from "./startCluster.js";

const name = "slow";
const rowCount = 60_000;
const bodyRows = 2_000;
const patternCount = 30;
const startMs = 1_700_000_000_000;

/** Unique long strings: a pattern has to look at each of them. */
export async function loadSlowTable(cluster: Cluster): Promise<void> {
  for (let row = 0; row < rowCount; row += bodyRows) {
    const lines = Array.from({ length: bodyRows }, (_, index) =>
      JSON.stringify({ time: startMs + row + index, text: textOf(row + index) }),
    );
    await cluster.client.ingestBody(name, lines.join("\n"), {
      contentType: "application/x-ndjson",
    });
  }
}

let asked = 0;

/** Takes a minute: many patterns look at every letter of 50 MB; others each time, so that nothing remembered helps. */
export function slowQuery(): Query {
  asked += 1;
  const any = Array.from({ length: patternCount }, (_, index) => ({
    column: "text",
    op: "~" as const,
    value: `[ab]{1,60}[^x]{1,60}q${asked}_${index}$`,
  }));
  return {
    ...{ table: name, from: startMs, to: startMs + rowCount, filter: [{ any }] },
    timeoutMs: 100_000,
  };
}

function textOf(index: number): string {
  return `${"abab".repeat(220)}${index.toString(36)}`;
}
