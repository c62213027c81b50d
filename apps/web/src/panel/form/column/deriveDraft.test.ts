import { describe, expect, test } from "vitest";
import { type DeriveDraft, draftOf, readDerive } from "./deriveDraft.js";

const columns = ["time", "service", "latency_us"];
const draft = (part: Partial<DeriveDraft>): DeriveDraft => ({
  ...{ as: "slow", way: "expression", text: "", fn: "", args: "" },
  ...part,
});
const read = (part: Partial<DeriveDraft>, taken = columns) =>
  readDerive(draft(part), columns, taken);

describe("a derived column is read from", () => {
  test("an SQL expression", async () => {
    const result = await read({ text: "latency_us > 1000" });
    expect(result).toMatchObject({ ok: true, column: { as: "slow", expression: {} } });
  });
  test("JavaScript, unchanged", async () => {
    const js = "(row) => row.latency_us > 1000";
    expect(await read({ way: "js", text: js, as: " slow " })).toEqual({
      ok: true,
      column: { as: "slow", js },
    });
  });
  test("a saved function and its columns", async () => {
    expect(await read({ way: "function", fn: "pace", args: "latency_us, service," })).toEqual({
      ok: true,
      column: { as: "slow", function: "pace", args: ["latency_us", "service"] },
    });
  });
});

test.each<[string, Partial<DeriveDraft>, string]>([
  ["no name", { as: "  ", text: "1" }, "Give the column a name."],
  ["the name of a column", { as: "service", text: "1" }, "“service” already exists"],
  ["no text", { text: " " }, "Write an expression or a function."],
  ["no function", { way: "function" }, "Choose a function."],
  ["an unknown column", { way: "function", fn: "pace", args: "servise" }, "service"],
  ["invalid SQL", { text: "latency_us >" }, ""],
])("a draft with %s is invalid", async (_, part, reason) => {
  const result = await read(part);
  expect(result).toMatchObject({ ok: false });
  expect(result.ok ? "" : result.reason).toContain(reason);
});

test("an edited column may keep its name", async () => {
  const others = columns.filter((name) => name !== "service");
  expect(await read({ as: "service", way: "js", text: "1" }, others)).toMatchObject({ ok: true });
});

test.each([
  [null, draft({ as: "" })],
  [{ as: "slow", js: "1" }, draft({ way: "js", text: "1" })],
  [
    { as: "slow", function: "pace", args: ["a", "b"] },
    draft({ way: "function", fn: "pace", args: "a, b" }),
  ],
] as const)("the draft of %j has its fields", (column, expected) =>
  expect(draftOf(column)).toEqual(expected),
);
