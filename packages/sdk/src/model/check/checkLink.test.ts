import { expect, test } from "vitest";
import { linkPathMax } from "../link.js";
import { checkLink } from "./checkLink.js";

test.each(["/explore?v=1&table=a%20b&filter=x:eq:1,2", "/tables/web.requests", "/status"])(
  "%s is an address of the page",
  (path) => expect(checkLink({ path })).toBe(path),
);

test.each([
  [{}, "missing", ""],
  [{ path: 5 }, "type-mismatch", "found the number 5"],
  [{ path: "explore" }, "type-mismatch", "starts with a slash"],
  [{ path: "//evil.example/explore" }, "type-mismatch", "starts with a slash"],
  [{ path: "/\\evil.example" }, "type-mismatch", "starts with a slash"],
  [{ path: "https://evil.example" }, "type-mismatch", "starts with a slash"],
  [{ path: "/s/bcdfghjkmn" }, "type-mismatch", "address of a screen"],
  [{ path: "/api/v1/status" }, "type-mismatch", "address of a screen"],
  [{ path: "/explore?a=\n" }, "type-mismatch", "control characters"],
  [{ path: `/explore?${"a".repeat(linkPathMax)}` }, "type-mismatch", "linkPathMax"],
  [{ path: "/explore", to: "/x" }, "unknown-key", ""],
])("%o is refused: %s", (body, code, detail) => {
  expect(() => checkLink(body)).toThrow(
    expect.objectContaining({
      code: "invalid-query",
      errors: [expect.objectContaining({ code, detail: expect.stringContaining(detail) })],
    }),
  );
});
