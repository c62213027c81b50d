import { chmod, copyFile, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { UserFunction } from "@hadal/sdk";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { FunctionDocuments } from "./document/functionDocuments.js";
import { openRegistry, registryFile } from "./openRegistry.js";
import { type PostgresServer, startPostgres } from "./testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "./testing/registryFolder.js";

let server: PostgresServer;
let folder: RegistryFolder;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());
afterEach(() => folder.remove());

const example: UserFunction = {
  ...{ name: "example", version: 1, kind: "scalar", source: "() => 1", savedMs: 0, example: true },
};
const openFunctions = async () => FunctionDocuments.open(await folder.open(), [example]);
const options = { kind: "scalar", expected: null, nowMs: 7, by: null } as const;
const unavailable = { code: "registry-unavailable", status: 503, retry: true };
const namesOf = (functions: FunctionDocuments) => [...functions.all.keys()];
const path = () => join(folder.path, registryFile);

test("the password of PostgreSQL may be in a file", async () => {
  const url = new URL(await server.createDatabase());
  folder = await registryFolder(null);
  const passwordFile = join(folder.path, "password");
  await writeFile(passwordFile, `${decodeURIComponent(url.password)}\n`);
  url.password = "";
  url.searchParams.set("passwordFile", passwordFile);
  const registry = await openRegistry({
    ...{ dataDir: folder.path, databaseUrl: url.href, warn: () => undefined },
  });
  try {
    const functions = await FunctionDocuments.open(registry, [example]);
    await functions.save("double", { source: "(x) => x * 2" }, options);
    expect(namesOf(functions)).toEqual(["example", "double"]);
  } finally {
    await registry.close();
  }
});

describe.each(["SQLite", "PostgreSQL"])("functions in %s", (kind) => {
  const start = async (): Promise<void> => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
  };

  test("are there after a restart, with their versions", async () => {
    await start();
    const functions = await openFunctions();
    await functions.save("double", { source: "(x) => x * 2" }, options);
    const saved = await functions.save("double", { source: "(x) => x + x" }, options);
    expect(saved).toMatchObject({ name: "double", version: 2, source: "(x) => x + x" });
    const again = await openFunctions();
    expect(again.all.get("double")).toEqual(saved);
    expect(again.all.get("example")).toEqual(example);
  });

  test("that were deleted give no version away twice; examples stay", async () => {
    await start();
    const functions = await openFunctions();
    await functions.save("double", { source: "(x) => x * 2" }, options);
    await functions.delete("double", { ...options, expected: 1 });
    expect(namesOf(functions)).toEqual(["example"]);
    await expect(functions.delete("example", options)).rejects.toMatchObject({
      code: "bad-request",
    });
    expect(await functions.save("double", { source: "() => 3" }, options)).toMatchObject({
      version: 2,
    });
  });

  test("that another process saves are there within seconds", async () => {
    await start();
    const [one, other] = [await openFunctions(), await openFunctions()];
    await one.save("double", { source: "(x) => x * 2" }, options);
    await vi.waitUntil(() => other.all.has("double"), 5_000);
    await one.delete("double", options);
    await vi.waitUntil(() => !other.all.has("double"), 5_000);
  });

  test("of two saves over the same version one is refused", async () => {
    await start();
    const [one, other] = [await openFunctions(), await openFunctions()];
    await one.save("double", { source: "() => 1" }, options);
    const saves = [one, other].map((functions, i) =>
      functions.save("double", { source: `() => ${i}` }, { ...options, expected: 1 }),
    );
    const outcomes = await Promise.allSettled(saves);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toEqual([
      expect.objectContaining({ reason: expect.objectContaining({ code: "version-conflict" }) }),
    ]);
  });
});

