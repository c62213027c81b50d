import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { HadalError } from "@hadal/sdk";
import { readDocument, writeDocument } from "../../base/file/documentFile.js";
import { copiesDefault, fanOutDefault } from "../../base/limit/clusterSettings.js";
import type { ServerSettings } from "../../base/limit/settings.js";
import { version } from "../../base/process/version.js";
import { protocolVersion } from "../../cluster/leafProtocol.js";
import {
  type AnnouncedMember,
  announceMember,
  beatMember,
  type ClusterIdentity,
  type HeldPartitions,
  JoinRefused,
  joinCluster,
  type KnownMembers,
  type LeafFolder,
  leaveCluster,
  listMembers,
  type Member,
  type MemberCopy,
} from "../../registry/member/members.js";
import { openRegistry } from "../../registry/openRegistry.js";
import type { Registry } from "../../registry/registry.js";
import { partitionsNotWhole } from "./copyPlacement.js";

const beatEveryMs = 1_000;
const availableMsMax = 15_000;
/** Other members have read the list after this time. */
const listMsMax = 1_500;
const removalsMsMax = 10_000;
const removalsPollMs = 100;

export interface MembershipOptions {
  readonly settings: Pick<
    ServerSettings,
    "dataDir" | "join" | "fanOut" | "copies" | "clusterTls" | "machine"
  >;
  readonly key: string;
  readonly warn: (text: string) => void;
  /** Called with each list of members that was read; may throw {@link JoinRefused}. */
  readonly onMembers?: (members: readonly Member[]) => void;
  /** This process may no longer be a member: another one has its place. */
  readonly onReplaced: () => void;
}

/**
 * This process as a member of a cluster: announced in the registry, with a heartbeat every second.
 * While the registry cannot be reached, the last list of members stays.
 */
export class Membership implements KnownMembers {
  readonly cluster: ClusterIdentity;
  /** Of the data folder. */
  readonly instance: string;
  readonly #registry: Registry;
  readonly #options: MembershipOptions;
  #members: readonly Member[] = [];
  #problem: string | null = null;
  #announced: AnnouncedMember | null = null;
  #held: HeldPartitions = { leafFolders: [], copies: [] };
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | null = null;
  /** Another heartbeat follows the one that is under way. */
  #isDue = false;
  #isClosed = false;
  #isLost = false;

  private constructor(
    options: MembershipOptions,
    registry: Registry,
    { cluster, instance }: JoinedFolder,
  ) {
    this.#options = options;
    this.instance = instance;
    this.#registry = registry;
    this.cluster = cluster;
  }

  /** Rejects with a message for people where this process may not be a member. */
  static async open(options: MembershipOptions): Promise<Membership> {
    const { settings, key, warn } = options;
    const { dataDir, join: databaseUrl, fanOut, copies, clusterTls: tls } = settings;
    const registry = await openRegistry({ dataDir, databaseUrl, isRequired: true, warn });
    try {
      const cluster = await whenAvailable(registry, () =>
        joinCluster(
          registry,
          { key, fanOut, copies, tls },
          { fanOut: fanOutDefault, copies: copiesDefault, tls: false },
        ),
      );
      const instance = await readInstance(dataDir, cluster.id, warn);
      return new Membership(options, registry, { cluster, instance });
    } catch (error) {
      await registry.close();
      throw error;
    }
  }

