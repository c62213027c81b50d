import type { SankeySeriesOption } from "echarts/charts";
import type { TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatChange, formatShare } from "../../format/change.js";
import { shortenName } from "../../format/name.js";
import { formatMeasure, formatMeasureExact } from "../../format/value.js";
import type { ChartMeasure } from "../series.js";
import { createShades, toneOf } from "../shade.js";
import type { ChartTheme } from "../theme.js";
import type { TooltipContent } from "../tooltip.js";
import { changeOf } from "../totals.js";
import type { Flow, FlowLink, FlowNode } from "./buildFlow.js";

export type FlowOption = ComposeOption<SankeySeriesOption | TooltipComponentOption>;

export interface FlowDrawing {
  readonly flow: Flow;
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  /** Hue of a node by its id. */
  readonly hueOf: (node: FlowNode) => number;
  readonly theme: ChartTheme;
}

export const flowMargin = { left: 12, right: 132, top: 24, bottom: 10 };
export const nodeWidthPx = 12;
const nodeGapPx = 7;
/** With the gap below it, a line of text; lower values have their names in the table and the tooltip. */
const labelHeightMinPx = 7;

/** What was touched; null: neither a value nor a way. */
export function touchedFlow(params: unknown, flow: Flow): FlowNode | FlowLink | null {
  const { dataType, dataIndex = -1 } = params as { dataType?: string; dataIndex?: number };
  if (dataType === "node") return flow.nodes[dataIndex] ?? null;
  return drawnLinks(flow)[dataIndex] ?? null;
}

/** Stages from left to right, what flows between them as wide as it is much. */
export function buildFlowOption(
  drawing: FlowDrawing,
  widthPx: number,
  heightPx: number,
): FlowOption {
  const { flow, measure, compared, hueOf, theme } = drawing;
  const nodePx = nodeHeights(flow, heightPx);
  const shades = createShades(theme);
  const colorOf = (node: FlowNode): string =>
    node.cell === null ? theme.edge : (theme.series[hueOf(node)] ?? theme.accent);
  const toned = (one: FlowNode | FlowLink): string =>
    shades.difference(toneOf(one.now, one.was, one.unsure));
  return {
    animation: false,
    textStyle: { fontFamily: theme.font },
    series: [
      {
        type: "sankey",
        id: "flow",
        ...flowMargin,
        right: Math.min(flowMargin.right, widthPx * 0.3),
        nodeWidth: nodeWidthPx,
        nodeGap: nodeGapPx,
        // In the order given: largest first, others last; nothing jumps while parts arrive.
        layoutIterations: 0,
        draggable: false,
        cursor: "pointer",
        emphasis: { focus: "adjacency" },
        data: flow.nodes.map((node) => ({
          name: node.id,
          depth: node.stage,
          itemStyle: { color: compared ? toned(node) : colorOf(node), borderWidth: 0 },
          label: { show: nodePx(node) >= labelHeightMinPx },
        })),
        links: drawnLinks(flow).map((link) => ({
          source: link.from.id,
          target: link.to.id,
          value: link.now,
          lineStyle: {
            color: compared ? toned(link) : colorOf(link.from),
            // What did not change steps back.
            opacity: compared && toneOf(link.now, link.was, link.unsure) !== 0 ? 0.7 : 0.32,
            curveness: 0.5,
          },
        })),
        label: {
          color: theme.ink,
          fontSize: 12,
          // Names lie on what flows: a rim keeps them readable.
          textBorderColor: theme.ground,
          textBorderWidth: 2.5,
          formatter: ({ dataIndex }) => {
            const node = flow.nodes[dataIndex];
            if (node === undefined) return "";
            return `${shortenName(node.label, 24)}  ${formatMeasure(node.now, measure.measure)}`;
          },
        },
      },
    ],
  };
}

/** About how high values are drawn: as the fullest stage has room. */
function nodeHeights({ nodes, now }: Flow, heightPx: number): (node: FlowNode) => number {
  const counts = new Map<number, number>();
  for (const { stage } of nodes) counts.set(stage, (counts.get(stage) ?? 0) + 1);
  const gaps = (Math.max(1, ...counts.values()) - 1) * nodeGapPx;
  const room = Math.max(0, heightPx - flowMargin.top - flowMargin.bottom - gaps);
  return (node) => (now > 0 ? (node.now / now) * room : 0);
}

/** Ways of side B alone have no width. */
const drawnLinks = ({ links }: Flow): readonly FlowLink[] => links.filter(({ now }) => now > 0);

export const labelOfFlow = (one: FlowNode | FlowLink): string =>
  "from" in one ? `${one.from.label} → ${one.to.label}` : one.label;

export function flowTooltip(
  one: FlowNode | FlowLink,
  { flow, measure, compared, theme }: FlowDrawing,
): TooltipContent {
  const share = (part: number, whole: number) => formatShare(whole > 0 ? part / whole : 0);
  const now = {
    color: theme.accent,
    name: measure.label,
    cells: [formatMeasureExact(one.now, measure.measure), `${share(one.now, flow.now)} of all`],
  };
  const was = {
    color: theme.edge,
    name: "was",
    cells: [formatMeasureExact(one.was, measure.measure), formatChange(changeOf(one.now, one.was))],
  };
  const notes = [
    "from" in one
      ? `${share(one.now, one.from.now)} of ${shortenName(one.from.label, 24)}, ${share(one.now, one.to.now)} of ${shortenName(one.to.label, 24)}`
      : "",
    compared && one.unsure ? "the difference is within the error bars" : "",
  ].filter((note) => note !== "");
  return {
    title: shortenName(labelOfFlow(one), 90),
    heads: [],
    rows: compared ? [now, was] : [now],
    note: notes.length === 0 ? null : notes.join(" · "),
  };
}