describe("while the registry cannot be used, copies serve and changes are refused", () => {
  const save = (functions: FunctionDocuments, name: string) =>
    functions.save(name, { source: "() => 1" }, options);

  test("a file that is locked by another program", async () => {
    folder = await registryFolder();
    const functions = await openFunctions();
    await save(functions, "kept");
    const other = new Database(path());
    other.exec("begin immediate");
    const startedMs = performance.now();
    await expect(save(functions, "new")).rejects.toMatchObject(unavailable);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(namesOf(functions)).toEqual(["example", "kept"]);
    other.exec("rollback");
    other.close();
    await save(functions, "new");
  });

  test("a file that is deleted, and one that is put in its place", async () => {
    folder = await registryFolder();
    const functions = await openFunctions();
    await save(functions, "kept");
    const copier = new Database(path());
    copier.pragma("wal_checkpoint(TRUNCATE)");
    copier.close();
    await rename(path(), `${path()}.away`);
    await expect(save(functions, "new")).rejects.toMatchObject(unavailable);
    expect(namesOf(functions)).toEqual(["example", "kept"]);
    await vi.waitUntil(() => folder.warnings.length > 0, 5_000);
    await copyFile(`${path()}.away`, path());
    await vi.waitUntil(
      () =>
        save(functions, "new").then(
          () => true,
          () => false,
        ),
      10_000,
    );
    expect(namesOf(await openFunctions())).toEqual(["example", "kept", "new"]);
    expect(folder.warnings.join("\n")).toContain("was deleted); changes are refused");
    expect(folder.warnings.join("\n")).toContain("can be used again");
  });

  test("a PostgreSQL that is stopped and started again in the middle of saves", async () => {
    folder = await registryFolder(await server.createDatabase());
    const functions = await openFunctions();
    const saved: string[] = [];
    const refusals: unknown[] = [];
    const stopped = new AbortController();
    const saving = (async () => {
      for (let i = 0; !stopped.signal.aborted; i++) {
        const name = `f${i}`;
        await save(functions, name).then(
          () => saved.push(name),
          (error) => refusals.push(error),
        );
        await pause(5);
      }
    })();
    try {
      await vi.waitUntil(() => saved.length > 10, 10_000);
      await server.stop();
      await vi.waitUntil(() => refusals.length > 3, 20_000);
      expect(functions.all.size).toBeGreaterThan(10);
      await server.start();
      const before = saved.length;
      await vi.waitUntil(() => saved.length > before + 10, 20_000);
    } finally {
      stopped.abort();
      await saving;
    }
    for (const refusal of refusals) expect(refusal).toMatchObject(unavailable);
    expect(namesOf(await openFunctions())).toEqual(expect.arrayContaining(saved));
  }, 90_000);

  test("a PostgreSQL that is not there at the start", async () => {
    const url = await server.createDatabase();
    await server.stop();
    folder = await registryFolder(url);
    const functions = await openFunctions();
    // A saved function may have the name of an example, and compute something else.
    for (const ask of ["get", "has"] as const)
      expect(() => functions.all[ask]("example")).toThrow("The registry cannot be used now");
    expect(() => functions.all.values()).toThrow("The registry cannot be used now");
    await expect(save(functions, "new")).rejects.toMatchObject(unavailable);
    expect(folder.warnings.join()).not.toContain("password");
    await server.start();
    await vi.waitUntil(
      () =>
        save(functions, "new").then(
          () => true,
          () => false,
        ),
      20_000,
    );
  }, 60_000);

  test("a PostgreSQL that is not there at a later start: what was read last in this folder serves", async () => {
    folder = await registryFolder(await server.createDatabase());
    await save(await openFunctions(), "example");
    await folder.close();
    await server.stop();
    try {
      const functions = await openFunctions();
      expect(functions.all.get("example")).toMatchObject({ source: "() => 1", example: false });
      await expect(save(functions, "new")).rejects.toMatchObject(unavailable);
    } finally {
      await server.start();
    }
  }, 60_000);

  test("a damaged function is not used, nor an example of its name", async () => {
    folder = await registryFolder();
    const functions = await openFunctions();
    await save(functions, "example");
    await save(functions, "kept");
    await folder.close();
    const database = new Database(path());
    database.exec(
      "update document set body = replace(body, '1', '2') where id = 'function:example'",
    );
    database.close();
    await rm(join(folder.path, "last-known"), { recursive: true });
    expect(namesOf(await openFunctions())).toEqual(["kept"]);
    expect(folder.warnings.join()).toContain("the function function:example is damaged");
  });

  test("a file that is damaged", async () => {
    folder = await registryFolder();
    await (await openFunctions()).save("kept", { source: "() => 1" }, options);
    await folder.close();
    await writeFile(path(), (await readFile(path())).subarray(0, 9_000));
    const functions = await openFunctions();
    expect(namesOf(functions)).toEqual(["example", "kept"]);
    await expect(save(functions, "new")).rejects.toMatchObject(unavailable);
  });

  test("a folder that cannot be written", async () => {
    folder = await registryFolder();
    await folder.open();
    await folder.close();
    await rm(`${path()}-wal`, { force: true });
    await chmod(path(), 0o400);
    const functions = await openFunctions();
    // Root may write anyway.
    if (process.getuid?.() === 0) return;
    await expect(save(functions, "new")).rejects.toMatchObject(unavailable);
  });
});

test("its files are readable by the server's user alone", async () => {
  folder = await registryFolder();
  await (await openFunctions()).save("double", { source: "(x) => x * 2" }, options);
  const names = (await readdir(folder.path)).filter((name) => name.startsWith(registryFile));
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    const { mode } = await stat(join(folder.path, name));
    expect(mode & 0o077, name).toBe(0);
  }
});

test("a registry of a newer version is refused with what to do, and not changed", async () => {
  folder = await registryFolder();
  await folder.open();
  await folder.close();
  const database = new Database(path());
  database.exec("insert into kysely_migration (name, timestamp) values ('999-later', 'x')");
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
  const before = await readFile(path());
  await expect(folder.open()).rejects.toThrow(
    "The registry was made by a newer Hadal (its migration 999-later). Start that version",
  );
  expect((await readFile(path())).equals(before)).toBe(true);
});
