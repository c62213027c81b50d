import type { ViewId } from "../../query/state/exploreState.js";
import type { FormField, ViewSpec } from "../spec/viewSpec.js";
import { bar } from "./bar/spec.js";
import { bignumber } from "./bignumber/spec.js";
import { calendar } from "./calendar/spec.js";
import { changes } from "./changes/spec.js";
import { distribution } from "./distribution/spec.js";
import { flame } from "./flame/spec.js";
import { heatmap } from "./heatmap/spec.js";
import { leaderboards } from "./leaderboards/spec.js";
import { map } from "./map/spec.js";
import { percentiles } from "./percentiles/spec.js";
import { pie } from "./pie/spec.js";
import { pivot } from "./pivot/spec.js";
import { query } from "./query/spec.js";
import { rows } from "./rows/spec.js";
import { sankey } from "./sankey/spec.js";
import { scatter } from "./scatter/spec.js";
import { status } from "./status/spec.js";
import { table } from "./table/spec.js";
import { tags } from "./tags/spec.js";
import { timeline } from "./timeline/spec.js";
import { area } from "./timeseries/areaSpec.js";
import { timeseries } from "./timeseries/spec.js";
import { treemap } from "./treemap/spec.js";

/** Every view, in the order in which the form offers them. A new view adds its folder and a line here. */
export const allViews: readonly ViewSpec[] = [
  timeseries,
  area,
  table,
  bar,
  distribution,
  heatmap,
  percentiles,
  pie,
  treemap,
  sankey,
  pivot,
  scatter,
  map,
  tags,
  leaderboards,
  flame,
  status,
  calendar,
  bignumber,
  timeline,
  changes,
  rows,
  query,
];

const specs: ReadonlyMap<string, ViewSpec> = new Map(allViews.map((spec) => [spec.id, spec]));

export const isView = (id: string): id is ViewId => specs.has(id);

export function viewOf(id: ViewId): ViewSpec {
  const spec = specs.get(id);
  if (spec === undefined) throw new Error(`no view has the id ${id}`);
  return spec;
}

export const usesField = (id: ViewId, field: FormField): boolean =>
  viewOf(id).fields.includes(field);
