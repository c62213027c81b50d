import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { LeafAddress, LeafReady, SourceAddress } from "../processMessages.js";
import { spawnLeaf } from "./spawnLeaf.js";
import { SupervisedProcess } from "./supervisedProcess.js";

export interface LeafSupervisorSettings {
  readonly host: string;
  readonly dataDir: string;
  readonly leafCount: number;
  /** Processes that share the memory of this machine; absent: the leaves. */
  readonly processCount?: number;
  /** Stands before the ids of leaves; their folders are named without it. */
  readonly idPrefix?: string;
  /** The key of the cluster; left out: a new one, known to the processes of this server alone. */
  readonly key?: string;
  /** Links to other machines are encrypted. Absent: there are none, or they are not. */
  readonly tls?: boolean;
  /** Settings that every leaf is started with. */
  readonly leafFlags: readonly string[];
  /** Whether another machine has the rows of a leaf; absent: none has. */
  readonly hasCopy?: (leafId: string) => boolean;
  readonly warn: (text: string) => void;
  /** A leaf listens at a new address, or has ended. */
  readonly onAddress: (leaf: LeafAddress) => void;
}

interface Leaf {
  readonly id: string;
  readonly process: SupervisedProcess;
}

/** Starts the leaf processes of this machine, and starts them again when they end. */
export class LeafSupervisor {
  readonly #settings: LeafSupervisorSettings;
  readonly key: string;
  readonly #leaves: readonly Leaf[];
  readonly #addresses = new Map<string, string | null>();

  constructor(settings: LeafSupervisorSettings) {
    this.#settings = settings;
    this.key = settings.key ?? randomBytes(32).toString("base64url");
    this.#leaves = Array.from({ length: settings.leafCount }, (_, index) =>
      this.#createLeaf(`leaf-${index + 1}`),
    );
  }

  /** Where each leaf listens now. */
  get addresses(): readonly LeafAddress[] {
    return this.#leaves.map(({ id }) => ({ id, address: this.#addresses.get(id) ?? null }));
  }

  /** Resolves when every leaf has read its rows back and listens; rejects when one cannot start. */
  async start(): Promise<void> {
    await Promise.all(this.#leaves.map(({ process }) => process.start()));
  }

  /** Where a leaf without its rows reads them; null: no machine is known that has them. */
  readFrom(leafId: string, source: Omit<SourceAddress, "kind">): void {
    const leaf = this.#leaves.find(({ id }) => id === leafId);
    leaf?.process.send({ kind: "source", ...source } satisfies SourceAddress);
  }

  /** Resolves when every leaf has ended. */
  async stop(): Promise<void> {
    await Promise.all(this.#leaves.map(({ process }) => process.stop()));
  }

  #createLeaf(folder: string): Leaf {
    const { host, warn, idPrefix = "" } = this.#settings;
    const id = idPrefix + folder;
    const process = new SupervisedProcess({
      name: id,
      start: () => this.#spawn(id, folder),
      outcomeOf: (message) => {
        this.#setAddress(id, `${host}:${(message as LeafReady).port}`);
        return "ready";
      },
      onEnd: () => this.#setAddress(id, null),
      warn,
    });
    return { id, process };
  }

  #setAddress(id: string, address: string | null): void {
    this.#addresses.set(id, address);
    this.#settings.onAddress({ id, address });
  }

  #spawn(id: string, folder: string): ChildProcess {
    const { host, dataDir, leafCount, leafFlags, hasCopy } = this.#settings;
    const { processCount = leafCount, tls = false } = this.#settings;
    return spawnLeaf({
      ...{ id, host, key: this.key, tls, leafFlags, leafCount: processCount },
      folder: join(dataDir, folder),
      ...(hasCopy?.(id) === true ? { mode: "restore" } : {}),
    });
  }
}
