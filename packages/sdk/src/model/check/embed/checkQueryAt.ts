import { HadalError } from "../../problem/problem.js";
import { joinPath, type ProblemList } from "../../problem/problemList.js";
import type { Query } from "../../query.js";
import { checkQuery } from "../checkQuery.js";

/** The query under `query` of a body; null, with its problems added, when it is none. */
export function checkQueryAt(value: unknown, problems: ProblemList): Query | null {
  try {
    return checkQuery(value);
  } catch (error) {
    if (!(error instanceof HadalError) || error.errors.length === 0) throw error;
    for (const { path = "", code, detail } of error.errors)
      problems.add(path === "" ? "query" : joinPath("query", path), code, detail);
    return null;
  }
}
