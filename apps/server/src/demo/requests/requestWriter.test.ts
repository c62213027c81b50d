import { describe, expect, it } from "vitest";
import { countries } from "./countries.js";
import { serviceNames } from "./endpoints.js";
import { type Incident, incidentsBetween } from "./incidents.js";
import { RequestWriter, rowsPerSecond, unthinned } from "./requestWriter.js";

interface RequestRow {
  readonly time: number;
  readonly service: string;
  readonly endpoint: string;
  readonly status: number;
  readonly latency_us: number;
  readonly bytes: number;
  readonly user_id?: number;
  readonly country?: string;
  readonly device?: string;
  readonly app_version?: string;
  readonly features?: { readonly $set: readonly string[] };
  readonly stack?: readonly string[];
  readonly message: string;
  readonly sample_rate: number;
}

const seed = 11;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Wednesday noon, UTC. */
const noonMs = Date.UTC(2026, 4, 13, 12);
const thinned = { successes: 24, notable: 8 };

function rowsOf(fromMs: number, toMs: number, thinning = unthinned): RequestRow[] {
  const { ndjson, rows } = new RequestWriter(seed, thinning).write(fromMs, toMs);
  const lines = new TextDecoder().decode(ndjson).trimEnd().split("\n");
  expect(lines).toHaveLength(rows);
  return lines.map((line) => JSON.parse(line) as RequestRow);
}

/** Events that rows stand for. */
const eventsOf = (rows: readonly RequestRow[]) =>
  rows.reduce((sum, { sample_rate }) => sum + sample_rate, 0);

describe("what a second holds", () => {
  it("depends on seed and time only, not on where the stretch begins", () => {
    const write = (fromMs: number, toMs: number, ofSeed = seed) =>
      Buffer.from(new RequestWriter(ofSeed, unthinned).write(fromMs, toMs).ndjson).toString();
    const whole = write(noonMs, noonMs + minuteMs);
    const middle = noonMs + 17_000;
    expect(write(noonMs, middle) + write(middle, noonMs + minuteMs)).toBe(whole);
    expect(write(noonMs, noonMs + minuteMs, seed + 1)).not.toBe(whole);
  });

  it("is in order of time and inside the stretch", () => {
    const rows = rowsOf(noonMs, noonMs + minuteMs);
    const times = rows.map(({ time }) => time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(noonMs);
    expect(times.at(-1)).toBeLessThan(noonMs + minuteMs);
  });

  it("refuses parts of seconds", () => {
    const writer = new RequestWriter(seed, unthinned);
    expect(() => writer.write(noonMs + 1, noonMs + 1_000)).toThrow(RangeError);
  });
});

describe("rows", () => {
  const rows = rowsOf(noonMs, noonMs + 10 * minuteMs);

  it("come at the promised rate", () => {
    const perSecond = rows.length / 600;
    expect(perSecond).toBeGreaterThan(40);
    expect(perSecond).toBeLessThan(120);
  });

  it("have every column in its shape", () => {
    const codes = new Set(countries.map(({ code }) => code));
    const isWhole = (value: number) => Number.isInteger(value) && value > 0;
    const isUsual = (row: RequestRow) =>
      serviceNames.includes(row.service) &&
      row.status >= 200 &&
      isWhole(row.latency_us) &&
      isWhole(row.bytes) &&
      row.message.length > 10;
    const isPersonal = (row: RequestRow) =>
      codes.has(row.country ?? "") &&
      isWhole(row.user_id ?? 0) &&
      (row.user_id ?? 0) <= 200_000 &&
      /^\d+\.\d+\.\d+$/.test(row.app_version ?? "") &&
      row.features !== undefined &&
      new Set(row.features.$set).size === row.features.$set.length;
    const isProbe = (row: RequestRow) => row.endpoint === "/healthz" && row.user_id === undefined;
    expect(rows.filter((row) => !isUsual(row))).toEqual([]);
    expect(rows.filter((row) => !isProbe(row) && !isPersonal(row))).toEqual([]);
    expect(rows.some(isProbe)).toBe(true);
    expect(rows.some((row) => row.features?.$set.length === 0)).toBe(true);
  });

  it("carry a stack on every server error and on some of the others", () => {
    const failed = rows.filter(({ status }) => status >= 500);
    expect(failed.length).toBeGreaterThan(10);
    for (const { stack } of failed) expect(stack?.[0]).toBe("main");
    const fine = rows.filter(({ status }) => status < 400);
    const share = fine.filter(({ stack }) => stack !== undefined).length / fine.length;
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.3);
  });

  it("sample successes of hot endpoints and probes, never errors", () => {
    expect(rows.filter((row) => row.status >= 400 && row.sample_rate !== 1)).toEqual([]);
    expect(rows.filter((row) => row.endpoint === "/healthz" && row.sample_rate !== 10)).toEqual([]);
    expect(new Set(rows.map(({ sample_rate }) => sample_rate))).toEqual(new Set([1, 10]));
  });

  it("have latencies that are log-normal: the mean lies above the median", () => {
    const latencies = rows.map(({ latency_us }) => latency_us).sort((a, b) => a - b);
    const median = latencies[latencies.length >> 1]!;
    const mean = latencies.reduce((a, b) => a + b, 0) / latencies.length;
    expect(mean).toBeGreaterThan(1.3 * median);
  });

  it("have users of whom a few ask far more often, each with one device and country", () => {
    const byUser = groupByUser(rows);
    byUser.delete(undefined);
    const counts = [...byUser.values()].map((ofUser) => ofUser.length).sort((a, b) => b - a);
    expect(counts[0]).toBeGreaterThan(5);
    expect(counts[counts.length >> 1]).toBeLessThanOrEqual(2);
    const traits = [...byUser.values()].map(
      (ofUser) => new Set(ofUser.map(({ device, country }) => `${device} ${country}`)).size,
    );
    expect(Math.max(...traits)).toBe(1);
  });
});

