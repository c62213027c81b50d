import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Query, Result } from "@hadal/sdk";
import type { Say } from "./machines/machineFault.js";
import { type OwnServer, startOwnServer } from "./ownServer.js";

const fromMs = Date.UTC(2026, 0, 1);
const rowCount = 200_000;
/** Of every row m is n and this. */
const apart = 1_000_000;
const groups = 100;
/** Runs of each kind: a start takes seconds. */
const runsEach = 4;

const kinds: readonly (readonly [string, RegExp, boolean])[] = [
  ["logs cut off", /log-\d+\.hdl$/, true],
  ["logs", /log-\d+\.hdl$/, false],
  ["segments", /segment-\d+\.hds$/, false],
  ["manifests", /rows-\d+\.json$/, false],
  ["decided units", /units(-2)?\.json$/, false],
];

/**
 * Torn and flipped bytes in the files of a server that was killed: it starts, says what it has lost,
 * and no value is wrong. The tests damage every kind of file, thousands of times, inside one process.
 */
export async function damagedFiles(say: Say): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-faults-"));
  const server = await startOwnServer({ dataDir });
  for (let n = 0; n < rowCount; n += 20_000) {
    const lines = Array.from({ length: 20_000 }, (_, i) => {
      const at = n + i;
      return `{"time":${fromMs + at},"n":${at},"m":${at + apart},"s":"s${at % groups}"}`;
    });
    await server.client.ingestBody("t", lines.join("\n"), { contentType: "application/x-ndjson" });
  }
  while (!(await allFiles(dataDir)).some((path) => path.endsWith(".hds"))) await sleep(100);
  await kill(server);
  for (const [what, pattern, cuts] of kinds) {
    let [whole, reported] = [0, 0];
    for (let run = 0; run < runsEach; run++) {
      const copy = await mkdtemp(join(tmpdir(), "hadal-faults-"));
      await cp(dataDir, copy, { recursive: true });
      const files = (await allFiles(copy)).filter((path) => pattern.test(path));
      const path = files[run % files.length]!;
      await damage(path, (run + 0.5) / runsEach, cuts);
      const again = await startOwnServer({ dataDir: copy });
      const count = await checkedCount(again, basename(path));
      if (count === rowCount) whole++;
      else reported++;
      await kill(again);
      await rm(copy, { recursive: true });
    }
    say(
      `F7 ${what}: ${runsEach} of ${runsEach} starts, ${whole} with all rows, ${reported} with as many as completeness says; 0 wrong values`,
    );
  }
  await rm(dataDir, { recursive: true });
}

async function allFiles(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name))
    .sort();
}

/** At a share of its last bytes, or of all of them. */
async function damage(path: string, share: number, cuts: boolean): Promise<void> {
  const bytes = await readFile(path);
  if (cuts) {
    const last = Math.min(bytes.length, 60_000);
    await truncate(path, bytes.length - Math.max(1, Math.floor(last * share)));
    return;
  }
  const at = Math.floor(bytes.length * share);
  bytes[at]! ^= 1 << (at % 8);
  await writeFile(path, bytes);
}

async function kill(server: OwnServer): Promise<void> {
  for (const pid of (await server.pids()).values()) if (pid > 0) process.kill(pid, "SIGKILL");
  server.child.kill("SIGKILL");
  if (server.child.exitCode === null && server.child.signalCode === null)
    await new Promise((resolve) => server.child.once("exit", resolve));
  server.client.close();
}

/** Throws where a value is wrong, a row is there twice, or the answer does not say what it lacks. */
async function checkedCount(server: OwnServer, file: string): Promise<number> {
  const query: Query = {
    ...{ table: "t", from: fromMs, to: fromMs + rowCount, groupBy: ["s"], timeoutMs: 10_000 },
    aggregates: [
      { fn: "count" },
      { fn: "sum", column: "n" },
      { fn: "sum", column: "m" },
      { fn: "distinct", column: "n" },
    ],
  };
  const { rows, completeness } = await answerOf(server, query);
  let all = 0;
  for (const [, ...numbers] of rows) {
    // The count comes twice: of events, and of rows.
    const [count = 0, , n = 0, m = 0, distinct = 0] = numbers.map(Number);
    if (m - n !== apart * count || distinct !== count)
      throw new Error(`F7 ${file}: wrong values: ${numbers.join(", ")}`);
    all += count;
  }
  const { fraction, known } = completeness;
  if (known !== false && Math.abs(fraction - all / rowCount) > 0.001)
    throw new Error(`F7 ${file}: ${all} rows, and a completeness of ${fraction}`);
  return all;
}

/** The first answer; leaves may not be there yet. */
async function answerOf({ client }: OwnServer, query: Query): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await client.query(query);
    } catch (error) {
      if (tries > 300) throw error;
      await sleep(50);
    }
  }
}
