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
  /** Inside the server: without the way to the client and back. */
  readonly serverMs?: number;
  /** Fastest peer, which has no client to reach, ÷ what the server takes; null without a peer. */
  readonly serverRatio?: number | null;
  /** Resolving, the slowest leaf's work, merging and finishing: of `serverMs` all but frames on their way between nodes. */
  readonly pathMs?: number;
  /** Fastest peer, all of which is one process, ÷ that path; null without a peer. */
  readonly pathRatio?: number | null;
  readonly firstPartialMs?: number;
  readonly rowsPerSecond?: number;
  readonly note?: string;
}

export interface TableMemory {
  readonly table: string;
  readonly rows: number;
  readonly bytesPerRow: number;
  /** Bytes of 8-byte integers and raw strings ÷ bytes held. */
  readonly ratio: number | null;
}

/** Server milliseconds while the table has `rows` rows. */
export interface CurvePoint {
  readonly rows: number;
  /** All rows, from the aggregates of segments: what does not depend on rows. */
  readonly aggregatesMs: number;
  /** All rows, scanned. */
  readonly scanMs: number;
  /** As many rows at every point, scanned: the others are not touched. */
  readonly sliceMs: number;
}

/** GB/s of this machine by one and two threads: nothing but 128-bit loads, and the kernel's sums of a column. */
export interface Bandwidth {
  /** Whether the system was asked for pages of 2 MB, as leaves ask it. */
  readonly hugePages: boolean;
  readonly loads1: number;
  readonly loads2: number;
  readonly sums1: number;
  readonly sums2: number;
}

/** What one leaf scans of `rows` rows, read by the query full-scan. */
export interface ThreadScan {
  readonly threads: number;
  readonly rows: number;
  readonly gbPerSecond: number;
}

export interface BenchReport {
  readonly machine: Readonly<Record<string, string | number>>;
  readonly rows: number;
  readonly threads: number;
  readonly results: readonly BenchResult[];
  readonly memory: readonly TableMemory[];
  readonly curve?: readonly CurvePoint[];
  readonly bandwidth?: Bandwidth;
  readonly threadScans?: readonly ThreadScan[];
  /** Of KERNEL's columns. */
  readonly sealNsPerRow?: number;
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

export function printReport(report: BenchReport): string {
  const facts = Object.entries(report.machine).map(([name, value]) => `${name} ${value}`);
  const head = `${report.rows.toLocaleString("en")} rows, ${report.threads} threads each; ${facts.join(", ")}`;
  const peerNames = [...new Set(report.results.flatMap(({ peers }) => Object.keys(peers)))];
  const lines = [
    [
      "query",
      "hadal ms",
      "server ms",
      "path ms",
      ...peerNames.map((peer) => `${peer} ms`),
      "ratio",
      "server ratio",
      "path ratio",
      "MB",
      "agree",
      "",
    ],
    ...report.results.map((result) => [
      result.query,
      result.hadalMs.toFixed(2),
      result.serverMs?.toFixed(2) ?? "–",
      result.pathMs?.toFixed(2) ?? "–",
      ...peerNames.map((peer) => result.peers[peer]?.toFixed(2) ?? "–"),
      result.ratio?.toFixed(2) ?? "–",
      result.serverRatio?.toFixed(2) ?? "–",
      result.pathRatio?.toFixed(2) ?? "–",
      (result.bytesScanned / 1e6).toFixed(1),
      agreementOf(result),
      notesOf(result),
    ]),
  ];
  const table = alignColumns(lines);
  const memory = report.memory.map(
    ({ table: name, bytesPerRow, rows, ratio }) =>
      `${name}: ${bytesPerRow.toFixed(1)} bytes a row in memory (${rows.toLocaleString("en")} rows), ${ratio?.toFixed(1) ?? "–"} times smaller than 8-byte integers and raw strings`,
  );
  const parts = [[head], table, memory, printLimits(report), printCurve(report.curve ?? [])];
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n");
}

function agreementOf({ checked, peers }: BenchReport["results"][number]): string {
  if (checked) return "yes";
  return Object.keys(peers).length === 0 ? "–" : "NO";
}

function printLimits(report: BenchReport): string[] {
  const { bandwidth, threadScans = [], sealNsPerRow, results } = report;
  const lines = [];
  if (bandwidth !== undefined) {
    const { hugePages, loads1, loads2, sums1, sums2 } = bandwidth;
    const pages = hugePages ? ", over pages of 2 MB" : "";
    const gbs = (speed: number) => `${speed.toFixed(1)} GB/s`;
    lines.push(
      `memory read by 128-bit loads${pages}: ${gbs(loads1)} with one thread, ${gbs(loads2)} with two; the kernel's sums: ${gbs(sums1)}, ${gbs(sums2)}`,
    );
    const scan = results.find(({ query }) => query === "full-scan");
    if (scan?.serverMs !== undefined) {
      const speed = scan.bytesScanned / scan.serverMs / 1e6;
      lines.push(
        `full-scan reads ${gbs(speed)}: ${((100 * speed) / loads2).toFixed(0)} % of what two threads can`,
      );
    }
    for (const { threads, rows: scanned, gbPerSecond } of threadScans) {
      const share = (100 * gbPerSecond) / (threads === 1 ? loads1 : loads2);
      lines.push(
        `one leaf with ${scanned.toLocaleString("en")} rows reads ${gbs(gbPerSecond)} with ${threads === 1 ? "one scan thread" : `${threads} scan threads`}: ${share.toFixed(0)} % of what that many can`,
      );
    }
  }
  if (sealNsPerRow !== undefined) {
    lines.push(`sealing takes ${sealNsPerRow.toFixed(1)} ns a row of KERNEL's columns`);
  }
  return lines;
}

function printCurve(points: readonly CurvePoint[]): string[] {
  if (points.length === 0) return [];
  return alignColumns([
    [
      "rows in the table",
      "from aggregates, ms",
      "all scanned, ms",
      "a fixed slice scanned, ms",
      "",
    ],
    ...points.map(({ rows, aggregatesMs, scanMs, sliceMs }) => [
      rows.toLocaleString("en"),
      ...[aggregatesMs, scanMs, sliceMs].map((ms) => ms.toFixed(2)),
      "",
    ]),
  ]);
}

/** Text in the first and last column, numbers between. */
function alignColumns(lines: readonly (readonly string[])[]): string[] {
  const columns = lines[0] ?? [];
  const widths = columns.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => {
        const isText = column === 0 || column === line.length - 1;
        return isText ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
      })
      .join("  ")
      .trimEnd(),
  );
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
