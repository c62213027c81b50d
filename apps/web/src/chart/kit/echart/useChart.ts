import type { EChartsType } from "echarts/core";
import { type RefObject, useEffect, useRef, useState } from "react";
import { offerSvg } from "../svg/svgSource.js";
import { initChart } from "./echarts.js";

export interface ChartHandle {
  readonly hostRef: RefObject<HTMLDivElement | null>;
  readonly chart: EChartsType | null;
  readonly width: number;
  readonly height: number;
}

/** A chart with the size of its element, disposed of with it. */
export function useChart(): ChartHandle {
  const hostRef = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<EChartsType | null>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });

  useEffect(() => {
    const host = hostRef.current;
    if (host === null) return;
    const made = initChart(host, null, { renderer: "canvas" });
    setChart(made);
    const takeBack = offerSvg(host, async () =>
      (await import("../svg/svgOfChart.js")).svgOfChart(made),
    );
    const observer = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = host;
      if (width === 0 || height === 0) return;
      made.resize({ width, height });
      setSize({ width, height });
    });
    observer.observe(host);
    return () => {
      observer.disconnect();
      takeBack();
      made.dispose();
      setChart(null);
    };
  }, []);

  return { hostRef, chart, ...size };
}
