import { checkDashboard } from "../check/checkDashboard.js";
import {
  type Dashboard,
  type DashboardSection,
  dashboardSectionsMax,
  dashboardTilesMax,
  dashboardTitleMax,
} from "../dashboard/dashboard.js";
import {
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  type ProblemList,
} from "../problem/problemList.js";
import { isObject, spanOf, tileOfPanel, titleOf } from "./grafanaPanels.js";
import { timeOfGrafana, zoneOfGrafana } from "./grafanaTime.js";

/** A dashboard of Grafana as one of Hadal. */
export interface ImportedBoard {
  readonly title: string;
  readonly board: Dashboard;
  /** Grafana's own id of it; null: it has none. */
  readonly uid: string | null;
  /** What has no equivalent, a sentence each. */
  readonly gaps: readonly string[];
}

/** More panels are left out, and said; a file may have millions. */
const panelsMax = 100_000;

/** Whether JSON looks like a dashboard of Grafana rather than a document of Hadal. */
export function isGrafanaBoard(value: unknown): boolean {
  const found = inner(value);
  if (!isObject(found) || found.kind !== undefined) return false;
  return ["panels", "rows", "schemaVersion"].some((key) => found[key] !== undefined);
}

/**
 * A dashboard as Grafana exports it: its title, time, zone, grid, rows and texts. A panel that asks
 * another data source becomes a text that says so. Throws `invalid-query` with everything that is
 * not as Grafana writes it, each with its path.
 */
export function boardOfGrafana(value: unknown): ImportedBoard {
  const problems = createProblemList();
  const found = checkObject(inner(value), "", problems);
  if (found === null) throw problems.toError();
  const panels = readPanels(found, problems);
  if (found.title !== undefined && typeof found.title !== "string") {
    problems.add("title", "type-mismatch", "Expected a text as the title.");
  }
  if (problems.count > 0) throw problems.toError();
  const { sections, gaps } = sectionsOf(panels);
  const bar = barOf(found);
  const title = titleOf(found).slice(0, dashboardTitleMax);
  const board = checkDashboard({ version: 1, ...bar.board, sections });
  return {
    ...{ title: title === "" ? "A dashboard of Grafana" : title, board },
    uid: typeof found.uid === "string" && found.uid !== "" ? found.uid : null,
    gaps: [...bar.gaps, ...gaps],
  };
}

/** The answer of Grafana's own API has it under `dashboard`. */
const inner = (value: unknown): unknown =>
  isObject(value) && value.panels === undefined && isObject(value.dashboard)
    ? value.dashboard
    : value;

/** All panels in their order, rows among them; those of folded rows follow their row. */
function readPanels(found: JsonObject, problems: ProblemList): readonly JsonObject[] {
  const listOf = (list: unknown, path: string): readonly JsonObject[] =>
    (checkList(list, path, panelsMax, problems) ?? []).flatMap((one, i) => {
      const panel = checkObject(one, `${path}[${i}]`, problems);
      return panel === null ? [] : [panel];
    });
  const rows = listOf(found.rows, "rows").flatMap((row, i) => [
    { type: "row", title: row.title, collapsed: row.collapse },
    ...listOf(row.panels, `rows[${i}].panels`).map((panel) => ({ height: row.height, ...panel })),
  ]);
  return [
    ...rows,
    ...listOf(found.panels, "panels").flatMap((panel, i) =>
      panel.type === "row" ? [panel, ...listOf(panel.panels, `panels[${i}].panels`)] : [panel],
    ),
  ];
}

function sectionsOf(panels: readonly JsonObject[]) {
  const sections: { readonly row: JsonObject | null; readonly panels: JsonObject[] }[] = [];
  const gaps: string[] = [];
  for (const panel of panels.slice(0, dashboardTilesMax + dashboardSectionsMax)) {
    const last = sections.at(-1);
    if (panel.type === "row") sections.push({ row: panel, panels: [] });
    else if (last === undefined) sections.push({ row: null, panels: [panel] });
    else last.panels.push(panel);
  }
  let left = dashboardTilesMax;
  const read = sections.slice(0, dashboardSectionsMax).map(({ row, panels: own }, s) => {
    const shown = own.slice(0, left);
    left -= shown.length;
    const top = Math.min(...shown.map((panel) => spanOf(panel).y));
    const tiles = shown.map((panel, i) => {
      const { tile, gap } = tileOfPanel(panel, `grafana-${s + 1}-${i + 1}`, top);
      if (gap !== null) gaps.push(gap);
      return tile;
    });
    const title = row === null ? "" : titleOf(row).slice(0, dashboardTitleMax);
    const folded = row?.collapsed === true;
    const section: DashboardSection = {
      ...{ ...(title !== "" && { title }), ...(folded && { folded }), tiles },
    };
    return section;
  });
  const wanted = panels.filter(({ type }) => type !== "row").length;
  const taken = read.reduce((sum, { tiles }) => sum + tiles.length, 0);
  if (taken < wanted) gaps.push(`${wanted - taken} panels are left out: a board has at most 500.`);
  return { sections: read, gaps };
}

/** Time and zone; of the rest only the names. */
function barOf({ time, timezone, templating, annotations }: JsonObject) {
  const gaps: string[] = [];
  const given = isObject(time) ? time : {};
  const [from, to] = [timeOfGrafana(given.from), timeOfGrafana(given.to)];
  const hasTime = from !== null && to !== null;
  if (!hasTime && time !== undefined)
    gaps.push("Its time range has no equivalent: the default is used.");
  const timeZone = zoneOfGrafana(timezone);
  if (timeZone === undefined)
    gaps.push("Its time zone is not known here: the reader's own is used.");
  for (const name of namesIn(templating)) {
    gaps.push(`The variable ${name}: add one of a column of yours.`);
  }
  for (const name of namesIn(annotations, ({ builtIn }) => builtIn !== 1)) {
    gaps.push(`The annotations ${name}: see Annotations.`);
  }
  const board: Dashboard = {
    ...{ ...(hasTime && { from, to }), ...(timeZone != null && { timeZone }) },
  };
  return { board, gaps };
}

/** Of more the rest is not listed. */
const namesMax = 100;

function namesIn(
  value: unknown,
  isWanted: (one: JsonObject) => boolean = () => true,
): readonly string[] {
  const list = isObject(value) && Array.isArray(value.list) ? value.list : [];
  return list
    .filter(isObject)
    .filter(isWanted)
    .slice(0, namesMax)
    .map(({ name }) => `“${String(name).slice(0, 80)}”`);
}
