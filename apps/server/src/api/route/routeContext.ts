import type { AuthMode } from "@hadal/sdk";
import type { AnswerSessions } from "../context/answerSessions.js";
import type { ApiDeps } from "../context/deps.js";
import type { ApiMetrics } from "../context/metrics.js";
import type { RunningQueries } from "../context/runningQueries.js";

/** What routes work with. */
export interface RouteContext {
  readonly deps: ApiDeps;
  /** How people sign in. */
  readonly auth: AuthMode;
  readonly running: RunningQueries;
  readonly sessions: AnswerSessions;
  readonly metrics: ApiMetrics;
}
