import { type ClusterPlan, type PlanOptions, type PlanPoint, planShapes } from "@hadal/sdk";
import { Command, InvalidArgumentError, Option } from "commander";
import { connect } from "../connect/connect.js";
import { printLines } from "../terminal/printLines.js";
import { printBytes, printRows } from "../terminal/printNumber.js";
import type { Terminal } from "../terminal/terminal.js";
import { printTextTable } from "../terminal/textTable.js";

interface PlanFlags extends PlanOptions {
  readonly url: string;
  readonly format?: "table" | "json";
  readonly json?: boolean;
}

export function planCommand(terminal: Terminal): Command {
  return new Command("plan")
    .description("predict how long queries take on a cluster, and the memory for its rows")
    .option("--machines <n>", "machines (default: as many as run)", parseWhole)
    .option("--leaves <n>", "leaves of each machine", parseWhole)
    .option("--fan-out <n>", "children that an aggregator asks, at most", parseWhole)
    .option("--rows <n>", "rows of each leaf in the query's range", parseWhole)
    .addOption(new Option("--shape <shape>", "what is asked").choices(planShapes))
    .option("--groups <n>", "groups of the answer", parseWhole)
    .option("--table <table>", "the table whose rows are planned for (default: the largest)")
    .option("--copies <n>", "how many machines hold each row", parseWhole)
    .addOption(new Option("--format <format>", "how to print").choices(["table", "json"]))
    .option("--json", "print JSON")
    .action(async ({ url, format, json, ...asked }: PlanFlags) => {
      const client = await connect(url);
      const plan = await client.plan(asked);
      client.close();
      const lines = json || format === "json" ? [JSON.stringify(plan)] : printPlan(plan);
      await printLines(lines, terminal);
    });
}

function parseWhole(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

export function* printPlan(plan: ClusterPlan): Generator<string> {
  const { planned, tree, otherMachines, otherFanOuts, notes } = plan;
  const { fanOut, rows, shape } = planned;
  const machines = counted(planned.machines, "machine");
  const leaves = counted(planned.leaves, "leaf", "leaves");
  const groups = shape === "scan" ? "" : `, ${counted(planned.groups, "group")}`;
  yield `${machines} × ${leaves}, fan-out ${fanOut}, ${printRows(rows)} a leaf, ${shape}${groups}`;
  yield "";
  yield* printTextTable(
    [
      { name: "level", align: "right" },
      { name: "what", align: "left" },
      { name: "aggregators", align: "right" },
      { name: "children", align: "right" },
    ],
    tree.map(({ level, aggregators, children }) => [
      String(level),
      level === 0 ? "machines, which ask their leaves" : level === plan.levels ? "root" : "between",
      String(aggregators),
      String(children),
    ]),
    "whole",
  );
  yield* printTimes(plan);
  yield* printMemory(plan);
  yield "";
  yield "the same rows on other machines:";
  yield* printPoints(otherMachines, plan);
  yield "";
  yield "the same machines with another fan-out:";
  yield* printPoints(otherFanOuts, plan);
  if (notes.length > 0) yield "";
  for (const note of notes) yield `note: ${note}`;
}

function* printTimes({
  predictedMs,
  parts,
  measured,
  accuracy,
  levels,
  tree,
}: ClusterPlan): Generator<string> {
  if (predictedMs === null || parts === null) return;
  const { ts, ta, td, tg, rootMs, queries } = measured;
  const children = tree.map((level) => level.children).join(" + ");
  yield "";
  yield `predicted: ${printMs(predictedMs)}, and ${printMs(rootMs)} at the gateway beside the tree`;
  yield* printTextTable(
    [
      { name: "part", align: "left" },
      { name: "time", align: "right" },
      { name: "from", align: "left" },
    ],
    [
      ["scan", printMs(parts.scanMs), `T_S = ${printMs(ts)}`],
      [
        "ways",
        printMs(parts.linksMs),
        `L · (T_D + T_G) = ${levels} · (${printMs(td)} + ${printMs(tg)})`,
      ],
      ["merging", printMs(parts.mergeMs), `(${children}) · T_A = … · ${printMs(ta)}`],
    ],
    "whole",
  );
  yield `measured in ${counted(queries, "query", "queries")}`;
  if (accuracy === null) return;
  const { median, low, high } = accuracy;
  const predicted = counted(accuracy.queries, "query", "queries");
  yield `measured ÷ predicted time of the last ${predicted}: ${median.toFixed(2)}, half of them from ${low.toFixed(2)} to ${high.toFixed(2)}`;
}

function* printMemory({ memory }: ClusterPlan): Generator<string> {
  if (memory === null) return;
  const { table, bytesPerRow, leafBytes, machineBytes, totalBytes, leafBytesMax } = memory;
  const of = leafBytesMax === null ? "" : ` of ${printBytes(leafBytesMax)}`;
  yield "";
  yield `memory: ${printBytes(leafBytes)}${of} a leaf, ${printBytes(machineBytes)} a machine, ${printBytes(totalBytes)} in total (${bytesPerRow.toFixed(1)} bytes a row, as in ${table})`;
}

function printPoints(
  points: readonly PlanPoint[],
  { planned, predictedMs: planMs }: ClusterPlan,
): Iterable<string> {
  return printTextTable(
    [
      { name: "machines", align: "right" },
      { name: "fan-out", align: "right" },
      { name: "levels", align: "right" },
      { name: "rows a leaf", align: "right" },
      { name: "memory a leaf", align: "right" },
      { name: "predicted", align: "right" },
      { name: "difference", align: "right" },
    ],
    points.map(({ machines, fanOut, levels, rows, leafBytes, predictedMs }) => [
      String(machines),
      String(fanOut),
      String(levels),
      String(rows),
      printBytes(leafBytes ?? undefined),
      printMs(predictedMs),
      machines === planned.machines && fanOut === planned.fanOut
        ? "planned"
        : printDifference(predictedMs, planMs),
    ]),
    "whole",
  );
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

function printDifference(ms: number | null, planMs: number | null): string {
  if (ms === null || planMs === null) return "–";
  // Not "-0.00".
  const difference = Math.round((ms - planMs) * 100) / 100 || 0;
  return `${difference > 0 ? "+" : ""}${printMs(difference)}`;
}

const printMs = (ms: number | null): string =>
  ms === null ? "–" : `${Math.abs(ms) < 10 ? ms.toFixed(2) : ms.toFixed(1)} ms`;
