import type { TimeUnit } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { batchRows } from "../../base/testing/batchRows.js";
import { collect, collectRow } from "../testing/collect.js";
import { NumberText } from "./numberText.js";
import { RowRejected } from "./rowRejected.js";
import { readRowTime, rowTimeMsMax, rowTimeMsMin, TypedTime } from "./rowTime.js";
import { anyMs, createTimeRule } from "./timeRule.js";

const nowMs = Date.UTC(2026, 10, 27, 12);

describe("readRowTime", () => {
  it.each([
    [1750500000000, 1750500000000],
    [0, 0],
    [-1, -1],
    [rowTimeMsMin, rowTimeMsMin],
    [rowTimeMsMax, rowTimeMsMax],
    ["1970-01-01T00:00:00Z", 0],
    ["2025-06-21T10:00:00Z", Date.UTC(2025, 5, 21, 10)],
    ["2025-06-21 10:00:00+02:00", Date.UTC(2025, 5, 21, 8)],
    ["2025-06-21T10:00:00 -0330", Date.UTC(2025, 5, 21, 13, 30)],
    ["2025-06-21T10:00+05", Date.UTC(2025, 5, 21, 5)],
    ["2025-06-21t10:00:00.5z", Date.UTC(2025, 5, 21, 10, 0, 0, 500)],
    ["2025-06-21T10:00:00.123999999999Z", Date.UTC(2025, 5, 21, 10, 0, 0, 123)],
    ["2024-02-29T00:00:00,25Z", Date.UTC(2024, 1, 29, 0, 0, 0, 250)],
    ["0001-01-01T00:00:00Z", rowTimeMsMin],
    ["9999-12-31T23:59:59.999Z", rowTimeMsMax],
  ])("reads %s", (value, ms) => {
    expect(readRowTime(value, "time", anyMs)).toBe(ms);
  });

  it.each([
    "2025-06-21T10:00:00",
    "2025-06-21",
    "2025-02-29T00:00:00Z",
    "2025-04-31T00:00:00Z",
    "2025-13-01T00:00:00Z",
    "2025-00-01T00:00:00Z",
    "2025-01-00T00:00:00Z",
    "2025-01-01T24:00:00Z",
    "2025-01-01T00:60:00Z",
    "2025-01-01T00:00:61Z",
    "2025-01-01T00:00:00+24:00",
    "2025-01-01T00:00:00+02:60",
    "0001-01-01T00:00:00+01:00",
    "now",
    "",
    "1750500000000",
    1750500000000.5,
    Number.POSITIVE_INFINITY,
    rowTimeMsMin - 1,
    rowTimeMsMax + 1,
    1750500000000000,
    true,
    [],
    {},
  ])("refuses %s", (value) => {
    expect(() =>
      readRowTime(value, "time", createTimeRule(nowMs, { unit: null, futureMaxMs: 0 })),
    ).toThrow(RowRejected);
  });
});

describe("the time of a row", () => {
  it.each(['{"x":1}', '{"time":null}', "{}"])("%s has none", async (row) => {
    expect((await collectRow(row)).problems).toMatchObject([{ line: 1, code: "time-missing" }]);
  });

  it("comes from the column that the request names, also a nested one", async () => {
    const rows = await collect('{"at":{"ms":5},"x":1}\n{"at":{"ms":"five"},"x":1}', {
      timeName: "at.ms",
    });
    expect([...rows.batches[0]!.times]).toEqual([5]);
    expect(batchRows(rows.batches[0]!)).toEqual([{ x: { int: 1n, decimals: 0 } }]);
    expect(rows.problems).toMatchObject([{ line: 2, code: "time-invalid" }]);
  });

  it("may not be joined by another column called time", async () => {
    const rows = await collect('{"at":5,"time":6}\n{"at":7}', { timeName: "at" });
    expect(rows.problems).toMatchObject([{ line: 1, code: "name-reserved" }]);
    expect([...rows.batches[0]!.times]).toEqual([7]);
  });
});

/**
 * How a row with this time is read whose request names this unit; the reason where it is refused.
 */
