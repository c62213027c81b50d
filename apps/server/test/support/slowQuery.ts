import type { Query } from "@hadal/sdk";
import type { Cluster } from "./startCluster.js";

const name = "slow";
const rowCount = 60_000;
const bodyRows = 2_000;
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

/** Takes seconds: every letter of 50 MB is looked at; another pattern each time, so that nothing remembered helps. */
export function slowQuery(): Query {
  asked += 1;
  const pattern = `[ab]{1,60}[^x]{1,60}q${asked}$`;
  return {
    table: name,
    from: startMs,
    to: startMs + rowCount,
    filter: [{ column: "text", op: "~", value: pattern }],
    timeoutMs: 60_000,
  };
}

function textOf(index: number): string {
  return `${"abab".repeat(220)}${index.toString(36)}`;
}
