import { expect, test } from "vitest";
import { expiryText } from "./expiryText.js";

const hourMs = 3_600_000;

test.each([
  [null, "never"],
  [0, "ended"],
  [hourMs / 2, "within the hour"],
  [30 * hourMs, "in 30 h"],
  [49 * hourMs, "in 2 d"],
])("expiry after %s ms: %s", (leftMs, text) => {
  expect(expiryText(leftMs === null ? null : 1_000 + leftMs, 1_000)).toBe(text);
});
