import { beforeEach, expect, test } from "vitest";
import { readerStorage } from "../../../ui/storage/browserStorage.js";
import { recentTimes, rememberTime } from "./recentTimes.js";

const storageKey = "hadal.recentTimes";
const range = (hours: number) => ({ from: `-${hours}h`, to: "now" });

beforeEach(() => readerStorage.removeItem(storageKey));

test("the five newest ranges are kept, each once", () => {
  for (const hours of [1, 2, 3, 4, 5, 6, 3]) rememberTime(range(hours));
  expect(recentTimes()).toEqual([3, 6, 5, 4, 2].map(range));
});

test.each(["no json", "5", '[{"from":1,"to":"now"},null]'])("stored %s gives no range", (text) => {
  readerStorage.setItem(storageKey, text);
  expect(recentTimes()).toEqual([]);
});
