import {
  type AnnotationBody,
  type AnnotationDraft,
  annotationTablesMax,
  annotationTagMax,
  annotationTagsMax,
  annotationTextMax,
} from "../../annotation.js";
import { nameFault } from "../../name.js";
import {
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../../problem/problemList.js";
import type { TimeText } from "../../query.js";
import { isRelativeTime, resolveTime } from "../../time/parseTime.js";
import { checkTime } from "../checkTimes.js";
import { checkTitle } from "../checkTitle.js";

const bodyKeys = ["time", "until", "text", "tags", "tables"];

/** The body of `POST /annotations`, its times fixed at `nowMs`; throws with everything that is wrong. */
export function checkAnnotationDraft(value: unknown, nowMs: number): AnnotationDraft {
  const problems = createProblemList();
  const draft = checkObject(value, "", problems);
  if (draft === null) throw problems.toError();
  checkKeys(draft, "", ["title", ...bodyKeys], problems);
  checkTitle(draft.title, problems);
  checkContent(draft, problems);
  const fixed: Record<string, unknown> = { ...draft };
  if (problems.count === 0) {
    for (const name of ["time", "until"]) {
      if (draft[name] !== undefined) fixed[name] = resolveTime(draft[name] as TimeText, nowMs);
    }
    checkOrder(fixed, problems);
  }
  if (problems.count > 0) throw problems.toError();
  return fixed as unknown as AnnotationDraft;
}

/** The body of a document of the kind `annotation`; throws with everything that is wrong. */
export function checkAnnotationBody(value: unknown): AnnotationBody {
  const problems = createProblemList();
  const body = checkObject(value, "", problems);
  if (body === null) throw problems.toError();
  checkKeys(body, "", bodyKeys, problems);
  checkContent(body, problems);
  for (const name of ["time", "until"]) {
    const time = body[name];
    if (typeof time !== "string" || !isRelativeTime(time)) continue;
    const detail = `\`${name}\` of a saved annotation does not move with the clock.`;
    problems.add(name, "time-range-invalid", detail);
  }
  if (problems.count === 0) checkOrder(body, problems);
  if (problems.count > 0) throw problems.toError();
  return body as unknown as AnnotationBody;
}

function checkContent(body: JsonObject, problems: ProblemList): void {
  checkTime(body.time, "time", problems);
  if (body.until !== undefined) checkTime(body.until, "until", problems);
  checkText(body.text, "text", annotationTextMax, problems);
  for (const [i, tag] of (
    checkList(body.tags, "tags", annotationTagsMax, problems) ?? []
  ).entries())
    checkText(tag ?? null, joinIndex("tags", i), annotationTagMax, problems);
  const tables = checkList(body.tables, "tables", annotationTablesMax, problems) ?? [];
  for (const [i, table] of tables.entries()) checkTable(table, joinIndex("tables", i), problems);
}

function checkText(value: unknown, path: string, max: number, problems: ProblemList): void {
  if (value === undefined || (typeof value === "string" && value.length <= max)) return;
  const found = typeof value === "string" ? `${value.length} characters` : kindOf(value);
  problems.add(
    path,
    "type-mismatch",
    `${path} is a text of at most ${max} characters; found ${found}.`,
  );
}

function checkTable(value: unknown, path: string, problems: ProblemList): void {
  const fault = typeof value === "string" ? nameFault(value) : `found ${kindOf(value)}`;
  if (fault !== null)
    problems.add(path, "type-mismatch", `${path} is the name of a table; ${fault}.`);
}

function checkOrder({ time, until }: JsonObject, problems: ProblemList): void {
  if (until === undefined || resolveTime(until as TimeText, 0) >= resolveTime(time as TimeText, 0))
    return;
  problems.add("until", "time-range-invalid", "`until` is not before `time`.");
}

const joinIndex = (path: string, i: number): string => joinPath("", `${path}[${i}]`);
