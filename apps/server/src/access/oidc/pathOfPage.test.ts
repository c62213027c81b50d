import { expect, test } from "vitest";
import { pathOfPage } from "./pathOfPage.js";

test.each([
  ["/", "/"],
  ["/explore?v=1&table=visits&from=-3h#top", "/explore?v=1&table=visits&from=-3h#top"],
  ["/explore?next=https://evil.example", "/explore?next=https://evil.example"],
  ["/a/../explore", "/explore"],
  [`/explore?q=${"x".repeat(2_000)}`, "/"],
  ["/.//evil.example", "/"],
  ["/a/..//evil.example", "/"],
  ["/api/v1/session/oidc?to=/", "/"],
])("%.40s leads to %.40s", (to, path) => {
  expect(pathOfPage(to)).toBe(path);
});

test.each([
  "",
  "explore",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https:evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "/a\\..\\..\\b",
])("%j is refused", (to) => {
  expect(() => pathOfPage(to)).toThrow("to is a path of this server's page");
});
