import { isWorldRunning, world } from "../world/world.js";

/**
 * What the program finds as global names, by esbuild's `inject` and `define`: clocks, timers,
 * chance and the process are those of the simulated world.
 */
export interface SimTimer {
  ref(): SimTimer;
  unref(): SimTimer;
  hasRef(): boolean;
  callOff(): void;
}

class Timer implements SimTimer {
  constructor(readonly callOff: () => void) {}
  ref(): SimTimer {
    return this;
  }
  unref(): SimTimer {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const msMin = 1;

export const setTimeout = (run: (...parts: unknown[]) => void, ms = 0, ...parts: unknown[]) =>
  new Timer(world().after(Math.max(msMin, ms), () => run(...parts)));

export const setInterval = (run: (...parts: unknown[]) => void, ms = 0, ...parts: unknown[]) => {
  const { current: owner } = world();
  let callOff = (): void => undefined;
  const wait = (): void => {
    callOff = world().after(
      Math.max(msMin, ms),
      () => {
        wait();
        run(...parts);
      },
      owner,
    );
  };
  wait();
  return new Timer(() => callOff());
};

export const setImmediate = (run: (...parts: unknown[]) => void, ...parts: unknown[]) =>
  new Timer(world().after(0.01, () => run(...parts)));

const callOff = (timer: SimTimer | null | undefined): void => timer?.callOff();
export const clearTimeout = callOff;
export const clearInterval = callOff;
export const clearImmediate = callOff;

export const simPerformanceNow = (): number => (isWorldRunning() ? world().nowMs : 0);
export const simDateNow = (): number => (isWorldRunning() ? world().wallMs : globalThis.Date.now());
export const simRandom = (): number => (isWorldRunning() ? world().random.next() : 0.5);

/** The process that runs, as Node.js shows it. */
export const process = {
  platform: "simulated",
  arch: "simulated",
  allowedNodeEnvironmentFlags: new Set<string>(),
  versions: globalThis.process.versions,
  version: globalThis.process.version,
  execPath: "/simulated/node",
  execArgv: [],
  argv: [],
  stdout: { isTTY: false },
  get pid(): number {
    return isWorldRunning() ? world().current.pid : 0;
  },
  get env() {
    return isWorldRunning() ? world().current.env : {};
  },
  get connected(): boolean {
    return isWorldRunning() && world().current.events.listenerCount("sent") > 0;
  },
  get send() {
    if (!isWorldRunning()) return undefined;
    const { events } = world().current;
    if (events.listenerCount("sent") === 0) return undefined;
    return (message: unknown) => events.emit("sent", message);
  },
  on: (name: string, hear: (...parts: unknown[]) => void) => {
    if (isWorldRunning()) world().current.events.on(name, hear);
  },
  once: (name: string, hear: (...parts: unknown[]) => void) => {
    if (isWorldRunning()) world().current.events.once(name, hear);
  },
  off: () => undefined,
  exit: (code: number) => {
    const { current } = world();
    world().trace(() => `exit ${code}`);
    world().kill(current);
  },
  nextTick: globalThis.process.nextTick,
  emitWarning: () => undefined,
  cwd: () => "/",
  hrtime: globalThis.process.hrtime,
  memoryUsage: globalThis.process.memoryUsage,
};

const log = (...parts: unknown[]): void => {
  if (isWorldRunning()) world().trace(() => parts.map(String).join(" "));
};
export const console = { log, error: log, warn: log, info: log, debug: log };
