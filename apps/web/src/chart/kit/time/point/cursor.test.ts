import { expect, test } from "vitest";
import { movedCursor, type TimeCursor } from "./cursor.js";

const extent = { buckets: 30, lines: 2 };
const at = (bucket: number, more: Partial<TimeCursor> = {}): TimeCursor => ({
  ...{ at: bucket, anchor: null, line: null },
  ...more,
});
const move = (cursor: TimeCursor | null, key: string, { shiftKey } = { shiftKey: false }) =>
  movedCursor(cursor, { key, shiftKey }, extent);

test("it begins with the last bucket and walks to either end", () => {
  expect(move(null, "ArrowLeft")).toEqual(at(29));
  expect(move(null, "Home")).toEqual(at(0));
  expect(move(at(29), "ArrowRight")).toEqual(at(29));
  expect(move(at(5), "ArrowLeft")).toEqual(at(4));
  expect(move(at(5), "PageUp")).toEqual(at(0));
  expect(move(at(5), "PageDown")).toEqual(at(15));
  expect(move(at(5), "End")).toEqual(at(29));
});

test("Shift selects from where it was; without it nothing is selected", () => {
  const one = move(at(5), "ArrowRight", { shiftKey: true });
  expect(one).toEqual(at(6, { anchor: 5 }));
  expect(move(one, "ArrowRight", { shiftKey: true })).toEqual(at(7, { anchor: 5 }));
  expect(move(one, "ArrowRight")).toEqual(at(7));
});

test("up and down go round the lines and all rows", () => {
  let cursor: TimeCursor | null = at(3);
  const lines = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp"].map((key) => {
    cursor = move(cursor, key);
    return cursor?.line;
  });
  expect(lines).toEqual([0, 1, null, 1]);
});

test("other keys are for the page, and without buckets all are", () => {
  expect(move(at(5), "a")).toBeNull();
  expect(
    movedCursor(null, { key: "ArrowLeft", shiftKey: false }, { buckets: 0, lines: 0 }),
  ).toBeNull();
});
