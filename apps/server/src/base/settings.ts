import { availableParallelism } from "node:os";

/** Roles that this version starts; `single` is the whole cluster on one machine. */
export type ServerRole = "single" | "leaf";

/** What `hadal serve` was told, by flag, environment or file. */
export interface ServerSettings {
  readonly role: ServerRole;
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Leaf processes of role `single`. */
  readonly leaves: number;
  /** Whether the demo table is made and fed. */
  readonly demo: boolean;
}

/** Eight leaves of at most 4 GiB each: a larger machine is told so by --leaves. */
const leavesDefaultMax = 8;
export const leavesMax = 64;

export const settingsDefault: ServerSettings = {
  role: "single",
  host: "127.0.0.1",
  port: 7400,
  dataDir: ".hadal",
  leaves: Math.min(availableParallelism(), leavesDefaultMax),
  demo: true,
};
