import { setTimeout as pause } from "node:timers/promises";
import type {
  ClusterInfo,
  HadalClient,
  IngestStage,
  LeafCopy,
  LedgerInfo,
  StatusInfo,
} from "@hadal/sdk";
import { Command } from "commander";
import { connect } from "../connect/connect.js";
import { printLines } from "../terminal/printLines.js";
import { printBytes, printTime } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { printTextTable } from "../terminal/textTable.js";

export function statusCommand(terminal: Terminal): Command {
  return new Command("status")
    .description("show the members of the cluster and what they are doing")
    .option("--wait-copies", "wait until as many machines as should have the rows of each leaf")
    .option("--json", "print JSON")
    .action(async ({ url, json, waitCopies = false }: StatusFlags) => {
      const client = await connect(url);
      if (waitCopies) await untilWhole(client);
      const [status, cluster] = await Promise.all([client.status(), client.cluster()]);
      client.close();
      const { machines, registryProblem, notWhole = [] } = cluster;
      const lines = json
        ? [JSON.stringify({ ...status, machines, registryProblem, notWhole })]
        : [...printMachines(cluster), ...printStatus(status)];
      await printLines(lines, terminal);
    });
}

interface StatusFlags {
  readonly url: string;
  readonly json?: boolean;
  readonly waitCopies?: boolean;
}

const askEveryMs = 500;

async function untilWhole(client: HadalClient): Promise<void> {
  for (;;) {
    const { notWhole = [] } = await client.cluster();
    if (notWhole.length === 0) return;
    await pause(askEveryMs);
  }
}

function* printMachines({
  machines,
  registryProblem,
  notWhole = [],
}: ClusterInfo): Generator<string> {
  if (registryProblem !== null) {
    yield `the registry cannot be reached (${registryProblem}): machines as they were last known`;
  }
  yield* printTextTable(
    [
      { name: "machine", align: "left" },
      { name: "state", align: "left" },
      { name: "leaves", align: "right" },
      { name: "rows", align: "right" },
      { name: "copies held", align: "right" },
      { name: "version", align: "left" },
      { name: "address", align: "left" },
    ],
    machines.map(({ name, state, leaves, rows, copies, version, address }) => [
      ...[name, state, String(leaves.length), rows === null ? "–" : String(rows)],
      ...[printCopies(copies), version, address],
    ]),
    "whole",
  );
  if (notWhole.length > 0) {
    yield `fewer machines than should have all rows of ${notWhole.join(", ")}`;
  }
  for (const { name, problem } of machines) {
    if (problem !== undefined) yield `${name} says that it is alive, but ${problem}`;
  }
  for (const { leaf, machine, problem } of machines.flatMap(({ copies }) => copies)) {
    if (problem !== undefined) yield `the copy of ${leaf} on ${machine} does not go on: ${problem}`;
  }
  yield "";
}

function printCopies(copies: readonly LeafCopy[]): string {
  const whole = copies.filter(({ state }) => state === "whole").length;
  return whole === copies.length ? String(whole) : `${whole} of ${copies.length} whole`;
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
  yield "";
  for (const { id, filesDamaged = 0 } of status.members)
    if (filesDamaged > 0) yield `${id}: ${filesDamaged} files are damaged; hadal check names them`;
  yield* printLedger(status.ledger);
  const { rowsAccepted, rowsRejected, batches, stages = [] } = status.ingest;
  yield `ingest: ${rowsAccepted} rows accepted, ${rowsRejected} rejected, ${batches} batches`;
  if (stages.length > 0) yield `rows by stage: ${stages.map(printStage).join(", ")}`;
  yield `queries running: ${status.queries.length}`;
  for (const query of status.queries) {
    yield `  ${query.id} on ${query.table}, ${Math.round(query.elapsedMs)} ms`;
  }
}

function printStage({ stage, rows, lagMs }: IngestStage): string {
  return `${stage} ${rows}${lagMs > 0 ? ` (oldest ${(lagMs / 1_000).toFixed(1)} s)` : ""}`;
}

function* printLedger(ledger: LedgerInfo): Generator<string> {
  const { state, reason, lostRows, lostColumns = [], doubts } = ledger;
  yield `row-count ledger: ${state}${reason === null ? "" : `: ${reason}`}`;
  for (const { leaf, table, rows, reason: why } of lostRows)
    yield `  ${leaf} has lost ${rows} rows of ${table}: ${why}`;
  for (const { leaf, table, column, rows, reason: why } of lostColumns)
    yield `  ${leaf} cannot read ${column} of ${rows} rows of ${table}: ${why}`;
  for (const { table, reason: why } of doubts) yield `  share of ${table} unknown: ${why}`;
}
