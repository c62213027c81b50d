import { afterEach, beforeEach, expect, test } from "vitest";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";
import { insertLink, LinkDocuments } from "./linkDocuments.js";

let folder: RegistryFolder;
beforeEach(async () => {
  folder = await registryFolder();
});
afterEach(() => folder.remove());

const open = async (atMs: number) => new LinkDocuments(await folder.open(), () => atMs);
const path = "/explore?v=1&table=requests&filter=service:eq:caf%C3%A9";

test("a link is found by its name, also after a restart", async () => {
  const { id } = await (await open(7)).save(path);
  expect(id).toMatch(/^[a-z2-9]{10}$/);
  expect(await (await open(8)).find(id)).toEqual({ id, path, savedMs: 7 });
});

test("the same address is kept once; others have other names", async () => {
  const links = await open(7);
  const first = await links.save(path);
  const same = await links.save(path);
  const other = await links.save("/status");
  expect(same).toEqual(first);
  expect(other.id).not.toBe(first.id);
});

test("a name that a damaged row has is not used, and not followed", async () => {
  const registry = await folder.open();
  const other = await registryFolder();
  const { id } = await new LinkDocuments(await other.open(), () => 1).save(path);
  await other.remove();
  await registry.change("links", (transaction) =>
    insertLink(transaction, { id, path: "/tables", savedMs: 1 }),
  );
  const links = new LinkDocuments(registry, () => 7);
  const moved = await links.save(path);
  expect(moved.id).not.toBe(id);
  expect((await links.find(moved.id)).path).toBe(path);
  await expect(links.find(id)).rejects.toMatchObject({ code: "unknown-link" });
  expect(folder.warnings).toEqual([`registry: the short link ${id} is damaged`]);
});

test.each(["bcdfghjkmn", "../tables", "..%2f..%2fx", "", "__proto__", "bcdfghjkm", "B".repeat(10)])(
  "%s is no link",
  async (id) => {
    const links = await open(7);
    await expect(links.find(id)).rejects.toMatchObject({ code: "unknown-link", status: 404 });
  },
);
