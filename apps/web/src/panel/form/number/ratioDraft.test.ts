import type { ColumnInfo, Filter } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { Plain } from "../../../query/number/aggregate.js";
import { count, type RatioDraft, ratioChoices, readRatio, withoutCondition } from "./ratioDraft.js";

const failed: Filter = { column: "status", op: ">=", value: 500 };
const errors: Plain = { fn: "count", where: failed, as: "errors" };
const draft: RatioDraft = { of: errors, by: count, isPercent: false, as: "" };

describe("a ratio", () => {
  test("has a name and percent only when chosen", () => {
    const plain = { fn: "ratio", of: errors, by: count };
    expect(readRatio(draft, [])).toEqual({ ok: true, spec: plain });
    expect(readRatio({ ...draft, as: " error_rate ", isPercent: true }, [])).toEqual({
      ok: true,
      spec: { ...plain, percent: true, as: "error_rate" },
    });
  });
  test("of a number by itself is invalid", () => {
    const read = readRatio({ ...draft, of: count }, []);
    expect(read).toMatchObject({ ok: false, reason: expect.stringContaining("always 1") });
  });
  test("needs a name that no other aggregate has", () => {
    const read = readRatio({ ...draft, as: "errors" }, [errors]);
    expect(read).toMatchObject({ ok: false, reason: expect.stringContaining("“errors”") });
  });
});

test("the choices are the shown aggregates, count, and sums of number columns", () => {
  const column = (name: string, type: ColumnInfo["type"]) => ({ name, type }) as ColumnInfo;
  const columns = [
    ...[column("time", "int"), column("sample_rate", "int")],
    ...[column("bytes", "int"), column("service", "string")],
  ];
  const p95: Plain = { fn: "percentile", column: "latency_us", p: 95 };
  const ratio = { fn: "ratio" as const, of: errors, by: count };
  expect([...ratioChoices([p95, ratio], columns).values()]).toEqual([
    p95,
    count,
    { fn: "sum", column: "bytes" },
  ]);
});

test("a number without its condition has no name of its own", () => {
  expect(withoutCondition(errors)).toEqual(count);
  expect(withoutCondition(count)).toBe(count);
});
