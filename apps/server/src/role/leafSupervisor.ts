import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LeafMessage, leafEnvironment } from "./leafMessages.js";

/** A leaf that dies more often than this is restarted slowly, so that it does not take the machine with it. */
const crashesPerMinuteMax = 5;
const restartMs = 50;
const slowRestartMs = 10_000;
/** How long a leaf may take to write what it holds before it is killed. */
const stopMs = 10_000;

export interface SupervisorSettings {
  readonly host: string;
  readonly dataDir: string;
  readonly leafCount: number;
  /** Settings that every leaf is started with. */
  readonly leafFlags: readonly string[];
  readonly warn: (text: string) => void;
  /** A leaf listens at a new address. */
  readonly onAddress: (leafId: string) => void;
}

interface LeafState {
  readonly id: string;
  child: ChildProcess | null;
  address: string | null;
  readonly crashesMs: number[];
}

/** Starts the leaf processes of this machine, and starts them again when they die. */
export class LeafSupervisor {
  readonly #settings: SupervisorSettings;
  /** Known to this process and its leaves alone. */
  readonly key = randomBytes(32).toString("base64url");
  readonly #leaves: readonly LeafState[];
  #stopping = false;

  constructor(settings: SupervisorSettings) {
    this.#settings = settings;
    this.#leaves = Array.from({ length: settings.leafCount }, (_, index) => ({
      id: `leaf-${index + 1}`,
      child: null,
      address: null,
      crashesMs: [],
    }));
  }

  get leafIds(): readonly string[] {
    return this.#leaves.map(({ id }) => id);
  }

  addressOf(leafId: string): string | null {
    return this.#leaves.find(({ id }) => id === leafId)?.address ?? null;
  }

  /** Resolves when every leaf has read its rows back and listens; rejects when one cannot start. */
  async start(): Promise<void> {
    await Promise.all(this.#leaves.map((leaf) => this.#spawn(leaf)));
  }

  /** Resolves when every leaf has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#leaves.map((leaf) => stopChild(leaf.child)));
  }

  #spawn(leaf: LeafState): Promise<void> {
    const { host, dataDir, leafCount, leafFlags } = this.#settings;
    const program = fileURLToPath(new URL("./hadal.js", import.meta.url));
    const folder = join(dataDir, leaf.id);
    const place = ["--host", host, "--port", "0", "--data-dir", folder];
    const flags = ["serve", "--role", "leaf", ...place, ...leafFlags];
    const child = fork(program, flags, {
      env: {
        ...process.env,
        HADAL_CONFIG: "",
        [leafEnvironment.id]: leaf.id,
        [leafEnvironment.count]: String(leafCount),
        [leafEnvironment.key]: this.key,
      },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // A Ctrl-C in the terminal reaches the whole group: leaves end on the supervisor's order, after the gateway.
      detached: true,
    });
    leaf.child = child;
    return new Promise((resolve, reject) => {
      child.on("message", (message: LeafMessage) => {
        if (message.kind !== "leaf-ready") return;
        leaf.address = `${host}:${message.port}`;
        this.#settings.onAddress(leaf.id);
        resolve();
      });
      child.once("exit", (code, signal) => {
        reject(new Error(`${leaf.id} ended with ${signal ?? code} before it was ready`));
        this.#onExit(leaf, String(signal ?? code));
      });
    });
  }

  #onExit(leaf: LeafState, how: string): void {
    const wasReady = leaf.address !== null;
    leaf.address = null;
    if (this.#stopping || (!wasReady && leaf.crashesMs.length === 0)) return;
    const nowMs = performance.now();
    leaf.crashesMs.push(nowMs);
    const recent = leaf.crashesMs.filter((atMs) => atMs > nowMs - 60_000);
    leaf.crashesMs.splice(0, leaf.crashesMs.length, ...recent);
    const slow = recent.length > crashesPerMinuteMax;
    const waitMs = slow ? slowRestartMs : restartMs;
    this.#settings.warn(`${leaf.id} ended with ${how}; it is started again in ${waitMs} ms`);
    setTimeout(() => {
      if (!this.#stopping) this.#spawn(leaf).catch(() => undefined);
    }, waitMs).unref();
  }
}

function stopChild(child: ChildProcess | null): Promise<void> {
  return new Promise((resolve) => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
    else child.kill("SIGTERM");
  });
}
