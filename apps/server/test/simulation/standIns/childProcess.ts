import { EventEmitter } from "node:events";
import { settingsDefault } from "../../../src/base/limit/settings.js";
import { startLeaf } from "../../../src/role/leaf.js";
import type { SimProcess } from "../world/simProcess.js";
import { world } from "../world/world.js";

/** `node:child_process`: a child is a leaf in a process of its own on the same machine. */
class ChildProcess extends EventEmitter {
  readonly pid: number;
  connected = true;
  exitCode: number | null = null;
  signalCode: string | null = null;
  readonly #process: SimProcess;

  constructor(parent: SimProcess, args: readonly string[], env: SimProcess["env"]) {
    super();
    const name = env.HADAL_LEAF_ID ?? "leaf";
    const start = async (): Promise<void> => {
      await startLeaf({ ...settingsDefault, ...settingsOf(args), role: "leaf" });
    };
    const child = world().start(name, parent.machine, start);
    child.env = env;
    this.#process = child;
    this.pid = child.pid;
    child.events.on("sent", (message: unknown) => {
      world().after(0.1, () => this.emit("message", message), parent);
    });
    const onParentEnd = (): void => this.#closeChannel();
    parent.onEnd.add(onParentEnd);
    child.onEnd.add(() => {
      parent.onEnd.delete(onParentEnd);
      world().after(0.2, () => this.#noteEnd(), parent);
    });
  }

  disconnect(): void {
    this.#closeChannel();
  }

  kill(): void {
    world().after(0.1, () => world().kill(this.#process), world().outside);
  }

  send(message: unknown): void {
    const child = this.#process;
    world().after(0.1, () => child.events.emit("message", message), child);
  }

  #closeChannel(): void {
    if (!this.connected) return;
    this.connected = false;
    const child = this.#process;
    world().after(
      0.1,
      () => {
        child.events.removeAllListeners("sent");
        child.events.emit("disconnect");
      },
      child,
    );
  }

  #noteEnd(): void {
    this.connected = false;
    this.signalCode = "SIGKILL";
    this.emit("exit", null, "SIGKILL");
    this.emit("disconnect");
  }
}

/** Flags such as `--data-dir PATH`, as the command line reads them. */
function settingsOf(args: readonly string[]): Record<string, string | number> {
  const settings: Record<string, string | number> = {};
  const flags = args.slice(1);
  for (let i = 0; i + 1 < flags.length; i += 2) {
    const name = flags[i]!.slice(2).replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase());
    const value = flags[i + 1]!;
    settings[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  return settings;
}

export function fork(
  _program: string,
  args: readonly string[],
  { env }: { readonly env: SimProcess["env"] },
): ChildProcess {
  return new ChildProcess(world().current, args, env);
}

export function spawn(): never {
  throw new Error("the simulation starts no other programs");
}
