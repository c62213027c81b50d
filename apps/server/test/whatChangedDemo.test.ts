import type { WhatChanged, WhatChangedRequest } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countries } from "../src/demo/requests/countries.js";
import { type Incident, incidentsBetween } from "../src/demo/requests/incidents.js";
import { RequestWriter, unthinned } from "../src/demo/requests/requestWriter.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const seed = 11;
const minuteMs = 60_000;
/** A Wednesday noon, UTC: one window of incidents and the quiet before it. */
const fromMs = Date.UTC(2026, 4, 13, 12);
const toMs = fromMs + 90 * minuteMs;
const thinned = { successes: 8, notable: 2 };
const [incident] = incidentsBetween(seed, fromMs + 20 * minuteMs, toMs) as [Incident];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  const load = async (table: string, { ndjson }: { readonly ndjson: Uint8Array }) => {
    await cluster.client.ingestBody(table, ndjson, { contentType: "application/x-ndjson" });
  };
  await load("requests", new RequestWriter(seed, thinned).write(fromMs, toMs));
  await load("fine", new RequestWriter(seed, unthinned).write(incident.fromMs, incident.toMs));
}, 120_000);
afterAll(() => cluster?.stop());

const rows = { table: "requests", from: fromMs, to: toMs, timeoutMs: 30_000 } as const;
const during = { from: incident.fromMs, to: incident.toMs };

function ask(request: Partial<WhatChangedRequest>): Promise<WhatChanged> {
  return cluster.client.whatChanged({ ...rows, ...request });
}

/** What the answer has of a column's best value. */
const bestOf = ({ columns }: WhatChanged) =>
  new Map(columns.map(({ name, best }) => [name, "value" in best.is ? best.is.value : best.is]));

describe("the incident of the demo table", () => {
  test("errors of the spike against those before and after: the cause's frames come first, with country and service, and say how sure", async () => {
    const answer = await ask({
      filter: [{ column: "status", op: ">=", value: 500 }],
      selection: during,
    });
    const [first] = answer.columns;
    expect(first?.name).toBe("stack");
    expect(incident.cause.frames).toContain(
      first?.best.is.kind === "element" && first.best.is.value,
    );
    expect(first?.best.p).toBeLessThan(1e-9);
    expect(first?.best.a.share).toBeGreaterThan(2 * first!.best.b.share);
    expect(first?.score).toBeGreaterThan(0.05);
    const best = bestOf(answer);
    expect(best.get("country")).toBe(countries[incident.countryIndex]?.code);
    expect(best.get("service")).toBe(incident.service);
    // Nothing unconcerned comes before them.
    const names = answer.columns.slice(0, 3).map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["stack", "country", "service"]));
    const [pair] = answer.pairs;
    expect(pair?.columns).toEqual(expect.arrayContaining(["country", "service"]));
    expect(pair?.purity).toBeGreaterThan(2 * Math.max(...pair!.purityAlone));
  });

  test("requests with the cause in their stacks, of the affected service and country: one version, for all of them", async () => {
    const answer = await ask({
      table: "fine",
      filter: [
        { column: "service", op: "=", value: incident.service },
        { column: "country", op: "=", value: countries[incident.countryIndex]?.code ?? "" },
      ],
      from: incident.fromMs,
      to: incident.toMs,
      selection: {
        filter: [{ column: "stack", op: "includes any", value: [incident.cause.frames[0] ?? ""] }],
      },
      columns: ["app_version", "device", "features"],
    });
    expect(answer.columns[0]?.name).toBe("app_version");
    const [{ best }] = answer.columns as [WhatChanged["columns"][number]];
    expect(best).toMatchObject({ is: { value: incident.version }, a: { share: 1 } });
    expect(best.filter).toEqual({ column: "app_version", op: "=", value: incident.version });
  });

  test("an hour without an incident holds no finds of a random half", async () => {
    const answer = await ask({
      to: fromMs + 20 * minuteMs,
      filter: [{ column: "user_id", op: "is present" }],
      selection: { filter: [{ column: "user_id", op: "<", value: 100_000 }] },
      without: ["country", "device", "app_version", "features"],
    });
    // Users keep their country, device, version and features; nothing else goes with the number of a user.
    expect(answer.columns.map(({ name }) => name)).toEqual([]);
    expect(answer.unchanged).toContain("latency_us");
    expect(answer.hidden).toContainEqual({
      ...{ name: "user_id", type: "int", reason: "tells-the-sets-apart" },
    });
  });

  test("a selection beyond the rows, and one of nothing, are refused with their place", async () => {
    await expect(ask({ selection: { from: fromMs - 1, to: toMs } })).rejects.toMatchObject({
      ...{ code: "time-range-invalid", errors: [{ path: "selection" }] },
    });
    await expect(ask({})).rejects.toMatchObject({
      errors: [{ path: "selection", code: "missing" }],
    });
    await expect(ask({ selection: during, without: ["countri"] })).rejects.toMatchObject({
      ...{ code: "unknown-column", errors: [{ path: "without[0]" }] },
    });
  });

  test("partial answers come, over the live socket, and the final one is last", async () => {
    const seen: boolean[] = [];
    const request = { ...rows, selection: during };
    const answer = await cluster.client.whatChanged(request, {
      onPartial: ({ final }) => seen.push(final),
    });
    expect(answer.final).toBe(true);
    expect(seen.every((final) => !final)).toBe(true);
  });
});

test("of more values than a leaf sends: ids are hidden, a frequent one is found and whole, numbers are shown as ranges", async () => {
  const [rowCount, batchRows] = [48_000, 2_000];
  const isA = (i: number) => i % 2 === 0;
  const cityOf = (i: number) => (i % (isA(i) ? 10 : 101) < 3 ? "hot" : `c${(i * 7) % 20_000}`);
  for (let first = 0; first < rowCount; first += batchRows) {
    const lines = Array.from({ length: batchRows }, (_, k) => {
      const i = first + k;
      const row = {
        set: isA(i) ? "a" : "b",
        id: `r${i}`,
        city: cityOf(i),
        n: (i * 7_919) % rowCount,
      };
      return JSON.stringify({ time: fromMs + i, ...row });
    });
    const options = { contentType: "application/x-ndjson" } as const;
    await cluster.client.ingestBody("ids", lines.join("\n"), options);
  }
  const answer = await ask({
    table: "ids",
    selection: { filter: [{ column: "set", op: "=", value: "a" }] },
  });
  expect(answer.hidden).toContainEqual({ name: "id", type: "string", reason: "near-unique" });
  expect(answer.columns.map(({ name, distinct }) => [name, distinct])).toEqual([["city", null]]);
  const hot = Array.from({ length: rowCount }, (_, i) => i).filter((i) => cityOf(i) === "hot");
  expect(answer.columns[0]?.best).toMatchObject({
    is: { value: "hot" },
    a: { rows: hot.filter(isA).length },
    b: { rows: hot.filter((i) => !isA(i)).length },
  });
  expect(answer.unchanged).toEqual(["n"]);
});
