import { nameFault } from "../../name.js";
import type { Grant } from "../../people.js";
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
import { checkFilters } from "../checkFilter.js";
import { checkPersonName } from "./checkPeople.js";

/** Each request reads the list of who sends it; a person writes hundreds. */
const grantsMax = 10_000;
const hiddenColumnsMax = 1_000;
const subjects = ["user", "group", "token"] as const;

/** The body of `PUT /grants`; throws `invalid-query` with everything that is wrong. */
export function checkGrants(value: unknown): readonly Grant[] {
  const problems = createProblemList();
  const body = checkObject(value, "", problems);
  if (body === null) throw problems.toError();
  checkKeys(body, "", ["grants"], problems);
  if (body.grants === undefined) {
    problems.add("grants", "missing", "grants is the list of all grants; an empty list has none.");
  }
  const grants = checkList(body.grants, "grants", grantsMax, problems) ?? [];
  grants.forEach((grant, i) => {
    checkGrant(grant, `grants[${i}]`, problems);
  });
  if (problems.count > 0) throw problems.toError();
  return grants as readonly Grant[];
}

function checkGrant(value: unknown, path: string, problems: ProblemList): void {
  const grant = checkObject(value, path, problems);
  if (grant === null) return;
  checkKeys(grant, path, [...subjects, "table", "filter", "hiddenColumns"], problems);
  checkSubject(grant, path, problems);
  checkName(grant.table, joinPath(path, "table"), problems);
  checkFilters(grant.filter, joinPath(path, "filter"), problems);
  const hiddenPath = joinPath(path, "hiddenColumns");
  const hidden = checkList(grant.hiddenColumns, hiddenPath, hiddenColumnsMax, problems) ?? [];
  hidden.forEach((column, i) => {
    checkName(column, `${hiddenPath}[${i}]`, problems);
  });
}

function checkSubject(grant: JsonObject, path: string, problems: ProblemList): void {
  const given = subjects.filter((subject) => grant[subject] !== undefined);
  const [subject] = given;
  if (subject === undefined || given.length > 1) {
    const found = given.length === 0 ? "none" : given.join(" and ");
    const detail = `A grant is for exactly one of user, group, token; found ${found}.`;
    problems.add(path, given.length === 0 ? "missing" : "too-many", detail);
    return;
  }
  checkPersonName(grant[subject], joinPath(path, subject), problems);
}

function checkName(value: unknown, path: string, problems: ProblemList): void {
  const fault = typeof value === "string" ? nameFault(value) : `Found ${kindOf(value)}.`;
  if (fault === null) return;
  problems.add(path, value === undefined ? "missing" : "type-mismatch", `${path}: ${fault}`);
}
