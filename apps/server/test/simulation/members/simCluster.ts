import type { ApiDeps } from "../../../src/api/context/deps.js";
import type { SimProcess } from "../world/simProcess.js";
import type { Unit } from "./unit.js";

export interface RunningGateway {
  readonly process: SimProcess;
  /** What its API would call. */
  readonly deps: ApiDeps;
}

export interface SimCluster {
  readonly units: readonly Unit[];
  readonly leafCount: number;
  /** Those that serve now. */
  gateways(): readonly RunningGateway[];
  leafProcesses(): readonly SimProcess[];
}
