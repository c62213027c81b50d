import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { raiseRevision } from "../database/areas.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import { deleteDocument, findRow, insertDocument } from "../document/documentRows.js";
import { functionKind, idOf } from "../document/functionDocuments.js";
import { findLink, insertLink } from "../document/linkDocuments.js";
import { addSettings } from "../document/tableSettingsRows.js";
import { type FunctionEntry, type JsonFiles, jsonFileNames, readJsonFiles } from "./jsonFiles.js";

/** Where the files are kept afterwards, in the data folder. */
const takenOverFolder = "before-registry";

/**
 * Copies what earlier versions kept as files into the registry, and then moves the files away. What the registry has
 * already stays: a start that was interrupted between the two is repeated without harm.
 */
export async function takeOver(
  database: RegistryDatabase,
  dataDir: string,
  warn: (text: string) => void,
): Promise<void> {
  const present = Object.values(jsonFileNames).filter((name) => existsSync(join(dataDir, name)));
  if (present.length === 0) return;
  const files = await readJsonFiles(dataDir, warn);
  await database.transaction().execute((transaction) => insertFiles(transaction, files));
  const kept = join(dataDir, takenOverFolder);
  await mkdir(kept, { recursive: true });
  for (const name of present) {
    // A damaged file was renamed by its reader.
    if (!existsSync(join(dataDir, name))) continue;
    const target = existsSync(join(kept, name)) ? `${name}.${Date.now()}` : name;
    await rename(join(dataDir, name), join(kept, target));
  }
}

async function insertFiles(
  transaction: RegistryTransaction,
  { functions, tables, links }: JsonFiles,
): Promise<void> {
  for (const [name, entry] of functions) await insertFunction(transaction, name, entry);
  for (const [name, settings] of tables) await addSettings(transaction, name, settings);
  for (const link of links)
    if ((await findLink(transaction, link.id)) === null) await insertLink(transaction, link);
  for (const area of ["functions", "tables", "links"] as const)
    await raiseRevision(transaction, area);
}

async function insertFunction(
  transaction: RegistryTransaction,
  name: string,
  { version, saved }: FunctionEntry,
): Promise<void> {
  const id = idOf(name);
  if ((await findRow(transaction, id)) !== null) return;
  const { kind, source, description, savedMs } = saved ?? {
    ...{ kind: "scalar", source: "", description: undefined, savedMs: 0 },
  };
  const body = JSON.stringify({
    kind,
    source,
    ...(description === undefined ? {} : { description }),
  });
  const row = await insertDocument(transaction, {
    ...{ id, kind: functionKind, title: name, body, by: null, nowMs: savedMs, version },
  });
  if (saved === null) await deleteDocument(transaction, row, { by: null, nowMs: 0 });
}
