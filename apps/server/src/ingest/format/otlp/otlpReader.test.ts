import { HadalError } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchRows, type StoredCell } from "../../../base/testing/batchRows.js";
import { collect } from "../../testing/collect.js";
import { otlpMediaType } from "./otlpFormat.js";
import type { OtlpSignalName } from "./otlpSignals.js";
import { recorded } from "./testing/recorded.js";

const startNs = 1_795_252_800_000_000_000n;
const ns = (add: bigint | number) => String(startNs + BigInt(add));
const int = (value: number | bigint, decimals = 0): StoredCell => ({
  int: BigInt(value),
  decimals,
});
const text = (stringValue: string) => ({ stringValue });
const attribute = (key: string, value: object) => ({ key, value });

/** The three levels of a request around its records. */
function request(signal: OtlpSignalName, records: readonly object[], more: object = {}): string {
  const [resources, scopes, list] = {
    logs: ["resourceLogs", "scopeLogs", "logRecords"],
    traces: ["resourceSpans", "scopeSpans", "spans"],
    metrics: ["resourceMetrics", "scopeMetrics", "metrics"],
  }[signal] as [string, string, string];
  const resource = { attributes: [attribute("service.name", text("shop"))] };
  const scope = { name: "http", version: "2" };
  return JSON.stringify({
    [resources]: [{ resource, ...more, [scopes]: [{ scope, [list]: records }] }],
  });
}

async function read(signal: OtlpSignalName, body: string | Uint8Array, pieceBytes = 1 << 20) {
  const encoding = typeof body === "string" ? "json" : "protobuf";
  const contentType = otlpMediaType(signal, encoding);
  const timeUnit = { unit: null, nowMs: Number(startNs / 1_000_000n) };
  const rows = await collect(body, { contentType, pieceBytes, timeUnit });
  return {
    rows: rows.batches.flatMap(batchRows),
    times: rows.batches.flatMap((batch) => [...batch.times]),
    problems: rows.problems,
  };
}

const ofAll = {
  ...{ service: "shop", "resource.service.name": "shop" },
  ...{ "scope.name": "http", "scope.version": "2" },
};

