import { type DocumentDraft, documentBytesMax, documentKinds } from "../document.js";
import { HadalError } from "../problem/problem.js";
import {
  checkKeys,
  checkObject,
  createProblemList,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { checkAlertRule } from "./alert/checkAlert.js";
import { checkAnnotationBody } from "./annotation/checkAnnotation.js";
import { checkAnnotationQuery } from "./annotation/checkAnnotationQuery.js";
import { checkDashboard } from "./checkDashboard.js";
import { checkLink } from "./checkLink.js";
import { checkQuery } from "./checkQuery.js";
import { checkTitle } from "./checkTitle.js";

/** The body of `POST /documents` and `PUT /documents/{id}`; throws `invalid-query` with everything that is wrong. */
export function checkDocumentDraft(value: unknown): DocumentDraft {
  const problems = createProblemList();
  const draft = checkObject(value, "", problems);
  if (draft === null) throw problems.toError();
  checkKeys(draft, "", ["id", "kind", "title", "body"], problems);
  const { id, kind, title } = draft;
  if (id !== undefined && !(typeof id === "string" && isDocumentId(id))) {
    const detail = "id is a UUID in lower case, or left out.";
    problems.add("id", "type-mismatch", detail);
  }
  if (!(documentKinds as readonly unknown[]).includes(kind)) {
    const detail = `kind is one of ${documentKinds.join(", ")}; found ${kindOf(kind)}.`;
    problems.add("kind", kind === undefined ? "missing" : "unknown-value", detail);
  }
  checkTitle(title, problems);
  const body = checkObject(draft.body, "body", problems);
  if (body !== null) checkBody(kind, body, problems);
  if (problems.count > 0) throw problems.toError();
  return draft as unknown as DocumentDraft;
}

const isDocumentId = (id: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);

function checkBody(kind: unknown, body: JsonObject, problems: ProblemList): void {
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
  if (bytes > documentBytesMax) {
    const detail = `The body has ${bytes} bytes; at most ${documentBytesMax} (documentBytesMax).`;
    problems.add("body", "too-large", detail);
    return;
  }
  if (kind === "query") checkSavedQuery(body, problems);
  if (kind === "dashboard") addProblemsOf("body", () => checkDashboard(body), problems);
  if (kind === "alert") addProblemsOf("body", () => checkAlertRule(body), problems);
  if (kind === "annotation") {
    const check = body.query === undefined ? checkAnnotationBody : checkAnnotationQuery;
    addProblemsOf("body", () => check(body), problems);
  }
}

/** A query, and the address of Explore that shows it as it was saved. */
function checkSavedQuery(body: JsonObject, problems: ProblemList): void {
  checkKeys(body, "body", ["query", "path"], problems);
  addProblemsOf("body.query", () => checkQuery(body.query), problems);
  if (body.path !== undefined)
    addProblemsOf("body", () => checkLink({ path: body.path }), problems);
}

function addProblemsOf(path: string, check: () => unknown, problems: ProblemList): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof HadalError) || error.errors.length === 0) throw error;
    for (const part of error.errors) {
      problems.add(part.path ? joinPath(path, part.path) : path, part.code, part.detail);
    }
  }
}
