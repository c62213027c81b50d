import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ShortLink, TableSettings, UserFunction } from "@hadal/sdk";
import { readDocument } from "../../base/file/documentFile.js";

/** What versions before the registry kept as files of the data folder. */
export interface JsonFiles {
  readonly functions: ReadonlyMap<string, FunctionEntry>;
  readonly tables: ReadonlyMap<string, Partial<TableSettings>>;
  readonly links: readonly ShortLink[];
}

/** One name's latest version; a deleted function keeps its number, so that none is given twice. */
export interface FunctionEntry {
  readonly version: number;
  readonly saved: UserFunction | null;
}

export const jsonFileNames = {
  functions: "functions.json",
  tables: "tables.json",
  links: "links",
} as const;

/** `warn` is called for each damaged file, which is kept under another name. */
export async function readJsonFiles(
  dataDir: string,
  warn: (text: string) => void,
): Promise<JsonFiles> {
  const functions = await readDocument(join(dataDir, jsonFileNames.functions), {
    ...{ name: "the saved functions", check: checkFunctions, warn },
  });
  const tables = await readDocument(join(dataDir, jsonFileNames.tables), {
    ...{ name: "the settings of tables", check: checkTableSettings, warn },
  });
  return {
    functions: functions ?? new Map(),
    tables: tables ?? new Map(),
    links: await readLinks(join(dataDir, jsonFileNames.links), warn),
  };
}

async function readLinks(folder: string, warn: (text: string) => void): Promise<ShortLink[]> {
  const names = await readdir(folder).catch(() => []);
  const links: ShortLink[] = [];
  for (const name of names.filter((one) => one.endsWith(".json"))) {
    const kind = { name: `the short link ${name}`, check: checkShortLink, warn };
    const link = await readDocument(join(folder, name), kind);
    if (link !== null) links.push(link);
  }
  return links;
}

function checkFunctions(value: unknown): ReadonlyMap<string, FunctionEntry> {
  return new Map(value as readonly (readonly [string, FunctionEntry])[]);
}

function checkTableSettings(value: unknown): JsonFiles["tables"] {
  return new Map(value as readonly (readonly [string, Partial<TableSettings>])[]);
}

function checkShortLink(value: unknown): ShortLink {
  const { id, path, savedMs } = value as ShortLink;
  if (typeof id !== "string" || typeof path !== "string") throw new Error("it is no short link");
  return { id, path, savedMs };
}
