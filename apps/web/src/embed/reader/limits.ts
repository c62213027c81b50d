import {
  type DerivedColumn,
  type EmbedSelf,
  type Expression,
  type GroupBy,
  HadalError,
  resolveTimeRange,
  timeColumn,
} from "@hadal/sdk";
import { usesField, viewOf } from "../../chart/view/views.js";
import { buildQuery } from "../../draft/ask/buildQuery.js";
import { applyEdit, type Edit } from "../../draft/edit/edits.js";
import { printUrl } from "../../draft/url/url.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { PanelLimits } from "../../panel/panel.js";
import { groupColumn } from "../../query/group/groupSpec.js";
import type { ExploreState } from "../../query/state/exploreState.js";

type Scope = Pick<EmbedSelf, "views" | "groupBy" | "rangeMsMax" | "mayOpen" | "columns">;

/** What the menu and the brush may do. Only an offer: the server checks each query. */
export function limitsOf(scope: Scope, state: ExploreState, src: string): PanelLimits {
  return {
    allows: (edit: Edit) => isAllowed(scope, applyEdit(state, edit)),
    groupColumns: scope.groupBy.filter((name) => name !== timeColumn),
    linkOf: (shown) => (scope.mayOpen ? `${src}/explore?${printUrl(shown)}` : null),
  };
}

function isAllowed(scope: Scope, state: ExploreState): boolean {
  if (!scope.views.includes(state.view) || !isWithin(scope, state)) return false;
  // The times that a view shows beside its answer would be missing.
  if (usesField(state.view, "bucket") && !scope.groupBy.includes(timeColumn)) return false;
  // The view itself says what it lacks.
  if (viewOf(state.view).lacks(state, scope.columns) !== null) return true;
  const timeZone = state.timeZone ?? ownTimeZone();
  const { query } = buildQuery(state, { timeZone, nowMs: Date.now(), columns: scope.columns });
  const read = (query.groupBy ?? []).map(columnOfGroup);
  return read
    .flatMap((name) => storedColumns(name, state.derive))
    .every((name) => scope.groupBy.includes(name));
}

function columnOfGroup(group: GroupBy): string {
  if (typeof group !== "string" && "time" in group) return timeColumn;
  return typeof group !== "string" && "column" in group ? group.column : groupColumn(group);
}

/** The stored columns behind a name: a derived column reads stored ones, and derived ones before it. */
function storedColumns(name: string, derive: ExploreState["derive"]): readonly string[] {
  const index = derive.findLastIndex(({ as }) => as === name);
  const derived = derive[index];
  const inputs = derived === undefined ? null : inputsOf(derived);
  if (inputs === null) return [name];
  const before = derive.slice(0, index);
  return inputs.flatMap((input) => storedColumns(input, before));
}

/** null: only the server knows what a function reads. */
function inputsOf(derived: DerivedColumn): readonly string[] | null {
  if ("expression" in derived) return columnsOf(derived.expression);
  return "args" in derived ? (derived.args ?? null) : null;
}

function columnsOf(expression: Expression): readonly string[] {
  if ("column" in expression) return [expression.column];
  return "args" in expression ? expression.args.flatMap(columnsOf) : [];
}

/** Whether the range is no longer than the longest. */
function isWithin({ rangeMsMax }: Scope, { from, to, timeZone }: ExploreState): boolean {
  try {
    const range = resolveTimeRange(from, to, Date.now(), timeZone ?? ownTimeZone());
    return range.toMs - range.fromMs <= rangeMsMax;
  } catch (error) {
    if (error instanceof HadalError) return false;
    throw error;
  }
}
