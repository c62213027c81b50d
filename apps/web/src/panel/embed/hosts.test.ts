import fc from "fast-check";
import { expect, test } from "vitest";
import { readHosts } from "./hosts.js";

test.each([
  ["https://A.example/\nhttps://a.example:443", ["https://a.example"]],
  [
    " http://127.0.0.1:5173, https://*.shop.example ",
    ["http://127.0.0.1:5173", "https://*.shop.example"],
  ],
  ["https://a.example/page", ["https://a.example/page"]],
  ["https://a.example/?x", ["https://a.example/?x"]],
  ["https://me@a.example", ["https://me@a.example"]],
  ["'self' intranet file:///", ["'self'", "intranet", "file:///"]],
  ["", []],
])("%j is read as %j", (text, hosts) => {
  expect(readHosts(text)).toEqual(hosts);
});

test("an origin stays itself, however it is separated from others", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.webUrl().map((url) => new URL(url).origin)), (origins) => {
      expect(readHosts(origins.join("\n"))).toEqual(origins);
      expect(readHosts(origins.map((one) => `${one}/`).join(", "))).toEqual(origins);
    }),
  );
});