function read(value: unknown, unit: TimeUnit | null, futureMaxMs = 0): number | string {
  try {
    return readRowTime(value, "time", createTimeRule(nowMs, { unit, futureMaxMs }));
  } catch (error) {
    if (error instanceof RowRejected) return error.message;
    throw error;
  }
}

const isoMs = (text: string) => Date.parse(text);

describe("a number in the time column", () => {
  it.each<[value: unknown, unit: TimeUnit | null, time: string]>([
    [1763632800123, null, "2025-11-20T10:00:00.123Z"],
    [631152000000, null, "1990-01-01T00:00:00Z"],
    [1763632800, "s", "2025-11-20T10:00:00Z"],
    [1763632800.123, "s", "2025-11-20T10:00:00.123Z"],
    [new NumberText("1763632800.1239999999"), "s", "2025-11-20T10:00:00.123Z"],
    [1.7636328e9, "s", "2025-11-20T10:00:00Z"],
    [new NumberText("1.763632800123e9"), "s", "2025-11-20T10:00:00.123Z"],
    [1763632800123.5, "ms", "2025-11-20T10:00:00.123Z"],
    [1763632800123456, "us", "2025-11-20T10:00:00.123Z"],
    [new NumberText("1763632800123999999"), "ns", "2025-11-20T10:00:00.123Z"],
    [new NumberText("1763632800123.9999999999999"), "ms", "2025-11-20T10:00:00.123Z"],
    [new NumberText("1763632800123999.9999999999"), "us", "2025-11-20T10:00:00.123Z"],
    ["1763632800", "s", "2025-11-20T10:00:00Z"],
    ["1763632800123", "ms", "2025-11-20T10:00:00.123Z"],
    ["1763632800.123", "auto", "2025-11-20T10:00:00.123Z"],
    [1763632800, "auto", "2025-11-20T10:00:00Z"],
    [1763632800123, "auto", "2025-11-20T10:00:00.123Z"],
    [1763632800123456, "auto", "2025-11-20T10:00:00.123Z"],
    [new NumberText("1763632800123456789"), "auto", "2025-11-20T10:00:00.123Z"],
    // A unit that is named is taken at its word.
    [221845392000000, "ms", "9000-01-01T00:00:00Z"],
    ["9000-01-01T00:00:00Z", "s", "9000-01-01T00:00:00Z"],
    [1763632800, "ms", "1970-01-21T09:53:52.800Z"],
    [5, "ms", "1970-01-01T00:00:00.005Z"],
    [0, "ns", "1970-01-01T00:00:00Z"],
    [-1, "s", "1969-12-31T23:59:59Z"],
    [-0.0005, "s", "1969-12-31T23:59:59.999Z"],
    [new NumberText("-1"), "ns", "1969-12-31T23:59:59.999Z"],
    [-1000, "us", "1969-12-31T23:59:59.999Z"],
    ["1985-06-21T10:00:00Z", null, "1985-06-21T10:00:00Z"],
    ["1985-06-21T10:00:00Z", "s", "1985-06-21T10:00:00Z"],
    [new TypedTime(5), null, "1970-01-01T00:00:00.005Z"],
    [new TypedTime(5), "s", "1970-01-01T00:00:00.005Z"],
  ])("%o with timeUnit=%s is %s", (value, unit, time) => {
    expect(read(value, unit)).toBe(isoMs(time));
  });

  it.each<[value: unknown, unit: TimeUnit | null, part: RegExp]>([
    [
      1763632800,
      null,
      /1970-01-21T09:53:52.800Z; as seconds it is 2025-11-20T10:00:00.000Z.*timeUnit=s\./,
    ],
    [1763632800.123, null, /as seconds it is 2025-11-20T10:00:00.123Z.*timeUnit=s\./],
    [1763632800123456, null, /as microseconds it is 2025-11-20T10:00:00.123Z.*timeUnit=us\./],
    [new NumberText("1763632800123456789"), null, /as nanoseconds it is 2025-11-20.*timeUnit=ns\./],
    [1763632800123.5, null, /not whole milliseconds; with timeUnit=ms/],
    ["1763632800123", null, /without quotes, or name its unit with timeUnit=ms/],
    ["1763632800", null, /without quotes, or name its unit with timeUnit=s\./],
    [631151999999, null, /1989-12-31T23:59:59.999Z, before 1990.*timeUnit=ms/],
    [5, null, /1970-01-01T00:00:00.005Z, before 1990/],
    [-1, null, /before 1990/],
    [isoMs("2036-11-28"), null, /more than ten years ahead/],
    [221845392000000, null, /9000-01-01T00:00:00.000Z, more than ten years ahead/],
    [221845392000000, "auto", /no unit/],
    ["9000-01-01T00:00:00Z", "auto", /more than ten years ahead.*timeUnit=ms/],
    ["9000-01-01T00:00:00Z", null, /more than ten years ahead/],
    [new TypedTime(221845392000000), null, /more than ten years ahead/],
    [
      1763632800123,
      "s",
      /as seconds since 1970 that is after the year 9999; as milliseconds.*timeUnit=ms/,
    ],
    [1763632800123456, "ms", /after the year 9999; as microseconds.*timeUnit=us/],
    [5, "auto", /no unit puts between 1990 and ten years ahead/],
    [new NumberText("1763632800123456789012"), "auto", /no unit/],
    [new NumberText("1e400"), "s", /no unit makes it/],
    [new NumberText("-1e300"), "ms", /before the year 1, and no unit/],
    [Number.POSITIVE_INFINITY, "s", /a number beyond/],
    ["1763632800s", "s", /ISO-8601/],
    ["", "s", /ISO-8601/],
    [true, "s", /must be integer milliseconds/],
  ])("%o with timeUnit=%s is refused: %s", (value, unit, part) => {
    expect(read(value, unit)).toMatch(part);
  });

  it("may be ten years ahead of the clock, and no more", () => {
    expect(read("2036-11-26T12:00:00Z", null)).toBe(isoMs("2036-11-26T12:00:00Z"));
    expect(read("2036-11-28T12:00:00Z", null)).toMatch(/more than ten years ahead/);
  });

  const formats: readonly [contentType: string, body: (times: readonly string[]) => string][] = [
    ["application/x-ndjson", (times) => times.map((time) => `{"time":${time},"n":1}`).join("\n")],
    ["application/json", (times) => `[${times.map((time) => `{"time":${time},"n":1}`)}]`],
    ["text/csv", (times) => `time,n\n${times.map((time) => `${time},1`).join("\n")}`],
  ];

  it.each(formats)(
    "is read in every row alike, by whichever parser: %s",
    async (contentType, print) => {
      const times: Readonly<Record<TimeUnit, readonly string[]>> = {
        s: ["1763632800", "1763632800.123", "1763632801.0009"],
        ms: ["1763632800000", "1763632800123", "1763632801000"],
        us: ["1763632800000000", "1763632800123000", "1763632801000999"],
        ns: ["1763632800000000000", "1763632800123456789", "1763632801000999999"],
        auto: ["1763632800", "1763632800123", "1763632801000999"],
      };
      for (const [unit, texts] of Object.entries(times)) {
        const repeated = Array.from({ length: 40 }, () => texts).flat();
        const timeUnit = { unit: unit as TimeUnit, nowMs };
        const rows = await collect(print(repeated), { contentType, timeUnit });
        const read = rows.batches.flatMap((batch) => [...batch.times]);
        expect([unit, rows.rejected, new Set(read)]).toEqual([
          unit,
          0,
          new Set([1763632800000, 1763632800123, 1763632801000]),
        ]);
      }
    },
  );

  it.each(formats)(
    "is refused in every row alike, by whichever parser: %s",
    async (contentType, print) => {
      const good = Array.from({ length: 50 }, (_, i) => String(1763632800000 + i));
      const bad = ["1763632800", "1763632800123456", "5", "221845392000000", "631151999999"];
      const timeUnit = { unit: null, nowMs };
      const rows = await collect(print([...good, ...bad, ...good, ...bad]), {
        contentType,
        timeUnit,
      });
      expect([rows.accepted, rows.rejected]).toEqual([100, 10]);
      expect(new Set(rows.problems.map(({ code }) => code))).toEqual(new Set(["time-invalid"]));
      expect(rows.problems[0]!.detail).toMatch(/timeUnit=s\./);
      expect(rows.problems[1]!.detail).toMatch(/timeUnit=us\./);
    },
  );
});

