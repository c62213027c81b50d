import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { focusedBeside } from "../../../ui/root/focus.js";
import type { Span, Timeline } from "./build.js";

interface Pointed {
  readonly span: Span;
  /** The timeline of the span: no tip is shown for a span of an older one. */
  readonly timeline: Timeline;
  readonly x: number;
  readonly y: number;
}

/** The spans under the pointer and the keyboard cursor. */
export interface SpanCursor {
  readonly hostRef: RefObject<HTMLDivElement | null>;
  readonly pointed: Pointed | null;
  /** Index of the span in the tab order. */
  readonly active: number;
  readonly point: (span: Span, target: HTMLElement) => void;
  readonly leave: () => void;
  readonly focus: (index: number, target: HTMLElement) => void;
  readonly blur: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

export function useSpanCursor(timeline: Timeline): SpanCursor {
  const hostRef = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  const [lastPointed, setPointed] = useState<Pointed | null>(null);
  const [lastActive, setActive] = useState(0);
  const active = clampIndex(lastActive, timeline);
  const focusOn = (index: number): void =>
    hostRef.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus();
  const point = (span: Span, target: HTMLElement): void => {
    const around = hostRef.current?.getBoundingClientRect();
    if (around !== undefined) setPointed({ span, timeline, ...tipPlace(target, around) });
  };
  // When another result replaces the spans, the keyboard cursor stays at its index.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another result moves the spans
  useLayoutEffect(() => {
    const host = hostRef.current;
    if (!hasFocus.current || host === null) return;
    const focused = focusedBeside(host);
    if (focused === null || focused === document.body) focusOn(active);
    else if (focused instanceof HTMLElement) {
      point(timeline.spans[Number(focused.dataset.index)]!, focused);
    }
  }, [timeline]);
  return {
    hostRef,
    pointed: lastPointed?.timeline === timeline ? lastPointed : null,
    active,
    point,
    leave: () => setPointed(null),
    focus(index, target) {
      hasFocus.current = true;
      setActive(index);
      point(timeline.spans[index]!, target);
    },
    blur() {
      hasFocus.current = false;
      setPointed(null);
    },
    onKeyDown(event) {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const next = clampIndex(active + step, timeline);
      setActive(next);
      focusOn(next);
    },
  };
}

const clampIndex = (index: number, { spans }: Timeline): number =>
  Math.max(0, Math.min(spans.length - 1, index));

/** The tip opens below the beginning of a span. */
function tipPlace(
  target: HTMLElement,
  around: DOMRect,
): { readonly x: number; readonly y: number } {
  const { left, width, bottom } = target.getBoundingClientRect();
  return { x: left - around.left + Math.min(width, 40), y: bottom - around.top - 8 };
}
