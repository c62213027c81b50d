import type { ColumnInfo, ResultRow } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import { expect, test } from "vitest";
import { buildQuery } from "../../../draft/ask/buildQuery.js";
import { initialState } from "../../../query/state/exploreState.js";
import { commonMessage, type Incident, newestOf } from "./findIncident.js";
import { canGuide, guideSteps } from "./guideSteps.js";

const names = ["service", "status", "latency_us", "stack", "app_version", "country", "message"];
const columns = ["time", ...names].map(
  (name) =>
    ({
      name,
      type: name === "stack" ? "vector" : /_us|status/.test(name) ? "int" : "string",
      decimals: 0,
      rows: 1,
      bytes: 1,
      compressionRatio: null,
    }) as ColumnInfo,
);
const minuteMs = 60_000;
const startMs = Date.UTC(2026, 10, 21, 9);
const incident: Incident = {
  ...{ service: "cart", version: "5.1", country: "BR", share: 0.84, message: "timed out" },
  ...{ fromMs: startMs, toMs: startMs + 20 * minuteMs },
};

test("every step is a valid query within the times of the incident, and the last shows the cause", () => {
  let state = { ...initialState("requests"), from: "-3h", live: true };
  const steps = guideSteps(incident);
  for (const step of steps) {
    state = { ...state, ...step.apply(state) };
    const { query } = buildQuery(state, {
      timeZone: "UTC",
      nowMs: Date.UTC(2026, 10, 21, 12),
      columns,
    });
    expect(checkQuery(JSON.parse(JSON.stringify(query)))).toBeTruthy();
    expect(Date.parse(state.from)).toBeGreaterThanOrEqual(startMs - 8 * minuteMs);
    expect(Date.parse(state.to)).toBeLessThanOrEqual(startMs + 28 * minuteMs);
    expect(state.live).toBe(false);
  }
  expect(state).toMatchObject({ from: "2026-11-21T09:00:00.000Z", to: "2026-11-21T09:20:00.000Z" });
  expect(steps.at(-1)?.text).toContain(
    "84 % of them are version 5.1 in BR, with the message “timed out”",
  );
  expect(state.view).toBe("rows");
  expect(state.filters.map(({ filter }) => (filter as { column: string }).column)).toEqual([
    ...["service", "app_version", "country", "status"],
  ]);
});

/** Rows of failed requests by minute and service. */
const failures = (service: string, counts: readonly number[]): ResultRow[] =>
  counts.map((count, i) => [startMs + i * minuteMs, service, count]);
const calm = Array.from({ length: 60 }, () => 3);
const withSpike = (at: number): number[] => calm.map((n, i) => (i >= at && i < at + 7 ? 40 : n));

test("the most common message, compared without numbers, is the cause", () => {
  const noise = "GET /a: upstream redis failed with 502 after 21.1 ms, req=2960";
  const cause = (n: number) => `GET /b/${n}: bundle of ID is locked by writer ${n} req=${n}`;
  expect(commonMessage([noise, cause(7), cause(8)])).toBe("bundle of ID is locked by writer 7");
  expect(commonMessage([])).toBe("");
});

test("the newest incident is found, and none without a spike", () => {
  const rows = [...failures("web", withSpike(10)), ...failures("cart", withSpike(40))];
  const asOf = startMs + 60 * minuteMs;
  expect(newestOf({ rows, asOf })).toEqual({
    service: "cart",
    fromMs: startMs + 40 * minuteMs,
    toMs: startMs + 47 * minuteMs,
  });
  // A current incident ends now.
  const nowMs = startMs + 46.5 * minuteMs;
  expect(newestOf({ rows, asOf: nowMs })?.toMs).toBe(nowMs);
  expect(newestOf({ rows: failures("web", calm), asOf })).toBeNull();
  expect(newestOf({ rows: [], asOf })).toBeNull();
});

test("the guide is offered for the demo table only", () => {
  expect(canGuide("requests", columns)).toBe(true);
  expect(canGuide("requests", columns.slice(1, 3))).toBe(false);
  expect(canGuide("visits", columns)).toBe(false);
});