describe("a leap second", () => {
  const leapDays =
    "1972-06-30 1972-12-31 1973-12-31 1974-12-31 1975-12-31 1976-12-31 1977-12-31 1978-12-31 1979-12-31 1981-06-30 1982-06-30 1983-06-30 1985-06-30 1987-12-31 1989-12-31 1990-12-31 1992-06-30 1993-06-30 1994-06-30 1995-12-31 1997-06-30 1998-12-31 2005-12-31 2008-12-31 2012-06-30 2015-06-30 2016-12-31".split(
      " ",
    );

  it("is read on the 27 days that had one, and on no other end of June or December", () => {
    expect(leapDays).toHaveLength(27);
    for (let year = 1960; year <= 2030; year++) {
      for (const date of ["03-31", "06-30", "09-30", "12-31"]) {
        const day = `${year}-${date}`;
        const time = read(`${day}T23:59:60Z`, null);
        if (leapDays.includes(day)) expect([day, time]).toEqual([day, isoMs(day) + 86_400_000]);
        else expect(time).toMatch(/there was no leap second then/);
      }
    }
  });

  it("keeps its place between its neighbours, with any offset, whatever parser reads it", async () => {
    const times = [
      "2016-12-31T23:59:59.999Z",
      "2016-12-31T23:59:60Z",
      "2016-12-31T23:59:60.5Z",
      "2016-12-31T23:59:60.999999999Z",
      "2017-01-01T00:00:00Z",
      "2016-12-31T15:59:60-08:00",
      "2017-01-01T05:29:60+05:30",
    ];
    const refused = ["2016-12-31T12:00:60Z", "2016-12-31T23:59:61Z", "2016-12-31T23:59:60-08:00"];
    const lines = [...times, ...refused].map((time) => `{"time":"${time}"}`);
    const rows = await collect([...lines, ...lines].join("\n"));
    const midnight = Date.UTC(2017, 0, 1);
    const read = [midnight - 1, ...Array.from({ length: 6 }, () => midnight)];
    expect(rows.batches.flatMap((batch) => [...batch.times])).toEqual([...read, ...read]);
    expect(rows.problems.map(({ line }) => line)).toEqual([8, 9, 10, 18, 19, 20]);
    expect(rows.problems[0]!.detail).toMatch(/there was no leap second then/);
    expect(rows.problems[1]!.detail).toMatch(/not in the calendar/);
  });
});

