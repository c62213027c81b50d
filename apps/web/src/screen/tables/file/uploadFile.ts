import {
  type CsvReading,
  followCsv,
  type HadalClient,
  HadalError,
  type RowProblem,
  randomKey,
  rowProblemsMax,
  withRetry,
} from "@hadal/sdk";
import { type BodyPart, cutBody } from "./cutBody.js";
import { bodyOptions, type ReadOptions } from "./readOptions.js";
import type { BodyFormat } from "./readPreview.js";
import type { RowFile } from "./rowFile.js";

export interface Upload {
  readonly file: RowFile;
  readonly table: string;
  readonly format: BodyFormat;
  /** How the preview was read; every part is read the same way. */
  readonly readOptions: ReadOptions;
}

export interface UploadState {
  readonly bytesSent: number;
  readonly accepted: number;
  readonly rejected: number;
  /** The first rejected rows with their lines in the file. */
  readonly problems: readonly RowProblem[];
}

/** Small enough for a smooth progress bar, large enough for few requests. */
const partBytes = 2 * 1024 * 1024;
const problemsMax = 200;

/** Sends a file part by part. Each part has an idempotency key, so a retry stores it once. */
export async function uploadFile(
  client: Pick<HadalClient, "ingestBody">,
  { file, table, format, readOptions }: Upload,
  onState: (state: UploadState) => void,
  signal: AbortSignal,
): Promise<UploadState> {
  const uploadKey = randomKey();
  let state: UploadState = { bytesSent: 0, accepted: 0, rejected: 0, problems: [] };
  let index = 0;
  let { csv } = readOptions;
  const { delimiter } = csv;
  for await (const part of cutBody(file, { format, partBytes, delimiter })) {
    const options = {
      ...bodyOptions(format, { ...readOptions, csv }),
      idempotencyKey: `${uploadKey}/${index++}`,
      signal,
    };
    const answer = await sendPart(client, table, part, options);
    if (answer.csv !== undefined) csv = followCsv(csv, answer.csv);
    const inFile = (line: number): number =>
      part.linesBefore + Math.max(part.headerLines > 0 ? 1 : 0, line - part.headerLines);
    const problems = answer.problems.map((problem) => ({ ...problem, line: inFile(problem.line) }));
    state = {
      bytesSent: part.endByte,
      accepted: state.accepted + answer.accepted,
      rejected: state.rejected + answer.rejected,
      problems: [...state.problems, ...problems].slice(0, problemsMax),
    };
    onState(state);
  }
  return state;
}

interface PartAnswer {
  readonly accepted: number;
  readonly rejected: number;
  readonly problems: readonly RowProblem[];
  readonly csv?: CsvReading;
}

/** A leaf restarts within this time. */
const retryMs = 30_000;

/** Sends a part. A part without valid rows is reported, not thrown: later parts may be valid. */
async function sendPart(
  client: Pick<HadalClient, "ingestBody">,
  table: string,
  { bytes, lines }: BodyPart,
  options: Parameters<HadalClient["ingestBody"]>[2],
): Promise<PartAnswer> {
  try {
    return await withRetry(() => client.ingestBody(table, bytes, options), retryMs);
  } catch (error) {
    if (!(error instanceof HadalError) || error.code !== "rows-rejected") throw error;
    const problems = error.errors.map(({ line = 1, code, detail }) => ({ line, code, detail }));
    const isCut = problems.length >= rowProblemsMax;
    return {
      accepted: 0,
      rejected: isCut ? Math.max(lines, problems.length) : problems.length,
      problems,
    };
  }
}
