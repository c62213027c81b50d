import type { DerivedColumn, Query } from "../../model/query.js";
import { timeColumn } from "../../model/schema.js";
import { withoutParens } from "../base/literal.js";
import { refuse, SqlRefusal } from "../base/sqlRefusal.js";
import type { DeriveItem, Name, Node, SelectItem, Statement } from "../base/syntax.js";
import { findAggregate } from "./lowerAggregate.js";
import { columnOf, lowerExpression } from "./lowerExpression.js";
import { lowerFilter } from "./lowerFilter.js";
import { Lowering } from "./lowering.js";
import { lowerHaving, lowerOrder } from "./lowerResult.js";
import { isGrouped, lowerSelect } from "./lowerSelect.js";
import { lowerCompare, lowerCount, lowerOptions, sortTails } from "./lowerTails.js";
import { type TakenRange, takeTimeRange } from "./lowerTime.js";
import { nextName, Selection } from "./selection.js";
import { withNames, withoutAlias } from "./tableAlias.js";

/** A query as it was written, and the place of each part in the text. */
export interface LoweredStatement {
  readonly query: Query;
  readonly places: ReadonlyMap<string, number>;
}

type Draft = { -readonly [K in keyof Query]: Query[K] };

/** What a statement means, as a query. */
export function lowerStatement(written: Statement): LoweredStatement {
  const statement = withoutAlias(distinctAsGroups(written));
  const lowering = new Lowering();
  const { table, where } = statement;
  lowering.mark("", table.at);
  lowering.mark("table", table.at);
  for (const item of statement.derive) lowerDerived(item, lowering);
  const { from, to, rest } = timeRangeOf(where, table);
  lowering.mark("from", from.at);
  lowering.mark("to", to.at);
  const draft: Draft = { table: table.value, from: from.text, to: to.text };
  if (rest.length > 0) {
    draft.filter = rest.map((node, i) => lowerFilter(node, `filter[${i}]`, lowering));
  }
  const selected = isGrouped(statement)
    ? lowerGrouped(statement, draft, lowering)
    : lowerRows(statement, draft, lowering);
  if (statement.having !== null) {
    draft.having = lowerHaving(statement.having, selected, lowering);
  }
  lowerTails(statement, draft, selected, lowering);
  if (draft.sampleView === undefined) takeSelection(selected, draft);
  else takeRows(selected, draft);
  if (lowering.derive.length > 0) draft.derive = lowering.derive;
  return { query: draft, places: lowering.places };
}

/** The time may be named with its table, where it is not named alone. */
function timeRangeOf(where: Node | null, table: Name): TakenRange {
  try {
    return takeTimeRange(where, table.at);
  } catch (error) {
    const isMissing = error instanceof SqlRefusal && error.code === "time-range-missing";
    if (!isMissing || where === null) throw error;
    const own = `${table.value}.${timeColumn}`;
    return takeTimeRange(
      withNames(where, (name) => (name === own ? timeColumn : name)),
      table.at,
    );
  }
}

function lowerDerived({ as, at, expression, source }: DeriveItem, lowering: Lowering): void {
  const index = lowering.derive.length;
  if (lowering.derive.some((column) => column.as === as.value)) {
    refuse(as.at, "duplicate-name", `Two derived columns are called "${as.value.slice(0, 80)}".`);
  }
  lowering.mark(`derive[${index}].as`, as.at);
  if (source !== null) {
    lowering.addDerived({ as: as.value, js: source.value }, at, [{ path: "js", at: source.at }]);
    return;
  }
  const column = derivedBy(expression, as.value, lowering);
  lowering.addDerived(column.column, at, column.places);
}

/** A derived column: a call of a saved function, or an expression. */
function derivedBy(node: NonNullable<DeriveItem["expression"]>, as: string, lowering: Lowering) {
  const inner = withoutParens(node);
  if (inner.kind === "call") {
    const trial = lowering.trial();
    const name = columnOf(inner, trial);
    const own = trial.derive.find((column) => column.as === name);
    if (own !== undefined && "function" in own) {
      const args = inner.args.map((arg) => columnOf(arg, lowering));
      const places = inner.args.map((arg, i) => ({ path: `args[${i}]`, at: arg.at }));
      const column: DerivedColumn = { as, function: own.function, args };
      return { column, places: [{ path: "function", at: inner.at }, ...places] };
    }
  }
  const { expression, places } = lowerExpression(node, lowering);
  return { column: { as, expression } satisfies DerivedColumn, places };
}

function lowerGrouped(statement: Statement, draft: Draft, lowering: Lowering): Selection {
  const selected = lowerSelect(statement, lowering);
  if (selected.timeZone !== null) {
    lowering.mark("timeZone", selected.timeZone.at);
    draft.timeZone = selected.timeZone.name;
  }
  return selected;
}

