import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, readFile } from "node:fs/promises";
import type {
  CopySource,
  LogRange,
  SourceState,
  StateRequest,
} from "../../base/copy/copySource.js";
import { logPath, segmentPath } from "../file/segmentFiles.js";
import type { LeafStore } from "../leaf/leafStore.js";
import type { CopyHolders } from "./copyHolders.js";
import type { LeafFolder } from "./leafFolder.js";

export interface LeafCopySourceOptions {
  readonly store: LeafStore;
  readonly folder: Pick<LeafFolder, "id" | "removals">;
  readonly holders: CopyHolders;
}

/** What this leaf gives to its copies: its shape, the files of segments, and parts of logs. */
export class LeafCopySource implements CopySource {
  readonly #options: LeafCopySourceOptions;
  readonly #runId = randomUUID();

  constructor(options: LeafCopySourceOptions) {
    this.#options = options;
  }

  async state({ holder, known, waitMs, held }: StateRequest): Promise<SourceState> {
    const { store, folder, holders } = this.#options;
    const isKnown = known !== null && known.runId === this.#runId;
    holders.note(holder, held);
    const since = isKnown ? known.version : -1;
    if (isKnown) await store.changes.wait(since, waitMs);
    const version = store.changes.now;
    const all = [...store.tables];
    const { tables, areTablesOther } = store.changes.since(since);
    const changed = new Set(tables);
    return {
      ...{ folderId: folder.id ?? "", removals: folder.removals, runId: this.#runId, version },
      tables: all.filter(({ name }) => !isKnown || changed.has(name)).map(({ copy }) => copy.shape),
      units: store.units.printed,
      names: !isKnown || areTablesOther ? all.map(({ name }) => name) : null,
    };
  }

  async segment(table: string, generation: number): Promise<Uint8Array | null> {
    const folder = this.#folderOf(table);
    return folder === null ? null : ifThere(readFile(segmentPath(folder, generation)));
  }

  async log(table: string, { generation, from, bytesMax }: LogRange): Promise<Uint8Array> {
    const shape = this.#options.store.find(table)?.copy.shape;
    const endBytes = [
      ...(shape?.closedLogs ?? []),
      ...(shape?.waiting ?? []),
      ...(shape === undefined ? [] : [shape.open]),
    ].find((log) => log.generation === generation)?.endBytes;
    const wanted = Math.min((endBytes ?? 0) - from, bytesMax);
    if (wanted <= 0) return new Uint8Array();
    return (await this.#readLog(table, generation, { from, bytes: wanted })) ?? new Uint8Array();
  }

  async logHash(table: string, generation: number, bytes: number): Promise<string | null> {
    const start = await this.#readLog(table, generation, { from: 0, bytes });
    if (start === null || start.length < bytes) return null;
    return createHash("sha256").update(start).digest("hex");
  }

  /** Null: it is gone. */
  async #readLog(
    table: string,
    generation: number,
    { from, bytes }: { readonly from: number; readonly bytes: number },
  ): Promise<Uint8Array | null> {
    const folder = this.#folderOf(table);
    if (folder === null) return null;
    const file = await ifThere(open(logPath(folder, generation), "r"));
    return file === null ? null : readPart(file, from, bytes);
  }

  #folderOf(table: string): string | null {
    return this.#options.store.find(table)?.folder ?? null;
  }
}

async function readPart(file: FileHandle, from: number, bytes: number): Promise<Uint8Array> {
  try {
    const part = Buffer.alloc(bytes);
    const { bytesRead } = await file.read(part, 0, bytes, from);
    return part.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Null where there is no such file. */
function ifThere<Value>(work: Promise<Value>): Promise<Value | null> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
