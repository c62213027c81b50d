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
import { bodyOptions, type HowRead } from "./howRead.js";
import type { BodyFormat } from "./readPreview.js";
import type { RowFile } from "./rowFile.js";

export interface Upload {
  readonly file: RowFile;
  readonly table: string;
  readonly format: BodyFormat;
  /** As it was read when it was looked at: every part is read so. */
  readonly how: HowRead;
}

export interface UploadState {
  readonly bytesSent: number;
  readonly accepted: number;
  readonly rejected: number;
  /** The first of them, by their lines in the file. */
  readonly problems: readonly RowProblem[];
}

/** Small enough for a bar that moves, large enough that requests cost nothing. */
const partBytes = 2 * 1024 * 1024;
const problemsMax = 200;

/** Sends a file part by part; each has a key of its own, so that a part that is sent again is stored once. */
export async function uploadFile(
  client: Pick<HadalClient, "ingestBody">,
  { file, table, format, how }: Upload,
  onState: (state: UploadState) => void,
  signal: AbortSignal,
): Promise<UploadState> {
  const uploadKey = randomKey();
  let state: UploadState = { bytesSent: 0, accepted: 0, rejected: 0, problems: [] };
  let index = 0;
  let { csv } = how;
  const { delimiter } = csv;
  for await (const part of cutBody(file, { format, partBytes, delimiter })) {
    const options = {
      ...bodyOptions(format, { ...how, csv }),
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

/** Half a minute: a leaf that starts anew is back by then. */
const retryMs = 30_000;

/** A part with no valid row is reported, not thrown: later parts may be valid. */
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
