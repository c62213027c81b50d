import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ServerSettings } from "../../base/limit/settings.js";
import { createLeafConnection } from "../../cluster/connectToLeaf.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { HeldPartitions, Member } from "../../registry/member/members.js";
import { LeafFolder } from "../../store/copy/leafFolder.js";
import { leafFlags } from "../supervise/leafFlags.js";
import { LeafSupervisor } from "../supervise/leafSupervisor.js";
import { CopyKeeper } from "./copyKeeper.js";
import { copiesToHold, mayBeCopied, restoreSource } from "./copyPlacement.js";
import { leafPath } from "./passToLeaf.js";

/** Machines that are alive have said by then which copies they have. */
const listedMsMax = 10_000;
const listedPollMs = 200;

export interface MachinePartitionsOptions {
  readonly settings: ServerSettings;
  readonly key: string;
  /** Links to other machines are encrypted. */
  readonly tls: boolean;
  /** How many machines are to have each row. */
  readonly copiesWanted: number;
  readonly warn: (text: string) => void;
}

/** What a machine has rows of: its own leaves, and copies of leaves of other machines. */
export class MachinePartitions {
  readonly #options: MachinePartitionsOptions;
  readonly #leaves: LeafSupervisor;
  readonly #connections: ReadonlyMap<string, LeafConnection>;
  readonly #copies: CopyKeeper;
  #members: readonly Member[] = [];
  #isStarted = false;

  constructor(options: MachinePartitionsOptions) {
    const { settings, key, tls, copiesWanted, warn } = options;
    const { dataDir, machine } = settings;
    const shared = { dataDir, key, tls, warn, leafFlags: leafFlags(settings) };
    const processCount = settings.leaves * copiesWanted;
    this.#options = options;
    this.#leaves = new LeafSupervisor({
      ...{ ...shared, host: "127.0.0.1", idPrefix: `${machine}-`, processCount },
      leafCount: settings.leaves,
      hasCopy: (leafId) => copiesOf(this.#members, leafId).length > 0,
      onAddress: ({ id, address }) => {
        if (address !== null) this.#connections.get(id)?.reconnect();
      },
    });
    this.#copies = new CopyKeeper({ ...shared, machine, leafCount: processCount });
    this.#connections = new Map(
      this.leafIds.map((id) => [
        id,
        createLeafConnection({ id, key, address: () => this.addressOf(id) }),
      ]),
    );
  }

  /** Of its own leaves. */
  get leafIds(): readonly string[] {
    return this.#leaves.addresses.map(({ id }) => id);
  }

  /** Resolves when its leaves have their rows: those that lost them have read them from copies. */
  async start(members: readonly Member[]): Promise<void> {
    this.#members = members;
    await this.#copies.find();
    await this.#untilCopiesListed();
    const starting = this.#leaves.start();
    this.#readFromCopies();
    await starting;
    this.#isStarted = true;
  }

  /**
   * A machine says only after a moment which copies it has. A leaf that was here before and has lost its
   * folder would start with none of its rows, though they are there.
   */
  async #untilCopiesListed(): Promise<void> {
    const { settings, copiesWanted, warn } = this.#options;
    const { dataDir, machine } = settings;
    const empty: string[] = [];
    for (const leafId of this.leafIds) {
      const folder = join(dataDir, leafId.slice(`${machine}-`.length));
      if ((await LeafFolder.open(folder, warn)).id === null) empty.push(leafId);
    }
    const deadline = performance.now() + listedMsMax;
    const isWaitedFor = (leafId: string): boolean =>
      mayBeCopied(this.#members, leafId) && copiesOf(this.#members, leafId).length === 0;
    while (copiesWanted > 1 && empty.some(isWaitedFor) && performance.now() < deadline)
      await pause(listedPollMs);
  }

  /** Its leaves that lost their rows read them there. Once all have theirs, it holds copies for these members. */
  use(members: readonly Member[]): void {
    this.#members = members;
    this.#readFromCopies();
    if (!this.#isStarted) return;
    const { copiesWanted, settings } = this.#options;
    this.#copies.use(copiesToHold({ machine: settings.machine, members, copiesWanted }));
  }

  get held(): HeldPartitions {
    const leafFolders = [...this.#connections].flatMap(([leafId, { status }]) => {
      if (status?.folderId === undefined) return [];
      const { folderId, removals = null } = status;
      return [{ leafId, folderId, removals }];
    });
    return { leafFolders, copies: this.#copies.held };
  }

  /** The connection to its leaf of that id, or to its copy of it. */
  connectionTo(leafId: string): LeafConnection | undefined {
    return this.#connections.get(leafId) ?? this.#copies.connectionTo(leafId) ?? undefined;
  }

  /** `host:port` of the process; null while there is none. */
  addressOf(leafId: string): string | null {
    const own = this.#leaves.addresses.find(({ id }) => id === leafId);
    return own?.address ?? this.#copies.addressOf(leafId);
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections.values()) connection.close();
    await Promise.all([this.#leaves.stop(), this.#copies.stop()]);
  }

  #readFromCopies(): void {
    const { acceptOldCopies } = this.#options.settings;
    for (const leafId of this.leafIds) {
      const { holder, removalsMin } = restoreSource(this.#members, leafId, acceptOldCopies);
      const address = holder === null ? null : `${holder.address}/${leafPath(leafId)}`;
      this.#leaves.readFrom(leafId, { address, removalsMin });
    }
  }
}

/** Which members have a copy of a leaf, whole or not. */
const copiesOf = (members: readonly Member[], leafId: string): readonly Member[] =>
  members.filter(({ copies }) => copies.some((copy) => copy.leafId === leafId));
