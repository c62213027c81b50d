import {
  apiBase,
  type ClusterInfo,
  HadalError,
  type MachineInfo,
  type SealedRegistry,
} from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import { actorOf } from "../context/requester.js";
import type { Operation } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";

const machine: MachineInfo = {
  ...{ name: "m1", state: "alive", address: "10.0.0.5:7401", version: "0.1.0", protocol: 2 },
  ...{ leaves: ["m1-leaf-1", "m1-leaf-2"], copies: [], rows: 500_000 },
};
const cluster: ClusterInfo = {
  machines: [machine],
  tree: {
    atMs: 1795254000000,
    nodes: [
      { id: "gateway", role: "gateway", mergeMs: 0.4 },
      { id: "m1", role: "aggregator", mergeMs: 0.2 },
      { id: "m1-leaf-1", role: "leaf", mergeMs: 0 },
      { id: "m1-leaf-2", role: "leaf", mergeMs: 0 },
    ],
    edges: [
      { from: "gateway", to: "m1", waitMs: 9.1 },
      { from: "m1", to: "m1-leaf-1", waitMs: 8.2 },
      { from: "m1", to: "m1-leaf-2", waitMs: 7.9 },
    ],
  },
  registryProblem: null,
  notWhole: [],
};

const getCluster: Operation = {
  operationId: "cluster",
  summary: "The machines, and the tree of the last query",
  description:
    "A server without a cluster has one machine. While the registry is away, machines are as they were last known, and `registryProblem` says why.",
  tag: "Server",
  access: "query",
  answer: {
    status: 200,
    description: "The machines as this gateway sees them.",
    content: { "application/json": { schema: ref("Cluster"), example: cluster } },
  },
};

const postDrain: Operation = {
  operationId: "drain",
  summary: "Empty a machine, or let it take rows again",
  description:
    'It gets no new rows from now on, and answers queries as before. Once none of its rows would be missing without it, it is `drained`, and may be stopped: when retention has removed its rows, or other machines have whole copies of its leaves. `{"drain": false}` lets it take rows again. What is so already is no fault.',
  tag: "Server",
  access: "operate",
  parameters: [
    {
      ...{ name: "name", in: "path", schema: { type: "string" }, example: "m1" },
      description: "As `cluster` lists it.",
    },
  ],
  body: {
    description: "May be left out.",
    content: { "application/json": { schema: ref("DrainOptions"), example: { drain: true } } },
  },
  answer: {
    status: 200,
    description: "The machine as it is now.",
    content: {
      "application/json": { schema: ref("Machine"), example: { ...machine, state: "draining" } },
    },
  },
  problems: ["bad-request", "unknown-machine", "last-machine", "registry-unavailable"],
};

const nonce = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

const postRegistry: Operation = {
  operationId: "clusterRegistry",
  summary: "Where the registry of the cluster is",
  description:
    "For members that join by the URL of a gateway. `proof` is the HMAC-SHA-256 of `hadal registry NONCE` by the cluster's key, in hexadecimal digits; the answer is sealed with the key.",
  tag: "Server",
  access: "open",
  body: {
    content: {
      "application/json": {
        schema: ref("RegistryRequest"),
        example: {
          nonce,
          proof: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        },
      },
    },
  },
  answer: {
    status: 200,
    description: "Its address.",
    content: {
      "application/json": { schema: ref("SealedRegistry"), example: { sealed: "AAEC…" } },
    },
  },
  problems: ["bad-request"],
};

/** Machines of the cluster. */
export function addClusterRoutes(app: FastifyInstance, { deps }: RouteContext): void {
  app.get(
    `${apiBase}/cluster`,
    { config: { operation: getCluster } },
    async ({ person }): Promise<ClusterInfo> => deps.cluster(person.readable),
  );
  app.post(
    `${apiBase}/cluster/registry`,
    { config: { operation: postRegistry } },
    async (request): Promise<SealedRegistry> => {
      const { nonce, proof } = await readJsonBody(request);
      if (typeof nonce === "string" && typeof proof === "string")
        return deps.offerRegistry({ nonce, proof });
      throw new HadalError("bad-request", { detail: "`nonce` and `proof` should be texts." });
    },
  );
  app.post<{ Params: { readonly name: string } }>(
    `${apiBase}/cluster/machines/:name/drain`,
    { config: { operation: postDrain } },
    async (request): Promise<MachineInfo> => {
      const { params, person } = request;
      const drain = hasBody(request) ? readDrain(await readJsonBody(request)) : true;
      return deps.drain({ machine: params.name, drain }, actorOf(request), person.readable);
    },
  );
}

function hasBody({ headers }: FastifyRequest): boolean {
  const { "content-length": length = "0", "transfer-encoding": encoding } = headers;
  return length !== "0" || encoding !== undefined;
}

function readDrain({ drain = true, ...others }: Readonly<Record<string, unknown>>): boolean {
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new HadalError("bad-request", { detail: `${JSON.stringify(other)} is not known here.` });
  }
  if (typeof drain === "boolean") return drain;
  throw new HadalError("bad-request", { detail: "`drain` should be true or false." });
}
