import { mkdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TableSettings } from "@hadal/sdk";
import { expect, test } from "vitest";
import { withFolder } from "../testing/gateway.js";
import { TableSettingsFile } from "./tableSettings.js";

const ageOf = (maxAgeMs: number | null): TableSettings => ({
  retention: { maxAgeMs, maxBytes: null },
  thinning: [],
  columns: [],
});

test("settings that cannot be saved are not in force, and those before hold on", () =>
  withFolder(async (folder) => {
    const path = join(folder, "tables.json");
    const file = await TableSettingsFile.open(path, failOnWarning);
    await file.set("t", ageOf(60_000));
    await mkdir(`${path}.tmp`);
    await expect(file.set("t", ageOf(1))).rejects.toMatchObject({ code: "not-saved" });
    await expect(file.set("u", ageOf(1))).rejects.toMatchObject({ code: "not-saved" });
    await expect(file.remove("t")).rejects.toMatchObject({ code: "not-saved" });
    expect(file.of("t")).toEqual(ageOf(60_000));
    expect([...file.retained()]).toEqual(["t"]);
    await rmdir(`${path}.tmp`);
    await file.set("u", ageOf(5));
    const again = await TableSettingsFile.open(path, failOnWarning);
    expect([again.of("t"), again.of("u")]).toEqual([ageOf(60_000), ageOf(5)]);
  }));

test("changes that come together are all kept", () =>
  withFolder(async (folder) => {
    const path = join(folder, "tables.json");
    const file = await TableSettingsFile.open(path, failOnWarning);
    await Promise.all([1, 2, 3, 4].map((n) => file.set(`t${n}`, ageOf(n))));
    await Promise.all([file.remove("t2"), file.set("t1", ageOf(9))]);
    const again = await TableSettingsFile.open(path, failOnWarning);
    expect([1, 2, 3, 4].map((n) => again.of(`t${n}`).retention.maxAgeMs)).toEqual([9, null, 3, 4]);
  }));

test("a digit that flipped on the disk is noticed: no row goes by it", () =>
  withFolder(async (folder) => {
    const path = join(folder, "tables.json");
    await (await TableSettingsFile.open(path, failOnWarning)).set("t", ageOf(86_400_000));
    await writeFile(path, (await readFile(path, "utf8")).replace("86400000", "86400"));
    const warnings: string[] = [];
    const file = await TableSettingsFile.open(path, (text) => void warnings.push(text));
    expect(file.of("t")).toEqual(ageOf(null));
    expect(warnings).toEqual([expect.stringContaining("the settings of tables cannot be read")]);
  }));

function failOnWarning(text: string): void {
  throw new Error(text);
}
