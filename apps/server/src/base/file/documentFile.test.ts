import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readDocument, writeDocument } from "./documentFile.js";

let folder = "";
let path = "";
let warnings: string[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-document-"));
  path = join(folder, "list.json");
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const kind = {
  name: "the list",
  check: (value: unknown) => {
    if (!Array.isArray(value)) throw new Error("it is no list");
    return value as readonly unknown[];
  },
  warn: (text: string) => void warnings.push(text),
};

test("what was written is read; a file that is not there is none", async () => {
  expect(await readDocument(path, kind)).toBeNull();
  await writeDocument(path, "the list", [1, "é😀", { a: null }]);
  expect(await readDocument(path, kind)).toEqual([1, "é😀", { a: null }]);
  expect(warnings).toEqual([]);
});

test("a file of before there were checksums is read", async () => {
  await writeFile(path, "[1,2]");
  expect(await readDocument(path, kind)).toEqual([1, 2]);
});

test("whatever bit is flipped, the document is unchanged or renamed as damaged, never another one", async () => {
  await writeDocument(path, "the list", [1234567, "abc"]);
  const whole = await readFile(path);
  for (let bit = 0; bit < whole.length * 8; bit++) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await writeFile(path, bytes);
    const found = await readDocument(path, kind);
    if (found !== null) expect(found).toEqual([1234567, "abc"]);
    else expect(warnings.at(-1)).toContain("the list cannot be read");
  }
  expect(warnings).toHaveLength(whole.length * 8);
  const damaged = (await readdir(folder)).filter((name) => name.startsWith("list.json.damaged-"));
  expect(damaged.length).toBeGreaterThan(0);
});

test.each(["", "[1", "null", '{"a":1}', "hadal-document-1 ", "\0\0\0"])(
  "%j is renamed as damaged with its bytes unchanged",
  async (text) => {
    await writeFile(path, text);
    expect(await readDocument(path, kind)).toBeNull();
    const [damaged = ""] = await readdir(folder);
    expect(damaged).toMatch(/^list\.json\.damaged-\d+$/);
    expect(await readFile(join(folder, damaged), "utf8")).toBe(text);
    expect(warnings).toEqual([expect.stringContaining(damaged)]);
  },
);

test("what cannot be written is a problem that names no path, and the document before stays", async () => {
  await writeDocument(path, "the list", [1]);
  // A folder where the file is to be made first.
  await mkdir(`${path}.tmp`);
  const refused = writeDocument(path, "the list", [2]);
  await expect(refused).rejects.toMatchObject({ code: "not-saved", status: 507, retry: true });
  await expect(refused).rejects.toThrow(
    "the list could not be saved, and nothing was changed: illegal operation on a directory.",
  );
  expect(await readDocument(path, kind)).toEqual([1]);
});
