import { createHash, type Hash } from "node:crypto";
import type { JsonRows } from "@hadal/kernel-wasm";
import type { RowsPreview } from "@hadal/sdk";
import { type RowBatch, rowBatchBytes } from "../../base/row/rowBatch.js";
import { encodeRowBatch } from "../../base/row/rowBatchCodec.js";
import { readBody } from "../body/bodyStream.js";
import { rulesOf } from "../column/columnRule.js";
import { findFormat } from "../format/formats.js";
import type { TranslateOptions } from "../format/ingestFormat.js";
import { readRows } from "../format/readRows.js";
import { countMinutes } from "../ledger/minuteCounts.js";
import type { EncodedBatch } from "../place/outgoingBatch.js";
import type { CollectedRows } from "../row/rowCollector.js";
import { TimeForms } from "../value/timeForms.js";
import { cutBatch, wholeRowsMax } from "./bodyParts.js";
import type {
  BodyReader,
  CutPart,
  ReadBody,
  ReadMemory,
  ReadOutcome,
  ReadRequest,
} from "./bodyReader.js";
import type { ShareRange } from "./dealRows.js";
import { smallBytesMax } from "./ingestMemory.js";
import { ReadTurns } from "./readTurns.js";
import { rowsPreview } from "./rowsPreview.js";

/** How far a body is read. */
interface Course {
  readonly request: ReadRequest;
  readonly memory: ReadMemory;
  /** Whether it is this body's turn. */
  isMine: boolean;
  bytes: number;
  /** Bytes of the rows read so far. */
  rowBytes: number;
  coveredBytes: number;
}

/** Reads bodies in this thread, large ones in turns. */
export class LocalReader implements BodyReader {
  readonly #json: JsonRows;
  readonly #turns = new ReadTurns();

  /** `json`: the kernel's reader of lines of JSON. */
  constructor(json: JsonRows) {
    this.#json = json;
  }

  async read(
    body: AsyncIterable<Uint8Array>,
    request: ReadRequest,
    memory: ReadMemory,
  ): Promise<ReadBody> {
    const { contentType, contentEncoding, hashStart, columns, isPreview } = request;
    const hash = hashStart === null ? undefined : createHash("sha256").update(hashStart);
    const course: Course = {
      ...{ request, memory, isMine: false },
      ...{ bytes: 0, rowBytes: 0, coveredBytes: smallBytesMax },
    };
    try {
      const sent = this.#blocks(readBody(body, contentEncoding), course);
      const format = findFormat(contentType);
      const translation = format?.translate?.(translateOptions(request, hash));
      // The uncompressed bytes need turns and memory as sent bytes do.
      const blocks =
        translation === undefined ? sent : this.#blocks(translation.lines(sent), course);
      const forms = isPreview ? new TimeForms() : null;
      const timeRule = forms === null ? request.timeRule : { ...request.timeRule, forms };
      const options = {
        ...{ ...request, timeRule, rules: rulesOf(columns), json: this.#json },
        onRows: (rowBytes: number) => {
          course.rowBytes = rowBytes;
        },
        ...(translation === undefined ? { hash } : { contentType: format?.mediaTypes[0] }),
      };
      const rows = await readRows(blocks, options);
      const requestHash = hash?.digest("hex").slice(0, 32) ?? "";
      const preview = forms === null ? null : rowsPreview(rows, forms.reading());
      const shown = preview && { ...preview, ...translation?.preview() };
      return new KeptRows(rows, requestHash, shown, (work) =>
        // Small bodies are read at once.
        rows.accepted <= wholeRowsMax
          ? Promise.resolve(work())
          : this.#turns.run(request.sender, work),
      );
    } finally {
      if (course.isMine) this.#turns.leave();
    }
  }

  async *#blocks(body: AsyncIterable<Uint8Array>, course: Course): AsyncGenerator<Uint8Array> {
    const enter = async (): Promise<void> => {
      if (course.isMine) return;
      await this.#turns.enter(course.request.sender);
      course.isMine = true;
    };
    for await (const bytes of body) {
      course.bytes += bytes.length;
      // A small send never waits; of a large one what follows is counted before it comes.
      if (course.bytes > course.coveredBytes)
        course.coveredBytes = await course.memory.coverNext({
          bodyBytes: course.bytes,
          rowBytes: course.rowBytes,
        });
      if (course.bytes > smallBytesMax) await enter();
      try {
        yield bytes;
      } finally {
        if (course.isMine) this.#turns.leave();
        course.isMine = false;
      }
    }
    // The rest is read at the end, also in a turn.
    if (course.bytes > smallBytesMax) await enter();
  }
}

/** The rows of one body, in this thread. */
class KeptRows implements ReadBody {
  readonly #inTurn: <Result>(work: () => Result) => Promise<Result>;
  readonly outcome: ReadOutcome;
  #batches: readonly RowBatch[];
  #parts: RowBatch[] = [];

  constructor(
    rows: CollectedRows,
    requestHash: string,
    preview: RowsPreview | null,
    inTurn: <Result>(work: () => Result) => Promise<Result>,
  ) {
    this.#inTurn = inTurn;
    const { batches, ...verdicts } = rows;
    this.#batches = batches;
    const columns = batches.flatMap((batch) => batch.columns);
    this.outcome = {
      ...verdicts,
      batchCount: batches.length,
      columnNames: [...new Set(columns.map(({ name }) => name))],
      bytes: bytesOfRows(rows),
      requestHash,
      preview,
    };
  }

  cut(
    batch: number,
    batchId: string,
    ranges: readonly ShareRange[],
  ): Promise<readonly (CutPart | null)[]> {
    return this.#inTurn(() =>
      cutBatch(this.#batches[batch]!, batchId, ranges).map((part) => {
        if (part === null) return null;
        const number = this.#parts.push(part) - 1;
        const { rowCount, times } = part;
        return { part: number, rowCount, bytes: rowBatchBytes(part), minutes: countMinutes(times) };
      }),
    );
  }

  encode(part: number): Promise<EncodedBatch> {
    return this.#inTurn(() => {
      const bytes = encodeRowBatch(this.#parts[part]!);
      return { bytes, contentHash: createHash("sha256").update(bytes).digest("hex").slice(0, 32) };
    });
  }

  close(): void {
    this.#batches = [];
    this.#parts = [];
  }
}

function translateOptions(
  { timeName, binary, timeRule, isPreview }: ReadRequest,
  hash: Hash | undefined,
): TranslateOptions {
  return { timeName, binary, zone: timeRule.zone, hash, isPreview };
}

/** Dealt rows are in memory twice. */
function bytesOfRows({ batches, accepted }: CollectedRows): number {
  const bytes = batches.reduce((sum, batch) => sum + rowBatchBytes(batch), 0);
  return accepted > wholeRowsMax ? 2 * bytes : bytes;
}
