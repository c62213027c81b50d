import { memoryOf } from "../../test/support/load/memoryOf.js";
import { quietQueries, steadyLoad } from "../../test/support/load/steadyLoad.js";
import { startOwnServer } from "./ownServer.js";

/** How often the memory of the processes is printed. */
const memoryEveryMs = 60_000;
/** How long the queries of the load are asked alone. */
const quietSeconds = 30;

/** 20,000 rows a second, 5 queries a second and 20 live subscribers, for some minutes (issue 47). */
export async function steadySoak(minutes: number, say: (line: string) => void): Promise<void> {
  const server = await startOwnServer();
  const { client } = server;
  const pids = await server.pids();
  const sayMemory = async (sinceMs: number): Promise<void> => {
    const texts = [...pids].map(
      async ([id, pid]) => `${id} ${Math.round((await memoryOf(pid, "VmRSS")) / 2 ** 20)} MiB`,
    );
    say(`after ${Math.round(sinceMs / 1_000)} s: ${(await Promise.all(texts)).join(", ")}`);
  };
  const startMs = Date.now() - 60_000;
  let saidMs = 0;
  const onTurn = (sinceMs: number): void => {
    if (sinceMs - saidMs < memoryEveryMs) return;
    saidMs = sinceMs;
    void sayMemory(sinceMs);
  };
  const report = await steadyLoad(client, { seconds: minutes * 60, startMs, onTurn });
  const { sends, queries, seen, live, rowsSent } = report;
  say(`${rowsSent.toLocaleString("en")} rows sent`);
  say(`sends: ${sends.print()}`);
  say(`queries: ${queries.print()}`);
  say(`acknowledged until seen, the query included: ${seen.print()}`);
  say(`live results: ${live.results.join(", ")}; problems: ${live.problems.join("; ") || "none"}`);
  await sayMemory(minutes * 60_000);
  say(
    `the same queries alone: ${(await quietQueries(client, { seconds: quietSeconds, startMs })).print()}`,
  );
  await server.stop();
}
