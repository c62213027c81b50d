import { expect, test } from "vitest";
import { isCidr } from "./cidr.js";

test.each([
  ["10.0.0.0/8", true],
  ["127.0.0.1", true],
  ["fd00::/8", true],
  ["::1", true],
  ["10.0.0.0/33", false],
  ["fd00::/129", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/8/8", false],
  ["host.example", false],
  ["", false],
])("%j is a range of addresses: %s", (text, expected) => {
  expect(isCidr(text)).toBe(expected);
});