describe("OTLP in JSON", () => {
  it("a log record is a row: exact integers, lists, nested values, names that are taken", async () => {
    const record = {
      timeUnixNano: ns(1_999_999),
      observedTimeUnixNano: ns(5_000_000),
      severityNumber: 17,
      body: { kvlistValue: { values: [attribute("n", { intValue: "9223372036854775807" })] } },
      traceId: "5B8EFFF798038103D269B633813FC60C",
      attributes: [
        attribute("order.id", { intValue: "9007199254740993" }),
        attribute("price", { doubleValue: 2.5 }),
        attribute("none", { doubleValue: "NaN" }),
        attribute("ok", { boolValue: true }),
        attribute("list", { arrayValue: { values: [text("b"), { intValue: 1 }, text("b")] } }),
        attribute("user", { kvlistValue: { values: [attribute("name", text("ann"))] } }),
        attribute("raw", { bytesValue: "AAE=" }),
        attribute("body", text("taken")),
        attribute("service.name", text("its own")),
        attribute("__proto__", text("ordinary")),
        attribute("sample_rate", text("often")),
      ],
    };
    const { rows, times, problems } = await read("logs", request("logs", [record]));
    expect(problems).toEqual([]);
    expect(times).toEqual([Number(startNs / 1_000_000n) + 1]);
    expect(Object.entries(rows[0]!).sort()).toEqual(
      Object.entries({
        ...ofAll,
        observed_time_ms: int(startNs / 1_000_000n + 5n),
        severity: "ERROR",
        severity_number: int(17),
        body: '{"n":9223372036854775807}',
        trace_id: "5b8efff798038103d269b633813fc60c",
        "order.id": int(9007199254740993n),
        price: int(2_500_000, 6),
        ok: "true",
        list: ["b", "1", "b"],
        "user.name": "ann",
        raw: "AAE=",
        "attributes.body": "taken",
        "service.name": "its own",
        ["__proto__"]: "ordinary",
        "attributes.sample_rate": "often",
      }).sort(),
    );
  });

  it("numbers beyond 2^53 are read digit by digit, without quotes too", async () => {
    const body = request("logs", [
      { timeUnixNano: ns(0), attributes: [attribute("n", { intValue: "N" })] },
    ]).replace('"N"', "9223372036854775807");
    expect((await read("logs", body)).rows[0]).toMatchObject({ n: int(9223372036854775807n) });
  });

  it("a record without a time counts from when it was observed; without both it is refused alone", async () => {
    const records = [
      { timeUnixNano: "0", observedTimeUnixNano: ns(7_000_000) },
      {},
      { timeUnixNano: ns(1) },
    ];
    const { times, problems } = await read("logs", request("logs", records));
    expect(times).toEqual([7, 0].map((ms) => Number(startNs / 1_000_000n) + ms));
    expect(problems).toMatchObject([{ line: 2, code: "time-missing" }]);
  });

  it("a span is a row with its duration, and what its first exception says", async () => {
    const span = {
      traceId: "00000000000000000000000000000001",
      spanId: "0000000000000002",
      parentSpanId: "0000000000000003",
      name: "GET /",
      kind: 2,
      startTimeUnixNano: ns(0),
      endTimeUnixNano: ns(81_234_999),
      status: { code: 2, message: "refused" },
      events: [
        { name: "retry" },
        { name: "exception", attributes: [attribute("exception.type", text("TimeoutError"))] },
      ],
      links: [{ traceId: "00000000000000000000000000000009" }],
      attributes: [attribute("http.route", text("/")), attribute("kind", text("taken"))],
    };
    const open = { name: "open", startTimeUnixNano: ns(0) };
    const { rows } = await read("traces", request("traces", [span, open]));
    expect(rows[0]).toEqual({
      ...ofAll,
      ...{ name: "GET /", kind: "server", duration_us: int(81_234) },
      trace_id: "00000000000000000000000000000001",
      ...{ span_id: "0000000000000002", parent_span_id: "0000000000000003" },
      ...{ status: "error", status_message: "refused", "exception.type": "TimeoutError" },
      ...{ events: ["retry", "exception"], links: ["00000000000000000000000000000009"] },
      ...{ "http.route": "/", "attributes.kind": "taken" },
    });
    expect(rows[1]).toEqual({ ...ofAll, name: "open", kind: "unspecified", status: "unset" });
  });

  it("each number point is a row; points of other kinds are refused by name", async () => {
    const point = { timeUnixNano: ns(0), attributes: [attribute("host", text("a"))] };
    const metrics = [
      {
        name: "g",
        unit: "By",
        gauge: {
          dataPoints: [
            { ...point, asInt: "-9223372036854775808" },
            { ...point, asDouble: 0.25 },
          ],
        },
      },
      {
        name: "s",
        sum: {
          aggregationTemporality: 2,
          isMonotonic: true,
          dataPoints: [{ ...point, startTimeUnixNano: ns(-1_000_000), asInt: 7 }],
        },
      },
      { name: "e", exponentialHistogram: { dataPoints: [point] } },
      {
        name: "h",
        histogram: {
          aggregationTemporality: 1,
          dataPoints: [
            {
              ...point,
              count: "3",
              sum: 4.5,
              min: 1,
              max: 2,
              bucketCounts: ["1", "2"],
              explicitBounds: [1.5],
            },
          ],
        },
      },
      { name: "gone", gauge: { dataPoints: [{ ...point, flags: 1, asInt: "5" }] } },
    ];
    const { rows, problems } = await read("metrics", request("metrics", metrics));
    const shared = { ...ofAll, host: "a" };
    expect(rows).toEqual([
      { ...shared, name: "g", kind: "gauge", unit: "By", value: int(-9223372036854775808n) },
      { ...shared, name: "g", kind: "gauge", unit: "By", value: int(250_000, 6) },
      {
        ...{ ...shared, name: "s", kind: "sum", temporality: "cumulative", monotonic: "true" },
        ...{ start_time_ms: int(startNs / 1_000_000n - 1n), value: int(7_000_000, 6) },
      },
      {
        ...{ ...shared, name: "h", kind: "histogram", temporality: "delta", count: int(3) },
        ...{
          sum: int(4_500_000, 6),
          min: int(1),
          max: int(2),
          bounds: ["1.5"],
          buckets: ["1", "2"],
        },
      },
      { ...shared, name: "gone", kind: "gauge" },
    ]);
    expect(problems).toMatchObject([
      { line: 4, detail: expect.stringContaining("exponentialHistogram") },
    ]);
  });

  it.each(["", "{}", '{"resourceLogs":[]}', '{"resourceLogs":5}'])(
    "%j has no records",
    async (body) => {
      expect(await read("logs", body)).toEqual({ rows: [], times: [], problems: [] });
    },
  );

  it("values that are nested without end cost their record", async () => {
    const depth = 3_000;
    const nested = `${'{"arrayValue":{"values":['.repeat(depth)}{}${"]}}".repeat(depth)}`;
    const records = [{ timeUnixNano: ns(0), body: "NESTED" }, { timeUnixNano: ns(0) }];
    const body = request("logs", records).replace('"NESTED"', nested);
    const { rows, problems } = await read("logs", body);
    expect([rows.length, problems[0]?.code]).toEqual([1, "too-deep"]);
  });
});

