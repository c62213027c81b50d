import { expect, test } from "vitest";
import { Turns } from "./turns.js";

test("a receiver has two places, those that fail half of them, and all of them sixteen", () => {
  const turns = new Turns();
  const startAll = (names: readonly string[]): readonly string[] =>
    names.filter((name) => {
      if (!turns.mayStart(name)) return false;
      turns.start(name);
      return true;
    });
  const bad = Array.from({ length: 20 }, (_, i) => `bad-${i}`);
  expect(startAll(["one", "one", "one"])).toEqual(["one", "one"]);
  for (const name of ["one", "one"]) turns.end(name, { failed: false });
  for (const name of bad) {
    turns.start(name);
    turns.end(name, { failed: true });
  }
  expect(startAll(bad)).toHaveLength(8);
  expect(startAll(Array.from({ length: 20 }, (_, i) => `good-${i}`))).toHaveLength(8);
  expect(turns.isFull).toBe(true);
  // What works again is no longer among those that fail.
  turns.end("bad-0", { failed: false });
  expect(startAll(["bad-1", "bad-0"])).toEqual(["bad-1"]);
});
