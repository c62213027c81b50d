import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LinkDocuments } from "./linkDocuments.js";

let folder = "";
beforeEach(async () => {
  warnings = [];
  folder = await mkdtemp(join(tmpdir(), "hadal-links-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (atMs: number) =>
  LinkDocuments.open(folder, { nowMs: () => atMs, warn: (text) => void warnings.push(text) });
let warnings: string[] = [];

const path = "/explore?v=1&table=requests&filter=service:eq:caf%C3%A9";

test("a link is found by its name, also after a restart", async () => {
  const links = await open(7);
  const { id } = await links.save(path);
  expect(id).toMatch(/^[a-z2-9]{10}$/);
  const again = await open(8);
  expect(await again.find(id)).toEqual({ id, path, savedMs: 7 });
});

test("the same address is kept once; others have other names", async () => {
  const links = await open(7);
  const [first, same, other] = [
    await links.save(path),
    await links.save(path),
    await links.save("/status"),
  ];
  expect(same).toEqual(first);
  expect(other.id).not.toBe(first.id);
  expect(await readdir(folder)).toHaveLength(2);
});

test("a name that another address has already is passed over", async () => {
  const links = await open(7);
  const { id } = await links.save(path);
  await writeFile(join(folder, `${id}.json`), JSON.stringify({ id, path: "/tables", savedMs: 1 }));
  const moved = await links.save(path);
  expect(moved.id).not.toBe(id);
  expect((await links.find(moved.id)).path).toBe(path);
  expect((await links.find(id)).path).toBe("/tables");
});

test.each(["bcdfghjkmn", "../tables", "..%2f..%2fx", "", "__proto__", "bcdfghjkm", "B".repeat(10)])(
  "%s is no link",
  async (id) => {
    const links = await open(7);
    await expect(links.find(id)).rejects.toMatchObject({ code: "unknown-link", status: 404 });
  },
);

test("a damaged link is not found, and its file is kept", async () => {
  const links = await open(7);
  const { id } = await links.save(path);
  const file = join(folder, `${id}.json`);
  await writeFile(file, (await readFile(file, "utf8")).replace("requests", "requestz"));
  await expect(links.find(id)).rejects.toMatchObject({ code: "unknown-link" });
  expect(warnings).toEqual([expect.stringContaining(`the short link ${id} cannot be read`)]);
  expect((await readdir(folder)).some((name) => name.startsWith(`${id}.json.damaged-`))).toBe(true);
  expect((await links.save(path)).id).toBe(id);
});
