import { expect, test } from "vitest";
import { forgivingStorage, type TextStorage } from "./browserStorage.js";

function memory(charactersMax = Number.POSITIVE_INFINITY): TextStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, text) {
      if (text.length > charactersMax) throw new DOMException("full", "QuotaExceededError");
      texts.set(key, text);
    },
    removeItem: (key) => void texts.delete(key),
  };
}

const refused = (): never => {
  throw new DOMException("denied", "SecurityError");
};

test.each([
  ["one that is there", () => memory()],
  ["one that is forbidden", () => refused],
  ["none", () => null],
])("%s: what was written is read again, until it is removed", (_, create) => {
  const found = create();
  const storage = forgivingStorage(() => (typeof found === "function" ? found() : found));
  expect(storage.getItem("a")).toBeNull();
  storage.setItem("a", "1");
  storage.setItem("a", "2");
  expect(storage.getItem("a")).toBe("2");
  storage.removeItem("a");
  expect(storage.getItem("a")).toBeNull();
});

test("what no longer fits is the page's own, what fits again is the browser's", () => {
  const browser = memory(3);
  const storage = forgivingStorage(() => browser);
  storage.setItem("a", "old");
  storage.setItem("a", "longer");
  expect([storage.getItem("a"), browser.getItem("a")]).toEqual(["longer", "old"]);
  storage.setItem("a", "new");
  expect([storage.getItem("a"), browser.getItem("a")]).toEqual(["new", "new"]);
  // As another tab would write it.
  browser.setItem("a", "x");
  expect(storage.getItem("a")).toBe("x");
});
