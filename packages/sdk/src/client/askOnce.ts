import { HadalError } from "../model/problem.js";
import { type Query, timeoutMsDefault, timeoutMsMax } from "../model/query.js";
import type { Result } from "../model/result.js";
import { resultOfFrame } from "../wire/decodeResult.js";
import { askedFor, type ServerFrame } from "../wire/frames.js";
import type { QueryOptions } from "./hadalClient.js";
import type { LiveSocket } from "./liveSocket.js";

/** After the query's own deadline the server has this long before the connection counts as dead. */
const graceMs = 15_000;

/** One query over the live socket: partials to `onPartial`, the final result as the promise. Survives one lost connection. */
export function askOnce(
  socket: LiveSocket,
  query: Query | string,
  options: QueryOptions,
): Promise<Result> {
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
      if (frame.kind === "partial") {
        onPartial?.(resultOfFrame(frame));
        return;
      }
      finish();
      question.end();
      if (frame.kind === "problem") reject(HadalError.fromProblem(frame.problem));
      else resolve(resultOfFrame(frame));
    };
    const onLost = (error: HadalError): "ask again" | "give up" => {
      losses += 1;
      if (error.retry && losses === 1) return "ask again";
      fail(error);
      return "give up";
    };
    const question = socket.open({ kind: "query", ...askedFor(query) }, { onFrame, onLost });
    const abort = (): void => {
      question.cancel();
      fail(new HadalError("cancelled"));
    };
    const guard = setTimeout(() => {
      question.cancel();
      fail(new HadalError("connection-lost", { url: "the server, which has stopped answering," }));
    }, deadlineMs(query) + graceMs);
    signal?.addEventListener("abort", abort);
  });
}

/** What SQL says of its timeout is not read here: it has as long as any query may. */
function deadlineMs(query: Query | string): number {
  return typeof query === "string" ? timeoutMsMax : (query.timeoutMs ?? timeoutMsDefault);
}
