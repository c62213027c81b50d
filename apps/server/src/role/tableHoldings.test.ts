import { describe, expect, it } from "vitest";
import type { Table } from "../store/table/table.js";
import { heldDays, heldMinutes, holdingsOf } from "./tableHoldings.js";

const minutesPerDay = 1_440;

interface Losses {
  readonly minutes?: readonly (readonly [number, number])[];
  readonly reasons?: readonly string[];
  readonly columns?: readonly { column: string; rowCount: number; reason: string }[];
}

/** What the holdings read of a table. */
const tableOf = (minutes: readonly (readonly [number, number])[], lost: Losses = {}): Table =>
  ({
    name: "events",
    minutes: new Map(minutes),
    lost: {
      rows: { minutes: new Map(lost.minutes ?? []) },
      reasons: lost.reasons ?? [],
      unknown: [],
      torn: null,
      hasColumns: lost.columns !== undefined,
      columns: lost.columns ?? [],
    },
  }) as unknown as Table;

describe("the rows that a leaf should have", () => {
  it("include rows that it lost", () => {
    const whole = tableOf([
      [1, 10],
      [2, 5],
    ]);
    const damaged = tableOf([[1, 8]], {
      minutes: [
        [1, 2],
        [2, 5],
      ],
      reasons: ["segment-1.hds is damaged", "another"],
    });
    expect(holdingsOf(damaged).hash).toBe(holdingsOf(whole).hash);
    expect(holdingsOf(damaged)).toMatchObject({
      rowsLost: 7,
      lostBecause: "segment-1.hds is damaged",
    });
    expect(heldMinutes(damaged, [0])).toEqual({ minutes: [1, 2], counts: [10, 5] });
  });

  it("have another hash when one row differs", () => {
    expect(holdingsOf(tableOf([[1, 10]])).hash).not.toBe(holdingsOf(tableOf([[1, 11]])).hash);
  });

  it("add up the rows of a lost column, with the first reason", () => {
    const columns = [
      { column: "url", rowCount: 3, reason: "first" },
      { column: "ms", rowCount: 1, reason: "own" },
      { column: "url", rowCount: 4, reason: "second" },
    ];
    expect(holdingsOf(tableOf([], { columns })).lostColumns).toEqual([
      { column: "url", rows: 7, reason: "first" },
      { column: "ms", rows: 1, reason: "own" },
    ]);
  });

  it("are listed by day, from a given day on, in order", () => {
    const day = (number: number) => number * minutesPerDay;
    const table = tableOf([
      [day(3), 1],
      [day(1), 1],
      [day(2), 1],
    ]);
    expect(heldDays(table, null).days).toEqual([1, 2, 3]);
    expect(heldDays(table, 2)).toMatchObject({ days: [2, 3], nextDay: null });
    expect(heldDays(undefined, null)).toEqual({ days: [], hashes: [], nextDay: null });
  });

  it("are listed a few thousand days at a time, with the next day", () => {
    const table = tableOf(Array.from({ length: 4_100 }, (_, i) => [i * minutesPerDay, 1] as const));
    const first = heldDays(table, null);
    expect([first.days.length, first.nextDay]).toEqual([4_096, 4_096]);
    expect(heldDays(table, first.nextDay)).toMatchObject({
      days: [4_096, 4_097, 4_098, 4_099],
      nextDay: null,
    });
  });

  it("are listed by minute for the wanted days only", () => {
    const table = tableOf([
      [5, 1],
      [minutesPerDay + 5, 2],
    ]);
    expect(heldMinutes(table, [1])).toEqual({ minutes: [minutesPerDay + 5], counts: [2] });
    expect(heldMinutes(undefined, [0, 1])).toEqual({ minutes: [], counts: [] });
  });
});
