import { interpolateRgb } from "d3-interpolate";
import type { SunburstSeriesOption, TreemapSeriesOption } from "echarts/charts";
import type { TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatChange } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { baseNameOf, type ChartMeasure, labelOfGroup } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import { shareText } from "../../kit/answer/wholeParts.js";
import { textRuler } from "../../kit/paint/fitName.js";
import { createShades, toneOf } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import { drawnSize, type Tree, type TreeNode } from "./buildTree.js";

export type TreeOption = ComposeOption<
  TreemapSeriesOption | SunburstSeriesOption | TooltipComponentOption
>;

export interface TreeDrawing {
  readonly tree: Tree;
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  /** Of the outermost groups, in their order. */
  readonly hues: readonly number[];
  readonly theme: ChartTheme;
  readonly sunburst: boolean;
}

/** What ECharts is given for a node, and hands back with a touch. */
interface NodeItem {
  readonly name: string;
  readonly value: number;
  readonly node: TreeNode;
  readonly itemStyle: { readonly color: string };
  readonly label: {
    readonly color: string;
    readonly rich?: { readonly number: { readonly width: number } };
  };
  readonly children: NodeItem[];
}

/** The node that was touched; null: something else. */
export const nodeOf = (params: unknown): TreeNode | null =>
  (params as { data?: Partial<NodeItem> }).data?.node ?? null;

/** Areas within areas, or rings around rings. */
export function buildTreeOption(drawing: TreeDrawing, areaPx: number): TreeOption {
  const { theme } = drawing;
  const data = itemsOf(drawing);
  return {
    animation: false,
    textStyle: { fontFamily: theme.font },
    series: [drawing.sunburst ? sunburstOf(drawing, data) : treemapOf(drawing, data, areaPx)],
  };
}

function treemapOf(
  { theme, measure, tree }: TreeDrawing,
  data: NodeItem[],
  areaPx: number,
): TreemapSeriesOption {
  const whole = tree.roots.reduce((sum, node) => sum + drawnSize(node), 0);
  const levels = depthOf(data);
  return {
    type: "treemap",
    id: "tree",
    left: 8,
    right: 8,
    top: 0,
    bottom: 8,
    roam: false,
    nodeClick: false,
    breadcrumb: { show: false },
    sort: false,
    cursor: "pointer",
    visibleMin: 2,
    label: {
      fontSize: labelFontPx,
      lineHeight: linePx,
      formatter: (params) => {
        const node = nodeOf(params);
        if (node === null) return "";
        return areaLabel(node.label, numberOf(node, measure), (drawnSize(node) / whole) * areaPx);
      },
      overflow: "truncate",
      ellipsis: "…",
    },
    // ECharts writes what has marks from the top of an area on: its two lines belong into the middle.
    labelLayout: ({ rect }) => ({ dy: Math.max(0, rect.height / 2 - linePx - labelPaddingPx) }),
    upperLabel: {
      show: levels > 1,
      height: 20,
      fontSize: 12,
      // This text is beside the areas, on the page itself.
      color: theme.ink,
      formatter: (params) => shortenName(nodeOf(params)?.label ?? "", 60),
    },
    itemStyle: { borderColor: theme.ground, borderWidth: 1, gapWidth: 1 },
    levels: Array.from({ length: levels + 1 }, (_, level) => ({
      itemStyle: { borderColor: theme.ground, borderWidth: 1, gapWidth: level === 0 ? 3 : 1 },
      upperLabel: { show: level > 0 && level < levels },
    })),
    emphasis: { itemStyle: { borderColor: theme.ink }, upperLabel: { show: levels > 1 } },
    data,
  };
}

const [labelFontPx, linePx] = [12, 15];
/** As ECharts has it around labels of areas. */
const labelPaddingPx = 5;
/** Narrower, nothing of a name is left. */
const namePxMin = 26;
const paddingPx = 6;
/** Areas are seldom higher than this many times their width. */
const steepest = 2;

/**
 * The text on an area. A name may be cut, but not a number, whose beginning would read as another
 * number. Only ECharts knows the width of the area: it omits parts whose style has a width.
 */