describe("OTLP in protobuf, as the OpenTelemetry Collector sends it", () => {
  it.each(["logs", "traces", "metrics"] as const)(
    "%s: the same rows as in JSON",
    async (signal) => {
      const { protobuf, json } = recorded[signal];
      const bytes = Buffer.from(protobuf, "base64");
      const fromJson = await read(signal, json);
      expect(fromJson.rows.length).toBeGreaterThan(1);
      expect(fromJson.problems).toEqual([]);
      for (const pieceBytes of [7, 1 << 20])
        expect(await read(signal, bytes, pieceBytes)).toEqual(fromJson);
    },
  );

  it("bytes that are cut or changed are refused or read, and nothing else", async () => {
    const bytes = Buffer.from(recorded.traces.protobuf, "base64");
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 4 }),
        async (cut, changes) => {
          const changed = Buffer.from(bytes);
          for (const [at, byte] of changes) changed[at] = byte;
          const sent = changes.length === 0 ? changed.subarray(0, cut) : changed;
          const error = await read("traces", sent).then(
            () => null,
            (reason: unknown) => reason,
          );
          if (error !== null) expect(error).toBeInstanceOf(HadalError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("JSON that is none is one problem", async () => {
    await expect(read("logs", '{"resourceLogs":')).rejects.toMatchObject({
      code: "body-undecodable",
    });
  });
});

describe("a file of several requests", () => {
  const logs = [1, 2, 3].map((second) =>
    request("logs", [{ timeUnixNano: ns(second * 1_000_000_000), body: text(`${second}`) }]),
  );

  it("has one a line in JSON, also empty ones", async () => {
    const whole = await Promise.all(logs.map((body) => read("logs", body)));
    const file = await read("logs", `\n${logs[0]}\r\n${logs[1]}\n\n${logs[2]}\n`);
    expect(file.rows).toEqual(whole.flatMap(({ rows }) => rows));
    expect(file.times).toEqual(whole.flatMap(({ times }) => times));
    await expect(read("logs", `${logs[0]}\n{"resourceLogs":`)).rejects.toMatchObject({
      code: "body-undecodable",
    });
    // One request over several lines is one.
    const indented = await read("logs", JSON.stringify(JSON.parse(logs[0]!), null, 2));
    expect(indented.rows).toEqual(whole[0]!.rows);
  });

  it("has each behind its length in protobuf", async () => {
    for (const signal of ["logs", "traces", "metrics"] as const) {
      const bytes = Buffer.from(recorded[signal].protobuf, "base64");
      const frame = Buffer.concat([Buffer.alloc(4), bytes]);
      frame.writeUInt32BE(bytes.length);
      const one = await read(signal, bytes);
      const file = await read(signal, Buffer.concat([frame, frame]), 7);
      expect(file.rows).toEqual([...one.rows, ...one.rows]);
      for (const cut of [1, bytes.length + 2, frame.length + 3])
        await expect(
          read(signal, Buffer.concat([frame, frame]).subarray(0, -cut)),
        ).rejects.toMatchObject({ code: "body-undecodable" });
    }
  });
});
