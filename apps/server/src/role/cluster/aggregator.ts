import { lockFolder } from "../../base/file/folderLock.js";
import type { ServerSettings } from "../../base/limit/settings.js";
import { endOnUnexpectedError } from "../../base/process/endOnUnexpectedError.js";
import { AggregatorSession } from "../../cluster/aggregatorSession.js";
import { createLeafConnection } from "../../cluster/connectToLeaf.js";
import { createMemberServer } from "../../cluster/memberServer.js";
import type { TreeRequest } from "../../cluster/treeProtocol.js";
import { answerTree } from "../../tree/answerTree.js";
import type { RunningServer } from "../runningServer.js";
import { leafFlags } from "../supervise/leafFlags.js";
import { LeafSupervisor } from "../supervise/leafSupervisor.js";
import { readClusterKey } from "./clusterKey.js";
import { MemberLinks } from "./memberLinks.js";
import { Membership } from "./membership.js";
import { passToLeaf } from "./passToLeaf.js";

/** One machine of a cluster: starts its leaves, and answers for them and for other machines (S47). */
export async function startAggregator(settings: ServerSettings): Promise<RunningServer> {
  const { dataDir, machine, host, port } = settings;
  const warn = (text: string): void => console.error(`${machine}: ${text}`);
  const key = await readClusterKey(settings);
  const stops: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  };
  try {
    const lock = await lockFolder(dataDir);
    stops.push(() => lock.release());
    const membership = await Membership.open({
      ...{ settings, key, warn },
      // Another process answers for this machine now: two would store rows twice.
      onReplaced: () => void close().finally(() => process.exit(1)),
    });
    stops.push(() => membership.close());
    const leaves = new LeafSupervisor({
      ...{ host: "127.0.0.1", dataDir, key, warn, idPrefix: `${machine}-` },
      leafCount: settings.leaves,
      leafFlags: leafFlags(settings),
      onAddress: ({ id, address }) => {
        if (address !== null) connections.get(id)?.reconnect();
      },
    });
    const leafIds = leaves.addresses.map(({ id }) => id);
    const addressOf = (id: string): string | null =>
      leaves.addresses.find((leaf) => leaf.id === id)?.address ?? null;
    stops.push(() => leaves.stop());
    const connections = new Map(
      leafIds.map((id) => [id, createLeafConnection({ id, key, address: () => addressOf(id) })]),
    );
    stops.push(() => {
      for (const connection of connections.values()) connection.close();
    });
    await leaves.start();
    const links = new MemberLinks(key);
    stops.push(() => links.close());
    const onError = (error: unknown, about = ""): void => warn(`${about} ${describe(error)}`);
    const answering = {
      leafOf: (id: string) => connections.get(id),
      linkTo: links.to.bind(links),
      onError: (text: string, error: unknown) => onError(error, text),
    };
    const server = await createMemberServer<TreeRequest>({
      ...{ host, port, key, onError, passOn: passToLeaf(addressOf) },
      openSession: (socket) =>
        new AggregatorSession(
          socket,
          {
            tree: (request, context, onAnswer) => answerTree(request, context, answering, onAnswer),
          },
          onError,
        ),
    });
    stops.push(() => server.close());
    endOnUnexpectedError(machine, async () => undefined);
    const address = settings.advertise ?? `${host}:${server.port}`;
    await membership.announce({ role: "aggregator", address, leafIds });
    return { url: `ws://${address}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
