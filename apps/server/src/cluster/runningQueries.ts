import { HadalError } from "@hadal/sdk";
import { afterMs } from "../base/schedule/deadlines.js";
import { StopController } from "../base/schedule/stopController.js";
import type { QueryContext } from "./leafHandlers.js";

/** The queries of one connection, by the ids of their requests. */
export class RunningQueries {
  readonly #controllers = new Map<number, StopController>();

  /** Runs a query until it ends, is cancelled or its time is up; then it rejects with `cancelled`. */
  async run(
    id: number,
    budgetMs: number,
    work: (context: QueryContext) => Promise<void>,
  ): Promise<void> {
    const controller = new StopController();
    this.#controllers.set(id, controller);
    const { signal } = controller;
    const callOff = afterMs(budgetMs, () => controller.abort());
    try {
      await work({ signal, deadline: performance.now() + budgetMs });
    } catch (error) {
      // After an abort every error is a way of stopping.
      throw signal.aborted ? new HadalError("cancelled") : error;
    } finally {
      callOff();
      this.#controllers.delete(id);
    }
  }

  cancel(id: number): void {
    this.#controllers.get(id)?.abort();
  }

  end(): void {
    for (const controller of this.#controllers.values()) controller.abort();
  }
}
