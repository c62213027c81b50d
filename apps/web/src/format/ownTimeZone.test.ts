import { expect, test } from "vitest";
import { ownTimeZone } from "./ownTimeZone.js";

test("the browser's zone is Temporal's, else Intl's; an unknown one is UTC", () => {
  const known = (zone: string) => ownTimeZone({ Temporal: { Now: { timeZoneId: () => zone } } });
  expect(known("Europe/Vienna")).toBe("Europe/Vienna");
  expect(known("Etc/Unknown")).toBe("UTC");
  expect(ownTimeZone({})).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});