describe("thinning", () => {
  it("keeps the number of events that the rows stand for", () => {
    const dense = rowsOf(noonMs, noonMs + 30 * minuteMs);
    const thin = rowsOf(noonMs, noonMs + 30 * minuteMs, thinned);
    expect(thin.length).toBeLessThan(dense.length / 15);
    expect(eventsOf(thin) / eventsOf(dense)).toBeGreaterThan(0.93);
    expect(eventsOf(thin) / eventsOf(dense)).toBeLessThan(1.07);
  });

  it("has the mean rate it says over a week", () => {
    const rows = new RequestWriter(seed, { successes: 200, notable: 60 }).write(
      noonMs,
      noonMs + 7 * dayMs,
    ).rows;
    const expected = rowsPerSecond({ successes: 200, notable: 60 }) * 7 * 86_400;
    expect(rows / expected).toBeGreaterThan(0.85);
    expect(rows / expected).toBeLessThan(1.2);
  });
});

describe("rhythm", () => {
  const eventsAt = (fromMs: number) => eventsOf(rowsOf(fromMs, fromMs + 30 * minuteMs, thinned));

  it("goes down and up within a day", () => {
    const hours = [0, 3, 6, 9, 12, 15, 18, 21].map((hour) => eventsAt(noonMs + hour * hourMs));
    expect(Math.max(...hours)).toBeGreaterThan(1.4 * Math.min(...hours));
  });

  it("follows local daytime", () => {
    const shareOf = (country: string, atMs: number) => {
      const rows = rowsOf(atMs, atMs + 20 * minuteMs, thinned);
      return rows.filter((row) => row.country === country).length / rows.length;
    };
    const tokyoEveningMs = noonMs - hourMs;
    const tokyoNightMs = noonMs + 7 * hourMs;
    expect(shareOf("JP", tokyoEveningMs)).toBeGreaterThan(3 * shareOf("JP", tokyoNightMs));
  });

  it("is nearly the same a week later, and busier on a Sunday", () => {
    const week = eventsAt(noonMs + 7 * dayMs) / eventsAt(noonMs);
    expect(week).toBeGreaterThan(0.75);
    expect(week).toBeLessThan(1.33);
    expect(eventsAt(noonMs + 4 * dayMs)).toBeGreaterThan(1.05 * eventsAt(noonMs));
  });

  it("rolls releases out: within ten days several versions, the newest growing", () => {
    const shares = (atMs: number) => {
      const rows = rowsOf(atMs, atMs + 20 * minuteMs, thinned).filter((row) => row.app_version);
      const byVersion = new Map<string, number>();
      for (const { app_version = "" } of rows) {
        byVersion.set(app_version, (byVersion.get(app_version) ?? 0) + 1 / rows.length);
      }
      return byVersion;
    };
    const before = shares(noonMs);
    const after = shares(noonMs + 10 * dayMs);
    const top = (of: Map<string, number>) => [...of].sort((a, b) => b[1] - a[1])[0]![0];
    expect(before.size).toBeGreaterThanOrEqual(3);
    expect(after.get(top(before)) ?? 0).toBeLessThan(0.2);
    expect(top(after)).not.toBe(top(before));
  });
});

