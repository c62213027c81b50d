import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createLeafConnection } from "../../cluster/connectToLeaf.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { MemberCopy } from "../../registry/member/members.js";
import { LeafFolder } from "../../store/copy/leafFolder.js";
import type { LeafReady, SourceAddress } from "../processMessages.js";
import { spawnLeaf } from "../supervise/spawnLeaf.js";
import { SupervisedProcess } from "../supervise/supervisedProcess.js";
import type { CopyToHold } from "./copyPlacement.js";

export interface CopyKeeperOptions {
  readonly dataDir: string;
  readonly key: string;
  /** Links to other machines are encrypted. */
  readonly tls: boolean;
  /** The machine that holds the copies. */
  readonly machine: string;
  readonly leafFlags: readonly string[];
  /** Processes that share the memory of this machine. */
  readonly leafCount: number;
  readonly warn: (text: string) => void;
}

const host = "127.0.0.1";

/** The copies of other machines' leaves on this machine: one process each, which answers queries, too. */
export class CopyKeeper {
  readonly #options: CopyKeeperOptions;
  readonly #copies = new Map<string, HeldCopy>();
  #changing: Promise<void> = Promise.resolve();

  readonly #removed = new Set<string>();
  /** Copies that were held before this process. */
  #found: readonly MemberCopy[] = [];

  constructor(options: CopyKeeperOptions) {
    this.#options = options;
  }

  /**
   * Finds the copies of earlier processes on the disk: others should know of them, because they may
   * be the last ones of a lost machine.
   */
  async find(): Promise<void> {
    const { dataDir, warn } = this.#options;
    const folder = join(dataDir, "copies");
    const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    const found: MemberCopy[] = [];
    for (const leafId of entries) {
      const { id, removals } = await LeafFolder.open(join(folder, leafId), warn);
      if (id !== null) found.push({ leafId, folderId: id, removals, isWhole: false, lagMs: null });
    }
    this.#found = found;
  }

  /** Starts the copies that are wanted and not there, and removes those that are no longer. */
  use(wanted: readonly CopyToHold[]): void {
    const byLeaf = new Map(wanted.map((copy) => [copy.leafId, copy]));
    for (const [leafId, copy] of this.#copies) {
      if (byLeaf.has(leafId)) continue;
      this.#copies.delete(leafId);
      this.#removed.add(leafId);
      this.#changing = this.#changing.then(() => copy.remove());
    }
    for (const { leafId, sourceAddress } of wanted) {
      const known = this.#copies.get(leafId);
      const copy = known ?? new HeldCopy(leafId, this.#options);
      copy.readFrom(sourceAddress);
      if (known !== undefined) continue;
      this.#copies.set(leafId, copy);
      // A folder of the same name may still be on its way out.
      this.#changing = this.#changing.then(() => copy.start());
    }
  }

  /** Null: this machine has no copy of the leaf that answers. */
  connectionTo(leafId: string): LeafConnection | null {
    return this.#copies.get(leafId)?.connection ?? null;
  }

  addressOf(leafId: string): string | null {
    return this.#copies.get(leafId)?.address ?? null;
  }

  get held(): readonly MemberCopy[] {
    const said = [...this.#copies.values()].flatMap(({ held }) => held ?? []);
    const silent = this.#found.filter(
      ({ leafId }) => !said.some((copy) => copy.leafId === leafId) && !this.#removed.has(leafId),
    );
    return [...said, ...silent];
  }

  async stop(): Promise<void> {
    await this.#changing;
    await Promise.all([...this.#copies.values()].map((copy) => copy.stop()));
  }
}

/** One copy: its process, and the connection to it. */
class HeldCopy {
  readonly connection: LeafConnection;
  address: string | null = null;
  readonly #folder: string;
  readonly #process: SupervisedProcess;
  readonly #leafId: string;
  readonly #warn: (text: string) => void;
  #source: string | null = null;

  constructor(leafId: string, { dataDir, machine, warn, ...spawned }: CopyKeeperOptions) {
    this.#leafId = leafId;
    this.#warn = warn;
    this.#folder = join(dataDir, "copies", leafId);
    this.connection = createLeafConnection({
      ...{ id: leafId, key: spawned.key },
      address: () => this.address,
    });
    this.#process = new SupervisedProcess({
      name: `the copy of ${leafId}`,
      start: () =>
        spawnLeaf({
          ...{ ...spawned, id: leafId, host, folder: this.#folder },
          ...{ mode: "copy", holder: machine },
        }),
      outcomeOf: (message) => {
        this.address = `${host}:${(message as LeafReady).port}`;
        this.connection.reconnect();
        this.#sendSource();
        return "ready";
      },
      onEnd: () => {
        this.address = null;
      },
      warn,
    });
  }

  /** What others may know of it; null before it has said anything. */
  get held(): MemberCopy | null {
    const { status, state } = this.connection;
    if (status?.copy === undefined || status.folderId === undefined || status.folderId === "")
      return null;
    const { isWhole, ...said } = status.copy;
    const { folderId, removals = null, rows } = status;
    return {
      ...{ leafId: this.#leafId, folderId, removals, rows, ...said },
      isWhole: isWhole && state === "alive",
    };
  }

  start(): Promise<void> {
    return this.#process.start().catch((error: unknown) => this.#warn(String(error)));
  }

  readFrom(address: string | null): void {
    this.#source = address;
    this.#sendSource();
  }

  async stop(): Promise<void> {
    this.connection.close();
    await this.#process.stop();
  }

  /** Ends it, and deletes its rows: other machines have them. */
  async remove(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  #sendSource(): void {
    this.#process.send({ kind: "source", address: this.#source } satisfies SourceAddress);
  }
}