export function areaLabel(name: string, number: string, areaPx: number): string {
  if (Math.sqrt(areaPx / steepest) - paddingPx < namePxMin) return "";
  // What reads as a mark in a name is none.
  const text = shortenName(name, 40).replace(/\{(?=\w+\|)/g, "{\u2060");
  return `${text}\n{number|${number}}`;
}

const numberOf = ({ now }: TreeNode, { measure }: ChartMeasure): string =>
  now > 0 ? formatBounded(now, measure, formatMeasure) : "gone";

function sunburstOf({ theme }: TreeDrawing, data: NodeItem[]): SunburstSeriesOption {
  return {
    type: "sunburst",
    id: "tree",
    radius: ["16%", "96%"],
    nodeClick: false,
    // As given: nothing jumps while parts arrive.
    sort: (a, b) => a.dataIndex - b.dataIndex,
    cursor: "pointer",
    itemStyle: { borderColor: theme.ground, borderWidth: 1 },
    label: {
      rotate: "radial",
      minAngle: 7,
      fontSize: 11,
      overflow: "truncate",
      formatter: (params) => shortenName(nodeOf(params)?.label ?? "", 16),
    },
    emphasis: { focus: "none", itemStyle: { borderColor: theme.ink } },
    data,
  };
}

/** The place of a node among its siblings. */
interface ItemPlace {
  readonly hue: string;
  readonly level: number;
  readonly at: number;
  readonly of: number;
}

function itemsOf(drawing: TreeDrawing): NodeItem[] {
  const { tree, measure, compared, theme, hues, sunburst } = drawing;
  const shades = createShades(theme);
  const widthOf = textRuler(labelFontPx, theme.font);
  const itemOf = (node: TreeNode, { hue, level, at, of }: ItemPlace): NodeItem => {
    const color = compared
      ? shades.difference(toneOf(node))
      : // Neighbours of one hue differ in lightness.
        interpolateRgb(hue, theme.ground)(level === 0 ? 0.25 : 0.3 + 0.4 * (at / Math.max(1, of)));
    return {
      name: node.label,
      value: drawnSize(node),
      node,
      itemStyle: { color },
      label: {
        color: shades.inkOn(color),
        // Rings have names alone.
        ...(!sunburst && { rich: { number: { width: widthOf(numberOf(node, measure)) } } }),
      },
      children: node.children.map((child, i) =>
        itemOf(child, { hue, level: level + 1, at: i, of: node.children.length }),
      ),
    };
  };
  return tree.roots.map((node, i) => {
    const hue = node.group.length === 0 ? theme.edge : theme.series[hues[i] ?? 0];
    return itemOf(node, { hue: hue ?? theme.accent, level: 0, at: i, of: tree.roots.length });
  });
}

const depthOf = (items: readonly NodeItem[]): number =>
  items.length === 0 ? 0 : 1 + Math.max(...items.map(({ children }) => depthOf(children)));

/** The path of a node, its number, and its shares of the whole and of its parent. */
export function nodeTooltip(
  node: TreeNode,
  { tree, measure, compared, theme }: TreeDrawing,
): TooltipContent {
  const color = theme.accent;
  const share = node.overlaps ? "" : shareText(node.now, tree.whole?.now);
  const now = {
    color,
    name: measure.label,
    cells: [formatMeasureExact(node.now, measure.measure), share],
  };
  const was = {
    color,
    name: baseNameOf(measure),
    cells: [
      formatMeasureExact(node.was, measure.measure),
      formatChange(changeOf(node.now, node.was)),
    ],
  };
  const label = node.group.length === 0 ? node.label : labelOfGroup(node.group);
  const notes = [
    node.overlaps ? "a row counts in each of its elements" : "",
    compared && node.unsure ? "the difference is within the error bars" : "",
  ].filter((note) => note !== "");
  return {
    title: shortenName(label, 90),
    heads: [],
    rows: compared ? [now, was] : [now],
    note: notes.length === 0 ? null : notes.join(" · "),
  };
}
