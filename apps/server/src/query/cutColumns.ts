import type { HiddenColumn } from "@hadal/sdk";
import type { SchemaColumn } from "../plan/tableSchema.js";
import type { TreeAnswers } from "../tree/askLeaves.js";
import { type ColumnQuestions, placesOf } from "./columnStudy.js";
import { isBranchCut } from "./study.js";

/** Columns of which some leaf had more values than it was asked for. */
export interface CutColumns {
  readonly names: ReadonlySet<string>;
  /** How many different values strings among them have, where they could be counted; null: nobody has been asked yet. */
  readonly counted: ReadonlyMap<string, number> | null;
}

/** A column of which more than this share of the rows have values of their own is an id. */
const uniqueShareMax = 0.5;
const uniqueRowsMin = 20;

export function isNearUnique(distinct: number, rows: number): boolean {
  return distinct > uniqueShareMax * rows && rows >= uniqueRowsMin;
}

export function cutColumns(
  questions: readonly ColumnQuestions[],
  gathered: TreeAnswers,
): readonly SchemaColumn[] {
  const places = placesOf(questions);
  return questions.flatMap(({ column }, i) =>
    isBranchCut(gathered, places[i]!.values) ? [column] : [],
  );
}

/** Why the values of a column that was cut are not looked at; null: they are. Numbers have ranges instead. */
export function hiddenSinceCut(
  { name, type }: SchemaColumn,
  { names, counted }: CutColumns,
  rows: number,
): HiddenColumn["reason"] | null {
  if (!names.has(name) || type === "int") return null;
  if (counted === null) return "too-many-values";
  if (type !== "string") return null;
  const distinct = counted.get(name);
  if (distinct === undefined) return "too-many-values";
  return isNearUnique(distinct, rows) ? "near-unique" : null;
}
