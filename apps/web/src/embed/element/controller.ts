import type { HadalChartEventDetails, HadalChartState } from "@hadal/sdk/element";
import type { ChartInputs } from "./inputs.js";

/** What the parts of a chart need of its element. */
export interface ChartHost {
  readonly element: HTMLElement;
  readonly root: ShadowRoot;
  emit<Name extends keyof HadalChartEventDetails>(
    name: Name,
    detail: HadalChartEventDetails[Name],
  ): void;
  /** The next token; null: the page has not said how to get one. */
  renewToken(): Promise<string> | null;
}

/** A chart within its element, loaded after the element itself. */
export interface ChartController {
  update(inputs: ChartInputs): void;
  /** The element is on the page. */
  connect(): void;
  /** It was removed from the page: then it asks nothing. */
  disconnect(): void;
  getState(): HadalChartState | null;
  setState(state: HadalChartState): void;
  refresh(): Promise<void>;
  image(type: "png" | "svg"): Promise<Blob>;
}
