import { type AuditEntry, auditActions } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { anyAction, entriesOf, isNotable, ndjsonOf } from "./auditText.js";

const entries: readonly AuditEntry[] = [
  { time: 2, who: "ann", action: "token.revoke", target: "t", address: null },
  { time: 1, who: "ann", action: "sign-in", target: "ann", address: "::1" },
];

describe("the audit log", () => {
  test("is narrowed to one action", () => {
    expect(entriesOf(entries, "sign-in")).toEqual([entries[1]]);
    expect(entriesOf(entries, anyAction)).toEqual(entries);
  });

  test("marks what failed or took something away", () => {
    expect(auditActions.filter(isNotable)).toEqual([
      ...["sign-in.failed", "user.delete", "token.revoke", "embed.revoke", "embed-key.delete"],
      ...["document.delete", "function.delete", "table.delete", "source.delete"],
    ]);
  });

  test("as a file has a line for each entry", () => {
    const lines = ndjsonOf(entries).split("\n");
    expect(lines).toHaveLength(3);
    expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toEqual(entries);
  });
});
