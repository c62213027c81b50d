import { expect, test } from "vitest";
import { StopController } from "../../base/schedule/stopController.js";
import { printTrace, readTrace } from "../../cluster/treeTrace.js";
import { countRequests } from "../../plan/testing/countRequests.js";
import { answerTree } from "../answerTree.js";
import type { QueriedNode } from "../queriedNode.js";
import { LeafQueues } from "./leafQueues.js";

test("C9: an aggregator says with each answer how many other requests its leaf has", async () => {
  const queues = new LeafQueues();
  const ends: (() => void)[] = [];
  const leaf: QueriedNode = {
    id: "a",
    streamQuery: () => new Promise((resolve) => ends.push(resolve)),
  };
  const ask = async (): Promise<unknown> => {
    const { trace } = await answerTree(
      { query: countRequests, fanOut: 5, machines: [{ name: "m", address: "", leafIds: ["a"] }] },
      { signal: new StopController().signal, deadline: performance.now() + 60_000 },
      { leafOf: () => leaf, linkTo: () => expect.fail(), queues, onError: () => undefined },
      () => undefined,
    );
    const travelled = readTrace(JSON.parse(JSON.stringify(printTrace(trace!))));
    return travelled.children.map(({ name, queued }) => [name, queued]);
  };
  const asking = [ask(), ask(), ask()];
  expect(queues.lengthOf("a")).toBe(3);
  for (const [i, left] of [2, 1, 0].entries()) {
    ends[i]!();
    expect(await asking[i]).toEqual([["a", left]]);
  }
});

test("a member that does not say it is read as before", () => {
  const leaf = { name: "a", role: "leaf", waitMs: 3, mergeMs: 0, children: [] } as const;
  const trace = { name: "m", mergeMs: 1, children: [leaf] };
  expect(readTrace(printTrace(trace))).toEqual(trace);
});
