import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseDocument } from "../base/file/documentFile.js";
import { holdLock } from "../base/file/folderLock.js";
import { tableFolder } from "../base/file/tableFolder.js";
import { readLedger } from "../ingest/ledger/ledgerFiles.js";
import { RowCountLedger } from "../ingest/ledger/rowCountLedger.js";
import { checkOrder } from "../query/bind/columnOrder.js";
import { checkSqlite } from "../registry/database/sqlite.js";
import { registryFile } from "../registry/openRegistry.js";
import {
  type CheckedFiles,
  type CheckedTable,
  checkTable,
  type FileProblem,
} from "../store/leaf/checkTable.js";
import { unitsFiles } from "../store/unit/leafUnits.js";
import { readDecisions } from "../store/unit/unitDecisions.js";

export interface FolderCheck extends CheckedFiles {
  readonly tables: number;
}

/**
 * Reads everything in a data folder that a start would read, and changes nothing. Rejects where a server uses the
 * folder, or where it is no data folder.
 */
export async function checkFolder(dataDir: string): Promise<FolderCheck> {
  const leaves = await leafFolders(dataDir);
  const ledger = join(dataDir, "ledger");
  const locks = [];
  try {
    for (const folder of [dataDir, ledger, ...leaves]) locks.push(await holdLock(folder));
    const tables: TableFolder[] = [];
    for (const leaf of leaves) {
      for (const folder of await tableFolders(leaf))
        tables.push({
          leaf: basename(leaf),
          folder: basename(folder),
          ...(await checkTable(folder)),
        });
    }
    const documents = [await checkDocuments(dataDir, serverDocuments)];
    for (const leaf of leaves)
      documents.push(await checkDocuments(join(leaf, "tables"), leafDocuments));
    const checks = [...documents, await checkLedger(ledger, tables), ...tables];
    return {
      problems: checks.flatMap(({ problems }) => problems),
      files: checks.reduce((sum, { files }) => sum + files, 0),
      rows: checks.reduce((sum, { rows }) => sum + rows, 0),
      tables: tables.length,
    };
  } finally {
    for (const lock of locks) await lock.release();
  }
}

interface TableFolder extends CheckedTable {
  readonly leaf: string;
  /** The name of it: see {@link tableFolder}. */
  readonly folder: string;
}

/** Those of a whole server's folder; the folder itself where it is a leaf's. */
async function leafFolders(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  const leaves = names.filter((name) => /^leaf-\d+$/.test(name)).map((name) => join(dataDir, name));
  if (names.includes("tables")) leaves.push(dataDir);
  if (leaves.length === 0) throw new Error(`${dataDir} is no data folder: it has no leaf in it`);
  return leaves;
}

async function tableFolders(leaf: string): Promise<string[]> {
  const folder = join(leaf, "tables");
  const entries = await readdirOrNone(folder);
  // The next start removes the folder of a deleted table.
  return entries.filter((name) => /^[0-9a-f]{32}$/.test(name)).map((name) => join(folder, name));
}

/** A file beside others, and what is lost where it is damaged. */
interface KnownFile {
  readonly name: string;
  readonly lost: string;
  /** The fault of the file at this path, or a rejection; null: it is whole. */
  readonly faultOf: (path: string) => Promise<string | null>;
  /** A start renames it where it is damaged, and goes on without. */
  readonly isRenamed: boolean;
}

const documentFault =
  (check: (value: unknown) => unknown) =>
  async (path: string): Promise<null> => {
    parseDocument(await readFile(path, "utf8"), check);
    return null;
  };

const serverDocuments: readonly KnownFile[] = [
  {
    ...{ name: "columns.json", lost: "the order in which columns are listed" },
    ...{ faultOf: documentFault(checkOrder), isRenamed: true },
  },
  {
    name: registryFile,
    lost: "documents, functions, links and the settings of tables, retention too",
    ...{ faultOf: checkSqlite, isRenamed: false },
  },
];

const lostUnits =
  "nothing while the other of units.json and units-2.json is whole; without both, rows of large requests in logs are hidden until a gateway says which were committed";

const leafDocuments: readonly KnownFile[] = [
  ...unitsFiles.map((name) => ({
    ...{ name, lost: lostUnits, faultOf: documentFault(readDecisions), isRenamed: true },
  })),
];

async function checkDocuments(folder: string, known: readonly KnownFile[]): Promise<CheckedFiles> {
  const problems: FileProblem[] = [];
  const names = await readdirOrNone(folder);
  const found = known.filter(({ name }) => names.includes(name));
  for (const { name, lost, faultOf } of found) {
    const path = join(folder, name);
    const what = await faultOf(path).catch(reasonOf);
    if (what !== null) problems.push({ path, what, lost });
  }
  for (const { name, lost, isRenamed } of known) {
    const damaged = names.filter((one) => isRenamed && one.startsWith(`${name}.damaged-`));
    problems.push(...damaged.map((one) => ({ path: join(folder, one), what: renamed, lost })));
  }
  return { problems, files: found.length, rows: 0 };
}

async function checkLedger(folder: string, tables: readonly TableFolder[]): Promise<CheckedFiles> {
  const names = await readdirOrNone(folder);
  if (names.length === 0) return { problems: [], files: 0, rows: 0 };
  const files = names.filter((name) => /\.(json|log)$/.test(name)).length;
  try {
    const { content, damagedFiles } = await readLedger(folder);
    const { loss } = content;
    const lost = loss === null ? "nothing: other files replace it" : countsLost;
    const problems = damagedFiles.map(({ path }) => ({ path, what: "it is damaged", lost }));
    if (loss !== null && problems.length === 0)
      problems.push({ path: folder, what: loss, lost: countsLost });
    problems.push(...missingRows(folder, RowCountLedger.countsOf(content), tables));
    return { problems, files, rows: 0 };
  } catch (error) {
    return {
      problems: [{ path: folder, what: reasonOf(error), lost: countsLost }],
      files,
      rows: 0,
    };
  }
}

/** Rows that are counted, are in no file of their leaf, and are not reported lost. */
function* missingRows(
  ledgerFolder: string,
  ledger: ReturnType<typeof RowCountLedger.countsOf>,
  tables: readonly TableFolder[],
): Generator<FileProblem> {
  for (const table of ledger.tables()) {
    const counted = ledger.expected(table, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
    for (const [leaf, expected] of counted) {
      const found = tables.find((one) => one.leaf === leaf && one.folder === tableFolder(table));
      const held = found === undefined ? 0 : found.rows + found.rowsLost + found.hintedRows;
      const missing = expected - held;
      if (missing <= 0) continue;
      const what = `it counts ${missing} rows more of ${table} than the files of ${leaf} have`;
      yield { path: ledgerFolder, what, lost: `${missing} rows` };
    }
  }
}

const renamed = "an earlier start renamed it as damaged";
const countsLost = "counts of rows, which the next start takes from the leaves";

async function readdirOrNone(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => null);
  return found?.isDirectory() ? readdir(folder) : [];
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
