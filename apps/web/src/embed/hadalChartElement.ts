import type { Query } from "@hadal/sdk";
import type {
  HadalChartElement as ElementInterface,
  HadalChartEventDetails,
  HadalChartProperties,
  HadalChartState,
  HadalChartTheme,
} from "@hadal/sdk/element";
import type { ChartController } from "./element/controller.js";
import { attributeNames, type ChartInputs, type InputName, readInputs } from "./element/inputs.js";

const inputNames = Object.keys(attributeNames) as readonly InputName[];
const writtenNames = [...inputNames, "onTokenExpired"] as const;

type RenewToken = HadalChartProperties["onTokenExpired"];

/** `<hadal-chart>`: attributes, properties, events and methods. All the rest is loaded when the first one is on a page. */
export class HadalChartElement extends HTMLElement implements ElementInterface {
  static readonly observedAttributes = Object.values(attributeNames);

  #onTokenExpired: RenewToken = null;
  #given: { [Name in InputName]?: unknown } = {};
  #controller: Promise<ChartController> | null = null;
  /** The same once it is loaded. */
  #loaded: ChartController | null = null;
  #isUpdating = false;
  readonly #root = this.attachShadow({ mode: "open" });

  constructor() {
    super();
    // A name that the page gives it (aria-label) needs a role.
    this.attachInternals().role = "figure";
    // The page may have set properties before the element was defined.
    for (const name of writtenNames) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, value);
    }
  }

  connectedCallback(): void {
    this.#with((controller) => {
      // It may have been removed while the controller was loaded.
      if (this.isConnected) controller.connect();
    });
  }

  disconnectedCallback(): void {
    this.#loaded?.disconnect();
  }

  attributeChangedCallback(): void {
    this.#update();
  }

  get src(): string {
    return this.#inputs().src;
  }
  set src(value: string) {
    this.#give("src", value);
  }
  get token(): string | null {
    return this.#inputs().token;
  }
  set token(value: string | null) {
    this.#give("token", value);
  }
  get query(): Query | null {
    return this.#inputs().query;
  }
  set query(value: Query | null) {
    this.#give("query", value);
  }
  get view(): string | null {
    return this.#inputs().view;
  }
  set view(value: string | null) {
    this.#give("view", value);
  }
  get theme(): HadalChartTheme {
    return this.#inputs().theme;
  }
  set theme(value: HadalChartTheme) {
    this.#give("theme", value);
  }
  get timeZone(): string | null {
    return this.#inputs().timeZone;
  }
  set timeZone(value: string | null) {
    this.#give("timeZone", value);
  }
  get live(): boolean {
    return this.#inputs().live;
  }
  set live(value: boolean) {
    this.#give("live", value);
  }

  get onTokenExpired(): RenewToken {
    return this.#onTokenExpired;
  }
  set onTokenExpired(value: RenewToken) {
    this.#onTokenExpired = typeof value === "function" ? value : null;
  }

  getState(): HadalChartState | null {
    return this.#loaded?.getState() ?? null;
  }

  setState(state: HadalChartState): void {
    this.#with((controller) => controller.setState(state));
  }

  async refresh(): Promise<void> {
    await (await this.#start()).refresh();
  }

  async image(type: "png" | "svg"): Promise<Blob> {
    return (await this.#start()).image(type);
  }

  #give(name: InputName, value: unknown): void {
    this.#given[name] = value;
    this.#update();
  }

  #inputs(): ChartInputs {
    return readInputs((name) => this.getAttribute(name), this.#given, document.baseURI);
  }

  /** Changes of the same turn are one. */
  #update(): void {
    if (this.#isUpdating || this.#controller === null) return;
    this.#isUpdating = true;
    this.#with((controller) => {
      this.#isUpdating = false;
      controller.update(this.#inputs());
    });
  }

  /** A failure to load has its event. */
  #with(use: (controller: ChartController) => void): void {
    this.#start().then(use, () => {
      this.#isUpdating = false;
    });
  }

  #start(): Promise<ChartController> {
    this.#controller ??= this.#load();
    return this.#controller;
  }

  async #load(): Promise<ChartController> {
    try {
      const { mountChart } = await import("./mount/mountChart.js");
      this.#loaded = mountChart(
        {
          element: this,
          root: this.#root,
          emit: (name, detail) => this.#emit(name, detail),
          renewToken: () => this.#renewToken(),
        },
        this.#inputs(),
      );
      return this.#loaded;
    } catch (error) {
      // The next call loads again.
      this.#controller = null;
      const message = "The chart could not be loaded.";
      this.#root.textContent = message;
      this.#emit("error", { code: "connection-lost", status: 503, message });
      throw error;
    }
  }

  #renewToken(): Promise<string> | null {
    const renew = this.#onTokenExpired;
    return renew === null ? null : Promise.resolve(renew.call(this));
  }

  #emit<Name extends keyof HadalChartEventDetails>(
    name: Name,
    detail: HadalChartEventDetails[Name],
  ): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
