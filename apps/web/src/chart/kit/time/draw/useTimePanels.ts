import type { Annotation } from "@hadal/sdk";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { offerSvg } from "../../svg/svgSource.js";
import { margin } from "../plot/build.js";
import type { TimePlot } from "../plot/plot.js";
import { createPanelChart, type PanelChart } from "./panelChart.js";

/** The size of a box; 0 until it is known. */
export function useBoxSize(boxRef: RefObject<HTMLElement | null>): {
  readonly width: number;
  readonly height: number;
} {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    const read = (): void => {
      const { clientWidth: width, clientHeight: height } = box;
      if (width > 0 && height > 0) setSize({ width, height });
    };
    read();
    const observer = new ResizeObserver(read);
    observer.observe(box);
    return () => observer.disconnect();
  }, [boxRef]);
  return size;
}

interface Slot {
  readonly element: HTMLElement;
  readonly chart: PanelChart;
}

/** Draws the panels of a plot into a separate box before the page is painted. */
export function useTimePanels(
  boxRef: RefObject<HTMLElement | null>,
  plot: TimePlot | null,
  focusedKey: string | null,
): void {
  const slots = useRef<Slot[]>([]);
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null || plot === null) return;
    const before = slots.current;
    slots.current = plot.panels.map((panel, i) => {
      const old = before[i];
      if (old?.chart.update(plot, panel) === true) return old;
      const element = document.createElement("div");
      element.style.position = "absolute";
      element.style.top = `${panel.top - margin.top}px`;
      box.append(element);
      return { element, chart: createPanelChart(element, plot, panel) };
    });
    for (const old of before) if (!slots.current.includes(old)) drop(old);
  }, [boxRef, plot]);
  useLayoutEffect(
    () => () => {
      for (const slot of slots.current) drop(slot);
      slots.current = [];
    },
    [],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another plot may have brought other charts
  useLayoutEffect(() => {
    for (const { chart } of slots.current) chart.focus(focusedKey);
  }, [plot, focusedKey]);
}

/** The plot for pictures of the page. */
export function useTimeVectors(
  hostRef: RefObject<HTMLElement | null>,
  plot: TimePlot | null,
  annotations: readonly Annotation[],
): void {
  useEffect(() => {
    const host = hostRef.current;
    if (host === null || plot === null) return;
    return offerSvg(host, async () => {
      const { svgOfTime } = await import("./svgOfTime.js");
      const ruler = document.createElement("canvas").getContext("2d");
      if (ruler === null) throw new Error("this browser draws no canvas");
      return svgOfTime(plot, ruler, annotations);
    });
  }, [hostRef, plot, annotations]);
}

function drop({ element, chart }: Slot): void {
  chart.destroy();
  element.remove();
}
