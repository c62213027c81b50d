import type { Filter, Grant, TokenInfo, User } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { seenByToken, seenByUser } from "./seenTables.js";

const ann: User = {
  ...{ id: "u1", name: "Ann", role: "viewer", groups: ["ops"], state: "active" },
  ...{ source: "password", createdMs: 0, lastSignInMs: null },
};
const token: TokenInfo = {
  ...{ id: "t1", name: "agent", scopes: ["query:a", "ingest:*"], createdMs: 0 },
  ...{ createdBy: null, expires: null, lastUsed: null },
};
const germany: Filter = { column: "country", op: "=", value: "DE" };
const france: Filter = { column: "country", op: "=", value: "FR" };
const seen = (grants: readonly Grant[], user = ann) =>
  seenByUser(user, grants).map(({ table, rows, hiddenColumns }) => [table, rows, hiddenColumns]);

describe("what a user reads", () => {
  test("nothing without a grant of theirs", () => {
    expect(seen([])).toEqual([]);
    expect(
      seen([
        { user: "bo", table: "a" },
        { group: "dev", table: "a" },
      ]),
    ).toEqual([]);
    expect(seen([{ token: "Ann", table: "a" }])).toEqual([]);
  });

  test("by name, id, group, or as one of everyone", () => {
    for (const grant of [
      { user: "ann" },
      { user: "u1" },
      { group: "OPS" },
      { group: "everyone" },
    ]) {
      expect(seen([{ ...grant, table: "a" }])).toEqual([["a", null, []]]);
    }
  });

  test("the rows of one grant or of another, without the hidden columns of both", () => {
    const grants = [
      { user: "ann", table: "a", filter: [germany], hiddenColumns: ["ip"] },
      { group: "ops", table: "a", filter: [france], hiddenColumns: ["email", "ip"] },
    ];
    expect(seen(grants)).toEqual([["a", [[germany], [france]], ["email", "ip"]]]);
    expect(seen([...grants, { user: "ann", table: "a" }])).toEqual([["a", null, ["email", "ip"]]]);
  });

  test("a grant of every table counts for those that others name", () => {
    const grants = [
      { user: "ann", table: "*", hiddenColumns: ["ip"] },
      { user: "ann", table: "a", filter: [germany] },
    ];
    expect(seen(grants)).toEqual([
      ["a", null, ["ip"]],
      ["*", null, ["ip"]],
    ]);
  });

  test("everything as an admin, nothing when disabled", () => {
    expect(seen([], { ...ann, role: "admin" })).toEqual([["*", null, []]]);
    expect(seen([{ user: "ann", table: "a" }], { ...ann, state: "disabled" })).toEqual([]);
  });
});

describe("what a token reads", () => {
  const read = (grants: readonly Grant[], scopes = token.scopes) =>
    seenByToken({ ...token, scopes }, grants).map(({ table, rows }) => [table, rows]);

  test("its scopes", () => {
    expect(read([{ user: "agent", table: "b" }])).toEqual([["a", null]]);
    expect(read([], ["query"])).toEqual([["*", null]]);
    expect(read([], ["ingest:a", "save"])).toEqual([]);
  });

  test("only what grants that name it allow, too", () => {
    expect(read([{ token: "agent", table: "b" }])).toEqual([]);
    const grant = { token: "t1", table: "*", filter: [germany] };
    expect(read([grant])).toEqual([["a", [[germany]]]]);
    expect(read([{ token: "t1", table: "b" }], ["query:*"])).toEqual([["b", null]]);
  });
});
