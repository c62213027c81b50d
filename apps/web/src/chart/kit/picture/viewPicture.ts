import type { Annotation, WhatChanged } from "@hadal/sdk";
import type { ChartTheme } from "../paint/theme.js";
import type { ViewProps } from "../props/viewProps.js";
import type { Ruler } from "../svg/svgContext.js";
import type { PictureKey } from "./pictureKey.js";
import type { PictureTable } from "./pictureTable.js";

type Answered = "input" | "query" | "extras" | "extraQueries" | "options" | "rank" | "colors";

/** What a view's picture is drawn from: what its component is given, without a page. */
export interface PictureProps extends Pick<ViewProps, Answered | "part"> {
  readonly theme: ChartTheme;
  readonly ruler: Ruler;
  /** What happened, for charts over time. */
  readonly annotations: readonly Annotation[];
  /** How the two sides differ, for the view that shows it; null: not asked. */
  readonly changes: WhatChanged | null;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A view without a page, in parts that a frame puts below one another. */
export interface ViewPicture {
  /** The chart as an SVG document; absent: the table is all there is. */
  readonly chart?: (size: PictureSize) => string;
  /** What its colours mean. */
  readonly key?: readonly PictureKey[];
  /** What one must know to read it. */
  readonly notes?: readonly string[];
  /** The numbers: below the chart, as far as there is room. */
  readonly table?: PictureTable;
}

export type DrawView = (props: PictureProps) => ViewPicture;
