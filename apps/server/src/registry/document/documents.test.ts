import type { DocumentDraft, SavedDocument } from "@hadal/sdk";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";
import { Documents } from "./documents.js";

let server: PostgresServer;
let folder: RegistryFolder;
let clockMs = 0;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());
afterEach(() => folder.remove());

const open = async () => new Documents(await folder.open(), () => ++clockMs);
const draft = (title: string, limit = 1): DocumentDraft => ({
  ...{ kind: "query", title, body: { query: { table: "t", limit } } },
});
const any = { by: "ann", expected: null };

describe.each(["SQLite", "PostgreSQL"])("in %s", (kind) => {
  beforeEach(async () => {
    clockMs = 0;
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
  });

  test("a document has the body that was saved, who saved it and when", async () => {
    const documents = await open();
    const { id } = await documents.create(draft("Errors by country"), "ann");
    expect(await (await open()).find(id)).toEqual({
      ...{ id, kind: "query", title: "Errors by country", version: 1 },
      body: { query: { table: "t", limit: 1 } },
      ...{ createdMs: 1, createdBy: "ann", changedMs: 1, changedBy: "ann" },
    });
  });

  test("a document about a table that may not be read does not exist, nor does such a version", async () => {
    const documents = await open();
    const seen = documents.seenBy((table) => table === "t");
    const { id } = await documents.create(draft("ours"), "ann");
    const hidden = { ...draft("theirs"), body: { tiles: [{ query: { table: "u" } }] } };
    const other = await documents.create(hidden, "ann");
    expect((await seen.list({})).map(({ title }) => title)).toEqual(["ours"]);
    for (const refused of [
      () => seen.find(other.id),
      () => seen.versions(other.id),
      () => seen.save(other.id, draft("mine"), any),
      () => seen.delete(other.id, any),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: "unknown-document" });
    }
    for (const refused of [() => seen.create(hidden, "bob"), () => seen.save(id, hidden, any)]) {
      await expect(refused()).rejects.toMatchObject({ code: "unknown-table" });
    }
    await documents.save(id, hidden, any);
    await documents.save(id, draft("ours again"), any);
    expect((await seen.versions(id)).map(({ version }) => version)).toEqual([3, 1]);
    await expect(seen.version(id, 2)).rejects.toMatchObject({ code: "unknown-document" });
  });

  test("a new document may have an id; one that was deleted comes back with its versions", async () => {
    const documents = await open();
    const id = "6f1c0d3e-8f0a-4a56-9a43-1f1f5bb0c9ad";
    await documents.create({ ...draft("first"), id }, "ann");
    const taken = documents.create({ ...draft("second"), id }, "bob");
    await expect(taken).rejects.toMatchObject({ code: "bad-request" });
    await documents.delete(id, any);
    const back = await documents.create({ ...draft("second"), id }, "bob");
    expect(back).toMatchObject({ id, version: 2, title: "second" });
    expect((await documents.versions(id)).map(({ title }) => title)).toEqual(["second", "first"]);
    const other = documents.save(id, { ...draft("x"), id: id.replace("6", "7") }, any);
    await expect(other).rejects.toMatchObject({ code: "bad-request" });
  });

  test("documents of files are listed and read like others, and are changed in their files alone", async () => {
    const { id } = await (await open()).create(draft("saved"), "ann");
    const times = { createdMs: 9, createdBy: null, changedMs: 9, changedBy: null };
    const read: SavedDocument = {
      ...{ ...draft("of a file"), ...times, version: 3, file: "a.json" },
      id: id.replace(/^./, (first) => (first === "0" ? "1" : "0")),
    };
    const files = new Map([[read.id, read]]);
    const documents = new Documents(await folder.open(), () => ++clockMs, { files: () => files });
    const titles = (await documents.list({ kind: "query" })).map(({ title }) => title);
    expect(titles).toEqual(["of a file", "saved"]);
    expect(await documents.list({ kind: "alert" })).toEqual([]);
    expect(await documents.list({ text: "FILE" })).toEqual([
      expect.not.objectContaining({ body: expect.anything() }),
    ]);
    expect(await documents.find(read.id)).toEqual(read);
    expect(await documents.versions(read.id)).toMatchObject([{ version: 3, savedMs: 9 }]);
    expect(await documents.version(read.id, 3)).toMatchObject({ body: read.body });
    await expect(documents.version(read.id, 1)).rejects.toMatchObject({ code: "unknown-document" });
    for (const refused of [
      () => documents.save(read.id, draft("mine"), any),
      () => documents.delete(read.id, any),
      () => documents.create({ ...draft("mine"), id: read.id }, "ann"),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        ...{ code: "forbidden", message: expect.stringContaining("a.json") },
      });
    }
    const unseen = documents.seenBy((table) => table !== "t");
    expect(await unseen.list({})).toEqual([]);
    await expect(unseen.find(read.id)).rejects.toMatchObject({ code: "unknown-document" });
    await expect(unseen.delete(read.id, any)).rejects.toMatchObject({ code: "unknown-document" });
  });

  describe("saves", () => {
    test("every save makes a version, and an older one can be restored", async () => {
      const documents = await open();
      const { id } = await documents.create(draft("first", 1), "ann");
      await documents.save(id, draft("second", 2), { by: "bob", expected: 1 });
      const old = await documents.version(id, 1);
      expect(old).toMatchObject({ title: "first", savedBy: "ann", body: draft("", 1).body });
      await documents.save(id, { kind: "query", ...old }, { by: "ann", expected: 2 });
      const versions = await documents.versions(id);
      expect(versions.map(({ version, title, savedBy }) => [version, title, savedBy])).toEqual([
        [3, "first", "ann"],
        [2, "second", "bob"],
        [1, "first", "ann"],
      ]);
    });

    test("a save that began from an older version is refused with both bodies", async () => {
      const documents = await open();
      const { id } = await documents.create(draft("first"), "ann");
      await documents.save(id, draft("second", 2), { by: "bob", expected: 1 });
      await expect(
        documents.save(id, draft("third", 3), { by: "ann", expected: 1 }),
      ).rejects.toMatchObject({
        code: "version-conflict",
        members: {
          current: { version: 2, title: "second", body: draft("", 2).body },
          yours: { title: "third", body: draft("", 3).body },
        },
      });
      expect((await documents.find(id)).title).toBe("second");
    });

    test("of many saves at once from two processes, one for each version succeeds", async () => {
      const [one, two] = [await open(), await open()];
      const { id } = await one.create(draft("first"), "ann");
      const saves = Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? one : two).save(id, draft(`${i}`), { by: "ann", expected: 1 }),
      );
      const outcomes = await Promise.allSettled(saves);
      const refusals = outcomes.flatMap((one) =>
        one.status === "rejected" ? [one.reason.code] : [],
      );
      expect(refusals).toEqual(Array.from({ length: 19 }, () => "version-conflict"));
      expect(await one.versions(id)).toHaveLength(2);
    });

    test("a document keeps its kind", async () => {
      const documents = await open();
      const { id } = await documents.create(draft("first"), "ann");
      const other = { ...draft("first"), kind: "alert" } as const;
      await expect(documents.save(id, other, any)).rejects.toMatchObject({ code: "bad-request" });
    });
  });

  test("lists are searched by the title in any case, with the last change first", async () => {
    const documents = await open();
    await documents.create(draft("ÜBERSICHT der Fehler"), "ann");
    const { id } = await documents.create(draft("Latency 100%"), "ann");
    await documents.create({ ...draft("Übersicht"), kind: "dashboard" }, "ann");
    const titles = async (filter: Parameters<Documents["list"]>[0]) =>
      (await documents.list(filter)).map(({ title }) => title);
    expect(await titles({ text: "übersicht" })).toEqual(["Übersicht", "ÜBERSICHT der Fehler"]);
    expect(await titles({ text: "100%" })).toEqual(["Latency 100%"]);
    expect(await titles({ kind: "dashboard" })).toEqual(["Übersicht"]);
    await documents.save(id, draft("Latency"), any);
    expect((await titles({}))[0]).toBe("Latency");
  });

  test("what is deleted is in no list and cannot be read, saved or deleted again", async () => {
    const documents = await open();
    const { id } = await documents.create(draft("first"), "ann");
    await expect(documents.delete(id, { by: "ann", expected: 7 })).rejects.toMatchObject({
      code: "version-conflict",
    });
    await documents.delete(id, { by: "ann", expected: 1 });
    expect(await documents.list({})).toEqual([]);
    const gone = { code: "unknown-document", status: 404 };
    await expect(documents.find(id)).rejects.toMatchObject(gone);
    await expect(documents.versions(id)).rejects.toMatchObject(gone);
    await expect(documents.version(id, 1)).rejects.toMatchObject(gone);
    await expect(documents.save(id, draft("x"), any)).rejects.toMatchObject(gone);
    await expect(documents.delete(id, any)).rejects.toMatchObject(gone);
  });

  test.each(["", "..", "' or 1=1 --", "__proto__", "\u0000", "x".repeat(60)])(
    "%j is no document",
    async (id) => {
      await expect((await open()).find(id)).rejects.toMatchObject({ code: "unknown-document" });
    },
  );
});
