import { aggregateFns } from "../aggregate.js";
import { functionSourceMax } from "../expression.js";
import {
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { aggregatesMax } from "../query.js";
import {
  type FunctionDraft,
  type FunctionTrial,
  functionDescriptionMax,
  functionTrialRowsMax,
} from "../userFunction.js";
import { checkName } from "./checkFilter.js";

/**
 * The name and body of `PUT /functions/{name}`; throws `invalid-query` with everything that is
 * wrong. The server checks whether the source is a function.
 */
export function checkFunctionDraft(name: string, value: unknown): FunctionDraft {
  const problems = createProblemList();
  checkName(name, "name", problems);
  if ((aggregateFns as readonly string[]).includes(name)) {
    problems.add("name", "duplicate-name", `${name} is an aggregate already: choose another name.`);
  }
  const body = checkObject(value, "", problems) ?? {};
  checkKeys(body, "", ["source", "description"], problems);
  checkSource(body.source, problems);
  checkDescription(body.description, problems);
  if (problems.count > 0) throw problems.toError();
  return body as unknown as FunctionDraft;
}

/** The body of `POST /functions/run`; throws `invalid-query` with everything that is wrong. */
export function checkFunctionTrial(value: unknown): FunctionTrial {
  const problems = createProblemList();
  const body = checkObject(value, "", problems) ?? {};
  checkKeys(body, "", ["source", "args", "rows", "table", "limit"], problems);
  checkSource(body.source, problems);
  const args = checkList(body.args, "args", aggregatesMax, problems) ?? [];
  for (const [i, name] of args.entries()) checkName(name, `args[${i}]`, problems);
  checkRows(body, problems);
  if (problems.count > 0) throw problems.toError();
  return body as unknown as FunctionTrial;
}

function checkRows(body: JsonObject, problems: ProblemList): void {
  if ((body.rows === undefined) === (body.table === undefined)) {
    const detail = "A trial needs rows, or a table to take its newest rows from.";
    problems.add("rows", body.rows === undefined ? "missing" : "ambiguous", detail);
  }
  const rows = checkList(body.rows, "rows", functionTrialRowsMax, problems) ?? [];
  for (const [i, row] of rows.entries()) checkObject(row, `rows[${i}]`, problems);
  if (body.table !== undefined) checkName(body.table, "table", problems);
  const { limit } = body;
  const isCount = typeof limit === "number" && Number.isInteger(limit);
  if (limit !== undefined && !(isCount && limit >= 1 && limit <= functionTrialRowsMax)) {
    const detail = `limit is a whole number from 1 to ${functionTrialRowsMax} (functionTrialRowsMax); found ${kindOf(limit)}.`;
    problems.add("limit", "out-of-range", detail);
  }
}

function checkSource(source: unknown, problems: ProblemList): void {
  if (typeof source !== "string") {
    const detail = `source is a function such as "(a, b) => a / b"; found ${kindOf(source)}.`;
    problems.add("source", source === undefined ? "missing" : "type-mismatch", detail);
  } else if (source.length > functionSourceMax) {
    const detail = `The source has ${source.length} characters; at most ${functionSourceMax} (functionSourceMax).`;
    problems.add("source", "too-many", detail);
  }
}

function checkDescription(description: unknown, problems: ProblemList): void {
  if (description === undefined) return;
  if (typeof description !== "string") {
    const detail = `description is a text; found ${kindOf(description)}.`;
    problems.add("description", "type-mismatch", detail);
  } else if (description.length > functionDescriptionMax) {
    const detail = `The description has ${description.length} characters; at most ${functionDescriptionMax} (functionDescriptionMax).`;
    problems.add("description", "too-many", detail);
  }
}
