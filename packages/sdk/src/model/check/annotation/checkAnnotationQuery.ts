import {
  type AnnotationQueryBody,
  annotationTablesMax,
  annotationTagsMax,
} from "../../annotation.js";
import { HadalError } from "../../problem/problem.js";
import {
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  joinPath,
  type ProblemList,
} from "../../problem/problemList.js";
import { checkName } from "../checkFilter.js";
import { checkQuery } from "../checkQuery.js";

/** The body of an annotation whose rows are the annotations; throws with everything that is wrong. */
export function checkAnnotationQuery(value: unknown): AnnotationQueryBody {
  const problems = createProblemList();
  const body = checkObject(value, "", problems);
  if (body === null) throw problems.toError();
  checkKeys(body, "", ["query", "titleColumn", "textColumn", "tagColumns", "tables"], problems);
  const query = checkObject(body.query, "query", problems);
  if (query !== null) checkRows(query, problems);
  checkName(body.titleColumn, "titleColumn", problems);
  if (body.textColumn !== undefined) checkName(body.textColumn, "textColumn", problems);
  checkNames(body.tagColumns, "tagColumns", annotationTagsMax, problems);
  checkNames(body.tables, "tables", annotationTablesMax, problems);
  if (problems.count > 0) throw problems.toError();
  return body as unknown as AnnotationQueryBody;
}

/** The rules of a query's own table, filter and derived columns. */
function checkRows(query: JsonObject, problems: ProblemList): void {
  checkKeys(query, "query", ["table", "filter", "derive"], problems);
  const { table, filter, derive } = query;
  try {
    checkQuery({ table, filter, derive, from: "-1h", to: "now", sampleView: {} });
  } catch (error) {
    if (!(error instanceof HadalError) || error.errors.length === 0) throw error;
    for (const { path = "", code, detail } of error.errors) {
      problems.add(path === "" ? "query" : joinPath("query", path), code, detail);
    }
  }
}

function checkNames(value: unknown, path: string, max: number, problems: ProblemList): void {
  const names = checkList(value, path, max, problems) ?? [];
  for (const [i, name] of names.entries()) checkName(name, `${path}[${i}]`, problems);
}
