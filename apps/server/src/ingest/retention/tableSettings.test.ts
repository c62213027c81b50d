import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TableSettings } from "@hadal/sdk";
import { expect, test } from "vitest";
import { openRegistry, registryFile } from "../../registry/openRegistry.js";
import type { Registry } from "../../registry/registry.js";
import { withFolder } from "../testing/gateway.js";
import { TableSettingsStore } from "./tableSettings.js";

const ageOf = (maxAgeMs: number | null): TableSettings => ({
  retention: { maxAgeMs, maxBytes: null },
  thinning: [],
  columns: [],
});

/** Runs `work` over a registry in a folder of its own; more registries of that folder can be opened. */
const withRegistry = (
  work: (open: () => Promise<Registry>, folder: string) => Promise<void>,
): Promise<void> =>
  withFolder(async (folder) => {
    const opened: Registry[] = [];
    const open = async (): Promise<Registry> => {
      const registry = await openRegistry({
        ...{ dataDir: folder, databaseUrl: null, warn: () => undefined },
      });
      opened.push(registry);
      return registry;
    };
    try {
      await work(open, folder);
    } finally {
      for (const registry of opened) await registry.close();
    }
  });

test("settings that cannot be saved are not in force, and those before stay in force", () =>
  withRegistry(async (open, folder) => {
    const store = await TableSettingsStore.open(await open());
    await store.set("t", ageOf(60_000));
    const path = join(folder, registryFile);
    await rename(path, `${path}.away`);
    const refusal = { code: "registry-unavailable", status: 503, retry: true };
    await expect(store.set("t", ageOf(1))).rejects.toMatchObject(refusal);
    await expect(store.set("u", ageOf(1))).rejects.toMatchObject(refusal);
    await expect(store.remove("t")).rejects.toMatchObject(refusal);
    expect(store.of("t")).toEqual(ageOf(60_000));
    expect([...store.retained()]).toEqual(["t"]);
    await rename(`${path}.away`, path);
    await store.set("u", ageOf(5));
    const again = await TableSettingsStore.open(await open());
    expect([again.of("t"), again.of("u")]).toEqual([ageOf(60_000), ageOf(5)]);
  }));

test("changes that come together are all kept", () =>
  withRegistry(async (open) => {
    const store = await TableSettingsStore.open(await open());
    await Promise.all([1, 2, 3, 4].map((n) => store.set(`t${n}`, ageOf(n))));
    await Promise.all([store.remove("t2"), store.set("t1", ageOf(9))]);
    const again = await TableSettingsStore.open(await open());
    expect([1, 2, 3, 4].map((n) => again.of(`t${n}`).retention.maxAgeMs)).toEqual([9, null, 3, 4]);
  }));

test("columns are not stored by guess: where their settings are damaged, or were never read, rows are refused", () =>
  withRegistry(async (open, folder) => {
    const registry = await open();
    const store = await TableSettingsStore.open(registry);
    await store.set("t", { ...ageOf(1), columns: [{ name: "price", decimals: 9 }] });
    expect(store.columnsOf("t")).toEqual([{ name: "price", decimals: 9 }]);
    expect(store.columnsOf("u")).toEqual([]);
    await registry.change("tables", async (transaction) => {
      await transaction
        .updateTable("table_settings")
        .set({ body: JSON.stringify({ columns: [] }) })
        .execute();
    });
    expect(() => store.columnsOf("t")).toThrow("set them again");
    // No row is deleted by them either.
    expect(store.of("t")).toEqual(ageOf(null));
    await store.set("t", ageOf(2));
    expect(store.columnsOf("t")).toEqual([]);
    await registry.close();
    await writeFile(join(folder, registryFile), "no database");
    expect((await TableSettingsStore.open(await open())).of("t")).toEqual(ageOf(2));
    await rm(join(folder, "last-known"), { recursive: true });
    const unread = await TableSettingsStore.open(await open());
    expect(() => unread.columnsOf("t")).toThrow("The registry cannot be used now");
  }));

test("an age for all tables holds where one has none of its own that could be read", () =>
  withRegistry(async (open) => {
    const registry = await open();
    const defaults = { tables: () => ["t", "u", "v"], maxAgeMs: 7 };
    const store = await TableSettingsStore.open(registry, defaults);
    await store.set("t", ageOf(60_000));
    expect([store.of("t"), store.of("u")]).toEqual([ageOf(60_000), ageOf(7)]);
    expect([...store.retained()].sort()).toEqual(["t", "u", "v"]);
    const demo = {
      ...defaults,
      maxAgeMs: null,
      maxAgesMs: new Map([
        ["u", 30],
        ["t", 9],
      ]),
    };
    const ofSome = await TableSettingsStore.open(await open(), demo);
    expect(["t", "u", "v"].map((table) => ofSome.of(table).retention.maxAgeMs)).toEqual([
      ...[60_000, 30, null],
    ]);
    expect([...ofSome.retained()].sort()).toEqual(["t", "u"]);
    await store.set("u", { ...ageOf(1), columns: [{ name: "price", decimals: 9 }] });
    await registry.change("tables", async (transaction) => {
      const body = JSON.stringify({ columns: [] });
      await transaction.updateTable("table_settings").set({ body }).execute();
    });
    expect([...store.retained()]).toEqual(["v"]);
  }));
