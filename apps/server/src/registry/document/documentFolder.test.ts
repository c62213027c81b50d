import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DocumentFolder } from "./documentFolder.js";

const id = "6f1c0d3e-8f0a-4a56-9a43-1f1f5bb0c9ad";
const query = { table: "visits", from: "-3h", to: "now" };
const text = (parts: object): string =>
  JSON.stringify({ kind: "query", title: "Visits", body: { query }, ...parts }, null, 2);

let folder: string;
let warnings: string[];
let opened: DocumentFolder | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-documents-"));
  warnings = [];
});
afterEach(async () => {
  opened?.close();
  await rm(folder, { recursive: true, force: true });
});

const open = async (): Promise<DocumentFolder> => {
  opened = await DocumentFolder.open(folder, (warning) => warnings.push(warning));
  return opened;
};
let writes = 0;
/** Each write has a time of its own, as files that people change have. */
const write = async (name: string, content: string): Promise<void> => {
  await writeFile(join(folder, name), content);
  await utimes(join(folder, name), 1_000, 1_000 + ++writes);
};
const titlesOf = ({ documents }: DocumentFolder): readonly string[] =>
  [...documents.values()].map(({ title }) => title).sort();

test("files are documents; without an id it is that of the name at every start", async () => {
  await write("a.json", text({ id }));
  await write("b.json", text({ title: "Board", kind: "dashboard", body: { sections: [] } }));
  await write("notes.txt", "{");
  const first = await open();
  expect(first.documents.get(id)).toMatchObject({
    ...{ kind: "query", title: "Visits", version: 1, file: "a.json", body: { query } },
  });
  const ids = [...first.documents.keys()];
  first.close();
  expect([...(await open()).documents.keys()]).toEqual(ids);
  expect(warnings).toEqual([]);
});

test("a broken file is reported with line and column, and the others are there", async () => {
  await write("a.json", '{\n  "kind": "query",\n  "title": }');
  await write(
    "b.json",
    text({ body: { query: { ...query, filter: [{ column: "x", op: "?", value: 1 }] } } }),
  );
  await write("c.json", text({ kind: "embed", body: {} }));
  await write("d.json", text({ id }));
  await write("e.json", text({ id, title: "the same id" }));
  expect(titlesOf(await open())).toEqual(["Visits"]);
  expect(warnings).toEqual([
    expect.stringMatching(/a\.json is not used: line 3, column 12: this is not JSON\.$/),
    expect.stringMatching(/b\.json is not used: line 12, column 17: No operator is written/),
    expect.stringMatching(/c\.json is not used: files hold .*embed$/),
    expect.stringContaining("e.json has the id of d.json"),
  ]);
});

test("changes are read; a file that breaks keeps what it held, one that goes is gone", async () => {
  await write("a.json", text({ id }));
  await write("b.json", text({ title: "Second" }));
  const documents = await open();
  await write("a.json", text({ id, title: "Changed" }));
  await write("b.json", "{");
  await documents.read();
  expect(documents.documents.get(id)).toMatchObject({ title: "Changed", version: 2 });
  expect(titlesOf(documents)).toEqual(["Changed", "Second"]);
  expect(warnings).toEqual([expect.stringMatching(/b\.json .*what it held before stays: line 1/)]);
  const { documents: known } = documents;
  await documents.read();
  expect(warnings).toHaveLength(1);
  // Nothing changed: whoever reads them all has nothing to do.
  expect(documents.documents).toBe(known);
  await rm(join(folder, "a.json"));
  await write("b.json", text({ title: "Mended" }));
  await documents.read();
  expect(titlesOf(documents)).toEqual(["Mended"]);
});

test("a folder that cannot be read is refused by name", async () => {
  await expect(DocumentFolder.open(join(folder, "none"), () => undefined)).rejects.toMatchObject({
    code: "bad-request",
    message: expect.stringMatching(/--documents: .*none cannot be read: no such file/),
  });
});
