import { encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import { answerBranch, type BranchAnswer, type LastBranchAnswer } from "../answerBranch.js";
import { leafIdsOf, type QueriedNode } from "../queriedNode.js";

/** An aggregator over nodes, in this process: what it sends is encoded as it would travel. */
export function branchNode(nodes: readonly QueriedNode[]): QueriedNode {
  const leafIds = nodes.flatMap(leafIdsOf);
  const now = (): number => performance.now();
  return {
    id: leafIds.join(),
    leafIds,
    restrictedTo: (some) => branchNode(nodes.flatMap((node) => restrict(node, some))),
    async streamQuery(resolved, { budgetMs, signal, snapshot, onPartial }) {
      const send = (answer: BranchAnswer, last?: LastBranchAnswer): void => {
        const parts = answer.parts.map(({ leaves, partial }) => ({
          leaves,
          body: encodePartialResult(partial, resolved),
        }));
        const { failures } = answer;
        const done = last !== undefined;
        const trace = last && { name: leafIds.join(), mergeMs: last.mergeMs, children: last.asked };
        onPartial({ ...{ done, workMs: 0, parts, failures }, ...(trace && { trace }) });
      };
      const last = await answerBranch({
        ...{ resolved, nodes, signal, now, deadline: now() + budgetMs },
        ...(snapshot && { snapshot }),
        onAnswer: async (answer) => send(answer),
        onError: (text, error) => {
          throw new Error(text, { cause: error });
        },
      });
      send(last, last);
    },
  };
}

function restrict(node: QueriedNode, leafIds: readonly string[]): readonly QueriedNode[] {
  const own = leafIdsOf(node).filter((id) => leafIds.includes(id));
  if (own.length === 0) return [];
  return [own.length === leafIdsOf(node).length ? node : node.restrictedTo!(own)];
}
