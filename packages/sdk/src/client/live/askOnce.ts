import { HadalError } from "../../model/problem/problem.js";
import { type Query, timeoutMsDefault, timeoutMsMax } from "../../model/query.js";
import type { Result } from "../../model/result.js";
import { resultOfFrame } from "../../wire/decodeResult.js";
import { type AnsweringFrame, askedFor, isFinal, type ServerFrame } from "../../wire/frames.js";
import type { AskOptions } from "../hadalClient.js";
import type { LiveRequest, LiveSocket } from "./liveSocket.js";

/** After the query's own deadline the server has this long before the connection counts as dead. */
const graceMs = 15_000;

/** What is asked once, how long it may take, and how its answer is read. */
export interface Asked<Answer> {
  readonly request: LiveRequest;
  readonly timeoutMs: number;
  readonly answerOf: (frame: AnsweringFrame) => Answer;
}

/** A query. A timeout within SQL text is not read here: SQL gets the longest timeout. */
export function askedQuery(query: Query | string): Asked<Result> {
  return {
    request: { kind: "query", ...askedFor(query) },
    timeoutMs: typeof query === "string" ? timeoutMsMax : (query.timeoutMs ?? timeoutMsDefault),
    answerOf: resultOfFrame,
  };
}

/**
 * An invalid timeout is refused by the server; until then it counts as the longest, since a timer
 * would take it for 0.
 */
function guardMs(timeoutMs: number): number {
  return graceMs + (timeoutMs >= 0 && timeoutMs < timeoutMsMax ? timeoutMs : timeoutMsMax);
}

/**
 * One request over the live socket: partials to `onPartial`, the final answer as the promise.
 * Survives one lost connection.
 */
export function askOnce<Answer>(
  socket: LiveSocket,
  asked: Asked<Answer>,
  options: AskOptions<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { signal, onPartial } = options;
    if (signal?.aborted) {
      reject(new HadalError("cancelled"));
      return;
    }
    let losses = 0;
    const finish = (): void => {
      clearTimeout(guard);
      signal?.removeEventListener("abort", abort);
    };
    const fail = (error: HadalError): void => {
      finish();
      reject(error);
    };
    const onFrame = (frame: ServerFrame): void => {
      if (frame.kind !== "problem" && !isFinal(frame)) {
        onPartial?.(asked.answerOf(frame));
        return;
      }
      finish();
      open.end();
      if (frame.kind === "problem") reject(HadalError.fromProblem(frame.problem));
      else resolve(asked.answerOf(frame));
    };
    const onLost = (error: HadalError): "ask again" | "give up" => {
      losses += 1;
      if (error.retry && losses === 1) return "ask again";
      fail(error);
      return "give up";
    };
    const open = socket.open(asked.request, { onFrame, onLost });
    const abort = (): void => {
      open.cancel();
      fail(new HadalError("cancelled"));
    };
    const guard = setTimeout(() => {
      open.cancel();
      fail(new HadalError("connection-lost", { url: "the server, which has stopped answering," }));
    }, guardMs(asked.timeoutMs));
    signal?.addEventListener("abort", abort);
  });
}
