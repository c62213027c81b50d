import { createClient, type StatusInfo } from "@hadal/sdk";
import { Command } from "commander";
import { printLines } from "./printLines.js";
import { printBytes, printTime } from "./printNumber.js";
import type { Terminal } from "./terminal.js";
import { printTextTable } from "./textTable.js";

export function statusCommand(terminal: Terminal): Command {
  return new Command("status")
    .description("show the members of the cluster and what they are doing")
    .option("--json", "print JSON")
    .action(async ({ url, json }: { url: string; json?: boolean }) => {
      const client = createClient({ url });
      const status = await client.status();
      client.close();
      await printLines(json ? [JSON.stringify(status)] : printStatus(status), terminal);
    });
}

function* printStatus(status: StatusInfo): Generator<string> {
  yield* printTextTable(
    [
      { name: "member", align: "left" },
      { name: "role", align: "left" },
      { name: "state", align: "left" },
      { name: "rows", align: "right" },
      { name: "memory", align: "right" },
      { name: "free", align: "right" },
      { name: "heard", align: "left" },
      { name: "pid", align: "right" },
      { name: "address", align: "left" },
    ],
    status.members.map((member) => [
      member.id,
      member.role,
      member.state,
      String(member.rows),
      printBytes(member.bytes),
      printBytes(member.freeBytes),
      printTime(member.lastHeardMs),
      member.pid === null ? "–" : String(member.pid),
      member.address,
    ]),
    "whole",
  );
  if (status.tables.length > 0) {
    yield "";
    yield* printTextTable(
      [
        { name: "table", align: "left" },
        { name: "rows", align: "right" },
        { name: "memory", align: "right" },
      ],
      status.tables.map(({ name, rows, bytes }) => [name, String(rows), printBytes(bytes)]),
      "whole",
    );
  }
  const { rowsAccepted, rowsRejected, batches } = status.ingest;
  yield "";
  yield `ingest: ${rowsAccepted} rows accepted, ${rowsRejected} rejected, ${batches} batches`;
  yield `queries running: ${status.queries.length}`;
  for (const query of status.queries) {
    yield `  ${query.id} on ${query.table}, ${Math.round(query.elapsedMs)} ms`;
  }
}
