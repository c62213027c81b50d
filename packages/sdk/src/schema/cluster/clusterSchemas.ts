import { leafCopyStates, machineStates } from "../../model/cluster/cluster.js";
import { list, type NamedSchemas, nullable, openObject, ref } from "../jsonSchema.js";
import { count, number, text } from "../valueSchemas.js";

/** The machines of a cluster. */
export const clusterSchemas: NamedSchemas = {
  LeafCopy: openObject(
    {
      leaf: { ...text, description: "The leaf whose rows they are." },
      machine: { ...text, description: "The machine that holds the copy." },
      state: {
        enum: [...leafCopyStates],
        description:
          "whole: it can answer in the leaf's place; old: of a data folder that the leaf has no more; away: its machine is dead.",
      },
      lagMs: { ...nullable(number), description: "By how much it is behind the leaf." },
      "problem?": {
        ...text,
        description: "Why it does not go on, such as a full disk; absent: it does.",
      },
    },
    { description: "A copy of a leaf's rows on another machine." },
  ),
  Machine: openObject({
    name: text,
    state: {
      enum: [...machineStates],
      description:
        "draining: it takes no new rows, and answers queries; drained: it can be stopped, and no answer will lack rows.",
    },
    address: { ...text, description: "host:port for other members." },
    version: { ...text, description: "Of the program." },
    protocol: { ...count, description: "Of the protocol between members." },
    leaves: list(text, { description: "Ids of its leaves." }),
    copies: list(ref("LeafCopy"), { description: "Copies of other machines' leaves." }),
    rows: {
      ...nullable(count),
      description: "Rows on its leaves; null: not known yet, or not all tables may be read.",
    },
    "problem?": {
      ...text,
      description: "Why it does not answer though it is alive; absent: it does.",
    },
  }),
  QueryTree: openObject(
    {
      atMs: { ...number, description: "When the query was answered." },
      nodes: list(
        openObject({
          id: text,
          role: { enum: ["gateway", "aggregator", "leaf"] },
          mergeMs: { ...number, description: "Merging, cutting and encoding." },
        }),
        { description: "The first is the root." },
      ),
      edges: list(
        openObject({
          from: text,
          to: text,
          waitMs: {
            ...nullable(number),
            description:
              "How long `from` waited for the last answer of `to`; null: it did not come.",
          },
        }),
      ),
    },
    { description: "The members that a query was asked through, and who asked whom." },
  ),
  RegistryRequest: openObject({ nonce: text, proof: text }),
  SealedRegistry: openObject({ sealed: text }),
  Cluster: openObject({
    machines: list(ref("Machine")),
    tree: {
      ...nullable(ref("QueryTree")),
      description: "Of the last query that leaves were asked for; null: there was none.",
    },
    registryProblem: {
      ...nullable(text),
      description: "Why the registry cannot be reached: machines are then as they were last known.",
    },
    notWhole: {
      ...list(text),
      description:
        "Leaves whose rows fewer machines have whole than are to have them (`--copies`).",
    },
  }),
  DrainOptions: {
    type: "object",
    properties: {
      drain: {
        type: "boolean",
        default: true,
        description: "false: the machine takes rows again.",
      },
    },
    additionalProperties: false,
  },
};
