import { gunzipSync, gzipSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import { recorded } from "../../../ingest/format/otlp/testing/recorded.js";
import { withApi } from "../../testing/startApi.js";

const json = { "content-type": "application/json" };
const protobuf = { "content-type": "application/x-protobuf" };
const post = (signal: string, headers: object, payload: string | Buffer) => ({
  ...{ method: "POST" as const, url: `/v1/${signal}`, headers: { ...headers }, payload },
});
const bytesOf = (signal: "logs" | "traces" | "metrics") =>
  Buffer.from(recorded[signal].protobuf, "base64");

/** The fields of a message, nested ones as bytes. */
function fieldsOf(bytes: Uint8Array): unknown[] {
  const reader = new BinaryReader(bytes);
  const fields: unknown[] = [];
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    fields.push([number, type === 2 ? reader.bytes() : reader.int32()]);
  }
  return fields;
}

describe("POST /v1/logs, /v1/traces, /v1/metrics", () => {
  it.each([
    ["logs", "otel_logs", 2],
    ["traces", "otel_spans", 2],
    ["metrics", "otel_metrics", 5],
  ] as const)("what the Collector sends as %s goes to %s", (signal, table, rows) =>
    withApi({}, async ({ app, leaf }) => {
      const packed = gzipSync(bytesOf(signal));
      expect(gunzipSync(packed).length).toBeGreaterThan(100);
      const gzip = { "content-encoding": "gzip" };
      const asProtobuf = await app.inject(post(signal, { ...protobuf, ...gzip }, packed));
      expect([asProtobuf.statusCode, asProtobuf.rawPayload.length]).toEqual([200, 0]);
      expect(asProtobuf.headers["content-type"]).toBe("application/x-protobuf");
      expect(leaf.rowCount(table)).toBe(rows);
      const asJson = await app.inject(post(signal, json, recorded[signal].json));
      expect([asJson.statusCode, asJson.json()]).toEqual([200, {}]);
      expect(leaf.rowCount(table)).toBe(2 * rows);
    }),
  );

  it("a header names another table, and the same key stores nothing twice", () =>
    withApi({}, async ({ app, leaf }) => {
      const headers = { ...protobuf, "x-hadal-table": "t", "idempotency-key": "k" };
      for (let i = 0; i < 2; i++)
        expect((await app.inject(post("logs", headers, bytesOf("logs")))).statusCode).toBe(200);
      expect(leaf.rowCount("t")).toBe(2);
    }));

  it("records that are refused are counted in a partial success", () =>
    withApi({}, async ({ app, leaf }) => {
      const changed = JSON.parse(recorded.logs.json);
      changed.resourceLogs[0].scopeLogs[0].logRecords.push({ body: { stringValue: "no time" } });
      const reply = await app.inject(post("logs", json, JSON.stringify(changed)));
      expect([reply.statusCode, leaf.rowCount("otel_logs")]).toEqual([200, 2]);
      expect(reply.json()).toEqual({
        partialSuccess: {
          rejectedLogRecords: "1",
          errorMessage: "1 of 3 were refused. The first, number 3: The row has no `time`.",
        },
      });
      // The same in protobuf: one more record, which is empty: field 1, 2 and 2, each with its length.
      const more = Buffer.concat([bytesOf("logs"), Buffer.from([0x0a, 4, 0x12, 2, 0x12, 0])]);
      const inProtobuf = await app.inject(post("logs", protobuf, more));
      expect(inProtobuf.statusCode).toBe(200);
      const [[number, partial] = [0, new Uint8Array()]] = fieldsOf(inProtobuf.rawPayload) as [
        [number, Uint8Array],
      ];
      expect(number).toBe(1);
      const [rejected, message] = fieldsOf(partial) as [unknown, [number, Uint8Array]];
      expect(rejected).toEqual([1, 1]);
      expect(Buffer.from(message[1]).toString()).toContain("number 3: The row has no `time`.");
    }));

  it("refusals are a Status in the encoding of the request", () =>
    withApi({}, async ({ app, leaf }) => {
      const broken = await app.inject(post("traces", json, "{"));
      expect([broken.statusCode, broken.json().code]).toEqual([400, 3]);
      const cut = await app.inject(post("traces", protobuf, bytesOf("traces").subarray(0, 50)));
      expect(cut.statusCode).toBe(400);
      expect(fieldsOf(cut.rawPayload)[0]).toEqual([1, 3]);
      const text = await app.inject(post("logs", { "content-type": "text/plain" }, "x"));
      expect(text.statusCode).toBe(415);
      leaf.fates = Array.from({ length: 50 }, () => "full" as const);
      const full = await app.inject(post("logs", json, recorded.logs.json));
      // 507 would not be sent again.
      expect([full.statusCode, full.json().code]).toEqual([503, 14]);
      expect(full.headers["retry-after"]).toBe("1");
    }));

  it("a request without records is a right one", () =>
    withApi({}, async ({ app }) => {
      for (const [headers, payload] of [
        [json, "{}"],
        [json, '{"resourceLogs":[]}'],
        [protobuf, Buffer.alloc(0)],
      ] as const)
        expect((await app.inject(post("logs", headers, payload))).statusCode).toBe(200);
    }));
});
