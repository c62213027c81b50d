import type { Retention } from "@hadal/sdk";

interface Unit {
  readonly name: string;
  readonly size: number;
}

export const ageUnits: readonly Unit[] = [
  { name: "minutes", size: 60_000 },
  { name: "hours", size: 3_600_000 },
  { name: "days", size: 86_400_000 },
];
export const byteUnits: readonly Unit[] = [
  { name: "MiB", size: 2 ** 20 },
  { name: "GiB", size: 2 ** 30 },
];

/** A limit as typed; null unit: no limit. */
export interface WrittenBound {
  readonly text: string;
  readonly unit: string | null;
}

/** The limit in the largest unit that gives a whole number. */
export function writtenBound(value: number | null, units: readonly Unit[]): WrittenBound {
  if (value === null) return { text: "7", unit: null };
  const unit = units.toReversed().find(({ size }) => value % size === 0) ?? units[0];
  return { text: String(value / (unit?.size ?? 1)), unit: unit?.name ?? null };
}

type ReadRetention =
  | { readonly ok: true; readonly retention: Retention }
  | { readonly ok: false; readonly reason: string };

/** The retention of the form, or the reason why it is invalid. The server checks the minimum. */
export function readRetention(age: WrittenBound, bytes: WrittenBound): ReadRetention {
  const maxAgeMs = readBound(age, ageUnits);
  const maxBytes = readBound(bytes, byteUnits);
  if (Number.isNaN(maxAgeMs))
    return { ok: false, reason: `“${age.text}” is not a number of ${age.unit}.` };
  if (Number.isNaN(maxBytes))
    return { ok: false, reason: `“${bytes.text}” is not a number of ${bytes.unit}.` };
  return { ok: true, retention: { maxAgeMs, maxBytes } };
}

/** null: no limit; NaN: not a positive number. */
export function readBound({ text, unit }: WrittenBound, units: readonly Unit[]): number | null {
  if (unit === null) return null;
  const size = units.find(({ name }) => name === unit)?.size ?? Number.NaN;
  const trimmed = text.trim().replace(",", ".");
  if (!/^\d+(\.\d+)?$/.test(trimmed) || Number(trimmed) === 0) return Number.NaN;
  return Math.round(Number(trimmed) * size);
}
