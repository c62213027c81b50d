import type { ParquetReading } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { parquetPreview, readPreview } from "./readPreview.js";

describe("preview", () => {
  const typesOf = (text: string) => {
    const { format, columns, timeColumn, rows } = readPreview(text);
    const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
    return { format, types, timeColumn, rowCount: rows.length };
  };
  test.each([
    [
      '{"time":1795254000000,"service":"cart","ms":1}\n{"time":1795254000001,"ms":1.5}',
      {
        format: "ndjson",
        types: { time: "integer", service: "string", ms: "decimal" },
        timeColumn: "time",
        rowCount: 2,
      },
    ],
    [
      '[{"at":"2026-11-21T09:00:00Z","a":{"b":["x"]},"c":{"$set":["y"]}}]',
      {
        format: "json",
        types: { at: "moment", "a.b": "vector", c: "set" },
        timeColumn: "at",
        rowCount: 1,
      },
    ],
    [
      'ts,name,n\n2026-11-21T09:00:00+01:00,"a, ""b""\nc",5\n\n2026-11-21T09:00:01Z,,7\n',
      {
        format: "csv",
        types: { ts: "moment", name: "string", n: "integer" },
        timeColumn: "ts",
        rowCount: 2,
      },
    ],
    [
      '{\n "time": 1795254000000\n}',
      { format: "json", types: { time: "integer" }, timeColumn: "time", rowCount: 1 },
    ],
    [
      '{"when":"yesterday"}',
      { format: "ndjson", types: { when: "string" }, timeColumn: null, rowCount: 1 },
    ],
    // The most likely name of several; no unit puts the small number near now.
    [
      '{"created_at":1795254000000,"timestamp":1795254000000,"time":1795254}',
      {
        format: "ndjson",
        types: { created_at: "integer", timestamp: "integer", time: "integer" },
        timeColumn: "timestamp",
        rowCount: 1,
      },
    ],
  ])("%s", (text, expected) => expect(typesOf(text)).toEqual(expected));

  test.each<[string, string | null]>([
    // One bad cell does not disqualify the name.
    [
      '{"time":"2026-11-20T10:00:00Z","a":1}\n{"time":"2026-11-20T10:00:02","id":1844674407370955}',
      "time",
    ],
    ['{"at":"2026-11-20T10:00:00Z","date":"20 Nov"}', "at"],
    // A format that the server reads.
    ['{"ts":"2026-11-20 10:00:00,5 +02"}', "ts"],
    // A time without a zone is read in the chosen zone.
    ['{"timestamp":"2026-11-20 10:00:00","order_id":1700000000123,"v":1}', "timestamp"],
    ['{"departed":"2001/01/14 21:55","order_id":1700000000123}', "departed"],
    ['{"day":"2026-11-20","n":1}', "day"],
    // In a column with another name a number may be an id, also as text.
    ['{"session":"1700000000"}', null],
    ['{"ts":"1700000000.5"}', "ts"],
    ['{"order_id":1700000000123}', null],
    ['{"seen":"2026-11-20T10:00:00Z","order_id":1700000000123}', "seen"],
    ['{"seen":"2026-11-20T10:00:00Z","eventTime":1795254000000}', "eventTime"],
    ['{"seen":"2026-11-20T10:00:00Z","EVENT_TIME":1795254000000}', "EVENT_TIME"],
    ['{"order_id":1700000000123,"event_ts_ms":1795254000000}', "event_ts_ms"],
    // Seconds to nanoseconds, as the server detects them.
    ['{"time":1795254000}', "time"],
    ['{"time":1795254000000000}', "time"],
    ['{"time":1795254000000000000}', "time"],
    ['{"time":17}', null],
    ['{"uptime":1795254000000,"format":1795254000000}', null],
  ])("the time of %s is %s", (text, column) => expect(readPreview(text).timeColumn).toBe(column));

  test("the start of a long list is enough", () =>
    expect(typesOf('[{"time":1795254000000,"a":"x}"},{"time":17952540').rowCount).toBe(1));
  test("names of object prototypes are ordinary names", () => {
    const { columns } = readPreview('{"time":1795254000000,"__proto__":1,"constructor":2}');
    expect(columns.map(({ name }) => name)).toEqual(["time", "__proto__", "constructor"]);
  });
  test.each(["", "  \n", "[]", "a,b,c"])("%j has no rows", (text) =>
    expect(() => readPreview(text)).toThrow("no rows"),
  );
});

test("a Parquet file has the columns that the server read, its time found by type and name", () => {
  const columns = [
    { name: "id", type: "INT64" },
    { name: "date", type: "BOOLEAN" },
    { name: "seen", type: "TIMESTAMP(MILLIS)" },
  ];
  const preview = parquetPreview({ columns, rows: 5 } as unknown as ParquetReading);
  expect(preview.columns.map(({ type }) => type)).toEqual(["decimal", "mixed", "moment"]);
  expect(preview).toMatchObject({ format: "parquet", rows: [], timeColumn: "seen" });
});
