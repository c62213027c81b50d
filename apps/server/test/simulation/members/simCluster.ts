import type { ApiDeps } from "../../../src/api/context/deps.js";
import type { SimProcess } from "../world/simProcess.js";
import type { World } from "../world/world.js";
import type { Unit } from "./unit.js";

export interface RunningGateway {
  readonly process: SimProcess;
  /** What its API would call. */
  readonly deps: ApiDeps;
}

export interface SimCluster {
  readonly units: readonly Unit[];
  /** On how many machines each row is to be. */
  readonly copies: number;
  readonly gatewayNames: readonly string[];
  /** Those whose disk may be lost, because other machines have all rows of their leaves. */
  copied(): readonly Unit[];
  /** Those that serve now. */
  gateways(): readonly RunningGateway[];
}

export const clusterKey = "the key of the simulation";

/** Of every leaf: little memory, and segments that are sealed soon. */
export function leafSettings({ random }: World) {
  return { leafMemory: 128, sealAfter: random.pick([1, 3, 30]) };
}
