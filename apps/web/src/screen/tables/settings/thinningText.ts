import type { ThinningStep } from "@hadal/sdk";
import { formatLength } from "../../../format/ago.js";
import { ageUnits, readBound, type WrittenBound, writtenBound } from "./retentionText.js";

/** A thinning step as typed. */
export interface WrittenStep {
  readonly age: WrittenBound;
  readonly keepOneIn: string;
}

export const writtenStep = ({ afterMs, keepOneIn }: ThinningStep): WrittenStep => ({
  age: writtenBound(afterMs, ageUnits),
  keepOneIn: String(keepOneIn),
});

/** The default of the next step: ten times the age, a tenth of the rows. */
export function nextStep(steps: readonly WrittenStep[]): WrittenStep {
  const last = steps.at(-1);
  if (last === undefined) return { age: { text: "1", unit: "days" }, keepOneIn: "10" };
  const [age, keepOneIn] = [Number(last.age.text), Number(last.keepOneIn)];
  return {
    age: { text: String(10 * (age || 1)), unit: last.age.unit },
    keepOneIn: String(10 * (keepOneIn || 10)),
  };
}

type ReadThinning =
  | { readonly ok: true; readonly thinning: readonly ThinningStep[] }
  | { readonly ok: false; readonly reason: string };

/** The steps of the form, or the reason why they are invalid. The server checks them again. */
export function readThinning(steps: readonly WrittenStep[]): ReadThinning {
  const thinning: ThinningStep[] = [];
  for (const { age, keepOneIn } of steps) {
    const afterMs = readBound(age, ageUnits);
    if (afterMs === null || Number.isNaN(afterMs))
      return { ok: false, reason: `“${age.text}” is not a number of ${age.unit ?? "days"}.` };
    const rate = keepOneIn.trim();
    if (!/^\d{1,7}$/.test(rate) || Number(rate) < 2)
      return { ok: false, reason: `“${keepOneIn}” is not a whole number of at least 2.` };
    thinning.push({ afterMs, keepOneIn: Number(rate) });
  }
  return { ok: true, thinning };
}

/** `1 in 10 after 1 day`; empty without steps. */
export function thinnedText(steps: readonly ThinningStep[]): string {
  return steps
    .map(({ afterMs, keepOneIn }) => `1 in ${keepOneIn} after ${formatLength(afterMs)}`)
    .join(", ");
}
