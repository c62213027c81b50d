import { type View, viewIds } from "../viewIds.js";
import { area } from "./area.js";
import { bar } from "./bar.js";
import { distribution } from "./distribution.js";
import { flame } from "./flame.js";
import { heatmap } from "./heatmap.js";
import { query } from "./query.js";
import { rows } from "./rows.js";
import { table } from "./table.js";
import { timeseries } from "./timeseries.js";
import type { FormField, ViewSpec } from "./viewSpec.js";

const specs: Readonly<Record<View, ViewSpec>> = {
  timeseries,
  area,
  table,
  bar,
  flame,
  rows,
  distribution,
  heatmap,
  query,
};

export const viewOf = (view: View): ViewSpec => specs[view];

/** In the order of the form. */
export const allViews: readonly ViewSpec[] = viewIds.map(viewOf);

export const usesField = (view: View, field: FormField): boolean =>
  specs[view].fields.includes(field);