/** Once HAVING and ORDER BY have added what they need. */
function takeSelection(selected: Selection, draft: Draft): void {
  const { groups, aggregates, calculate, show } = selected;
  if (groups.length > 0) {
    draft.groupBy = groups.map(({ group }) =>
      "column" in group && group.as === undefined ? group.column : group,
    );
  }
  if (aggregates.length > 0) draft.aggregates = aggregates;
  if (calculate.length > 0) draft.calculate = calculate;
  // Groups alone are counted for their order, and shown alone.
  const shown =
    aggregates.length === 0 && selected.itemNames.length > 0 ? selected.itemNames : show;
  if (draft.show === undefined && shown !== null) draft.show = shown;
}

/** Rows come with their time, which is shown where it is selected. */
function takeRows({ itemNames }: Selection, draft: Draft): void {
  if (draft.show !== undefined || itemNames.length === 0 || itemNames.includes(timeColumn)) return;
  draft.show = itemNames;
}

/** `SELECT DISTINCT a, b` groups by all that it selects. */
function distinctAsGroups(statement: Statement): Statement {
  const { distinct, items, groupBy } = statement;
  if (distinct === null) return statement;
  const star = items.find(({ expression }) => expression.kind === "star");
  if (star !== undefined) {
    const detail = "SELECT DISTINCT takes columns: name those whose combinations you want.";
    return refuse(star.expression.at, "unsupported", detail);
  }
  if (items.some(({ expression }) => findAggregate(expression) !== null) || groupBy.length > 0) {
    const detail = "Groups are distinct: leave out DISTINCT, and select all that GROUP BY names.";
    return refuse(distinct.at, "unsupported", detail);
  }
  const ordinals = items.map(({ expression: { at } }, i): Node => {
    return { kind: "number", at, text: String(i + 1) };
  });
  return { ...statement, groupBy: ordinals };
}

/** SELECT without aggregates and without GROUP BY means raw rows. */
function lowerRows(statement: Statement, draft: Draft, lowering: Lowering): Selection {
  const { items } = statement;
  lowering.mark("sampleView", items[0]?.expression.at ?? statement.table.at);
  const isAll = items.length === 1 && items[0]?.expression.kind === "star";
  const selected = new Selection();
  if (isAll) draft.sampleView = {};
  else {
    const columns = selected.itemNames;
    for (const [i, item] of items.entries()) {
      columns.push(lowerRowItem(item, i, columns, lowering));
    }
    draft.sampleView = { columns: [...columns] };
  }
  return selected;
}

function lowerRowItem(
  { expression, alias }: SelectItem,
  i: number,
  before: readonly string[],
  lowering: Lowering,
): string {
  lowering.mark(`sampleView.columns[${i}]`, expression.at);
  if (expression.kind === "star") {
    return refuse(expression.at, "syntax", "Write * alone in SELECT: it means all columns.");
  }
  const inner = withoutParens(expression);
  if (alias === null) {
    const name = columnOf(expression, lowering);
    return before.includes(name) ? deriveAs(expression, nextName(name, before), lowering) : name;
  }
  const isSame = inner.kind === "name" && inner.value === alias.value;
  if (isSame && !before.includes(alias.value)) return inner.value;
  return deriveAs(expression, alias.value, lowering);
}

function deriveAs(expression: Node, name: string, lowering: Lowering): string {
  const derived = derivedBy(expression, name, lowering);
  return lowering.addDerived(derived.column, expression.at, derived.places);
}

function lowerTails(
  statement: Statement,
  draft: Draft,
  selected: Selection,
  lowering: Lowering,
): void {
  const tails = sortTails(statement.tails);
  if (tails.orderBy) draft.orderBy = lowerOrder(tails.orderBy.items, selected, lowering);
  if (tails.limit) draft.limit = lowerCount(tails.limit.value, "limit", lowering);
  if (tails.offset) draft.offset = lowerCount(tails.offset.value, "offset", lowering);
  if (tails.series) draft.series = lowerCount(tails.series.value, "series", lowering);
  if (tails.show) {
    lowering.mark("show", tails.show.at);
    draft.show = tails.show.names.map(({ value, at }, i) => {
      lowering.mark(`show[${i}]`, at);
      return value;
    });
  }
  if (tails.compare) {
    lowering.mark("compare", tails.compare.at);
    draft.compare = lowerCompare(tails.compare.to, tails.compare.where, lowering);
  }
  if (tails.timeZone) {
    const { value, at } = tails.timeZone.zone;
    if (draft.timeZone !== undefined && draft.timeZone !== value) {
      refuse(at, "ambiguous", `The query has two time zones: ${draft.timeZone} and this one.`);
    }
    lowering.mark("timeZone", at);
    draft.timeZone = value;
  }
  if (tails.with) Object.assign(draft, lowerOptions(tails.with.options, lowering));
}
