import { useLayoutEffect, useRef } from "react";
import { renderTooltip, type TooltipContent } from "../pointer/tooltip.js";
import styles from "./CellPane.module.css";

export interface TipProps {
  readonly content: TooltipContent;
  /** The position that it describes, within the chart's box. */
  readonly x: number;
  readonly y: number;
}

const gapPx = 14;

/** A tooltip beside the pointer, within its chart. */
export function Tip({ content, x, y }: TipProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    const around = current?.offsetParent;
    if (current === null || !(around instanceof HTMLElement)) return;
    current.replaceChildren(renderTooltip(content));
    const { offsetWidth: width, offsetHeight: height } = current;
    const left = x + gapPx + width <= around.clientWidth ? x + gapPx : x - gapPx - width;
    const top = y + gapPx + height <= around.clientHeight ? y + gapPx : y - gapPx - height;
    current.style.left = `${Math.max(0, Math.min(left, around.clientWidth - width))}px`;
    current.style.top = `${Math.max(0, top)}px`;
  }, [content, x, y]);
  return <div ref={box} className={styles.tip} data-testid="tip" />;
}
