import { expect, test } from "vitest";
import { ownTimeZone } from "./ownTimeZone.js";

test("the reader's own zone is Temporal's, else Intl's; one that nobody knows is UTC", () => {
  const known = (zone: string) => ownTimeZone({ Temporal: { Now: { timeZoneId: () => zone } } });
  expect(known("Europe/Vienna")).toBe("Europe/Vienna");
  expect(known("Etc/Unknown")).toBe("UTC");
  expect(ownTimeZone({})).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});
