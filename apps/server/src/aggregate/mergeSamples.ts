import type { ResolvedSample } from "../plan/resolvedQuery.js";
import type { PartialSample, SampleColumn } from "./partialResult.js";

/** Of each side the newest (oldest) rows of all senders; rows of one instant stay in the order of their senders. */
export function mergeSamples(
  samples: readonly PartialSample[],
  resolved: ResolvedSample,
): PartialSample {
  const rows = samples.flatMap((sample, sampleIndex) =>
    Array.from({ length: sample.rowCount }, (_, row) => ({ sampleIndex, row })),
  );
  const timeOf = (at: RowPlace) => samples[at.sampleIndex]!.times[at.row]!;
  const sideOf = (at: RowPlace) => samples[at.sampleIndex]!.sides[at.row]!;
  const sign = resolved.newestFirst ? -1 : 1;
  rows.sort((a, b) => sideOf(a) - sideOf(b) || sign * (timeOf(a) - timeOf(b)));
  const firstOfBase = rows.findIndex((at) => sideOf(at) > 0);
  const mainCount = firstOfBase < 0 ? rows.length : firstOfBase;
  const kept = [
    ...rows.slice(0, Math.min(mainCount, resolved.limit)),
    ...rows.slice(mainCount, mainCount + resolved.limit),
  ];
  return {
    rowCount: kept.length,
    sides: Uint8Array.from(kept, sideOf),
    times: Float64Array.from(kept, timeOf),
    columns: resolved.columns.map((_, index) =>
      mergeColumns(
        samples.map(({ columns }) => columns[index]!),
        kept,
      ),
    ),
  };
}

interface RowPlace {
  readonly sampleIndex: number;
  readonly row: number;
}

function mergeColumns(columns: readonly SampleColumn[], rows: readonly RowPlace[]): SampleColumn {
  const [first] = columns;
  if (first === undefined || first.kind === "coded") return mergeCoded(columns, rows);
  const values = new BigInt64Array(rows.length);
  const present = new Uint8Array(rows.length);
  rows.forEach(({ sampleIndex, row }, i) => {
    const column = columns[sampleIndex]!;
    if (column.kind !== "int") throw new Error("senders disagree on the type of a column");
    values[i] = column.values[row]!;
    present[i] = column.present[row]!;
  });
  return { kind: "int", values, present };
}

function mergeCoded(columns: readonly SampleColumn[], rows: readonly RowPlace[]): SampleColumn {
  const codeOf = new Map<string, number>();
  const codes = new Int32Array(rows.length);
  rows.forEach(({ sampleIndex, row }, i) => {
    const column = columns[sampleIndex]!;
    if (column.kind !== "coded") throw new Error("senders disagree on the type of a column");
    const text = column.dictionary[column.codes[row]!];
    if (text === undefined) {
      codes[i] = -1;
      return;
    }
    codes[i] = codeOf.get(text) ?? codeOf.size;
    if (codes[i] === codeOf.size) codeOf.set(text, codeOf.size);
  });
  return { kind: "coded", dictionary: [...codeOf.keys()], codes };
}