  /** Announces this process, reads who else is there, and says every second that it is alive. */
  async announce(member: Pick<AnnouncedMember, "role" | "address" | "leafIds">): Promise<void> {
    const { machine } = this.#options.settings;
    const held = this.#held;
    const name = member.role === "gateway" ? `${machine}-gateway` : machine;
    const before = this.#members.find((one) => one.name === name);
    this.#held = { ...this.#held, leafFolders: before?.leafFolders ?? [] };
    this.setLeafFolders(held.leafFolders);
    const announced = {
      ...{ ...member, name, instance: this.instance, protocol: protocolVersion },
      version,
      ...this.#held,
    };
    await whenAvailable(this.#registry, () => announceMember(this.#registry, announced));
    this.#announced = announced;
    await this.refresh();
    this.#timer = setInterval(() => this.#beatSoon(), beatEveryMs);
  }

  /**
   * The data folders of its leaves; others hear of them with the next heartbeat, or at once where rows
   * are about to be removed. Of a leaf that has not said what it has, the last one that is known stays.
   */
  setLeafFolders(leafFolders: readonly LeafFolder[]): void {
    const before = this.#held.leafFolders;
    const silent = before.filter(({ leafId }) => !leafFolders.some((one) => one.leafId === leafId));
    const known = [...leafFolders, ...silent].sort((a, b) => (a.leafId < b.leafId ? -1 : 1));
    this.#held = { ...this.#held, leafFolders: known };
    if (this.#announced !== null && !isDeepStrictEqual(known, before)) this.#beatSoon();
  }

  async whenRemovalsKnown(leafId: string, removals: number): Promise<boolean> {
    if (this.cluster.copies === 1) return true;
    const deadline = performance.now() + removalsMsMax;
    const isKnown = (): boolean => {
      const home = this.#members.find(({ leafIds }) => leafIds.includes(leafId));
      const leaf = home?.leafFolders.find((one) => one.leafId === leafId);
      return (leaf?.removals ?? -1) >= removals;
    };
    while (!isKnown()) {
      if (performance.now() > deadline) return false;
      await pause(removalsPollMs);
      await this.refresh();
    }
    await pause(listMsMax);
    return true;
  }

  /**
   * The copies that it holds; others hear of them with the next heartbeat, and at once where one is
   * whole that was not, or the other way round.
   */
  setCopies(copies: readonly MemberCopy[]): void {
    const before = wholeCopies(this.#held.copies);
    this.#held = { ...this.#held, copies };
    if (this.#announced !== null && wholeCopies(copies) !== before) this.#beatSoon();
  }

  get self(): string {
    return this.#announced?.name ?? "";
  }

  list(): readonly Member[] {
    return this.#members;
  }

  notWhole(): readonly string[] {
    return partitionsNotWhole({ members: this.#members, copiesWanted: this.cluster.copies });
  }

  problem(): string | null {
    return this.#problem;
  }

  /** Reads the list of members now. */
  async refresh(): Promise<void> {
    try {
      this.#members = await listMembers(this.#registry);
      this.#problem = null;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
    this.#options.onMembers?.(this.#members);
  }

  /** Leaves the cluster. */
  async close(): Promise<void> {
    this.#stop();
    await this.#beating;
    if (this.#announced !== null) {
      await leaveCluster(this.#registry, this.#announced).catch(() => undefined);
    }
    await this.#registry.close();
  }

  #stop(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** One heartbeat at a time: an older one must not overwrite what a newer one says. */
  #beatSoon(): void {
    this.#isDue = true;
    this.#beating ??= this.#beatWhileDue().finally(() => {
      this.#beating = null;
    });
  }

  async #beatWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false;
      await this.#beat();
    }
  }

  async #beat(): Promise<void> {
    const { warn, onReplaced } = this.#options;
    try {
      if (!(await beatMember(this.#registry, { ...this.#announced!, ...this.#held }))) {
        this.#stop();
        onReplaced();
        return;
      }
      await this.refresh();
      if (this.#isLost) warn("the registry is back");
      this.#isLost = false;
    } catch (error) {
      if (error instanceof JoinRefused) {
        warn(error.message);
        this.#stop();
        onReplaced();
        return;
      }
      this.#problem = error instanceof Error ? error.message : String(error);
      if (!this.#isLost) warn(`the registry cannot be reached: ${String(error)}`);
      this.#isLost = true;
    }
  }
}

/** Which copies are whole, as one text. */
const wholeCopies = (copies: readonly MemberCopy[]): string =>
  JSON.stringify(
    copies
      .filter(({ isWhole }) => isWhole)
      .map(({ leafId, folderId }) => [leafId, folderId])
      .sort(),
  );

/** A registry that starts together with its members may be late. */
async function whenAvailable<Value>(
  registry: Registry,
  work: () => Promise<Value>,
): Promise<Value> {
  const deadline = performance.now() + availableMsMax;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = error instanceof HadalError && error.code === "registry-unavailable";
      if (!isAway) throw error;
      if (performance.now() > deadline) {
        throw new JoinRefused(
          `${registry.name} cannot be used: ${registry.failure ?? error.message}.`,
        );
      }
      await pause(beatEveryMs);
    }
  }
}

interface JoinedFolder {
  readonly cluster: ClusterIdentity;
  readonly instance: string;
}

/**
 * What names this data folder in its cluster. A folder belongs to the cluster that its rows were sent
 * to. Rejects with {@link JoinRefused}.
 */
async function readInstance(
  dataDir: string,
  clusterId: string,
  warn: (text: string) => void,
): Promise<string> {
  const path = join(dataDir, "cluster.json");
  const name = "the cluster of this folder";
  const known = await readDocument(path, { name, check: checkFolder, warn });
  if (known !== null && known.cluster !== clusterId) {
    throw new JoinRefused(`The data folder ${dataDir} belongs to another cluster.`);
  }
  if (known !== null) return known.instance;
  const instance = randomUUID();
  await writeDocument(path, name, { cluster: clusterId, instance });
  return instance;
}

function checkFolder(value: unknown): { readonly cluster: string; readonly instance: string } {
  const { cluster, instance } = (value ?? {}) as { cluster?: unknown; instance?: unknown };
  if (typeof cluster === "string" && typeof instance === "string") return { cluster, instance };
  throw new Error("it names no cluster");
}
