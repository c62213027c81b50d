import { Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createClient } from "../client/createClient.js";
import type { Ingest, IngestOptions } from "../client/hadalClient.js";
import type { RowProblem } from "../model/ingest/ingest.js";

/** Options of the transport: plain data, as pino hands it to the thread that runs it. */
export interface HadalPinoOptions
  extends Pick<
    IngestOptions,
    "ack" | "time" | "timeUnit" | "batchRows" | "batchMs" | "pendingRowsMax" | "retryMs"
  > {
  /** Table to write to; its first row makes it. */
  readonly table: string;
  readonly url?: string;
  /** `hdl_…` with the scope `ingest:<table>`. */
  readonly token?: string;
}

/** Names of pino's levels, as the column `severity`. */
const severities: Readonly<Record<number, string>> = {
  ...{ 10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "fatal" },
};

/**
 * What pino writes to: each line is a row. It takes no more while `pendingRowsMax` rows wait for the
 * server, and ends when all are answered.
 */
export function pinoTransport(options: HadalPinoOptions): Writable {
  const { table, url, token, ...rest } = options;
  const client = createClient({
    ...(url === undefined ? {} : { url }),
    ...(token === undefined ? {} : { token }),
  });
  const writer = client.ingest(table, { ...rest, onRejected: warnOfRefused });
  const lines = new Lines(writer);
  return new Writable({
    decodeStrings: true,
    write: (bytes: Buffer, _encoding, done) => {
      lines.take(bytes).then(() => done(), done);
    },
    final: (done) => {
      lines
        .end()
        .then(() => writer.close())
        .then(({ lost }) => {
          client.close();
          if (lost > 0) process.emitWarning(`${lost} log lines could not be sent to Hadal`);
          done();
        }, done);
    },
  });
}

class Lines {
  readonly #writer: Ingest;
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";

  constructor(writer: Ingest) {
    this.#writer = writer;
  }

  async take(bytes: Buffer): Promise<void> {
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) await this.#push(line);
  }

  async end(): Promise<void> {
    await this.#push(this.#rest + this.#decoder.end());
  }

  async #push(line: string): Promise<void> {
    if (line.trim() === "") return;
    const row = rowOf(line);
    if (row === null) warnOfRefused([{ line: 1, code: "invalid-row", detail: "no JSON object" }]);
    else await this.#writer.push(row);
  }
}

/** A line that is no JSON object (another stream may share it) is refused alone. */
function rowOf(line: string): Record<string, unknown> | null {
  try {
    const row: unknown = JSON.parse(line);
    if (typeof row !== "object" || row === null || Array.isArray(row)) return null;
    const { level } = row as { readonly level?: unknown };
    const severity = typeof level === "number" ? severities[level] : undefined;
    return severity === undefined ? { ...row } : { severity, ...row };
  } catch {
    return null;
  }
}

/** Of each batch the first one. */
function warnOfRefused([first, ...others]: readonly RowProblem[]): void {
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  process.emitWarning(`Hadal refused a log line: ${first.detail}${more}`);
}
