import { expect, test } from "vitest";
import { scopeOf } from "./tokenText.js";

test("a scope names a table where the permission is about tables", () => {
  expect(scopeOf("query", "a:b")).toBe("query:a:b");
  expect(scopeOf("ingest", "*")).toBe("ingest:*");
  expect(scopeOf("save", "*")).toBe("save");
});
