import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { HadalError, type Query } from "@hadal/sdk";
import { memoryOf } from "../../../test/support/load/memoryOf.js";
import { askWhile, printAsked } from "./askWhile.js";
import type { FaultyMachines } from "./faultyMachines.js";
import { type MachineFault, ms } from "./machineFault.js";

const machineNumber = 5;
const wideRows = 1_200_000;
const wideBodyRows = 40_000;
const wideCount = 30;
const mib = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;

/** Of a machine's first leaf. */
async function leafPid({ gateway }: FaultyMachines, number: number): Promise<number> {
  const { members } = await gateway.client.status();
  const leaf = members.find(({ role, machine }) => role === "leaf" && machine === `m${number}`);
  return leaf?.state === "alive" ? (leaf.pid ?? 0) : 0;
}

/** F19: the process of a leaf ends by itself; its machine goes on. */
export const crashedLeaf: MachineFault = async (cluster, say) => {
  await cluster.untilCopied();
  const before = await leafPid(cluster, machineNumber);
  let backMs = 0;
  const asked = await askWhile(cluster, async () => {
    await sleep(1_000);
    process.kill(before, "SIGKILL");
    backMs = await cluster.until("the leaf is back", async () => {
      const pid = await leafPid(cluster, machineNumber);
      return pid !== 0 && pid !== before;
    });
    await sleep(2_000);
  });
  await cluster.untilRight();
  say(`F19 the process of a leaf killed: ${printAsked(asked)}; replaced after ${ms(backMs)}`);
};

async function loadWide({ gateway }: FaultyMachines, startMs: number): Promise<void> {
  for (let at = 0; at < wideRows; at += wideBodyRows) {
    const lines = Array.from({ length: wideBodyRows }, (_, i) => {
      const n = at + i;
      return `{"time":${startMs + n},"n":${n},"s":"u${n}","ms":${n % 997}}`;
    });
    const options = { contentType: "application/x-ndjson" } as const;
    await gateway.client.ingestBody("wide", lines.join("\n"), options);
  }
}

async function nameOf(pid: number): Promise<string> {
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (command.includes("aggregator")) return "an aggregator";
  return command.includes("leaf") ? "a leaf" : "a sandbox";
}

/** F20: many questions with as many groups as there are rows, through aggregators, at once. */
export const wideGroups: MachineFault = async (cluster, say) => {
  const startMs = Date.UTC(2026, 3, 1);
  await loadWide(cluster, startMs);
  await cluster.untilCopied();
  const lists = await Promise.all(cluster.numbers.map((number) => cluster.pidsOf(number)));
  const pids = lists.flat();
  const outcomes = new Map<string, number>();
  const ask = async (i: number): Promise<void> => {
    const query: Query = {
      ...{ table: "wide", from: startMs, to: startMs + wideRows, timeoutMs: 20_000, limit: 10 },
      ...{ groupBy: ["s", "n"], filter: [{ column: "n", op: ">=", value: i }] },
      aggregates: [{ fn: "count" }, { fn: "sum", column: "ms" }],
    };
    const outcome = await cluster.gateway.client.query(query).then(
      ({ completeness, rows }) => {
        if (rows.some(([, , count]) => count !== 1)) throw new Error("WRONG: a group counts twice");
        return completeness.fraction === 1 ? "whole" : "partial";
      },
      (error: unknown) => {
        if (!(error instanceof HadalError)) throw error;
        return error.code;
      },
    );
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  };
  let tookMs = 0;
  const asked = await askWhile(cluster, async () => {
    const beginMs = performance.now();
    await Promise.all(Array.from({ length: wideCount }, (_, i) => ask(i)));
    tookMs = performance.now() - beginMs;
  });
  const most = new Map<string, number>();
  for (const pid of pids) {
    const bytes = await memoryOf(pid, "VmHWM");
    const name = await nameOf(pid);
    most.set(name, Math.max(most.get(name) ?? 0, bytes));
  }
  most.set("the gateway", await memoryOf(cluster.gateway.process.child.pid!, "VmHWM"));
  const memory = [...most].map(([name, bytes]) => `${name} ${mib(bytes)}`).join(", ");
  const said = [...outcomes].map(([outcome, count]) => `${count} × ${outcome}`).join(", ");
  await cluster.untilRight();
  say(
    `F20 ${wideCount} × GROUP BY of ${wideRows.toLocaleString("en")} keys at once: ${said} in ${ms(tookMs)}; others: ${printAsked(asked)}; at most ${memory}; no process ended`,
  );
};
