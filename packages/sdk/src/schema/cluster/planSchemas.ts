import { planShapes } from "../../model/cluster/clusterPlan.js";
import {
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "../jsonSchema.js";
import { count, number, text } from "../valueSchemas.js";

const ms = (description: string): JsonSchema => ({ ...nullable(number), description });

/** The plan of a cluster. */
export const planSchemas: NamedSchemas = {
  PlanPoint: openObject({
    machines: count,
    fanOut: count,
    rows: { ...count, description: "Rows of each leaf." },
    levels: count,
    predictedMs: nullable(number),
    leafBytes: nullable(count),
  }),
  PlanMeasured: openObject(
    {
      ts: ms("T_S: a machine's wait for its slowest leaf, at the planned number of rows."),
      ta: ms("T_A: reading and merging one child's answer, at the planned number of groups."),
      td: ms("T_D: a question's way to a child; half of the way there and back."),
      tg: ms("T_G: an answer's way back."),
      rootMs: ms("The root's own time beside the tree: binding the query, finishing the answer."),
      queries: { ...count, description: "Queries that were measured." },
      rowsMax: { ...count, description: "Most rows of a leaf among them." },
      groupsMax: { ...count, description: "Most groups of an answer among them." },
    },
    { description: "Milliseconds, from the last queries of the shape; null: there were none." },
  ),
  PlanMemory: openObject(
    {
      table: text,
      bytesPerRow: number,
      copies: count,
      leafBytes: count,
      machineBytes: count,
      totalBytes: count,
      leafBytesMax: {
        ...nullable(count),
        description: "What a leaf of this cluster has for rows.",
      },
      fits: { ...nullable({ type: "boolean" }), description: "Whether a leaf's rows fit." },
    },
    { description: "Memory for the rows, from the bytes that the table's rows take." },
  ),
  ClusterPlan: openObject({
    planned: openObject(
      {
        machines: count,
        leaves: count,
        fanOut: count,
        rows: count,
        shape: { enum: planShapes },
        groups: count,
        table: nullable(text),
        copies: count,
      },
      { description: "What was planned: the parameters, filled up from the running cluster." },
    ),
    levels: {
      ...count,
      description: "L: levels of aggregators above the machines' own; 0 for one machine.",
    },
    fanOut: count,
    tree: list(openObject({ level: count, aggregators: count, children: count }), {
      description: "The root first; level 0 are the machines, whose children are their leaves.",
    }),
    predictedMs: {
      ...nullable(number),
      description:
        "T_S + L·(T_D + T_G) + (F·(L − 1) + R + D)·T_A; null: nothing was measured. Equation 5 as printed in the Scuba paper lacks T_A on R and D, which are numbers of children, not times; this form follows from its Equation 4.",
    },
    parts: {
      ...nullable(openObject({ scanMs: number, linksMs: number, mergeMs: number })),
      description: "T_S, L·(T_D + T_G) and (F·(L − 1) + R + D)·T_A.",
    },
    measured: ref("PlanMeasured"),
    accuracy: {
      ...nullable(openObject({ queries: count, median: number, low: number, high: number })),
      description:
        "Measured ÷ predicted time of the last queries of the shape: their number, the median, and the quartiles.",
    },
    memory: nullable(ref("PlanMemory")),
    otherMachines: list(ref("PlanPoint"), {
      description: "The same rows on other numbers of machines.",
    }),
    otherFanOuts: list(ref("PlanPoint"), { description: "The same cluster with other fan-outs." }),
    notes: list(text, {
      description: "Figures that are missing, extrapolated or measured elsewhere.",
    }),
  }),
};
