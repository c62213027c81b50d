import { afterEach, beforeEach, expect, test } from "vitest";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { AuditLog } from "../audit/auditLog.js";
import { Grants } from "./grants.js";

let folder: RegistryFolder;
let grants: Grants;
beforeEach(async () => {
  folder = await registryFolder();
  const registry = await folder.open();
  grants = new Grants(registry, new AuditLog(registry, { nowMs: () => 7, keepDays: 1 }));
});
afterEach(() => folder.remove());

const actor = { who: "root", address: null };

test("thousands of grants keep their order, and are replaced as a whole", async () => {
  const many = Array.from({ length: 2_500 }, (_, i) => ({ user: `u${i}`, table: `t${i % 7}` }));
  await grants.replace({ grants: many }, actor);
  expect(await grants.list()).toEqual(many);
  await grants.replace({ grants: [] }, actor);
  expect(await grants.list()).toEqual([]);
});

const filter = [{ column: "region", op: "~~", value: "eu" }];

test.each([
  [{}, "grants"],
  [{ grants: [{ table: "a" }] }, "grants[0]"],
  [{ grants: [{ user: "a", group: "b", table: "a" }] }, "grants[0]"],
  [{ grants: [{ user: "", table: "a" }] }, "grants[0].user"],
  [{ grants: [{ user: "a" }] }, "grants[0].table"],
  [{ grants: [{ user: "a", table: "a\u0000" }] }, "grants[0].table"],
  [{ grants: [{ user: "a", table: "a", filter }] }, "grants[0].filter[0].op"],
  [{ grants: [{ user: "a", table: "a", hiddenColumns: [""] }] }, "grants[0].hiddenColumns[0]"],
  [{ grants: [{ user: "a", table: "a", hidden: ["x"] }] }, "grants[0].hidden"],
])("%j is refused, naming the place, and the list stays", async (body, path) => {
  const kept = [{ group: "everyone", table: "*" }];
  await grants.replace({ grants: kept }, actor);
  const replacing = Promise.resolve().then(() => grants.replace(body, actor));
  await expect(replacing).rejects.toMatchObject({
    code: "invalid-query",
    errors: [expect.objectContaining({ path })],
  });
  expect(await grants.list()).toEqual(kept);
});
