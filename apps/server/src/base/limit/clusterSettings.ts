/** How a member takes part in a cluster of several machines. */
export interface ClusterSettings {
  /** `postgres://…` of the registry that all members share; null: there is one machine. */
  readonly join: string | null;
  /** The name of this machine in the cluster. */
  readonly machine: string;
  /** `host:port` by which other members reach this one; null: where it listens. */
  readonly advertise: string | null;
  /** File of the key that all members have; null: HADAL_CLUSTER_KEY. */
  readonly clusterKeyFile: string | null;
  /** How many nodes an aggregator asks, itself among them; null: as the cluster does. */
  readonly fanOut: number | null;
  /** On how many machines each row is to be; null: as the cluster does. */
  readonly copies: number | null;
  /** Whether links between machines are encrypted; null: as the cluster does. */
  readonly clusterTls: boolean | null;
  /** Of 100 partitions that are asked, how many may be asked twice because they are late. */
  readonly hedgePercent: number;
  /**
   * A leaf that lost its rows takes those of a copy that does not know of all removals, where no
   * better one is there.
   */
  readonly acceptOldCopies: boolean;
}

/** The paper found 5 best, of 2, 4, 5 and 6 (S71). */
export const fanOutDefault = 5;
export const fanOutMin = 2;
export const fanOutMax = 8;

/** With 2, the loss of any one machine loses no row. */
export const copiesDefault = 2;
export const copiesMax = 2;

/** More would double the load of machines that are slow because of their load. */
export const hedgePercentDefault = 10;

export const clusterSettingsDefault: ClusterSettings = {
  ...{
    join: null,
    machine: "",
    advertise: null,
    clusterKeyFile: null,
    fanOut: null,
    copies: null,
    clusterTls: null,
    hedgePercent: hedgePercentDefault,
    acceptOldCopies: false,
  },
};
