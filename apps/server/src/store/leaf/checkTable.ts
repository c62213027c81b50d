import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { tableFolder } from "../../base/file/tableFolder.js";
import { type CheckedSegment, checkSegment } from "../file/checkSegment.js";
import { generationsOf, logPath, segmentPath } from "../file/segmentFiles.js";
import {
  manifestPath,
  manifestPrefix,
  manifestSuffix,
  readManifest,
} from "../file/segmentManifest.js";
import { type DamagedCopy, damagedCopiesOf } from "../log/damagedCopies.js";
import { decodeLoggedBatch } from "../log/loggedBatch.js";
import { printDamage, readRecords } from "../log/rowRecords.js";
import { readTableFile, tableFileName } from "../table/tableFile.js";
import { isHintName, readHint } from "./hintFile.js";

/** A damaged file, and the loss. */
export interface FileProblem {
  readonly path: string;
  readonly what: string;
  readonly lost: string;
}

export interface CheckedFiles {
  readonly problems: readonly FileProblem[];
  readonly files: number;
  /** Rows that can be read, with all columns or some. */
  readonly rows: number;
}

export interface CheckedTable extends CheckedFiles {
  /** Rows of lost segments, by their manifests. */
  readonly rowsLost: number;
  /**
   * Rows of hinted batches: no query sees them before it is known whether another leaf has them.
   */
  readonly hintedRows: number;
}

/** Reads every file of a table's folder as a start would, and changes nothing. */
export async function checkTable(folder: string): Promise<CheckedTable> {
  const files = await readdir(folder);
  const check = new TableCheck(folder, files);
  await check.run();
  const { problems, rows, rowsLost, hintedRows } = check;
  return { problems, files: check.files, rows, rowsLost, hintedRows };
}

class TableCheck {
  readonly problems: FileProblem[] = [];
  files = 0;
  rows = 0;
  rowsLost = 0;
  hintedRows = 0;
  /** Generations whose rows were read from segments or logs. */
  readonly #read = new Set<number>();
  readonly #folder: string;
  readonly #names: readonly string[];

  constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = names;
  }

  async run(): Promise<void> {
    await this.#checkName();
    await this.#checkSegments();
    for (const generation of generationsOf(this.#names, "log-", ".hdl")) {
      await this.#checkLog(generation);
    }
    for (const generation of generationsOf(this.#names, manifestPrefix, manifestSuffix)) {
      await this.#checkManifest(generation);
    }
    for (const copy of damagedCopiesOf(this.#names)) await this.#checkCopy(copy);
    for (const name of this.#names.filter(isHintName)) await this.#checkHint(name);
  }

  async #checkCopy({ kind, generation, name }: DamagedCopy): Promise<void> {
    const path = join(this.#folder, name);
    if (kind === "log") {
      const lost = await readFile(path).then(
        (bytes) => printDamage(readRecords(bytes)),
        () => unknownRows,
      );
      this.#add(path, renamed, lost);
      return;
    }
    const isKnown =
      this.#read.has(generation) || this.#names.includes(basename(manifestPath("", generation)));
    if (!isKnown) this.#add(path, renamed, unknownRows);
  }

  async #checkHint(name: string): Promise<void> {
    this.files++;
    const path = join(this.#folder, name);
    try {
      this.hintedRows += (await readHint(path)).batch.rowCount;
    } catch (error) {
      const lost = "a batch that was kept for another leaf, unless that one has it";
      this.#add(path, reasonOf(error), lost);
    }
  }

  async #checkName(): Promise<void> {
    this.files++;
    try {
      const { name } = await readTableFile(this.#folder);
      if (tableFolder(name) !== basename(this.#folder)) throw new Error("it names another table");
    } catch (error) {
      const lost = "the table's rows are not read before new rows of the table arrive";
      if (this.#names.length > 0)
        this.#add(join(this.#folder, tableFileName), reasonOf(error), lost);
    }
  }

  /** The latest first: segments that were merged into a readable one are void. */
  async #checkSegments(): Promise<void> {
    for (const generation of generationsOf(this.#names, "segment-", ".hds").reverse()) {
      if (this.#read.has(generation)) continue;
      this.files++;
      const path = segmentPath(this.#folder, generation);
      const found = await readSegment(path);
      if (typeof found === "string") {
        if (!this.#hasLog(generation)) await this.#addLostSegment(path, generation, found);
        continue;
      }
      const isInLog = this.#hasLog(generation) && found.firstGeneration === generation;
      // A start makes it again from the log.
      if (found.lostColumns.length > 0 && isInLog) continue;
      this.#reportDamage(path, found);
      this.rows += found.rowCount;
      for (let one = found.firstGeneration; one <= generation; one++) this.#read.add(one);
    }
  }

  #reportDamage(path: string, { lostColumns, lostHistograms, rowCount }: CheckedSegment): void {
    for (const column of lostColumns) {
      const lost = `${rowCount} rows, where queries read this column`;
      this.#add(path, `the values of column ${column} are damaged`, lost);
    }
    for (const column of lostHistograms) {
      if (lostColumns.includes(column)) continue;
      this.#add(path, `the histogram of column ${column} is damaged`, "nothing but time");
    }
  }

  async #checkLog(generation: number): Promise<void> {
    if (this.#read.has(generation)) return;
    this.files++;
    const path = logPath(this.#folder, generation);
    try {
      const records = readRecords(await readFile(path));
      const { payloads, damagedBytes } = records;
      for (const payload of payloads) this.rows += decodeLoggedBatch(payload).batch.rowCount;
      if (damagedBytes > 0) this.#add(path, "it is damaged", printDamage(records));
      this.#read.add(generation);
    } catch (error) {
      this.#add(path, reasonOf(error), unknownRows);
    }
  }

  /** A segment is reported once. */
  async #checkManifest(generation: number): Promise<void> {
    this.files++;
    const path = manifestPath(this.#folder, generation);
    const segment = basename(segmentPath("", generation));
    const isReported = this.#names.includes(segment) && !this.#read.has(generation);
    try {
      await readManifest(this.#folder, generation);
      if (this.#read.has(generation) || isReported) return;
      const what = this.#names.includes(`${segment}.damaged`) ? renamed : "it is gone";
      this.#add(segmentPath(this.#folder, generation), what, await this.#loseRows(generation));
    } catch (error) {
      const lost = this.#read.has(generation)
        ? "nothing, while its segment is whole"
        : "how many rows its segment had";
      this.#add(path, reasonOf(error), lost);
    }
  }

  async #addLostSegment(path: string, generation: number, what: string): Promise<void> {
    this.#add(path, what, await this.#loseRows(generation));
  }

  async #loseRows(generation: number): Promise<string> {
    try {
      const { counts } = await readManifest(this.#folder, generation);
      const lost = counts.reduce((sum, rows) => sum + rows, 0);
      this.rowsLost += lost;
      return `${lost} rows`;
    } catch {
      return unknownRows;
    }
  }

  #hasLog(generation: number): boolean {
    return this.#names.includes(basename(logPath("", generation)));
  }

  #add(path: string, what: string, lost: string): void {
    this.problems.push({ path, what, lost });
  }
}

const renamed = "an earlier start renamed it as damaged";
const unknownRows = "an unknown number of rows";

/** The reason where all rows are lost. */
async function readSegment(path: string): Promise<CheckedSegment | string> {
  try {
    const found = checkSegment(await readFile(path));
    return found.lostBecause ?? found;
  } catch (error) {
    return reasonOf(error);
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
