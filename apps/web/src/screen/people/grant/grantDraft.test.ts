import type { Grant } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { draftOf, emptyGrant, grantOf, withGrant } from "./grantDraft.js";

const a: Grant = { user: "ann", table: "a" };
const b: Grant = {
  group: "ops",
  table: "b",
  filter: [{ column: "country", op: "=", value: "DE" }],
  hiddenColumns: ["ip", "email"],
};
const c: Grant = { token: "agent", table: "*" };

describe("grants in the form", () => {
  test.each([a, b, c])("a grant and its draft are the same", (grant) => {
    expect(grantOf(draftOf(grant))).toEqual(grant);
  });

  test("names are read without spaces", () => {
    const draft = { ...emptyGrant, table: " t ", hidden: " ip,, email , ip " };
    expect(grantOf(draft)).toEqual({
      ...{ group: "everyone", table: "t", hiddenColumns: ["ip", "email"] },
    });
  });

  test("are added, replaced in their place, and removed", () => {
    expect(withGrant([a], null, b)).toEqual([a, b]);
    expect(withGrant([a, c], a, b)).toEqual([b, c]);
    expect(withGrant([a, b, c], b, null)).toEqual([a, c]);
  });

  test("one that another admin removed meanwhile is added again when it was changed", () => {
    expect(withGrant([c], a, b)).toEqual([c, b]);
    expect(withGrant([c], a, null)).toEqual([c]);
  });
});
