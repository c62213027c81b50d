import type { SimCluster } from "../members/simCluster.js";
import type { Machine, SimProcess } from "../world/simProcess.js";
import type { World } from "../world/world.js";

/** How often each fault comes in a simulation, as weights. */
export interface FaultRates {
  readonly kill: number;
  readonly power: number;
  readonly block: number;
  readonly halfBlock: number;
  readonly clock: number;
  readonly disk: number;
  readonly registry: number;
  readonly stop: number;
  /** A disk is lost. */
  readonly loss: number;
}

export function randomRates(world: World): FaultRates {
  const rate = (): number => (world.random.chance(0.6) ? world.random.next() : 0);
  return {
    ...{ kill: rate(), power: rate(), block: rate(), halfBlock: rate() },
    ...{ clock: rate() * 0.5, disk: rate() * 0.5, registry: rate() * 0.5 },
    ...{ stop: rate(), loss: rate() * 0.5 },
  };
}

const hourMs = 3_600_000;

/** Is called before anything ends. */
type OnEnd = (what: "process" | "disk") => void;

/** Everything that can go wrong around the program. */
export class Faults {
  readonly #world: World;
  readonly #cluster: SimCluster;
  readonly #rates: FaultRates;
  readonly #onEnd: OnEnd;
  /** Copies of it have to be made again before another disk may go. */
  #isDiskLost = false;

  constructor(world: World, cluster: SimCluster, rates: FaultRates, onEnd: OnEnd) {
    this.#world = world;
    this.#cluster = cluster;
    this.#rates = rates;
    this.#onEnd = onEnd;
  }

  strike(): void {
    const entries = Object.entries(this.#rates) as [keyof FaultRates, number][];
    const total = entries.reduce((sum, [, rate]) => sum + rate, 0);
    let left = this.#world.random.next() * total;
    for (const [kind, rate] of entries) {
      left -= rate;
      if (left >= 0 || rate === 0) continue;
      this.#bring(kind);
      return;
    }
  }

  /** All machines, ways and clocks are well again, and stay so. */
  healAll(): void {
    const world = this.#world;
    world.trace(() => "everything is healed");
    world.disk.faults.length = 0;
    world.disk.traps.length = 0;
    world.withoutRegistry.clear();
    world.membersChangedMs = world.nowMs;
    for (const process of world.processes) process.goOn(world.nowMs);
    world.network.healAll(() => world.random.pick(["resume", "reset"]), world.processes);
    for (const { machine } of this.#cluster.units) machine.wallAheadMs = 0;
  }

  #bring(kind: keyof FaultRates): void {
    const world = this.#world;
    switch (kind) {
      case "kill":
        if (world.processes.size > 0) this.#kill(world.random.pick([...world.processes]));
        return;
      case "power":
        this.#planPowerCut();
        return;
      case "block":
        this.#block("both ways");
        return;
      case "halfBlock":
        this.#block("one way");
        return;
      case "clock": {
        const { machine } = world.random.pick(this.#cluster.units);
        machine.wallAheadMs = world.random.pick([-hourMs, hourMs, -5_000, 5_000, 0]);
        world.wasClockBehind ||= machine.wallAheadMs === -hourMs;
        world.trace(() => `the clock of ${machine.name} is ${machine.wallAheadMs} ms ahead`);
        return;
      }
      case "registry":
        this.#hideRegistry();
        return;
      case "stop":
        if (world.processes.size > 0) this.#stop(world.random.pick([...world.processes]));
        return;
      case "loss":
        this.#loseDisk();
        return;
      case "disk": {
        const { machine } = world.random.pick(this.#cluster.units);
        const operation = world.random.pick(["write", "sync"]);
        const code = world.random.pick(["ENOSPC", "EIO"]);
        world.disk.faults.push({ folder: machine.folder, operation, code });
      }
    }
  }

  #hideRegistry(): void {
    const world = this.#world;
    if (world.withoutRegistry.size > 0) return;
    const { units } = this.#cluster;
    const without = world.random.chance(0.5) ? units : [world.random.pick(units)];
    for (const { machine } of without) world.withoutRegistry.add(machine);
    const names = without.map(({ name }) => name).join();
    world.trace(() => `the registry is away for ${names}`);
    const back = (): void => {
      world.withoutRegistry.clear();
      world.membersChangedMs = world.nowMs;
      world.trace(() => `the registry is back for ${names}`);
    };
    world.after(world.delayMs(200, 15_000), back, world.outside);
  }

  /** As SIGSTOP does, and SIGCONT later. */
  #stop(process: SimProcess): void {
    const world = this.#world;
    world.trace(() => `${process.name} is stopped`);
    process.stop();
    const goOn = (): void => {
      world.trace(() => `${process.name} goes on`);
      process.goOn(world.nowMs);
    };
    world.after(world.delayMs(200, 25_000), goOn, world.outside);
  }

  /** A machine comes back without anything that was on its disk. */
  #loseDisk(): void {
    const { random, disk } = this.#world;
    const copied = this.#isDiskLost ? [] : this.#cluster.copied();
    if (copied.length === 0) return;
    this.#isDiskLost = true;
    const { machine } = random.pick(copied);
    this.#onEnd("disk");
    this.#cutPower(machine);
    this.#world.trace(() => `${machine.name} has lost its disk`);
    disk.wipe(machine.folder);
  }

  #kill(process: SimProcess): void {
    this.#onEnd("process");
    this.#world.kill(process);
  }

  /** Now, or between two steps of what its disk is doing next, often with a record in a log not synced. */
  #planPowerCut(): void {
    const { random, disk } = this.#world;
    const { machine } = random.pick(this.#cluster.units);
    if (random.chance(0.3)) {
      this.#cutPower(machine);
      return;
    }
    const spring = (): void => this.#cutPower(machine);
    const isForLogs = random.chance(0.4);
    const left = random.int(1, isForLogs ? 3 : 12);
    disk.traps.push({ folder: machine.folder, left, isForLogs, spring });
  }

  #cutPower(machine: Machine): void {
    const world = this.#world;
    this.#onEnd("process");
    world.trace(() => `${machine.name} loses its power`);
    world.network.power(machine.host, "off");
    for (const process of [...world.processes])
      if (process.machine === machine) world.kill(process);
    world.disk.losePower(machine.folder);
    // Units are started again after 50 ms at the earliest.
    world.after(40, () => world.network.power(machine.host, "on"), world.outside);
  }

  #block(how: "one way" | "both ways"): void {
    const world = this.#world;
    const processes = [...world.processes];
    if (processes.length < 2) return;
    const [a, b] = world.random.sample(processes, 2) as [SimProcess, SimProcess];
    world.trace(() => `${a.name} and ${b.name} are cut off, ${how}`);
    world.network.block(a, b);
    if (how === "both ways") world.network.block(b, a);
    const heal = (): void => {
      const by = world.random.pick(["resume", "reset"] as const);
      world.trace(() => `${a.name} and ${b.name} are back: ${by}`);
      world.network.heal(a, b, by);
    };
    world.after(world.delayMs(100, 9_000), heal, world.outside);
  }
}
