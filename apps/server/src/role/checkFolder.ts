import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseDocument } from "../base/file/documentFile.js";
import { holdLock } from "../base/file/folderLock.js";
import { tableFolder } from "../base/file/tableFolder.js";
import { checkFunctions } from "../document/functionDocuments.js";
import { checkLink } from "../document/linkDocuments.js";
import { readLedger } from "../ingest/ledger/ledgerFiles.js";
import { RowCountLedger } from "../ingest/ledger/rowCountLedger.js";
import { checkSettings } from "../ingest/retention/tableSettings.js";
import { checkOrder } from "../query/bind/columnOrder.js";
import {
  type CheckedFiles,
  type CheckedTable,
  checkTable,
  type FileProblem,
} from "../store/leaf/checkTable.js";

export interface FolderCheck extends CheckedFiles {
  readonly tables: number;
}

/**
 * Reads everything in a data folder that a start would read, and changes nothing. Rejects where a server is running
 * over it, or where it is no data folder.
 */
export async function checkFolder(dataDir: string): Promise<FolderCheck> {
  const leaves = await leafFolders(dataDir);
  const locks = [];
  try {
    for (const folder of [dataDir, ...leaves]) locks.push(await holdLock(folder));
    const tables: TableFolder[] = [];
    for (const leaf of leaves) {
      for (const folder of await tableFolders(leaf))
        tables.push({
          leaf: basename(leaf),
          folder: basename(folder),
          ...(await checkTable(folder)),
        });
    }
    const documents = await checkDocuments(dataDir);
    const checks = [documents, await checkLedger(join(dataDir, "ledger"), tables), ...tables];
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
  // One that was deleted goes at the next start.
  return entries.filter((name) => /^[0-9a-f]{32}$/.test(name)).map((name) => join(folder, name));
}

const lostDocuments = {
  "tables.json": [checkSettings, "the settings of all tables, retention too"],
  "columns.json": [checkOrder, "the order in which columns are listed"],
  "functions.json": [checkFunctions, "all saved functions"],
} as const;

async function checkDocuments(dataDir: string): Promise<CheckedFiles> {
  const problems: FileProblem[] = [];
  let files = 0;
  const check = async (path: string, isOne: (value: unknown) => unknown, lost: string) => {
    files++;
    try {
      parseDocument(await readFile(path, "utf8"), isOne);
    } catch (error) {
      problems.push({ path, what: reasonOf(error), lost });
    }
  };
  const names = await readdir(dataDir);
  for (const [name, [isOne, lost]] of Object.entries(lostDocuments)) {
    if (names.includes(name)) await check(join(dataDir, name), isOne, lost);
    for (const aside of names.filter((one) => one.startsWith(`${name}.damaged-`)))
      problems.push({ path: join(dataDir, aside), what: setAside, lost });
  }
  const links = join(dataDir, "links");
  for (const name of await readdirOrNone(links)) {
    const path = join(links, name);
    if (name.endsWith(".json")) await check(path, checkLink, "this short link");
    if (name.includes(".json.damaged-"))
      problems.push({ path, what: setAside, lost: "this short link" });
  }
  return { problems, files, rows: 0 };
}

async function checkLedger(folder: string, tables: readonly TableFolder[]): Promise<CheckedFiles> {
  const names = await readdirOrNone(folder);
  if (names.length === 0) return { problems: [], files: 0, rows: 0 };
  const files = names.filter((name) => /\.(json|log)$/.test(name)).length;
  try {
    const { content, damagedFiles } = await readLedger(folder);
    const { loss } = content;
    const lost = loss === null ? "nothing: other files stand in for it" : countsLost;
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
      const held = found === undefined ? 0 : found.rows + found.rowsLost + found.rowsAside;
      const missing = expected - held;
      if (missing <= 0) continue;
      const what = `it counts ${missing} rows more of ${table} than the files of ${leaf} hold`;
      yield { path: ledgerFolder, what, lost: `${missing} rows` };
    }
  }
}

const setAside = "an earlier start set it aside";
const countsLost = "counts of rows, which the next start takes from the leaves";

async function readdirOrNone(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => null);
  return found?.isDirectory() ? readdir(folder) : [];
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
