import { createHash } from "node:crypto";
import type { JsonRows } from "@hadal/kernel-wasm";
import { type RowBatch, rowBatchBytes } from "../base/rowBatch.js";
import { encodeRowBatch } from "../base/rowBatchCodec.js";
import { cutBatch, wholeRowsMax } from "./bodyParts.js";
import type {
  BodyReader,
  CutPart,
  ReadBody,
  ReadOutcome,
  ReadRequest,
  ReadRoom,
} from "./bodyReader.js";
import { readBody } from "./bodyStream.js";
import { rulesOf } from "./columnRule.js";
import type { ShareRange } from "./dealRows.js";
import type { Sender } from "./fairOrder.js";
import { smallBytesMax } from "./ingestMemory.js";
import { countMinutes } from "./minuteCounts.js";
import type { EncodedBatch } from "./outgoingBatch.js";
import { readRows } from "./readRows.js";
import { ReadTurns } from "./readTurns.js";
import type { CollectedRows } from "./rowCollector.js";
import { rowsPreview } from "./rowsPreview.js";

/** Reads bodies in this thread, large ones in turns. */
export class ReadHere implements BodyReader {
  readonly #turns = new ReadTurns();

  /** `json`: the kernel's reader of lines of JSON. */
  constructor(private readonly json: JsonRows) {}

  async read(
    body: AsyncIterable<Uint8Array>,
    request: ReadRequest,
    room: ReadRoom,
  ): Promise<ReadBody> {
    const { contentEncoding, hashStart, columns, isPreview, sender } = request;
    const hash = hashStart === null ? undefined : createHash("sha256").update(hashStart);
    const turn = { isMine: false };
    try {
      const blocks = this.#blocks(readBody(body, contentEncoding), turn, sender, room);
      const options = { ...request, rules: rulesOf(columns), json: this.json, hash };
      const rows = await readRows(blocks, options);
      const requestHash = hash?.digest("hex").slice(0, 32) ?? "";
      return new KeptRows(rows, requestHash, isPreview, (work) =>
        // What is small is done at once.
        rows.accepted <= wholeRowsMax ? Promise.resolve(work()) : this.#turns.run(sender, work),
      );
    } finally {
      if (turn.isMine) this.#turns.leave();
    }
  }

  async *#blocks(
    body: AsyncIterable<Uint8Array>,
    turn: { isMine: boolean },
    sender: Sender,
    room: ReadRoom,
  ): AsyncGenerator<Uint8Array> {
    const enter = async (): Promise<void> => {
      await this.#turns.enter(sender);
      turn.isMine = true;
    };
    let bodyBytes = 0;
    let coveredBytes = smallBytesMax;
    for await (const bytes of body) {
      bodyBytes += bytes.length;
      // A small send never waits; of a large one what follows is counted before it comes.
      if (bodyBytes > coveredBytes) coveredBytes = await room.coverNext(bodyBytes);
      if (bodyBytes > smallBytesMax) await enter();
      try {
        yield bytes;
      } finally {
        if (turn.isMine) this.#turns.leave();
        turn.isMine = false;
      }
    }
    // What is left is read at the end: that is a turn too.
    if (bodyBytes > smallBytesMax) await enter();
  }
}

/** The rows of one body, in this thread. */
class KeptRows implements ReadBody {
  readonly outcome: ReadOutcome;
  #batches: readonly RowBatch[];
  #parts: RowBatch[] = [];

  constructor(
    rows: CollectedRows,
    requestHash: string,
    isPreview: boolean,
    private readonly inTurn: <Result>(work: () => Result) => Promise<Result>,
  ) {
    const { batches, ...verdicts } = rows;
    this.#batches = batches;
    const columns = batches.flatMap((batch) => batch.columns);
    this.outcome = {
      ...verdicts,
      batchCount: batches.length,
      columnNames: [...new Set(columns.map(({ name }) => name))],
      bytes: bytesOfRows(rows),
      requestHash,
      preview: isPreview ? rowsPreview(rows) : null,
    };
  }

  cut(
    batch: number,
    batchId: string,
    ranges: readonly ShareRange[],
  ): Promise<readonly (CutPart | null)[]> {
    return this.inTurn(() =>
      cutBatch(this.#batches[batch]!, batchId, ranges).map((part) => {
        if (part === null) return null;
        const number = this.#parts.push(part) - 1;
        const { rowCount, times } = part;
        return { part: number, rowCount, bytes: rowBatchBytes(part), minutes: countMinutes(times) };
      }),
    );
  }

  encode(part: number): Promise<EncodedBatch> {
    return this.inTurn(() => {
      const bytes = encodeRowBatch(this.#parts[part]!);
      return { bytes, contentHash: createHash("sha256").update(bytes).digest("hex").slice(0, 32) };
    });
  }

  close(): void {
    this.#batches = [];
    this.#parts = [];
  }
}

/** Rows that are dealt out are there twice. */
function bytesOfRows({ batches, accepted }: CollectedRows): number {
  const bytes = batches.reduce((sum, batch) => sum + rowBatchBytes(batch), 0);
  return accepted > wholeRowsMax ? 2 * bytes : bytes;
}
