import type { Filter, Result, ResultColumn, ResultRow } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  differingColumns,
  rowJson,
  rowKeys,
  shownColumns,
  withMessageFirst,
} from "../../kit/rows/rowColumns.js";
import { toneOf, toneOfRow } from "../../kit/rows/valueTone.js";
import { filterOfElement, filterOfValue, whatIsAsked } from "./rowFilters.js";
import { markedParts, searchedTexts } from "./searchMarks.js";
import { newRows } from "./useHeldTail.js";

const column = (name: string, type: ResultColumn["type"]): ResultColumn => ({
  ...{ name, type, role: "sample" },
});
const columns = [column("service", "string"), column("time", "time"), column("id", "int")];
const shown = (rows: readonly ResultRow[]) =>
  shownColumns({ columns, rows } as unknown as Result, "UTC");

test.each([
  ["none", [5, 4, 3], [5, 4, 3], { count: 0, isLeast: false }],
  ["some, one in the same millisecond", [7, 5, 5, 4], [5, 4, 3], { count: 2, isLeast: false }],
  ["more than an answer has", [9, 8, 7], [5, 4, 3], { count: 3, isLeast: true }],
  ["the first ones", [9], [], { count: 1, isLeast: false }],
  ["some went", [5], [5, 4], { count: 0, isLeast: false }],
])("rows that came above those that are read: %s", (_, newer, older, expected) => {
  const answer = (times: readonly number[]) =>
    ({ columns, rows: times.map((time) => ["web", time, 1]) }) as unknown as Result;
  expect(newRows(answer(newer), answer(older))).toEqual(expected);
});

describe("columns of raw rows", () => {
  const names = (rows: readonly ResultRow[]) =>
    differingColumns(shown(rows), rows).map(({ column: { name } }) => name);
  test("those that differ, the time first and always", () => {
    expect(
      names([
        ["web", 1, 5],
        ["web", 2, 6],
      ]),
    ).toEqual(["time", "id"]);
    expect(
      names([
        ["web", 1, null],
        ["cart", 1, null],
      ]),
    ).toEqual(["time", "service"]);
  });
  test("the message behind the time, with the room that is left, but where an order was chosen", () => {
    const texts = [
      column("service", "string"),
      column("time", "time"),
      column("message", "string"),
    ];
    const long = "x".repeat(80);
    const rows: ResultRow[] = [["web", 1, long]];
    const plain = shownColumns({ columns: texts, rows } as unknown as Result, "UTC");
    const first = withMessageFirst(plain, rows, { name: "message", isChosen: false });
    expect(first.map((one) => one.column.name)).toEqual(["time", "message", "service"]);
    expect(first[1]).toMatchObject({ index: 2, widthPx: 596, grows: true });
    const chosen = withMessageFirst(plain, rows, { name: "message", isChosen: true });
    expect(chosen.map((one) => one.column.name)).toEqual(["time", "service", "message"]);
    expect(chosen[2]).toMatchObject({ widthPx: 596, grows: true });
    expect(withMessageFirst(plain, rows, { name: null, isChosen: false })).toBe(plain);
  });
  test("a line of a log keeps its message and its level, though they be all alike", () => {
    const log = ["time", "message", "level", "service", "host"].map((name) =>
      column(name, name === "time" ? "time" : "string"),
    );
    const kept = (rows: readonly ResultRow[]) => {
      const plain = shownColumns({ columns: log, rows } as unknown as Result, "UTC");
      const all = withMessageFirst(plain, rows, { name: "message", isChosen: false });
      return differingColumns(all, rows).map((one) => one.column.name);
    };
    const row = (host: string): ResultRow => [1, "lost", "ERROR", "web", host];
    expect(kept([row("a"), row("b")])).toEqual(["time", "message", "level", "host"]);
    expect(kept([row("a"), row("a")])).toHaveLength(5);
  });
  test("all, where none differs", () =>
    expect(names([["web", 1, 5]])).toEqual(["time", "service", "id"]));
  test("a row keeps its key when newer ones come before it", () => {
    const rows: ResultRow[] = [
      ["a", 2, 1],
      ["b", 1, 1],
      ["c", 1, 1],
    ];
    expect(rowKeys(rows, 1)).toEqual(["2 0", "1 0", "1 1"]);
    expect(rowKeys([["n", 3, 0], ...rows], 1).slice(1)).toEqual(rowKeys(rows, 1));
  });
  test("as JSON nothing is lost", () => {
    const row: ResultRow = ["<b>", Date.UTC(2026, 0, 1), 2n ** 60n];
    expect(JSON.parse(rowJson(shown([row]), row))).toEqual({
      time: "2026-01-01T00:00:00.000Z",
      service: "<b>",
      id: "1152921504606846976",
    });
  });
});

