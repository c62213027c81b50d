import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { printError } from "./errorLine.js";

const parts = Array.from({ length: 7 }, (_, i) => ({
  path: `filter[${i}]`,
  code: "x",
  detail: `d${i}.`,
}));

test.each<[unknown, string]>([
  [new HadalError("unknown-table", { table: "x" }), "No table is called x."],
  [
    new HadalError("invalid-query", { detail: "d0" }, parts),
    "filter[0]: d0. filter[1]: d1. filter[2]: d2. filter[3]: d3. filter[4]: d4. (and 2 more)",
  ],
  [
    new HadalError("invalid-query", {}, [{ path: "limit", code: "x", detail: "limit is 0." }]),
    "limit is 0.",
  ],
  [
    new HadalError("rows-rejected", {}, [{ line: 3, code: "x", detail: "no time" }]),
    "line 3: no time",
  ],
  [
    Object.assign(new Error("ENOENT: long"), { code: "ENOENT", path: "/x" }),
    "/x: there is no such file.",
  ],
  [
    Object.assign(new Error("listen"), { code: "EADDRINUSE", address: "127.0.0.1", port: 7400 }),
    "127.0.0.1:7400: the port is taken; choose another with --port.",
  ],
  [new Error("two\n  lines\u001b[0m"), "two lines\\x1b[0m"],
  ["text", "text"],
])("%s is one line", (error, expected) => {
  expect(printError(error)).toBe(expected);
});
