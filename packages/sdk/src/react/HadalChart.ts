import {
  type CSSProperties,
  createElement,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";
import type {
  HadalChartElement,
  HadalChartEventDetails,
  HadalChartMethods,
  HadalChartProperties,
} from "../element/hadalChartElement.js";
import { loadHadalChart } from "../element/loadHadalChart.js";
import { printQuery } from "../wire/printQuery.js";

type Details = HadalChartEventDetails;

export interface HadalChartProps
  extends Pick<HadalChartProperties, "src">,
    Partial<Omit<HadalChartProperties, "src">> {
  readonly ref?: Ref<HadalChartMethods>;
  readonly id?: string;
  readonly className?: string;
  readonly style?: CSSProperties;
  readonly onReady?: (detail: Details["ready"]) => void;
  readonly onStateChange?: (detail: Details["statechange"]) => void;
  readonly onSelect?: (detail: Details["select"]) => void;
  readonly onComplete?: (detail: Details["complete"]) => void;
  readonly onTokenExpiring?: (detail: Details["tokenexpiring"]) => void;
  readonly onError?: (detail: Details["error"]) => void;
}

/** `<hadal-chart>` as a React component; it loads the element's script from `src`. */
export function HadalChart(props: HadalChartProps): ReactElement {
  const { ref, id, className, style, src } = props;
  const elementRef = useRef<HadalChartElement | null>(null);
  useScript(src, props.onError);
  useProperties(elementRef, props);
  useEvents(elementRef, props);
  useImperativeHandle(ref, () => methodsOf(elementRef), []);
  return createElement("hadal-chart", { ref: elementRef, id, class: className, style });
}

type ElementRef = { readonly current: HadalChartElement | null };

function useScript(src: string, onError: HadalChartProps["onError"]): void {
  const latest = useRef(onError);
  useEffect(() => {
    latest.current = onError;
  });
  useEffect(() => {
    loadHadalChart(src).catch((error: Error) =>
      latest.current?.({ code: "connection-lost", status: 503, message: error.message }),
    );
  }, [src]);
}

/** As properties: an element that is not defined yet reads them when it is. Before the page is shown, so that the element starts with them. */
function useProperties(ref: ElementRef, props: HadalChartProps): void {
  const { src, token = null, query = null, view = null, theme = "auto" } = props;
  const { timeZone = null, live = false, onTokenExpired = null } = props;
  const queryText = query === null ? "" : printQuery(query);
  const latest = useRef(onTokenExpired);
  useLayoutEffect(() => {
    latest.current = onTokenExpired;
  });
  const renews = onTokenExpired !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a parent may write the same query in each render
  useLayoutEffect(() => {
    if (ref.current !== null) ref.current.query = query;
  }, [ref, queryText]);
  useLayoutEffect(() => {
    const renew = async (): Promise<string> => (await latest.current?.()) ?? "";
    const own = { src, token, view, theme, timeZone, live };
    if (ref.current !== null) {
      Object.assign(ref.current, { ...own, onTokenExpired: renews ? renew : null });
    }
  }, [ref, src, token, view, theme, timeZone, live, renews]);
}

function useEvents(ref: ElementRef, props: HadalChartProps): void {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const listeners: { [Name in keyof Details]: (detail: Details[Name]) => void } = {
      ready: (detail) => latest.current.onReady?.(detail),
      statechange: (detail) => latest.current.onStateChange?.(detail),
      select: (detail) => latest.current.onSelect?.(detail),
      complete: (detail) => latest.current.onComplete?.(detail),
      tokenexpiring: (detail) => latest.current.onTokenExpiring?.(detail),
      error: (detail) => latest.current.onError?.(detail),
    };
    const stops = Object.entries(listeners).map(([name, listener]) => {
      const onEvent = (event: Event): void => {
        if (event instanceof CustomEvent) listener(event.detail as never);
      };
      element.addEventListener(name, onEvent);
      return () => element.removeEventListener(name, onEvent);
    });
    return () => {
      for (const stop of stops) stop();
    };
  }, [ref]);
}

/** Those of an element that is not defined yet wait for its script. */
function methodsOf(ref: ElementRef): HadalChartMethods {
  const defined = async (): Promise<HadalChartElement> => {
    await customElements.whenDefined("hadal-chart");
    if (ref.current === null) throw new Error("The chart is no longer on the page.");
    return ref.current;
  };
  return {
    getState: () => ref.current?.getState?.() ?? null,
    setState: (state) => void defined().then((element) => element.setState(state)),
    refresh: async () => (await defined()).refresh(),
    image: async (type) => (await defined()).image(type),
  };
}
