import type { SankeySeriesOption } from "echarts/charts";
import type { TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatChange } from "../../../format/change.js";
import { formatBounded } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import { shareText, sizeOf } from "../../kit/answer/wholeParts.js";
import { fitName, textRuler } from "../../kit/paint/fitName.js";
import { createShades, toneOf } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
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

const flowMargin = { left: 12, right: 132, top: 24, bottom: 10 };
const nodeWidthPx = 12;
const nodeGapPx = 7;
/** Height of a line of text; values without room have their names in the table and the tooltip. */
const labelPx = 14;

const fontPx = 12;
/** Gap between a node and its label, with the outline of the letters. */
const labelGapPx = 10;
const [nameCharsMin, nameCharsMax] = [6, 24];

/** The clicked node or link; null: neither. */
export function touchedFlow(params: unknown, flow: Flow): FlowNode | FlowLink | null {
  const { dataType, dataIndex = -1 } = params as { dataType?: string; dataIndex?: number };
  if (dataType === "node") return flow.nodes[dataIndex] ?? null;
  return drawnLinks(flow)[dataIndex] ?? null;
}

/** Stages from left to right, with links as wide as their amount. */
export function buildFlowOption(
  drawing: FlowDrawing,
  widthPx: number,
  heightPx: number,
): FlowOption {
  const { flow, theme } = drawing;
  const labelled = labelledNodes(flow, heightPx);
  const colors = flowColors(drawing);
  return {
    animation: false,
    textStyle: { fontFamily: theme.font },
    series: [
      {
        type: "sankey",
        id: "flow",
        ...flowMargin,
        right: rightMargin(widthPx),
        nodeWidth: nodeWidthPx,
        nodeGap: nodeGapPx,
        // In the given order, largest first, others last: nodes do not move while parts arrive.
        layoutIterations: 0,
        draggable: false,
        cursor: "pointer",
        emphasis: { focus: "adjacency" },
        data: flow.nodes.map((node) => ({
          name: node.id,
          depth: node.stage,
          itemStyle: { color: colors.ofNode(node), borderWidth: 0 },
          label: { show: labelled.has(node.id) },
        })),
        links: drawnLinks(flow).map((link) => ({
          source: link.from.id,
          target: link.to.id,
          value: sizeOf(link),
          lineStyle: { ...colors.ofLink(link), curveness: 0.5 },
        })),
        label: labelOption(drawing, widthPx),
      },
    ],
  };
}

/** Colours by value, or with a comparison by change. */
function flowColors({ compared, hueOf, theme }: FlowDrawing) {
  const shades = createShades(theme);
  const colorOf = (node: FlowNode): string =>
    node.cell === null ? theme.edge : (theme.series[hueOf(node)] ?? theme.accent);
  return {
    ofNode: (node: FlowNode): string =>
      compared ? shades.difference(toneOf(node)) : colorOf(node),
    ofLink: (link: FlowLink) => ({
      color: compared ? shades.difference(toneOf(link)) : colorOf(link.from),
      // Links without a change are fainter.
      opacity: compared && toneOf(link) !== 0 ? 0.7 : 0.32,
    }),
  };
}

function labelOption(
  { flow, measure, theme }: FlowDrawing,
  widthPx: number,
): NonNullable<SankeySeriesOption["label"]> {
  const roomPx = labelRoom(flow, widthPx);
  const widthOf = textRuler(fontPx, theme.font);
  return {
    color: theme.ink,
    fontSize: fontPx,
    // Labels lie on links: an outline keeps them readable.
    textBorderColor: theme.ground,
    textBorderWidth: 2.5,
    formatter: ({ dataIndex }) => {
      const node = flow.nodes[dataIndex];
      if (node === undefined) return "";
      const text = node.now > 0 ? formatBounded(node.now, measure.measure, formatMeasure) : "gone";
      return flowLabel(node.label, text, roomPx, widthOf);
    },
  };
}

/** Room for the labels of the last stage. */
export const rightMargin = (widthPx: number): number => Math.min(flowMargin.right, widthPx * 0.3);

/** Where the first stage begins, and from there each next one. */
export function stagesIn(widthPx: number, count: number) {
  const room = Math.max(0, widthPx - flowMargin.left - rightMargin(widthPx) - nodeWidthPx);
  return { leftPx: flowMargin.left, stepPx: room / Math.max(1, count - 1) };
}

