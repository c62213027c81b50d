import { HadalError } from "@hadal/sdk";
import type { HadalChartState } from "@hadal/sdk/element";
import { createRoot, type Root } from "react-dom/client";
import "../../ui/tokens.css";
import "../style/host.css";
import "../../ui/base.css";
import "../../chart/chart.css";
import { isView } from "../../chart/view/views.js";
import { preloadView } from "../../panel/draw/viewComponents.js";
import { type ChartClient, createChartClient } from "../connect/chartClient.js";
import {
  type Connection,
  Connections,
  type ConnectionUser,
  pageAccess,
} from "../connect/connection.js";
import type { ChartController, ChartHost } from "../element/controller.js";
import type { ChartInputs } from "../element/inputs.js";
import { EmbedChart } from "../shown/EmbedChart.js";
import { ChartReports } from "../shown/reports.js";
import { printChartState, readChartState } from "../state/chartState.js";
import { type ChartSnapshot, type ChartStore, createChartStore } from "../state/chartStore.js";
import { obstacleOf } from "../state/obstacle.js";
import { adoptStyles } from "../style/sheets.js";
import { watchDark, watchVisible } from "./watch.js";

const connections = new Connections(pageAccess);

/** A chart that comes back within this time, as when a page is sorted, shows its answer at once. */
const keptMs = 30_000;
/** Between attempts to read what the token allows. */
const againMs = 3_000;

/** The inside of an element: what is drawn, asked and reported. */
export function mountChart(host: ChartHost, inputs: ChartInputs): ChartController {
  return new MountedChart(host, inputs);
}

class MountedChart implements ChartController, ConnectionUser {
  readonly #host: ChartHost;
  readonly #root = document.createElement("div");
  readonly #store: ChartStore;
  readonly #reports: ChartReports;
  readonly #client: ChartClient;
  #connection: Connection;
  #isConnected = false;
  #obstacle: HadalError | null = null;
  #react: Root | null = null;
  #stops: (() => void)[] = [];
  #removal: ReturnType<typeof setTimeout> | null = null;
  /** The next attempt to read what the token allows. */
  #again: ReturnType<typeof setTimeout> | null = null;

