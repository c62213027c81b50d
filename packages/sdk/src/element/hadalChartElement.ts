import type { Filter } from "../model/filter.js";
import type { ProblemCode } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";

/** `auto`: as the system is set. */
export type HadalChartTheme = "light" | "dark" | "auto";

/** What a `<hadal-chart>` is asked for. Each is also an attribute (`time-zone`, `query` as JSON); a property that is set wins. */
export interface HadalChartProperties {
  /** Address of the Hadal server. */
  src: string;
  /** An embed token. */
  token: string | null;
  /** null: the query of the embed. */
  query: Query | null;
  /** Id of a view, as in the page's address; null: the view of the embed. */
  view: string | null;
  theme: HadalChartTheme;
  /** An IANA zone; null: that of the query, else the reader's. */
  timeZone: string | null;
  /** Ask again every few seconds. */
  live: boolean;
  /** Called before the token ends: resolves with the next one. */
  onTokenExpired: (() => Promise<string> | string) | null;
}

/** What is shown, after what the reader did with it. It is plain JSON. */
export interface HadalChartState {
  readonly query: Query;
  readonly view: string;
  readonly viewOptions?: Readonly<Record<string, string>>;
  /** Times within the range that the view `changes` compares with the rest. */
  readonly part?: { readonly fromMs: number; readonly toMs: number };
  readonly timeZone: string | null;
  readonly live: boolean;
}

/** A mark that the reader clicked. */
export interface HadalChartSelection {
  readonly label: string;
  /** The exact value. */
  readonly text: string;
  /** Filters of its rows; null: no filters select them. */
  readonly filters: readonly Filter[] | null;
  /** Its times, if it is a part of the range. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | null;
}

/** Of a final answer. */
export interface HadalChartCompletion {
  /** Share of the rows that answered, from 0 to 1. */
  readonly fraction: number;
  readonly missingLeaves: readonly string[];
  /** Rows of the result. */
  readonly rows: number;
  readonly asOf: number;
  readonly elapsedMs: number;
}

export interface HadalChartProblem {
  readonly code: ProblemCode;
  readonly status: number;
  readonly message: string;
}

/** The events of a `<hadal-chart>` and their `detail`. All bubble, and leave the shadow tree. */
export interface HadalChartEventDetails {
  /** The first answer is shown, whole or not. */
  readonly ready: { readonly view: string };
  readonly statechange: HadalChartState;
  readonly select: HadalChartSelection;
  /** A final answer is shown. */
  readonly complete: HadalChartCompletion;
  /** The token ends soon: without `onTokenExpired` the page sets a new one. */
  readonly tokenexpiring: { readonly expiresMs: number | null };
  readonly error: HadalChartProblem;
}

export type HadalChartEventMap = {
  [Name in keyof HadalChartEventDetails]: CustomEvent<HadalChartEventDetails[Name]>;
};

export interface HadalChartMethods {
  /** null: nothing is shown yet. */
  getState(): HadalChartState | null;
  /** Shows this instead, as far as the token allows. */
  setState(state: HadalChartState): void;
  /** Asks the same again; resolves when the answer is final, or there is none. */
  refresh(): Promise<void>;
  /** A picture of what is shown, its completeness included. Rejects when nothing is. */
  image(type: "png" | "svg"): Promise<Blob>;
}

/** The custom element `<hadal-chart>`, which `GET /embed/hadal-chart.js` defines. */
export interface HadalChartElement extends HTMLElement, HadalChartProperties, HadalChartMethods {}
