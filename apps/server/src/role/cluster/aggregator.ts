import { setTimeout as pause } from "node:timers/promises";
import { lockFolder } from "../../base/file/folderLock.js";
import type { ServerSettings } from "../../base/limit/settings.js";
import { endOnUnexpectedError } from "../../base/process/endOnUnexpectedError.js";
import { AggregatorSession } from "../../cluster/aggregatorSession.js";
import { createMemberServer, type MemberServer } from "../../cluster/memberServer.js";
import type { TreeRequest } from "../../cluster/treeProtocol.js";
import { TreeRuns } from "../../cluster/treeRuns.js";
import type { Member } from "../../registry/member/members.js";
import { answerTree } from "../../tree/answerTree.js";
import { LeafQueues } from "../../tree/copies/leafQueues.js";
import { TreeWindows } from "../../tree/window/treeWindows.js";
import type { RunningServer } from "../runningServer.js";
import { readClusterKey } from "./clusterKey.js";
import { findRegistry } from "./findRegistry.js";
import { MachinePartitions } from "./machinePartitions.js";
import { MemberLinks } from "./memberLinks.js";
import { Membership } from "./membership.js";
import { passToLeaf } from "./passToLeaf.js";

const sayHeldEveryMs = 250;
const listEveryMs = 1_000;

/** One machine of a cluster: starts its leaves, and answers for them and for other machines (S47). */
export async function startAggregator(given: ServerSettings): Promise<RunningServer> {
  const { dataDir, machine, host } = given;
  const warn = (text: string): void => console.error(`${machine}: ${text}`);
  const key = await readClusterKey(given);
  const settings = { ...given, join: await findRegistry(given.join, key, warn) };
  const stops: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  };
  try {
    const lock = await lockFolder(dataDir);
    stops.push(() => lock.release());
    let members: readonly Member[] = [];
    let partitions: MachinePartitions | null = null;
    const membership = await Membership.open({
      ...{ settings, key, warn },
      onMembers(listed) {
        members = listed;
        partitions?.use(members);
      },
      // Another process answers for this machine now: two would store rows twice.
      onReplaced: () => void close().finally(() => process.exit(1)),
    });
    stops.push(() => membership.close());
    await membership.refresh();
    const { copies: copiesWanted, tls } = membership.cluster;
    const held = new MachinePartitions({ settings, key, tls, copiesWanted, warn });
    stops.push(() => held.stop());
    partitions = held;
    await whileListing(membership, held.start(members));
    const links = new MemberLinks({ key, tls });
    stops.push(() => links.close());
    const server = await listen({ settings, key, tls, held, links, warn });
    stops.push(() => server.close());
    endOnUnexpectedError(machine, async () => undefined);
    const address = settings.advertise ?? `${host}:${server.port}`;
    stops.push(keepSaying(membership, held));
    await membership.announce({ role: "aggregator", address, leafIds: held.leafIds });
    return { url: `ws://${address}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A leaf that lost its rows may wait for machines that have copies and are still to start. */
async function whileListing(membership: Membership, work: Promise<void>): Promise<void> {
  let isOver = false;
  const list = async (): Promise<void> => {
    while (!isOver) {
      // What cannot be read now is read the next time.
      await membership.refresh().catch(() => undefined);
      await pause(listEveryMs);
    }
  };
  void list();
  await work.finally(() => {
    isOver = true;
  });
}

interface ListenOptions {
  readonly settings: ServerSettings;
  readonly key: string;
  readonly tls: boolean;
  readonly held: MachinePartitions;
  readonly links: MemberLinks;
  readonly warn: (text: string) => void;
}

/** Answers for the leaves of this machine, and as a level of other trees. */
function listen({ settings, key, tls, held, links, warn }: ListenOptions): Promise<MemberServer> {
  const { host, port } = settings;
  const onError = (error: unknown, about = ""): void => warn(`${about} ${describe(error)}`);
  const windows = new TreeWindows();
  const runs = new TreeRuns();
  const answering = {
    leafOf: held.connectionTo.bind(held),
    linkTo: links.to.bind(links),
    windows,
    queues: new LeafQueues(),
    onError: (text: string, error: unknown) => onError(error, text),
  };
  return createMemberServer<TreeRequest>({
    ...{ host, port, key, tls, onError, passOn: passToLeaf(held.addressOf.bind(held)) },
    openSession: (socket) =>
      new AggregatorSession(
        socket,
        {
          tree: (request, context, onAnswer) => answerTree(request, context, answering, onAnswer),
          windows: () => windows.counts,
          runs,
        },
        onError,
      ),
  });
}

/** Says what this machine holds, until it is called off. */
function keepSaying(membership: Membership, held: MachinePartitions): () => void {
  const say = (): void => {
    membership.setLeafFolders(held.held.leafFolders);
    membership.setCopies(held.held.copies);
  };
  say();
  const saying = setInterval(say, sayHeldEveryMs);
  return () => clearInterval(saying);
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
