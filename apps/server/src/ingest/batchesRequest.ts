import { createHash } from "node:crypto";
import {
  type AckLevel,
  type BatchesReply,
  type ColumnSetting,
  HadalError,
  nameFault,
  type ProblemPart,
} from "@hadal/sdk";
import { joinBytes } from "../base/bytes/byteView.js";
import { readBody } from "./body/bodyStream.js";
import type { Sender } from "./body/fairOrder.js";
import { splitTables, type TableList } from "./body/tableLists.js";
import { hashStartOf, type IngestRequest } from "./ingestRequest.js";
import type { BodyReader, ReadBody, ReadMemory } from "./read/bodyReader.js";
import { smallBytesMax } from "./read/ingestMemory.js";
import { checkZone } from "./value/localTime.js";
import { createTimeRule } from "./value/timeRule.js";

/** Rows of several tables in one body, see {@link splitTables}. */
export interface BatchesRequest
  extends Omit<IngestRequest, "table" | "contentType" | "binary" | "csv" | "raw"> {
  /** Throws where the sender may not send rows to a table. */
  readonly checkMayIngest: (table: string) => void;
  /** Of the body, which is JSON. */
  readonly contentType: undefined;
}

/** The body, the bytes of its rows by line, and its rows in columns are in memory at once. */
const copiesOfBody = 3;
/** Further ones are only counted. */
const problemsMax = 100;

export interface ReadTables {
  readonly tables: readonly { readonly table: string; readonly body: ReadBody }[];
  /** Bytes of the rows. */
  readonly bytes: number;
  /** Why nothing of the request may be stored; null: nothing is wrong. */
  readonly problem: HadalError | null;
  readonly refused: readonly { readonly table: string; readonly rejected: number }[];
  /** Releases the rows. */
  close(): void;
}

/** The rows of each table as lines, and the hash of the whole body. */
export async function readTableLists(
  source: AsyncIterable<Uint8Array>,
  { contentEncoding }: Pick<BatchesRequest, "contentEncoding">,
  memory: ReadMemory,
): Promise<readonly (TableList & { readonly hash: string })[]> {
  const blocks: Uint8Array[] = [];
  const hash = createHash("sha256");
  let bodyBytes = 0;
  let coveredBytes = smallBytesMax;
  for await (const block of readBody(source, contentEncoding)) {
    blocks.push(block);
    hash.update(block);
    bodyBytes += block.length;
    if (bodyBytes > coveredBytes)
      coveredBytes = await memory.coverNext({ bodyBytes, rowBytes: copiesOfBody * bodyBytes });
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const lists = await splitTables(joinBytes(blocks), turn);
  const hashOfAll = hash.digest("hex");
  return lists.map((list) => ({ ...list, hash: hashOfAll }));
}

interface ReadingTables {
  readonly readers: Readonly<Record<"small" | "large", BodyReader>>;
  readonly sender: Sender;
  readonly columnsOf: (table: string) => readonly ColumnSetting[];
  readonly nowMs: number;
  readonly futureMaxMs: number;
}

/** Reads the rows of all tables. */
export async function readTables(
  lists: readonly (TableList & { readonly hash: string })[],
  request: BatchesRequest,
  { readers, sender, columnsOf, nowMs, futureMaxMs }: ReadingTables,
): Promise<ReadTables> {
  for (const { table } of lists) {
    const fault = nameFault(table);
    if (fault !== null) throw new HadalError("invalid-name", { detail: fault });
  }
  const { timeName, timeUnit, timeZone, contentEncoding, idempotencyKey } = request;
  const timeRule = createTimeRule(nowMs, {
    ...{ unit: timeUnit ?? null, zone: checkZone(timeZone), futureMaxMs },
  });
  // The same key with other rows of any table is another request.
  const hashStart = (hash: string): string =>
    `batches ${hash}\n${hashStartOf({ ...request, table: "", contentEncoding })}`;
  const tables: { table: string; body: ReadBody }[] = [];
  const close = (): void => {
    for (const { body } of tables) body.close();
  };
  try {
    for (const { table, lines, hash } of lists) {
      if (lines.length === 0) continue;
      const reader = lines.length <= smallBytesMax ? readers.small : readers.large;
      const body = await reader.read(
        oneBlock(lines),
        {
          ...{ contentType: "application/x-ndjson", contentEncoding: undefined, timeName },
          ...{ timeRule, sender, binary: undefined, raw: undefined, isPreview: false },
          ...{ csv: {}, columns: columnsOf(table) },
          hashStart: idempotencyKey === undefined ? null : hashStart(hash),
        },
        alreadyCovered,
      );
      tables.push({ table, body });
    }
  } catch (error) {
    close();
    throw error;
  }
  const bytes = [...tables].reduce((sum, { body }) => sum + body.outcome.bytes, 0);
  const refused = tables
    .map(({ table, body }) => ({ table, rejected: body.outcome.rejected }))
    .filter(({ rejected }) => rejected > 0);
  return { tables, bytes, refused, problem: problemOf(tables), close };
}

export function repliedTo(
  batchId: string,
  tables: ReadTables["tables"],
  ack: AckLevel,
): BatchesReply {
  const accepted = tables.reduce((sum, { body }) => sum + body.outcome.accepted, 0);
  const ofTables = tables.map(
    ({ table, body }) => [table, { accepted: body.outcome.accepted }] as const,
  );
  return { batchId, accepted, tables: Object.fromEntries(ofTables), ack };
}

/** One wrong row refuses all. */
function problemOf(tables: ReadTables["tables"]): HadalError | null {
  const parts = tables.flatMap(({ table, body }) =>
    body.outcome.problems.map(
      ({ line, code, detail }): ProblemPart => ({
        ...{
          path: `tables.${table}[${line - 1}]`,
          code,
          detail: `${table}, row ${line}: ${detail}`,
        },
      }),
    ),
  );
  const rejected = tables.reduce((sum, { body }) => sum + body.outcome.rejected, 0);
  const [first] = parts;
  if (first !== undefined) {
    const detail = `${first.detail} Nothing of the request was stored.`;
    return new HadalError("rows-rejected", { rejected, detail }, parts.slice(0, problemsMax));
  }
  if (tables.length > 0) return null;
  return new HadalError("bad-request", { detail: "The body holds no rows." });
}

async function* oneBlock(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The whole body is in memory, and its rows are counted with it. */
const alreadyCovered: ReadMemory = { coverNext: async () => Number.POSITIVE_INFINITY };