test.each<[ReturnType<typeof toneOf>, string, ResultColumn["type"], ResultRow[number]]>([
  ["bad", "level", "string", "ERROR"],
  ["bad", "log.level", "string", "fatal"],
  ["warn", "severity", "string", "Warning"],
  ["accent", "severity_text", "string", "INFO"],
  ["quiet", "loglevel", "string", "debug"],
  [null, "level", "string", "gold"],
  [null, "level", "string", null],
  [null, "message", "string", "error"],
  ["bad", "status", "int", 503],
  ["warn", "http.status_code", "int", 404n],
  [null, "status", "int", 200],
  [null, "status", "int", 600],
  [null, "status", "int", null],
  [null, "bytes", "int", 503],
  ["quiet", "severity_number", "int", 1],
  ["accent", "severity_number", "int", 9],
  ["warn", "severity_number", "int", 16],
  ["bad", "severity_number", "int", 17],
  ["bad", "severity_number", "int", 24],
  [null, "severity_number", "int", 0],
  [null, "severity_number", "int", 25],
])("%s is the tone of %s (%s) %s", (tone, name, type, value) =>
  expect(toneOf(value, column(name, type))).toBe(tone),
);

test("a row goes as its level says, else its status", () => {
  const of = (...row: ResultRow) =>
    toneOfRow(
      [column("status", "int"), column("level", "string")].map((one, index) => ({
        column: one,
        index,
      })),
      row,
    );
  expect(of(404, "ERROR")).toBe("bad");
  expect(of(404, "gold")).toBe("warn");
  expect(of(200, null)).toBeNull();
});

describe("filters of a value", () => {
  test.each<[ReturnType<typeof filterOfValue>, Parameters<typeof filterOfValue>]>([
    [{ column: "a", op: "=", value: "x" }, ["x", column("a", "string")]],
    [{ column: "a", op: "=", value: "1152921504606846976" }, [2n ** 60n, column("a", "int")]],
    [{ column: "a", op: "is missing" }, [null, column("a", "set")]],
    [{ column: "a", op: "is empty" }, [[], column("a", "set")]],
    [{ column: "a", op: "includes all", value: ["x"] }, [["x"], column("a", "set")]],
    [{ column: "a", op: "starts with", value: ["f", "g"] }, [["f", "g"], column("a", "vector")]],
    [null, [5, column("time", "time")]],
  ])("%j", (filter, [value, of]) => expect(filterOfValue(value, of)).toEqual(filter));
  test.each<[string, Parameters<typeof whatIsAsked>]>([
    ["this", ["x", column("a", "string")]],
    ["this", [[], column("a", "set")]],
    ["what has all of these", [["x"], column("a", "set")]],
    ["what begins so", [["f", "g"], column("a", "vector")]],
  ])("ask for %s", (words, [value, of]) => expect(whatIsAsked(value, of)).toBe(words));
  test("of one element", () =>
    expect(filterOfElement("x", column("a", "set"))).toMatchObject({ op: "includes any" }));
});

describe("marks of a search", () => {
  test("what filters look for, not what they exclude", () => {
    const contains = (value: string): Filter => ({ column: "m", op: "contains", value });
    const filters: Filter[] = [{ any: [contains("a"), contains("b")] }, { not: contains("c") }];
    expect(searchedTexts(filters)).toEqual(new Map([["m", ["a", "b"]]]));
  });
  test.each([
    ["time out, time", ["time"], "[time] out, [time]"],
    ["aaa", ["aa", "a"], "[aa][a]"],
    ["<b>x</b>", ["<b>"], "[<b>]x</b>"],
    ["Time", ["time"], "Time"],
  ])("%s with %j", (text, searched, expected) =>
    expect(
      markedParts(text, searched)
        .map(({ text: part, isHit }) => (isHit ? `[${part}]` : part))
        .join(""),
    ).toBe(expected),
  );
  test("joined, the parts are the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string({ maxLength: 3 })), (text, searched) => {
        expect(
          markedParts(text, searched)
            .map((part) => part.text)
            .join(""),
        ).toBe(text);
      }),
    );
  });
});
