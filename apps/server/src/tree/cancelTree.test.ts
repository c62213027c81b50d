import { afterEach, expect, test } from "vitest";
import { StopController, type StopSignal } from "../base/schedule/stopController.js";
import { AggregatorSession } from "../cluster/aggregatorSession.js";
import { createLeafConnection } from "../cluster/connectToLeaf.js";
import type { LeafConnection } from "../cluster/leafConnection.js";
import { createMemberServer } from "../cluster/memberServer.js";
import { key, startProxy } from "../cluster/testing/leafEnds.js";
import type { TreeMachine, TreeRequest } from "../cluster/treeProtocol.js";
import { TreeRuns } from "../cluster/treeRuns.js";
import { countRequests } from "../plan/testing/countRequests.js";
import { answerTree } from "./answerTree.js";
import { nodesOfMachines } from "./machineNodes.js";

/** No end may miss the other in this test. */
const heartbeat = { pingMs: 3_600_000, missedMax: 3 };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type LinkTo = (machine: TreeMachine) => LeafConnection;

/** A machine whose leaf never answers. `asked` resolves with the signal that its query is to stop. */
async function startMachine(linkTo: LinkTo) {
  let noteAsked = (_: StopSignal): void => undefined;
  const asked = new Promise<StopSignal>((resolve) => {
    noteAsked = resolve;
  });
  const leaf = {
    id: "leaf",
    streamQuery: (_: unknown, { signal }: { readonly signal: StopSignal }) => {
      noteAsked(signal);
      return new Promise<void>((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped"))),
      );
    },
  };
  const answering = { leafOf: () => leaf, linkTo, onError: () => undefined };
  const runs = new TreeRuns();
  const server = await createMemberServer<TreeRequest>({
    ...{ host: "127.0.0.1", port: 0, key, heartbeat, onError: () => undefined },
    openSession: (socket) =>
      new AggregatorSession(
        socket,
        {
          tree: (request, context, onAnswer) => answerTree(request, context, answering, onAnswer),
          windows: () => ({ size: 1, waiting: 0, lost: 0 }),
          runs,
        },
        () => undefined,
      ),
  });
  closers.push(() => server.close());
  return { asked, port: server.port };
}

function connectTo(id: string, port: number): LeafConnection {
  const address = (): string => `127.0.0.1:${port}`;
  const connection = createLeafConnection({ id, address, key, heartbeat });
  closers.push(() => connection.close());
  return connection;
}

const stopped = (signal: StopSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", resolve);
  });

test("F21: a cancel reaches the machines below one that has lost its power", async () => {
  const below = await startMachine(() => expect.fail());
  const wayBelow = await startProxy(below.port);
  const linkBelow = connectTo("m1", wayBelow.port);
  const first = await startMachine(() => linkBelow);
  const wayToFirst = await startProxy(first.port);
  const links = new Map([
    ["m0", connectTo("m0", wayToFirst.port)],
    ["m1", connectTo("m1", below.port)],
  ]);
  const machines = ["m0", "m1"].map((name) => ({ name, address: name, leafIds: [`${name}-leaf`] }));
  const [node] = nodesOfMachines(machines, 1, {
    fanOut: 2,
    linkTo: ({ name }) => links.get(name)!,
  });
  const controller = new StopController();
  const { signal } = controller;
  const options = { budgetMs: 3_600_000, signal, onPartial: () => undefined };
  const streaming = node!.streamQuery(countRequests, options).catch(() => undefined);
  const [ofFirst, ofBelow] = await Promise.all([first.asked, below.asked]);
  // Nothing comes from it any more, and no connection is closed.
  wayToFirst.freeze();
  wayBelow.freeze();
  controller.abort();
  await streaming;
  await stopped(ofBelow);
  expect(ofFirst.aborted).toBe(false);
});
