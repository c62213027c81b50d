import { HadalError } from "@hadal/sdk";
import { afterMs } from "../../base/schedule/deadlines.js";
import { isLost } from "../askOnce.js";
import type { NodeStreamOptions, QueriedNode } from "../queriedNode.js";
import type { RequestOutcome, RequestWindow, Slot } from "./requestWindow.js";

/** A child that says nothing for so long does not keep others from being asked. */
const silentMs = 500;
/** A connection that is known to be dead refuses at once: that says nothing about load. */
const atOnceMs = 1;
/** Who stops waiting after this share of the time does so because it is late. */
const lateShare = 0.8;

/** Asks when the window has room; the deadline stays the same, so that less time is left then. */
export async function throughWindow(
  window: RequestWindow,
  options: NodeStreamOptions,
  ask: (options: NodeStreamOptions) => Promise<void>,
): Promise<void> {
  const askedAt = performance.now();
  const slot = window.tryEnter() ?? (await untilRoom(window, options));
  const budgetMs = Math.max(0, options.budgetMs - (performance.now() - askedAt));
  const sentAt = performance.now();
  let callOff = afterMs(silentMs, () => slot.yield());
  const onPartial: NodeStreamOptions["onPartial"] = (answer) => {
    callOff();
    callOff = afterMs(silentMs, () => slot.yield());
    options.onPartial(answer);
  };
  try {
    await ask({ ...options, budgetMs, onPartial });
    slot.end("answered");
  } catch (error) {
    slot.end(outcomeOf(error, performance.now() - sentAt, budgetMs));
    throw error;
  } finally {
    callOff();
  }
}

/** A node that is asked through a window. */
export const inWindow = (node: QueriedNode, window: RequestWindow): QueriedNode => ({
  id: node.id,
  streamQuery: (query, options) =>
    throughWindow(window, options, (left) => node.streamQuery(query, left)),
});

/** Rejects when the query ends first. */
function untilRoom(window: RequestWindow, { budgetMs, signal }: NodeStreamOptions): Promise<Slot> {
  if (signal.aborted) return Promise.reject(new HadalError("cancelled"));
  return new Promise((resolve, reject) => {
    const end = (): void => {
      callOffWait();
      callOffTime();
      signal.removeEventListener("abort", stop);
    };
    const stop = (): void => {
      end();
      reject(new HadalError("cancelled"));
    };
    signal.addEventListener("abort", stop, { once: true });
    const callOffTime = afterMs(budgetMs, stop);
    const callOffWait = window.wait((slot) => {
      end();
      resolve(slot);
    });
  });
}

function outcomeOf(error: unknown, elapsedMs: number, budgetMs: number): RequestOutcome {
  if (!isLost(error)) return isOverloaded(error) ? "lost" : "answered";
  const isCancelled = (error as HadalError).code === "cancelled";
  return elapsedMs >= (isCancelled ? lateShare * budgetMs : atOnceMs) ? "lost" : "released";
}

const isOverloaded = (error: unknown): boolean =>
  error instanceof HadalError && error.code === "overloaded";
