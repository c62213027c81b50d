import type { Judgement } from "../judge/judge.js";

/** One evaluation, and when and for whom it is. Times are milliseconds since 1970. */
export interface Evaluation {
  readonly judgement: Judgement;
  /** The end of the window. */
  readonly toMs: number;
  readonly nowMs: number;
  readonly isMuted: boolean;
  /** For a new firing. */
  readonly newId: () => string;
}
