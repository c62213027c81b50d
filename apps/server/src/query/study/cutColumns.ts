import type { HiddenColumn } from "@hadal/sdk";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { type ColumnQuestions, placesOf } from "./columnStudy.js";
import { isBranchCut } from "./study.js";

/**
 * Columns of which some leaf had more values than it was asked for, and why these are not looked at; null: they are,
 * or as ranges, if they are numbers.
 */
export type CutColumns = ReadonlyMap<string, HiddenColumn["reason"] | null>;

/** A column of which more than this share of the rows have values of their own is an id. */
const uniqueShareMax = 0.5;
const uniqueRowsMin = 20;

export function isNearUnique(distinct: number, rows: number): boolean {
  return distinct > uniqueShareMax * rows && rows >= uniqueRowsMin;
}

export function columnsCut(
  questions: readonly ColumnQuestions[],
  answers: TreeAnswers,
): readonly SchemaColumn[] {
  const places = placesOf(questions);
  return questions.flatMap(({ column }, i) =>
    isBranchCut(answers, places[i]!.values) ? [column] : [],
  );
}

/** While leaves have not been asked again: numbers of what they sent may lack a part. */
export function hideCut(columns: readonly SchemaColumn[]): CutColumns {
  return new Map(
    columns.map(({ name, type }) => [name, type === "int" ? null : ("too-many-values" as const)]),
  );
}

/** Once strings have been counted, as far as they could be. */
export function judgeCut(
  columns: readonly SchemaColumn[],
  counted: ReadonlyMap<string, number>,
  rows: number,
): CutColumns {
  const judge = ({ name, type }: SchemaColumn): HiddenColumn["reason"] | null => {
    if (type !== "string") return null;
    const distinct = counted.get(name);
    if (distinct === undefined) return "too-many-values";
    return isNearUnique(distinct, rows) ? "near-unique" : null;
  };
  return new Map(columns.map((column) => [column.name, judge(column)]));
}
