import type { History } from "./history.js";

/** From what keeps a gateway from the rules to the next evaluation, where another gateway could have done it. */
const takeoverMs = 10_000;
/** The longest time between two evaluations where nothing happens. */
const roundMs = 2_000;
const watchEveryMs = 250;

export function watchTakeovers(history: History, endMs: number): void {
  const { world, gateways, faults } = history;
  let fit = new Map<unknown, number>();
  const watch = (): void => {
    const { nowMs } = world;
    const running = gateways.filter(({ isFit }) => isFit);
    fit = new Map(running.map((one) => [one, fit.get(one) ?? nowMs]));
    const sinceMs = Math.min(...fit.values());
    const lateMs = nowMs - Math.max(sinceMs, history.evaluatedMs);
    if (lateMs > takeoverMs + roundMs) {
      faults.push(`no rule was evaluated for ${lateMs} ms, and a gateway could have done it`);
      history.evaluatedMs = nowMs;
    }
    if (nowMs < endMs) world.after(watchEveryMs, watch);
  };
  watch();
}
