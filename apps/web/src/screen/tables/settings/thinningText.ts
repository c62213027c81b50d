import { keepAtLeastDefault, type ThinningStep } from "@hadal/sdk";
import { formatLength } from "../../../format/ago.js";
import { ageUnits, readBound, type WrittenBound, writtenBound } from "./retentionText.js";

/** What decides which rows stay. */
export type ThinningBy = "chance" | "key" | "groups";

/** A thinning step as typed. */
export interface WrittenStep {
  readonly age: WrittenBound;
  readonly keepOneIn: string;
  readonly by: ThinningBy;
  /** With commas between them. */
  readonly columns: string;
  readonly keepAtLeast: string;
}

export const thinningByOptions: readonly { readonly value: ThinningBy; readonly label: string }[] =
  [
    { value: "chance", label: "rows" },
    { value: "key", label: "values of" },
    { value: "groups", label: "rows of each" },
  ];

export const writtenStep = ({
  afterMs,
  keepOneIn,
  key,
  groups = [],
  keepAtLeast = keepAtLeastDefault,
}: ThinningStep): WrittenStep => ({
  age: writtenBound(afterMs, ageUnits),
  keepOneIn: String(keepOneIn),
  by: key !== undefined ? "key" : groups.length > 0 ? "groups" : "chance",
  columns: (key === undefined ? groups : [key]).map(printName).join(", "),
  keepAtLeast: String(keepAtLeast),
});

/** The default of the next step: ten times the age, a tenth of the rows, chosen in the same way. */
export function nextStep(steps: readonly WrittenStep[]): WrittenStep {
  const last = steps.at(-1);
  if (last === undefined) {
    return {
      ...{ age: { text: "1", unit: "days" }, keepOneIn: "10" },
      ...{ by: "chance", columns: "", keepAtLeast: String(keepAtLeastDefault) },
    };
  }
  const [age, keepOneIn] = [Number(last.age.text), Number(last.keepOneIn)];
  return {
    ...last,
    age: { text: String(10 * (age || 1)), unit: last.age.unit },
    keepOneIn: String(10 * (keepOneIn || 10)),
  };
}

type Read<Value> =
  | ({ readonly ok: true } & Value)
  | { readonly ok: false; readonly reason: string };

/** The steps of the form, or the reason why they are invalid. The server checks them again. */
export function readThinning(
  steps: readonly WrittenStep[],
): Read<{ readonly thinning: readonly ThinningStep[] }> {
  const thinning: ThinningStep[] = [];
  for (const step of steps) {
    const { age, keepOneIn } = step;
    const afterMs = readBound(age, ageUnits);
    if (afterMs === null || Number.isNaN(afterMs))
      return { ok: false, reason: `“${age.text}” is not a number of ${age.unit ?? "days"}.` };
    const rate = keepOneIn.trim();
    if (!/^\d{1,7}$/.test(rate) || Number(rate) < 2)
      return { ok: false, reason: `“${keepOneIn}” is not a whole number of at least 2.` };
    const basis = readBasis(step);
    if (!basis.ok) return basis;
    thinning.push({ afterMs, keepOneIn: Number(rate), ...basis.basis });
  }
  return { ok: true, thinning };
}

type Basis = Pick<ThinningStep, "key" | "groups" | "keepAtLeast">;

function readBasis({ by, columns, keepAtLeast }: WrittenStep): Read<{ readonly basis: Basis }> {
  if (by === "chance") return { ok: true, basis: {} };
  const names = readNames(columns);
  const [key] = names;
  if (key === undefined)
    return { ok: false, reason: "Enter the column by which rows are thinned." };
  if (by === "key") {
    if (names.length === 1) return { ok: true, basis: { key } };
    return {
      ok: false,
      reason: `One column decides which values are kept: “${columns}” are several.`,
    };
  }
  if (!/^\d{1,5}$/.test(keepAtLeast.trim()) || Number(keepAtLeast) < 1)
    return { ok: false, reason: `“${keepAtLeast}” is not a whole number of at least 1.` };
  return { ok: true, basis: { groups: names, keepAtLeast: Number(keepAtLeast) } };
}

/** A name with a comma is written in quotes. */
const printName = (name: string): string =>
  /[,"]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;

function readNames(text: string): readonly string[] {
  const parts = text.match(/\s*"(?:[^"]|"")*"\s*|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim())
    .map((part) => /^"(.*)"$/s.exec(part)?.[1]?.replaceAll('""', '"') ?? part)
    .filter((name) => name !== "");
}

/** `1 in 10 after 1 day`; empty without steps. */
export function thinnedText(steps: readonly ThinningStep[]): string {
  return steps
    .map(({ afterMs, keepOneIn, key, groups }) => {
      const by = key === undefined ? (groups ?? []).join(", ") : key;
      const basis = by === "" ? "" : ` by ${by}`;
      return `1 in ${keepOneIn}${basis} after ${formatLength(afterMs)}`;
    })
    .join(", ");
}
