import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { printDocument } from "../../base/file/documentFile.js";
import { FunctionDocuments } from "../document/functionDocuments.js";
import { LinkDocuments } from "../document/linkDocuments.js";
import { readSettings } from "../document/tableSettingsRows.js";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";

let folder: RegistryFolder;
beforeEach(async () => {
  folder = await registryFolder();
});
afterEach(() => folder.remove());

const saved = {
  ...{ name: "double", version: 4, kind: "scalar", source: "(x) => x * 2", description: "Twice." },
  ...{ savedMs: 5, example: false },
};
const functions = [
  ["double", { version: 4, saved }],
  ["gone", { version: 2, saved: null }],
];
const settings = { retention: { maxAgeMs: 86_400_000, maxBytes: null } };
const link = { id: "d7c64hr8d3", path: "/status", savedMs: 3 };

async function writeFiles(): Promise<void> {
  await writeFile(join(folder.path, "functions.json"), printDocument(functions));
  await writeFile(join(folder.path, "tables.json"), printDocument([["visits", settings]]));
  await mkdir(join(folder.path, "links"), { recursive: true });
  await writeFile(join(folder.path, "links", `${link.id}.json`), JSON.stringify(link));
}

async function contents() {
  const registry = await folder.open();
  const documents = await FunctionDocuments.open(registry, []);
  return {
    registry,
    documents,
    settings: await registry.read((one) => readSettings(one, expect.fail)),
  };
}

test("what earlier versions kept as files is in the registry after the first start, and a copy stays", async () => {
  await writeFiles();
  const { documents, settings: taken } = await contents();
  expect([...documents.all.values()]).toEqual([saved]);
  expect(taken.settings).toEqual([["visits", settings]]);
  const options = { kind: "scalar", expected: null, nowMs: 9, by: null } as const;
  // Its numbers go on.
  expect((await documents.save("gone", { source: "() => 1" }, options)).version).toBe(3);
  expect((await readdir(folder.path)).filter((name) => /json$|links/.test(name))).toEqual([]);
  const kept = join(folder.path, "before-registry");
  expect((await readdir(kept)).sort()).toEqual(["functions.json", "links", "tables.json"]);
  expect(await readFile(join(kept, "functions.json"))).toEqual(printDocument(functions));
});

test("links lead to the same addresses as before", async () => {
  const registry = await folder.open();
  const { id } = await new LinkDocuments(registry, () => 1).save("/status");
  await folder.close();
  await mkdir(join(folder.path, "links"));
  await writeFile(join(folder.path, "links", `${id}.json`), JSON.stringify({ ...link, id }));
  const links = new LinkDocuments(await folder.open(), () => 2);
  expect((await links.find(id)).path).toBe("/status");
});

test("a start that was interrupted is repeated without harm: what was saved since stays", async () => {
  await writeFiles();
  const { documents } = await contents();
  const options = { kind: "scalar", expected: null, nowMs: 9, by: null } as const;
  await documents.save("double", { source: "(x) => x + x" }, options);
  await folder.close();
  await writeFiles();
  const again = await contents();
  expect(again.documents.all.get("double")).toMatchObject({ version: 5, source: "(x) => x + x" });
  expect((await readdir(join(folder.path, "before-registry"))).length).toBe(6);
});

test("another server of the same registry sees what a later start takes over", async () => {
  const { documents } = await contents();
  await writeFiles();
  await folder.open();
  await vi.waitUntil(() => documents.all.has("double"), 5_000);
});

test("a damaged file is reported and kept, and the others are taken over", async () => {
  await writeFiles();
  const path = join(folder.path, "tables.json");
  await writeFile(path, (await readFile(path, "utf8")).replace("86400000", "86400"));
  const { documents, settings: taken } = await contents();
  expect(documents.all.has("double")).toBe(true);
  expect(taken).toEqual({ settings: [], damaged: [] });
  expect(folder.warnings).toEqual([
    expect.stringContaining("the settings of tables cannot be read"),
  ]);
  const names = await readdir(folder.path);
  expect(names.some((name) => name.startsWith("tables.json.damaged-"))).toBe(true);
});
