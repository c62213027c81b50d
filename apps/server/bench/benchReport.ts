import { cpus, totalmem } from "node:os";

/** One line of the report, as INTERFACE section 8 has it; `note` only where there is something to say. */
export interface BenchResult {
  readonly query: string;
  readonly hadalMs: number;
  readonly peers: Readonly<Record<string, number>>;
  /** Fastest peer ÷ Hadal; null without a peer. */
  readonly ratio: number | null;
  readonly bytesScanned: number;
  readonly checked: boolean;
  readonly firstPartialMs?: number;
  readonly rowsPerSecond?: number;
  readonly note?: string;
}

export interface TableMemory {
  readonly table: string;
  readonly rows: number;
  readonly bytesPerRow: number;
}

export interface BenchReport {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly rows: number;
  readonly threads: number;
  readonly results: readonly BenchResult[];
  readonly memory: readonly TableMemory[];
}

export function machineFacts(): Record<string, string | number> {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export function printReport(report: BenchReport): string {
  const facts = Object.entries(report.machine).map(([name, value]) => `${name} ${value}`);
  const head = `${report.rows.toLocaleString("en")} rows, ${report.threads} threads each; ${facts.join(", ")}`;
  const peerNames = [...new Set(report.results.flatMap(({ peers }) => Object.keys(peers)))];
  const lines = [
    ["query", "hadal ms", ...peerNames.map((peer) => `${peer} ms`), "ratio", "MB", "agree", ""],
    ...report.results.map((result) => [
      result.query,
      result.hadalMs.toFixed(2),
      ...peerNames.map((peer) => result.peers[peer]?.toFixed(2) ?? "–"),
      result.ratio === null ? "–" : result.ratio.toFixed(2),
      (result.bytesScanned / 1e6).toFixed(1),
      result.checked ? "yes" : "NO",
      notesOf(result),
    ]),
  ];
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const table = lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 || column === line.length - 1
          ? cell.padEnd(widths?.[column] ?? 0)
          : cell.padStart(widths?.[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  const memory = report.memory.map(
    ({ table: name, bytesPerRow, rows }) =>
      `${name}: ${bytesPerRow.toFixed(1)} bytes a row in memory (${rows.toLocaleString("en")} rows)`,
  );
  return [head, "", ...table, "", ...memory].join("\n");
}

function notesOf({ firstPartialMs, rowsPerSecond, note }: BenchResult): string {
  const notes = [];
  if (firstPartialMs !== undefined)
    notes.push(`first answer after ${firstPartialMs.toFixed(1)} ms`);
  if (rowsPerSecond !== undefined) {
    notes.push(`${Math.round(rowsPerSecond).toLocaleString("en")} rows/s`);
  }
  if (note !== undefined) notes.push(note);
  return notes.join("; ");
}