  constructor(host: ChartHost, inputs: ChartInputs) {
    this.#host = host;
    this.#reports = new ChartReports(host);
    this.#connection = connections.open(inputs);
    this.#client = createChartClient(this.#connection);
    this.#store = createChartStore(inputs);
    this.#root.className = "hadal-root";
    host.root.replaceChildren(this.#root);
    this.#store.subscribe((now, before) => this.#onChange(now, before));
    const { state } = this.#store.getState();
    const view = state?.view ?? inputs.view;
    if (view !== null && isView(view)) preloadView(view);
  }

  update(inputs: ChartInputs): void {
    const { inputs: before } = this.#store.getState();
    this.#store.update(inputs);
    if (inputs.theme !== before.theme && this.#isConnected) this.#watch();
    if (inputs.src !== before.src || inputs.token !== before.token) {
      this.moveTo(connections.open(inputs));
    } else if (inputs.fault !== before.fault && this.#isConnected) void this.#learn();
  }

  connect(): void {
    if (this.#isConnected) return;
    this.#isConnected = true;
    if (this.#removal !== null) clearTimeout(this.#removal);
    // That of an earlier time may be closed.
    this.#connection = connections.open(this.#store.getState().inputs);
    this.#client.moveTo(this.#connection);
    this.#connection.join(this);
    this.#watch();
    this.#mount();
    void this.#learn();
  }

  disconnect(): void {
    if (!this.#isConnected) return;
    this.#isConnected = false;
    if (this.#removal !== null) clearTimeout(this.#removal);
    this.#unwatch();
    this.#store.see({ isWanted: false });
    this.#connection.leave(this);
    this.#cancelAgain();
    this.#reports.wake();
    this.#removal = setTimeout(() => this.#unmount(), keptMs);
  }

  getState(): HadalChartState | null {
    const { state } = this.#store.getState();
    return state === null ? null : printChartState(state);
  }

  setState(text: HadalChartState): void {
    const state = readChartState(text);
    if (state !== null) this.#store.open(state);
    else this.#reports.failed(new HadalError("bad-request", { detail: "This is no state." }));
  }

  async refresh(): Promise<void> {
    const known = this.#store.getState();
    const isAsked = known.isWanted && known.state !== null && known.refusal === null;
    if (!isAsked || obstacleOf(known) !== null) return;
    const settled = this.#reports.whenSettled();
    this.#store.askAgain();
    await settled;
  }

  async image(type: "png" | "svg"): Promise<Blob> {
    // The drawing code is loaded on demand.
    const [{ drawPng, drawSvg }, { pictureLines }] = await Promise.all([
      import("../../panel/picture/drawPicture.js"),
      import("./pictureLines.js"),
    ]);
    const { drawn } = this.#reports;
    const title = this.#store.getState().self?.title;
    const lines = drawn === null ? [] : pictureLines(drawn, title);
    const status = this.#find("embed-status")?.textContent ?? "";
    const pictured = {
      answer: this.#find("result"),
      root: this.#root,
      lines: [...lines, status],
    };
    const picture = type === "svg" ? await drawSvg(pictured) : await drawPng(pictured);
    if (picture === null) throw new Error("Nothing is shown that could be drawn.");
    return typeof picture === "string" ? new Blob([picture], { type: "image/svg+xml" }) : picture;
  }

  onExpiring(expiresMs: number): void {
    this.#host.emit("tokenexpiring", { expiresMs });
  }

  renewToken(): Promise<string> | null {
    return this.#host.renewToken();
  }

  moveTo(next: Connection): void {
    if (next === this.#connection) return;
    const before = this.#connection;
    this.#connection = next;
    if (next.scope !== before.scope) this.#store.restart();
    this.#client.moveTo(next);
    if (!this.#isConnected) return;
    next.join(this);
    before.leave(this);
    // What the old token was refused may be allowed now.
    if (this.#reports.isFailed) this.#store.askAgain();
    void this.#learn();
  }

  /** Reads what the token allows: what is asked waits for it. */
  async #learn(): Promise<void> {
    const asked = this.#connection;
    const isCurrent = (): boolean => this.#isConnected && asked === this.#connection;
    const { inputs } = this.#store.getState();
    if (inputs.fault !== null) {
      this.#reportObstacle();
      return;
    }
    try {
      const self = await asked.self();
      if (isCurrent()) this.#store.learn({ self, refusal: null });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      if (!isCurrent()) return;
      // A new token moves this chart, which reads again.
      if (error.code === "unauthenticated" && (await asked.renew()) !== null) return;
      if (!isCurrent()) return;
      const { self } = this.#store.getState();
      this.#store.learn({ self: error.retry ? self : null, refusal: error });
      if (error.retry) {
        this.#cancelAgain();
        this.#again = setTimeout(() => isCurrent() && void this.#learn(), againMs);
      }
    }
  }

  #cancelAgain(): void {
    if (this.#again !== null) clearTimeout(this.#again);
    this.#again = null;
  }

  #onChange(now: ChartSnapshot, before: ChartSnapshot): void {
    if (now.isDark !== before.isDark) this.#showTheme();
    if (now.state !== null && before.state !== null && now.state !== before.state) {
      this.#host.emit("statechange", printChartState(now.state));
    }
    // Its code comes while the query runs.
    if (now.state !== null && now.state.view !== before.state?.view) preloadView(now.state.view);
    const isKnown = now.inputs === before.inputs && now.state === before.state;
    if (!isKnown || now.self !== before.self || now.refusal !== before.refusal) {
      this.#reportObstacle();
    }
  }

  /** What keeps the chart from asking; once while it stays. */
  #reportObstacle(): void {
    const obstacle = obstacleOf(this.#store.getState());
    const isNew = obstacle !== null && obstacle.message !== this.#obstacle?.message;
    this.#obstacle = obstacle;
    if (isNew) this.#reports.failed(obstacle);
    // No answer comes.
    if (obstacle !== null) this.#reports.wake();
  }

  #find(testId: string): HTMLElement | null {
    return this.#root.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
  }

  #watch(): void {
    this.#unwatch();
    const { theme } = this.#store.getState().inputs;
    this.#stops = [
      adoptStyles(this.#host.root),
      watchDark(theme, (isDark) => this.#store.see({ isDark })),
      watchVisible(this.#host.element, (isVisible) => this.#see(isVisible)),
    ];
    this.#showTheme();
  }

  #unwatch(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  /** Out of sight a chart asks nothing more; an answer that is there stays. */
  #see(isVisible: boolean): void {
    const { state } = this.#store.getState();
    const isDone = state?.live === false && this.#reports.isSettled;
    if (isVisible || !isDone) this.#store.see({ isWanted: isVisible });
  }

  #showTheme(): void {
    this.#root.dataset.theme = this.#store.getState().isDark ? "dark" : "light";
  }

  #mount(): void {
    if (this.#react !== null) return;
    this.#react = createRoot(this.#root);
    this.#react.render(
      <EmbedChart
        store={this.#store}
        client={this.#client.client}
        reports={this.#reports}
        root={this.#root}
      />,
    );
  }

  #unmount(): void {
    this.#react?.unmount();
    this.#react = null;
  }
}
