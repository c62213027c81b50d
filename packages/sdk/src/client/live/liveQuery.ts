import { HadalError } from "../../model/problem/problem.js";
import type { Query } from "../../model/query.js";
import type { Result } from "../../model/result.js";
import { resultOfFrame } from "../../wire/decodeResult.js";
import { askedFor, everyMsMin, type ServerFrame } from "../../wire/frames.js";
import type { LiveOptions, LiveQuery } from "../hadalClient.js";
import type { LiveSocket } from "./liveSocket.js";

/**
 * A query whose results keep arriving; it is sent again after every lost connection until it is
 * stopped.
 */
export function createLiveQuery(
  socket: LiveSocket,
  query: Query | string,
  options: LiveOptions,
): LiveQuery {
  const { signal, everyMs, onResult, onProblem } = options;
  const newest = createNewest<Result>();

  const end = (failure: HadalError | null): void => {
    signal?.removeEventListener("abort", stop);
    newest.end(failure);
  };
  const onFrame = (frame: ServerFrame): void => {
    if (frame.kind === "problem") {
      const problem = HadalError.fromProblem(frame.problem);
      // The server runs a subscription again when a retry may help; otherwise nothing more will
      // arrive.
      if (everyMs === undefined || !problem.retry) {
        open.end();
        end(problem);
      }
      onProblem?.(problem);
      return;
    }
    const result = resultOfFrame(frame);
    newest.put(result);
    if (frame.kind === "final" && everyMs === undefined) {
      open.end();
      end(null);
    }
    onResult?.(result);
  };
  const onLost = (error: HadalError): "ask again" | "give up" => {
    if (error.retry) {
      onProblem?.(error);
      return "ask again";
    }
    end(null);
    return "give up";
  };
  const open = socket.open(
    everyMs === undefined
      ? { kind: "query", ...askedFor(query) }
      : { kind: "subscribe", ...askedFor(query), everyMs: Math.max(everyMsMin, everyMs) },
    { onFrame, onLost },
  );
  const stop = (): void => {
    open.cancel();
    end(null);
  };
  if (signal?.aborted) stop();
  else signal?.addEventListener("abort", stop);
  return { stop, [Symbol.asyncIterator]: () => newest.iterate(stop) };
}

/** Holds the newest value only: who reads slowly skips what was replaced meanwhile. */
interface Newest<T> {
  put(value: T): void;
  end(failure: HadalError | null): void;
  iterate(onReturn: () => void): AsyncIterator<T>;
}

function createNewest<T>(): Newest<T> {
  let value: T | undefined;
  let version = 0;
  let ended: { readonly failure: HadalError | null } | null = null;
  let waiters: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiters;
    waiters = [];
    for (const resolve of woken) resolve();
  };

  return {
    put(next) {
      value = next;
      version += 1;
      wake();
    },
    end(failure) {
      ended ??= { failure };
      wake();
    },
    iterate(onReturn) {
      let seen = 0;
      let thrown = false;
      return {
        async next() {
          while (version === seen && ended === null) {
            await new Promise<void>((resolve) => waiters.push(resolve));
          }
          if (version > seen) {
            seen = version;
            return { done: false, value: value as T };
          }
          const failure = ended?.failure ?? null;
          if (failure !== null && !thrown) {
            thrown = true;
            throw failure;
          }
          return { done: true, value: undefined };
        },
        async return() {
          onReturn();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
