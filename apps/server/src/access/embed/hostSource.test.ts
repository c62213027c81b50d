import { expect, test } from "vitest";
import { HostSet, isHostAllowed } from "./hostSource.js";

const hosts = ["https://intranet.example", "https://*.example.com", "http://*.test:8080", "'self'"];

test.each([
  ["https://intranet.example", true],
  ["https://a.example.com", true],
  ["https://a.b.example.com", true],
  ["http://a.test:8080", true],
  ["http://intranet.example", false],
  ["https://intranet.example:8443", false],
  ["https://intranet.example.evil", false],
  ["https://example.com", false],
  ["https://.example.com", false],
  ["https://evilexample.com", false],
  ["http://a.test", false],
  ["null", false],
  ["'self'", false],
  ["", false],
])("the page %s may show it: %s", (origin, expected) => {
  expect(isHostAllowed(origin, hosts)).toBe(expected);
  expect(new HostSet(hosts).allows(origin)).toBe(expected);
});
