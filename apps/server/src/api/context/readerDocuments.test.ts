import type { SavedDocument } from "@hadal/sdk";
import { expect, test } from "vitest";
import { anyone, type Person } from "../../access/person.js";
import { everything, type TableGrant } from "../../base/access/readable.js";
import type { Documents } from "../../registry/document/documents.js";
import { alertsSeenBy, findAlert } from "./readerDocuments.js";

const rule = (id: string, table: string, kind = "alert") =>
  ({ id, kind, title: id, body: { query: { table } } }) as unknown as SavedDocument;
const rules = [rule("theirs", "visits"), rule("own", "visits"), rule("other", "orders")];

const documents = {
  all: async () => rules,
  find: async (id: string) => rules.find((one) => one.id === id) ?? rule(id, "visits", "query"),
} as unknown as Documents;
const deps = {
  documents: { ...documents, seenBy: () => documents } as unknown as Documents,
  alerts: {
    ownedBy: async ({ id }: { id: string | null }, ids: readonly string[]) =>
      new Set(id === "ann" ? ids.filter((one) => one === "own") : []),
  },
};

const ann = (grant: TableGrant | null): Person => ({
  ...{ ...anyone, kind: "user", id: "ann" },
  readable: { key: "ann", of: (table) => (table === "visits" ? grant : null) },
});
const whole: TableGrant = { rows: null, hiddenColumns: [] };
const idsOf = async (person: Person) => (await alertsSeenBy(person, deps)).map(({ id }) => id);

test("numbers of rules are those of all rows: whoever reads some of them sees their own rules", async () => {
  const some = { ...whole, rows: [[{ column: "shop", op: "=", value: "a" }]] } as const;
  expect(await idsOf({ ...anyone, readable: everything })).toEqual(["theirs", "own", "other"]);
  expect(await idsOf(ann(whole))).toEqual(["theirs", "own"]);
  expect(await idsOf(ann(some))).toEqual(["own"]);
  expect(await idsOf(ann({ ...whole, hiddenColumns: ["price"] }))).toEqual(["own"]);
  expect(await idsOf(ann(null))).toEqual([]);
  expect(await findAlert("own", ann(some), deps)).toBe(rules[1]);
  for (const [id, grant] of [...[["theirs", some] as const], ...[["a query", whole] as const]])
    await expect(findAlert(id, ann(grant), deps)).rejects.toMatchObject({
      code: "unknown-document",
    });
});
