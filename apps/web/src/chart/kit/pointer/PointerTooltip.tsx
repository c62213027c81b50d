import { useLayoutEffect, useRef } from "react";
import styles from "./PointerTooltip.module.css";
import { renderTooltip, type TooltipContent } from "./tooltip.js";

export interface PointerTooltipProps {
  /** null: nothing is pointed at. */
  readonly content: TooltipContent | null;
  /** Where the pointer is in the window. */
  readonly x: number;
  readonly y: number;
}

const offsetPx = 14;

/** The tooltip of charts that ECharts does not draw: beside the pointer, never outside the window. */
export function PointerTooltip({ content, x, y }: PointerTooltipProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const host = ref.current;
    if (host === null) return;
    host.replaceChildren(...(content === null ? [] : [renderTooltip(content)]));
  }, [content]);
  useLayoutEffect(() => {
    const host = ref.current;
    if (host === null || content === null) return;
    const { width, height } = host.getBoundingClientRect();
    const isRight = x + offsetPx + width > window.innerWidth;
    const isBelow = y + offsetPx + height > window.innerHeight;
    const left = isRight ? Math.max(4, x - offsetPx - width) : x + offsetPx;
    const top = isBelow ? Math.max(4, y - offsetPx - height) : y + offsetPx;
    host.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }, [content, x, y]);
  return <div ref={ref} className={styles.layer} aria-hidden="true" />;
}
