import { expect, test } from "vitest";
import { StopController } from "../base/schedule/stopController.js";
import { RowQuota } from "./admit/rowQuota.js";
import { runWhatChanged } from "./change/runWhatChanged.js";
import { runFacets } from "./facet/runFacets.js";
import type { QueryDeps, RunOptions } from "./run/queryDeps.js";
import { runQuery } from "./run/runQuery.js";
import { deps, leaf, row } from "./testing/rowLeaves.js";

const asked = { table: "requests", from: 0, to: 60_000 };
const { signal } = new StopController();

/** Over one leaf of two rows; a person may scan this many a minute. */
const depsWith = (userRowsPerMinute: number): QueryDeps => ({
  ...deps([leaf("leaf-1", [row(1, "a", 1n), row(2, "b", 2n)], [Promise.resolve()])]),
  rowQuota: new RowQuota({ userRowsPerMinute }, () => 0),
});

test("what a query scanned counts for its person, from every address, and for no other", async () => {
  const of = depsWith(3);
  for (let i = 0; i < 2; i++) await runQuery(asked, of, { client: "user:1 ::1", signal });
  await expect(runQuery(asked, of, { client: "user:1 ::2", signal })).rejects.toMatchObject({
    code: "quota-exceeded",
    members: { limitName: "userRowsPerMinute" },
  });
  await runQuery(asked, of, { client: "user:2 ::1", signal });
});

test.each<[string, (of: QueryDeps, by: Pick<RunOptions, "client" | "signal">) => Promise<unknown>]>(
  [
    ["facets", (of, by) => runFacets(asked, of, by)],
    ["what changed", (of, by) => runWhatChanged({ ...asked, against: { offset: "1m" } }, of, by)],
  ],
)("%s have the same limit", async (_, ask) => {
  const of = depsWith(1);
  await runQuery(asked, of, { client: "user:1 ::1", signal });
  await expect(ask(of, { client: "user:1 ::1", signal })).rejects.toMatchObject({
    code: "quota-exceeded",
  });
});
