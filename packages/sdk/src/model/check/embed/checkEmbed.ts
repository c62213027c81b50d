import {
  type EmbedKeyDraft,
  type EmbedScope,
  embedColumnsMax,
  embedExpiresMsDefault,
  embedExpiresMsMax,
  embedHostsMax,
  embedRangeMsMax,
  embedViewsMax,
} from "../../embed.js";
import {
  checkInteger,
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  kindOf,
  type ProblemList,
} from "../../problem/problemList.js";
import { checkFilters, checkName } from "../checkFilter.js";
import { checkTitle } from "../checkTitle.js";
import { checkPersonName } from "../people/checkPeople.js";
import { checkQueryAt } from "./checkQueryAt.js";

const scopeKeys: readonly (keyof EmbedScope)[] = [
  ...(["title", "table", "views", "filter", "hiddenColumns", "groupBy", "rangeMsMax"] as const),
  ...(["frameAncestors", "expiresInMs", "query", "view", "mayOpen"] as const),
];
const keyKeys: readonly (keyof EmbedKeyDraft)[] = [
  ...(["name", "kid", "jwk", "publicKey", "tables", "frameAncestors"] as const),
];
const idMax = 100;
const keyTablesMax = 1_000;
const pemMax = 2_000;

/**
 * What an embed allows, with nothing left out; throws `invalid-query` with everything that is wrong. In a
 * host's token the title may be left out: it is the table's name then.
 */
export function checkEmbedScope(value: unknown, from: "body" | "token" = "body"): EmbedScope {
  const problems = createProblemList();
  const scope = checkObject(value, "", problems);
  if (scope === null) throw problems.toError();
  checkKeys(scope, "", scopeKeys, problems);
  if (from === "body" || scope.title !== undefined) checkTitle(scope.title, problems);
  checkName(scope.table, "table", problems);
  checkViews(scope, problems);
  checkFilters(scope.filter, "filter", problems);
  checkNames(scope.groupBy, { path: "groupBy", max: embedColumnsMax }, problems);
  checkNames(scope.hiddenColumns, { path: "hiddenColumns", max: embedColumnsMax }, problems);
  if (scope.rangeMsMax === undefined)
    problems.add("rangeMsMax", "missing", "rangeMsMax is the longest time range, in milliseconds.");
  checkInteger(scope.rangeMsMax, "rangeMsMax", { max: embedRangeMsMax }, problems);
  checkInteger(scope.expiresInMs, "expiresInMs", { max: embedExpiresMsMax }, problems);
  checkHosts(scope.frameAncestors, problems);
  checkShown(scope, problems);
  if (problems.count > 0) throw problems.toError();
  return {
    title: scope.table,
    ...{ filter: [], hiddenColumns: [], groupBy: [], frameAncestors: [] },
    ...{ expiresInMs: embedExpiresMsDefault, query: null, view: null, mayOpen: null },
    ...scope,
  } as unknown as EmbedScope;
}

/** The body of `POST /embeds/keys`; a JWK itself is one too. The key is read by the server. */
export function checkEmbedKeyDraft(value: unknown): EmbedKeyDraft {
  const problems = createProblemList();
  const body = checkObject(value, "", problems);
  if (body === null) throw problems.toError();
  const draft = body.kty === undefined ? body : { jwk: body };
  checkKeys(draft, "", keyKeys, problems);
  if (draft.name !== undefined) checkPersonName(draft.name, "name", problems);
  if (draft.kid !== undefined) checkText(draft.kid, { path: "kid", max: idMax }, problems);
  if ((draft.jwk === undefined) === (draft.publicKey === undefined)) {
    const detail = "A key is a JWK in `jwk`, or a text in PEM in `publicKey`.";
    problems.add("jwk", draft.jwk === undefined ? "missing" : "ambiguous", detail);
  }
  if (draft.jwk !== undefined) checkObject(draft.jwk, "jwk", problems);
  if (draft.publicKey !== undefined)
    checkText(draft.publicKey, { path: "publicKey", max: pemMax }, problems);
  const tables = draft.tables ?? undefined;
  checkNames(tables, { path: "tables", max: keyTablesMax }, problems);
  checkHosts(draft.frameAncestors ?? undefined, problems);
  if (problems.count > 0) throw problems.toError();
  return draft as EmbedKeyDraft;
}

function checkViews({ views, view }: JsonObject, problems: ProblemList): void {
  if (views === undefined || (Array.isArray(views) && views.length === 0)) {
    const detail = "views is a list of at least one view, such as timeseries or table.";
    problems.add("views", "missing", detail);
    return;
  }
  const listed = checkList(views, "views", embedViewsMax, problems) ?? [];
  listed.forEach((one, i) => {
    checkText(one, { path: `views[${i}]`, max: idMax }, problems);
  });
  if (view === undefined || view === null) return;
  checkText(view, { path: "view", max: idMax }, problems);
  if (typeof view === "string" && !listed.includes(view))
    problems.add("view", "unknown-value", "view is one of views.");
}

function checkNames(
  value: unknown,
  { path, max }: { readonly path: string; readonly max: number },
  problems: ProblemList,
): void {
  const names = checkList(value, path, max, problems) ?? [];
  names.forEach((name, i) => {
    checkName(name, `${path}[${i}]`, problems);
  });
}

function checkText(
  value: unknown,
  { path, max }: { readonly path: string; readonly max: number },
  problems: ProblemList,
): void {
  const length = typeof value === "string" ? value.length : null;
  if (length !== null && length >= 1 && length <= max) return;
  const found = length === null ? kindOf(value) : `${length} characters`;
  const detail = `${path} is a text of 1 to ${max} characters; found ${found}.`;
  problems.add(path, length === null ? "type-mismatch" : "too-large", detail);
}

function checkHosts(value: unknown, problems: ProblemList): void {
  const hosts = checkList(value, "frameAncestors", embedHostsMax, problems) ?? [];
  hosts.forEach((host, i) => {
    if (typeof host === "string" && (host === "'self'" || isHostSource(host))) return;
    const detail = `A host is written https://intranet.example, https://host:8443, https://*.example.com or 'self'.`;
    problems.add(`frameAncestors[${i}]`, "unknown-value", detail);
  });
}

/** An origin as browsers write it, or one whose name begins with `*.`: nothing else may get into a header. */
function isHostSource(text: string): boolean {
  const plain = text.replace("://*.", "://any.");
  if (!/^https?:\/\/[a-z0-9.-]+(:\d+)?$/.test(plain) || !URL.canParse(plain)) return false;
  return new URL(plain).origin === plain;
}

function checkShown({ query, mayOpen, table }: JsonObject, problems: ProblemList): void {
  if (mayOpen !== undefined && mayOpen !== null && typeof mayOpen !== "boolean")
    problems.add("mayOpen", "type-mismatch", `mayOpen is true or false; found ${kindOf(mayOpen)}.`);
  if (query === undefined || query === null) return;
  const asked = checkQueryAt(query, problems);
  if (asked !== null && asked.table !== table)
    problems.add("query.table", "unknown-value", "The query asks the table of the embed.");
}
