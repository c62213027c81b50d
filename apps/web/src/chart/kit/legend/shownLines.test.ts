import { expect, test } from "vitest";
import type { ShownLines } from "./lineOptions.js";
import { isolated, isolatedKey, shownIndexes, toggled } from "./shownLines.js";

const keys = ["a", "b", "c"];
const drawn = (shown: ShownLines | null): string =>
  shownIndexes(shown, keys)
    .map((at) => keys[at])
    .join("");

test("a line is isolated, then another one, and all are shown again", () => {
  const b = isolated(null, "b");
  expect([drawn(b), isolatedKey(b)]).toEqual(["b", "b"]);
  expect(drawn(isolated(b, "c"))).toBe("c");
  expect(isolated(b, "b")).toBeNull();
});

test("lines are hidden one by one and shown again", () => {
  const b = toggled(null, "b", keys);
  expect([drawn(b), isolatedKey(b)]).toEqual(["ac", null]);
  const both = toggled(b, "c", keys);
  expect(drawn(both)).toBe("a");
  // The last stays: an empty chart would read as "no rows".
  expect(toggled(both, "a", keys)).toBe(both);
  expect(drawn(toggled(both, "c", keys))).toBe("ac");
  expect(toggled(b, "b", keys)).toBeNull();
});

test("a line joins one that is shown alone; with all of them nothing is chosen", () => {
  const alone = isolated(null, "b");
  const two = toggled(alone, "a", keys);
  expect(drawn(two)).toBe("ab");
  expect(toggled(two, "c", keys)).toBeNull();
  expect(drawn(toggled(two, "b", keys))).toBe("a");
});

test("a line that comes later is shown beside hidden ones, and not beside one that is alone", () => {
  const later = [...keys, "d"];
  expect(shownIndexes({ kind: "hide", keys: ["b"] }, later)).toEqual([0, 2, 3]);
  expect(shownIndexes({ kind: "only", keys: ["b"] }, later)).toEqual([1]);
});

test("a choice among the lines of another question hides nothing", () => {
  expect(drawn({ kind: "only", keys: ["x"] })).toBe("abc");
  expect(drawn({ kind: "hide", keys: keys })).toBe("abc");
});
