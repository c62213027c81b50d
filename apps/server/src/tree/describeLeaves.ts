import type { LeafReply, LeafRequestBody, LeafTable } from "../cluster/leafProtocol.js";

/** What asking for descriptions needs of a leaf; a LeafConnection is one. */
export interface DescribedLeaf {
  readonly id: string;
  request(
    request: LeafRequestBody,
    body: undefined,
    options: { readonly timeoutMs: number },
  ): Promise<{ readonly header: LeafReply }>;
}

export interface LeafDescription {
  readonly leafId: string;
  readonly tables: readonly LeafTable[];
}

/** Descriptions of the leaves that give one in time. */
export async function describeLeaves(
  leaves: readonly DescribedLeaf[],
  timeoutMs: number,
): Promise<LeafDescription[]> {
  const asked = await Promise.allSettled(
    leaves.map((leaf) => leaf.request({ kind: "describe" }, undefined, { timeoutMs })),
  );
  return asked.flatMap((outcome, i) => {
    // A leaf that does not answer is named by every query; here its last description serves on.
    if (outcome.status === "rejected" || outcome.value.header.kind !== "described") return [];
    return [{ leafId: leaves[i]!.id, tables: outcome.value.header.tables }];
  });
}