describe("a time ahead of the server's clock", () => {
  const minutes = (count: number): number => nowMs + count * 60_000;
  const forms = (ms: number): readonly (readonly [unknown, TimeUnit | null])[] => [
    [ms, null],
    [ms, "ms"],
    [ms, "auto"],
    [ms / 1_000, "s"],
    [new NumberText(`${ms}000000`), "ns"],
    [new Date(ms).toISOString(), null],
    [new Date(ms).toISOString(), "s"],
    [new TypedTime(ms), null],
  ];

  it("is accepted up to a bound, in every form", () => {
    for (const [value, unit] of forms(minutes(10)))
      expect(read(value, unit, 600_000)).toBe(minutes(10));
  });

  it("is refused beyond it, with the clock and the setting", () => {
    for (const [value, unit] of forms(minutes(10) + 1_000)) {
      expect(read(value, unit, 600_000)).toContain(
        `more than 600 s ahead of the server's clock, which was ${new Date(nowMs).toISOString()} (--future-max)`,
      );
      expect(read(value, unit)).toBe(minutes(10) + 1_000);
    }
  });

  it("is counted from a minute on, as is one of the past", async () => {
    const at = [-120, -61, -60, 0, 60, 61, 599].map((s) => `{"time":${nowMs + s * 1_000}}`);
    const counted = await collect(at.join("\n"), {
      timeUnit: { unit: null, nowMs, futureMaxMs: 600_000 },
    });
    expect(counted).toMatchObject({ accepted: 7, late: 2, future: 2 });
  });
});
