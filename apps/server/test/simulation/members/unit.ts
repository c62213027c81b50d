import type { Machine, SimProcess } from "../world/simProcess.js";
import type { World } from "../world/world.js";

/** A process that the operator keeps running: it is started again some time after its end. */
export class Unit {
  process: SimProcess | null = null;
  readonly #world: World;
  readonly #main: (process: SimProcess) => Promise<void>;
  readonly #env: SimProcess["env"];
  #isWanted = false;

  constructor(
    readonly name: string,
    readonly machine: Machine,
    world: World,
    { main, env }: { main: (process: SimProcess) => Promise<void>; env: SimProcess["env"] },
  ) {
    this.#world = world;
    this.#main = main;
    this.#env = env;
  }

  get isUp(): boolean {
    return this.process?.isAlive === true;
  }

  /** Starts it, and again when it ends. */
  keepRunning(): void {
    this.#isWanted = true;
    if (!this.isUp) this.#start();
  }

  /** It stays down until it is wanted again. */
  leaveDown(): void {
    this.#isWanted = false;
  }

  #start(): void {
    const world = this.#world;
    const process: SimProcess = world.start(this.name, this.machine, () => this.#main(process));
    process.env = this.#env;
    this.process = process;
    process.onEnd.add(() => {
      world.after(world.delayMs(50, 4_000), () => this.#restart(), world.outside);
    });
  }

  #restart(): void {
    if (this.#isWanted && !this.isUp) this.#start();
  }
}
