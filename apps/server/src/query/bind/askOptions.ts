import type { StopSignal } from "../../base/schedule/stopController.js";

export interface AskOptions<Answer> {
  readonly signal: StopSignal;
  /** Called with answers so far, in order, at most every 50 ms; never after the final one. */
  readonly onPartial?: (partial: Answer) => void;
  /** Who asks: of those that wait, clients have their turns alike. */
  readonly client?: string;
}
