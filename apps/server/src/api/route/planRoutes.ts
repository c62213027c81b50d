import {
  apiBase,
  type ClusterPlan,
  type PlanNumber,
  type PlanOptions,
  planBounds,
  planShapes,
} from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { type Operation, type Parameter, readParameters } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";

/** The worked example of the Scuba paper: 20 machines with fan-out 5. */
const example: ClusterPlan = {
  planned: {
    ...{ machines: 20, leaves: 8, fanOut: 5, rows: 2_000_000, shape: "time-series" },
    ...{ groups: 180, table: "visits", copies: 1 },
  },
  ...{ levels: 2, fanOut: 5 },
  tree: [
    { level: 2, aggregators: 1, children: 5 },
    { level: 1, aggregators: 5, children: 4 },
    { level: 0, aggregators: 20, children: 8 },
  ],
  predictedMs: 12.4,
  parts: { scanMs: 9.2, linksMs: 1.5, mergeMs: 1.7 },
  measured: {
    ...{ ts: 9.2, ta: 0.1, td: 0.375, tg: 0.375, rootMs: 0.6 },
    ...{ queries: 48, rowsMax: 1_900_000, groupsMax: 240 },
  },
  accuracy: { queries: 47, median: 1.02, low: 0.93, high: 1.14 },
  memory: {
    ...{ table: "visits", bytesPerRow: 14.1, copies: 1, leafBytes: 28_200_000 },
    ...{ machineBytes: 225_600_000, totalBytes: 4_512_000_000 },
    ...{ leafBytesMax: 3_221_225_472, fits: true },
  },
  otherMachines: [
    {
      ...{ machines: 21, fanOut: 5, rows: 1_904_762, levels: 2 },
      ...{ predictedMs: 12.1, leafBytes: 26_857_145 },
    },
  ],
  otherFanOuts: [
    {
      ...{ machines: 20, fanOut: 8, rows: 2_000_000, levels: 2 },
      ...{ predictedMs: 12.6, leafBytes: 28_200_000 },
    },
  ],
  notes: [],
};

function numberParameter(name: PlanNumber, description: string, value?: number): Parameter {
  const { min, max } = planBounds[name];
  return {
    ...{ name, in: "query", description },
    schema: { type: "integer", minimum: min, maximum: max },
    ...(value === undefined ? {} : { example: value }),
  };
}

const getPlan: Operation = {
  operationId: "plan",
  summary: "How long a query would take on a cluster, and the memory for its rows",
  description:
    "By the model of the Scuba paper (section 4) and times measured in the last queries of this cluster. What is left out is as the running cluster has it.",
  tag: "Server",
  access: "query",
  parameters: [
    numberParameter("machines", "Machines.", 20),
    numberParameter("leaves", "Leaves of each machine.", 8),
    numberParameter("fanOut", "Children that an aggregator asks, at most.", 5),
    numberParameter("rows", "Rows of each leaf in the query's range.", 2_000_000),
    {
      ...{ name: "shape", in: "query" },
      description: "What is asked: numbers over all rows, over time, or by other groups.",
      schema: { type: "string", enum: planShapes, default: "time-series" },
      example: "time-series",
    },
    numberParameter("groups", "Groups of the answer; as many as queries had that were measured."),
    {
      ...{ name: "table", in: "query", schema: ref("Name") },
      description: "The table whose rows are planned for; the largest when left out.",
    },
    numberParameter("copies", "How many machines hold each row."),
  ],
  answer: {
    status: 200,
    description: "The plan; its times are null while no query of the shape was measured.",
    content: { "application/json": { schema: ref("ClusterPlan"), example } },
  },
  problems: ["bad-request", "unknown-table", "no-leaves"],
};

export function addPlanRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  app.get(
    `${apiBase}/plan`,
    { config: { operation: getPlan } },
    async ({ query, person }): Promise<ClusterPlan> => {
      // Each value is checked against its parameter.
      const asked: PlanOptions = Object.fromEntries(readParameters(query, getPlan));
      return deps.plan(asked, person.readable);
    },
  );
}