describe("incidents", () => {
  const hitBy = ({ service, countryIndex, version }: Incident, row: RequestRow) =>
    row.service === service &&
    row.country === countries[countryIndex]!.code &&
    row.app_version === version;
  const isServerError = ({ status }: RequestRow) => status >= 500;
  const errorShare = (rows: readonly RequestRow[]) =>
    eventsOf(rows.filter(isServerError)) / eventsOf(rows);
  /** Weighted, as Hadal answers it. */
  const p95 = (rows: readonly RequestRow[]) => {
    const sorted = [...rows].sort((a, b) => a.latency_us - b.latency_us);
    let left = 0.95 * eventsOf(rows);
    const found = sorted.find(({ sample_rate }) => {
      left -= sample_rate;
      return left <= 0;
    });
    return found?.latency_us ?? 0;
  };

  it("start every 40 to 56 minutes, last 6 to 12, and every hour has one", () => {
    const all = incidentsBetween(seed, noonMs, noonMs + 10 * dayMs);
    for (const [index, { fromMs, toMs }] of all.entries()) {
      expect(toMs - fromMs).toBeGreaterThanOrEqual(6 * minuteMs - 1_000);
      expect(toMs - fromMs).toBeLessThanOrEqual(12 * minuteMs);
      const next = all[index + 1];
      if (next === undefined) continue;
      expect(next.fromMs - fromMs).toBeGreaterThanOrEqual(40 * minuteMs);
      expect(next.fromMs - fromMs).toBeLessThanOrEqual(56 * minuteMs);
    }
  });

  it.each(
    incidentsBetween(seed, noonMs, noonMs + 5 * hourMs).map((incident): [string, Incident] => [
      `${incident.service} ${incident.version}`,
      incident,
    ]),
  )("can be found by drilling: %s", (_name, incident) => {
    const rows = rowsOf(incident.fromMs, incident.toMs);
    const inside = rows.filter((row) => hitBy(incident, row));
    const outside = rows.filter(
      (row) => row.service === incident.service && row.country && !hitBy(incident, row),
    );
    expect(inside.length).toBeGreaterThan(60);
    expect(errorShare(inside)).toBeGreaterThan(5 * errorShare(outside));
    expect(errorShare(inside)).toBeGreaterThan(0.2);
    expect(p95(inside)).toBeGreaterThan(5 * p95(outside));
    const frame = incident.cause.frames.at(-1)!;
    const tell = (row: RequestRow) => row.stack?.at(-1) === frame;
    expect(inside.filter(tell).length).toBe(inside.length);
    const caused = inside.filter((row) => row.status === incident.cause.status);
    expect(new Set(caused.map(({ message }) => message)).size).toBe(caused.length);
  });

  it("still show in thinned history", () => {
    const all = incidentsBetween(seed, noonMs, noonMs + dayMs).slice(1, -1);
    const inside = all.flatMap((incident) =>
      rowsOf(incident.fromMs, incident.toMs, thinned).filter((row) => hitBy(incident, row)),
    );
    expect(inside.length / all.length).toBeGreaterThan(10);
    expect(errorShare(inside)).toBeGreaterThan(0.2);
  });
});

function groupByUser(rows: readonly RequestRow[]): Map<number | undefined, RequestRow[]> {
  const byUser = new Map<number | undefined, RequestRow[]>();
  for (const row of rows) byUser.set(row.user_id, [...(byUser.get(row.user_id) ?? []), row]);
  return byUser;
}
