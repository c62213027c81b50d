import {
  type Dashboard,
  dashboardColumns,
  dashboardIgnores,
  dashboardRowsMax,
  dashboardSectionsMax,
  dashboardTextMax,
  dashboardTileRowsMax,
  dashboardTilesMax,
  dashboardTitleMax,
  dashboardVariablesMax,
  dashboardVersion,
} from "../dashboard/dashboard.js";
import { HadalError } from "../problem/problem.js";
import {
  checkInteger,
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { checkName } from "./checkFilter.js";
import { checkQuery } from "./checkQuery.js";

const idMax = 100;
/** A picker's values are written by hand. */
const variableValuesMax = 1_000;
const viewOptionsMax = 100;

/**
 * The body of a board. Throws `invalid-query` with everything that is wrong, each with its path
 * (`sections[0].tiles[3].query.from`). Of a newer version only the sections and tiles are counted:
 * its other members are kept, and the board is read-only.
 */
export function checkDashboard(value: unknown): Dashboard {
  const problems = createProblemList();
  const body = checkObject(value, "", problems);
  if (body === null) throw problems.toError();
  checkInteger(body.version, "version", { max: 1_000_000 }, problems);
  const sections = checkSections(body, problems);
  if (!isNewerDashboard(body)) {
    checkKeys(body, "", bodyKeys, problems);
    checkBar(body, problems);
    checkVariables(body.variables, problems);
    const ids = new Set<string>();
    sections.forEach((section, i) => {
      checkSection(section, { path: `sections[${i}]`, ids }, problems);
    });
  }
  if (problems.count > 0) throw problems.toError();
  return body as unknown as Dashboard;
}

/** Whether the body has a form that this version of Hadal does not know. */
export const isNewerDashboard = ({ version }: { readonly version?: unknown }): boolean =>
  typeof version === "number" && version > dashboardVersion;

const bodyKeys: readonly (keyof Dashboard)[] = [
  ...(["version", "from", "to", "timeZone", "compare", "filter", "variables"] as const),
  "sections",
];

/** The sections, each an object; without any the board is empty. A board has at most {@link dashboardTilesMax} tiles. */
function checkSections(body: JsonObject, problems: ProblemList): readonly JsonObject[] {
  const listed = checkList(body.sections, "sections", dashboardSectionsMax, problems) ?? [];
  const sections = listed
    .map((one, i) => checkObject(one, `sections[${i}]`, problems))
    .filter((one) => one !== null);
  const tiles = sections.flatMap(({ tiles }) => (Array.isArray(tiles) ? tiles : [])).length;
  if (tiles > dashboardTilesMax) {
    const detail = `The board has ${tiles} tiles; at most ${dashboardTilesMax} (dashboardTilesMax).`;
    problems.add("sections", "too-many", detail);
    return [];
  }
  return sections;
}

/** The bar has the same rules as a query with its parts. */
function checkBar({ from, to, timeZone, compare, filter }: JsonObject, problems: ProblemList) {
  const times = from === undefined && to === undefined ? { from: "-3h", to: "now" } : { from, to };
  const zone = timeZone === undefined || timeZone === null ? {} : { timeZone };
  const asked = { table: "board", ...times, ...zone, compare, filter };
  addProblemsOf("", () => checkQuery(asked), problems);
}

function checkVariables(value: unknown, problems: ProblemList): void {
  const list = checkList(value, "variables", dashboardVariablesMax, problems) ?? [];
  const names = new Set<unknown>();
  list.forEach((one, i) => {
    const path = `variables[${i}]`;
    const variable = checkObject(one, path, problems);
    if (variable === null) return;
    checkKeys(variable, path, ["name", "table", "column", "values"], problems);
    for (const key of ["name", "table", "column"] as const) {
      checkName(variable[key], `${path}.${key}`, problems);
    }
    if (names.has(variable.name)) {
      problems.add(`${path}.name`, "duplicate", "Another variable has this name.");
    }
    names.add(variable.name);
    if (variable.values === undefined || variable.values === null) return;
    const { column, values } = variable;
    if (checkList(values, `${path}.values`, variableValuesMax, problems) === null) return;
    const filter = [{ column, op: "in", value: values }];
    const asked = { table: "board", from: "-3h", to: "now", filter };
    addProblemsOf(
      `${path}.values`,
      () => checkQuery(asked),
      problems,
      () => "",
    );
  });
}

/** Where a section stands, and the ids of the tiles before it. */
interface Place {
  readonly path: string;
  readonly ids: Set<string>;
}

function checkSection(section: JsonObject, { path, ids }: Place, problems: ProblemList): void {
  checkKeys(section, path, ["title", "folded", "tiles"], problems);
  checkTitle(section.title, `${path}.title`, problems);
  if (section.folded !== undefined && typeof section.folded !== "boolean") {
    const detail = `folded is true or false; found ${kindOf(section.folded)}.`;
    problems.add(`${path}.folded`, "type-mismatch", detail);
  }
  if (section.tiles === undefined) {
    problems.add(`${path}.tiles`, "missing", "A section has a list of tiles.");
  }
  const tiles = checkList(section.tiles, `${path}.tiles`, dashboardTilesMax, problems) ?? [];
  tiles.forEach((one, i) => {
    const at = `${path}.tiles[${i}]`;
    const tile = checkObject(one, at, problems);
    if (tile !== null) checkTile(tile, { path: at, ids }, problems);
  });
}

const placeKeys = ["id", "title", "x", "y", "w", "h"];
const drawingKeys = ["view", "viewOptions", "ignores"];
/** What a tile shows: exactly one of these. */
const contents = ["query", "savedQuery", "text", "divider"] as const;

function checkTile(tile: JsonObject, { path, ids }: Place, problems: ProblemList): void {
  checkId(tile.id, { path: `${path}.id`, ids }, problems);
  checkTitle(tile.title, `${path}.title`, problems);
  checkPlace(tile, path, problems);
  const [content, second] = contents.filter((key) => tile[key] !== undefined);
  if (content === undefined || second !== undefined) {
    const found = content === undefined ? "nothing" : `${content} and ${second}`;
    const detail = `A tile has one of ${contents.join(", ")}; found ${found}.`;
    problems.add(path, content === undefined ? "missing" : "unknown-value", detail);
    return;
  }
  const asks = content === "query" || content === "savedQuery";
  checkKeys(tile, path, [...placeKeys, content, ...(asks ? drawingKeys : [])], problems);
  if (asks) checkDrawing(tile, path, problems);
  checkContent(tile, content, path, problems);
}

function checkContent(
  tile: JsonObject,
  content: (typeof contents)[number],
  path: string,
  problems: ProblemList,
): void {
  const at = `${path}.${content}`;
  const value = tile[content];
  switch (content) {
    case "query":
      addProblemsOf(at, () => checkQuery(value), problems);
      return;
    case "savedQuery":
      checkText(value, at, { max: idMax, min: 1 }, problems);
      return;
    case "text":
      checkText(value, at, { max: dashboardTextMax }, problems);
      return;
    case "divider":
      if (value === true) return;
      problems.add(at, "type-mismatch", `divider is true; found ${kindOf(value)}.`);
  }
}

function checkId(id: unknown, { path, ids }: Place, problems: ProblemList): void {
  if (typeof id !== "string" || id === "" || id.length > idMax) {
    const detail = `id is a text of 1 to ${idMax} characters; found ${kindOf(id)}.`;
    problems.add(path, id === undefined ? "missing" : "type-mismatch", detail);
  } else if (ids.has(id)) problems.add(path, "duplicate", "Another tile has this id.");
  else ids.add(id);
}

function checkPlace(tile: JsonObject, path: string, problems: ProblemList): void {
  const last = dashboardColumns - 1;
  checkInteger(tile.x, `${path}.x`, { min: 0, max: last }, problems);
  checkInteger(tile.y, `${path}.y`, { min: 0, max: dashboardRowsMax }, problems);
  const x = typeof tile.x === "number" && tile.x >= 0 && tile.x <= last ? tile.x : 0;
  checkInteger(tile.w, `${path}.w`, { max: dashboardColumns - x }, problems);
  checkInteger(tile.h, `${path}.h`, { max: dashboardTileRowsMax }, problems);
}

function checkDrawing(
  { view, viewOptions, ignores }: JsonObject,
  path: string,
  problems: ProblemList,
) {
  if (view !== undefined) checkText(view, `${path}.view`, { max: idMax, min: 1 }, problems);
  if (viewOptions !== undefined) checkOptions(viewOptions, `${path}.viewOptions`, problems);
  const listed = checkList(ignores, `${path}.ignores`, dashboardIgnores.length, problems) ?? [];
  listed.forEach((one, i) => {
    if ((dashboardIgnores as readonly unknown[]).includes(one)) return;
    const detail = `A tile can ignore ${dashboardIgnores.join(", ")}; found ${kindOf(one)}.`;
    problems.add(`${path}.ignores[${i}]`, "unknown-value", detail);
  });
}

function checkOptions(value: unknown, path: string, problems: ProblemList): void {
  const options = Object.entries(checkObject(value, path, problems) ?? {});
  if (options.length > viewOptionsMax) {
    problems.add(path, "too-many", `${options.length} options; at most ${viewOptionsMax}.`);
    return;
  }
  for (const [name, option] of options) {
    checkText(option, joinPath(path, name.slice(0, 80)), { max: 1_000 }, problems);
  }
}

function checkTitle(title: unknown, path: string, problems: ProblemList): void {
  if (title !== undefined) checkText(title, path, { max: dashboardTitleMax }, problems);
}

function checkText(
  value: unknown,
  path: string,
  { max, min = 0 }: { readonly max: number; readonly min?: number },
  problems: ProblemList,
): void {
  const length = typeof value === "string" ? value.length : null;
  if (length !== null && length >= min && length <= max) return;
  const found = length === null ? kindOf(value) : `${length} characters`;
  const detail = `Expected a text of ${min} to ${max} characters, found ${found}.`;
  problems.add(path, length === null ? "type-mismatch" : "too-large", detail);
}

/** Adds the problems of a check, with their paths below `path`. */
function addProblemsOf(
  path: string,
  check: () => unknown,
  problems: ProblemList,
  placeOf: (path: string) => string = (own) => own,
): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof HadalError) || error.errors.length === 0) throw error;
    for (const part of error.errors) {
      const own = placeOf(part.path ?? "");
      problems.add(own === "" ? path : joinPath(path, own), part.code, part.detail);
    }
  }
}