/** Room for a label, up to the next stage. */
function labelRoom(flow: Flow, widthPx: number): number {
  const stages = Math.max(0, ...flow.nodes.map(({ stage }) => stage));
  const right = rightMargin(widthPx);
  const step = (widthPx - flowMargin.left - right - nodeWidthPx) / Math.max(1, stages);
  const room = Math.min(step - nodeWidthPx, stages === 0 ? step : right);
  return room - labelGapPx;
}

/** The name is cut to fit beside its number; if little would remain of it, the number is left out. */
export function flowLabel(
  name: string,
  number: string,
  roomPx: number,
  widthOf: (text: string) => number,
): string {
  const beside = fitName(name, nameCharsMax, roomPx - widthOf(`  ${number}`), widthOf);
  return [...beside].length < Math.min([...name].length, nameCharsMin)
    ? fitName(name, nameCharsMax, roomPx, widthOf)
    : `${beside}  ${number}`;
}

/** Nodes whose labels have room: the largest of a stage first, without overlap. */
export function labelledNodes(flow: Flow, heightPx: number): ReadonlySet<string> {
  const heightOf = nodeSizes(flow);
  const stages = [...new Set(flow.nodes.map(({ stage }) => stage))].map((stage) =>
    flow.nodes.filter((node) => node.stage === stage),
  );
  const height = Math.max(0, heightPx - flowMargin.top - flowMargin.bottom);
  // As ECharts does: the stage with the largest total fills the height.
  const pxPerOne = Math.min(
    ...stages.map((nodes) => {
      const total = nodes.reduce((sum, node) => sum + heightOf(node), 0);
      return Math.max(0, height - (nodes.length - 1) * nodeGapPx) / total;
    }),
  );
  const labelled = new Set<string>();
  for (const nodes of stages) {
    let top = 0;
    const places = nodes.map((node) => {
      const px = heightOf(node) * pxPerOne;
      const middle = top + px / 2;
      top += px + nodeGapPx;
      return { id: node.id, px, middle };
    });
    const taken: number[] = [];
    for (const { id, middle } of places.sort((a, b) => b.px - a.px)) {
      if (taken.some((other) => Math.abs(other - middle) < labelPx)) continue;
      taken.push(middle);
      labelled.add(id);
    }
  }
  return labelled;
}

/** A node is as high as the larger of its two sides. */
function nodeSizes(flow: Flow): (node: FlowNode) => number {
  const sides = new Map<string, { into: number; outOf: number }>();
  const sidesOf = ({ id }: FlowNode) => {
    const known = sides.get(id) ?? { into: 0, outOf: 0 };
    sides.set(id, known);
    return known;
  };
  for (const link of flow.links) {
    sidesOf(link.from).outOf += sizeOf(link);
    sidesOf(link.to).into += sizeOf(link);
  }
  return (node) => Math.max(sidesOf(node).into, sidesOf(node).outOf);
}

const drawnLinks = ({ links }: Flow): readonly FlowLink[] =>
  links.filter((link) => sizeOf(link) > 0);

export const labelOfFlow = (one: FlowNode | FlowLink): string =>
  "from" in one ? `${one.from.label} → ${one.to.label}` : one.label;

export function flowTooltip(
  one: FlowNode | FlowLink,
  { flow, measure, compared, theme }: FlowDrawing,
): TooltipContent {
  const ends = "from" in one ? [one.from, one.to] : [one];
  const overlaps = flow.overlaps(ends);
  const share = overlaps ? "" : shareText(one.now, flow.whole?.now);
  const now = {
    color: theme.accent,
    name: measure.label,
    cells: [formatMeasureExact(one.now, measure.measure), share === "" ? "" : `${share} of all`],
  };
  const was = {
    color: theme.edge,
    name: baseNameOf(measure),
    cells: [formatMeasureExact(one.was, measure.measure), formatChange(changeOf(one.now, one.was))],
  };
  const shareOfEnds = ends
    .filter((end) => end !== one && !overlaps && !flow.overlaps([end]))
    .map((end) => `${shareText(one.now, end.now)} of ${shortenName(end.label, 24)}`);
  const notes = [
    shareOfEnds.join(", "),
    overlaps ? "a row counts in each of its elements" : "",
    compared && one.unsure ? "the difference is within the error bars" : "",
  ].filter((note) => note !== "");
  return {
    title: shortenName(labelOfFlow(one), 90),
    heads: [],
    rows: compared ? [now, was] : [now],
    note: notes.length === 0 ? null : notes.join(" · "),
  };
}
