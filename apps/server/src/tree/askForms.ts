import type { FormsInRange } from "../base/row/columnTypes.js";
import type { LeafRequestBody } from "../cluster/leafProtocol.js";
import type { DescribedLeaf } from "./describeLeaves.js";

type FormsRequest = Omit<Extract<LeafRequestBody, { readonly kind: "forms" }>, "kind">;

/**
 * Which forms the values of columns have in ranges of time, by the leaves that say so in time. What another holds beyond
 * that, it says when it is asked the query itself.
 */
export async function askForms(
  leaves: readonly DescribedLeaf[],
  request: FormsRequest,
  timeoutMs: number,
): Promise<readonly FormsInRange[]> {
  const asked = await Promise.allSettled(
    leaves.map((leaf) => leaf.request({ kind: "forms", ...request }, undefined, { timeoutMs })),
  );
  return asked.flatMap((outcome) =>
    outcome.status === "fulfilled" && outcome.value.header.kind === "forms"
      ? outcome.value.header.columns
      : [],
  );
}
