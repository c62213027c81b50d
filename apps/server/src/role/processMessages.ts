import type { ServerSettings } from "../base/limit/settings.js";

/** Message from a leaf process to its supervisor: it listens. */
export interface LeafReady {
  readonly kind: "leaf-ready";
  readonly port: number;
}

/** Environment in which the supervisor starts a leaf process. */
export const leafEnvironment = {
  id: "HADAL_LEAF_ID",
  count: "HADAL_LEAF_COUNT",
  key: "HADAL_CLUSTER_KEY",
  /**
   * `copy`: the process is a copy of the leaf. `restore`: it is the leaf, and waits for the rows of a
   * copy where it has begun to read them.
   */
  mode: "HADAL_LEAF_MODE",
  holder: "HADAL_LEAF_HOLDER",
  /** Not empty: the source of its rows encrypts. */
  tls: "HADAL_LEAF_TLS",
} as const;

/** Message to the process of a copy, or of a leaf without its rows: where it reads them. */
export interface SourceAddress {
  readonly kind: "source";
  /** Null: no machine is known that has them. */
  readonly address: string | null;
  /**
   * With the rows of a copy, a leaf has planned as many removals at least: other copies with fewer are
   * old. Absent: as many as the source.
   */
  readonly removalsMin?: number;
}

/** Where a leaf listens; null while it does not. */
export interface LeafAddress {
  readonly id: string;
  readonly address: string | null;
}

/** Messages from the supervisor to the gateway process; the first one starts it. */
export type MessageToGateway =
  | ({ readonly kind: "start" } & GatewayStart)
  | ({ readonly kind: "leaf-address" } & LeafAddress);

export interface GatewayStart {
  readonly settings: ServerSettings;
  /** The key of the cluster. */
  readonly key: string;
  readonly leaves: readonly LeafAddress[];
}

/** Messages from the gateway process to its supervisor. */
export type GatewayMessage =
  | { readonly kind: "gateway-ready"; readonly url: string }
  | { readonly kind: "gateway-failed"; readonly error: StartError };

/** An error that can be sent between processes, with what the command line needs to word it. */
export interface StartError {
  readonly message: string;
  readonly code?: string | undefined;
  readonly path?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}
