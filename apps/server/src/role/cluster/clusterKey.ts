import { readFile } from "node:fs/promises";
import type { ClusterSettings } from "../../base/limit/clusterSettings.js";
import { leafEnvironment } from "../processMessages.js";

const keyCharactersMin = 16;

/** The key that all members have. Rejects with a message for people. */
export async function readClusterKey({
  clusterKeyFile,
}: Pick<ClusterSettings, "clusterKeyFile">): Promise<string> {
  const key =
    clusterKeyFile === null
      ? (process.env[leafEnvironment.key] ?? "")
      : (await readFile(clusterKeyFile, "utf8")).trim();
  if (key.length >= keyCharactersMin) return key;
  throw new Error(
    `A member needs the cluster's key, at least ${keyCharactersMin} characters, in --cluster-key-file or HADAL_CLUSTER_KEY.`,
  );
}
