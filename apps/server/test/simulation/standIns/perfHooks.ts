import { world } from "../world/world.js";

const busyShare = 0.9;
const idleShare = 0.01;

export const performance = {
  now: (): number => world().nowMs,
  /** A leaf that finds itself busy leaves scans to its threads. */
  eventLoopUtilization: () => {
    const { nowMs, current } = world();
    const share = current.isBusy ? busyShare : idleShare;
    return { active: nowMs * share, idle: nowMs * (1 - share), utilization: share };
  },
};
