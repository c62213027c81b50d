import { expect, test } from "vitest";
import { rangeInWords } from "./rangeInWords.js";

const nowMs = Date.UTC(2026, 10, 21, 12);

test.each([
  ["-3h", "now", "last 3 hours"],
  ["-1d", "now", "last 1 day"],
  ["-1mo", "now", "last 1 month"],
  ["2026-11-21T09:00:00Z", "2026-11-21T10:00:00Z", "21 Nov 09:00 – 10:00"],
  ["1795251600000", "1795255200000", "21 Nov 09:00 – 10:00"],
  ["-3h", "-1h", "-3h – -1h"],
  ["2026-11-21T09:00:00Z", "now", "since 21 Nov 09:00:00"],
])("%s to %s is %s", (from, to, words) => expect(rangeInWords(from, to, "UTC", nowMs)).toBe(words));
