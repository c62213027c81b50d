import { Disk } from "./disk.js";
import { Network } from "./network.js";
import { type Machine, SimProcess } from "./simProcess.js";
import { Timeline } from "./timeline.js";

/** Everything outside of the program: processes, disks and the network, on the time of one seed. */
export class World extends Timeline {
  readonly disk = new Disk(this);
  readonly network = new Network(this);
  readonly processes = new Set<SimProcess>();
  /** Machines that cannot reach the database that they share. */
  readonly withoutRegistry = new Set<Machine>();
  /** When a process was started, or the registry came back, for the last time. */
  membersChangedMs = 0;
  /** A clock was set back so far that rows of the true time are refused as those of the future. */
  wasClockBehind = false;
  /** Scans that threads of leaves do now. */
  readonly scans = new Map<object, SimProcess>();
  #pid = 100;

  wasAnyStoppedSince(ms: number): boolean {
    return [...this.processes].some((process) => process.wasStoppedSince(ms));
  }

  start(name: string, machine: Machine, main: () => Promise<void>, of?: SimProcess): SimProcess {
    const process = new SimProcess(name, ++this.#pid, machine);
    // Some leaves are slow, and some find themselves too busy to scan on their main thread.
    process.isBusy = this.random.chance(0.5);
    process.slowness = this.random.chance(0.4) ? this.random.int(20, 400) : 1;
    this.membersChangedMs = this.nowMs;
    if (of === undefined) this.processes.add(process);
    else of.threads.add(process);
    process.onEnd.add(() => {
      this.processes.delete(process);
      of?.threads.delete(process);
    });
    const run = (): void => {
      main().catch((error: unknown) => {
        if (of !== undefined) this.unexpected(process, error);
        // As the command line does: it says why, and ends.
        this.trace(() => `does not start: ${String(error)}`);
        this.kill(process);
      });
    };
    this.after(this.random.next(), run, process);
    return process;
  }

  /** Ends a process at once, as kill -9 does: what it had begun to write may reach the disk. */
  kill(process: SimProcess): void {
    if (!process.isAlive) return;
    this.trace(() => `${process.name} (process ${process.pid}) ends`);
    this.disk.endWrites(process);
    process.end();
    process.goOn(this.nowMs);
    this.network.forget(process);
  }
}

let running: World | null = null;

export function useWorld(world: World | null): void {
  running = world;
}

/** The world that the code which calls this is in. */
export function world(): World {
  if (running === null) throw new Error("no simulation runs");
  return running;
}

export const isWorldRunning = (): boolean => running !== null;
