import { type View, viewIds } from "../viewIds.js";
import { area } from "./area.js";
import { bar } from "./bar.js";
import { bignumber } from "./bignumber.js";
import { changes } from "./changes.js";
import { distribution } from "./distribution.js";
import { flame } from "./flame.js";
import { heatmap } from "./heatmap.js";
import { leaderboards } from "./leaderboards.js";
import { map } from "./map.js";
import { percentiles } from "./percentiles.js";
import { pie } from "./pie.js";
import { pivot } from "./pivot.js";
import { query } from "./query.js";
import { rows } from "./rows.js";
import { sankey } from "./sankey.js";
import { scatter } from "./scatter.js";
import { status } from "./status.js";
import { table } from "./table.js";
import { tags } from "./tags.js";
import { timeline } from "./timeline.js";
import { timeseries } from "./timeseries.js";
import { treemap } from "./treemap.js";
import type { FormField, ViewSpec } from "./viewSpec.js";

const specs: Readonly<Record<View, ViewSpec>> = {
  timeseries,
  area,
  table,
  bar,
  pie,
  treemap,
  sankey,
  pivot,
  map,
  tags,
  leaderboards,
  flame,
  rows,
  distribution,
  heatmap,
  changes,
  timeline,
  bignumber,
  status,
  scatter,
  percentiles,
  query,
};

export const viewOf = (view: View): ViewSpec => specs[view];

/** In the order of the form. */
export const allViews: readonly ViewSpec[] = viewIds.map(viewOf);

export const usesField = (view: View, field: FormField): boolean =>
  specs[view].fields.includes(field);
