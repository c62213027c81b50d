import { readFile } from "node:fs/promises";
import { systemErrorText } from "../../base/file/systemErrorText.js";
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
      : (await readKeyFile(clusterKeyFile)).trim();
  if (key.length >= keyCharactersMin) return key;
  throw new Error(
    `A member needs the cluster's key, at least ${keyCharactersMin} characters, in --cluster-key-file or HADAL_CLUSTER_KEY.`,
  );
}

/** Errors of some systems do not name the file. */
function readKeyFile(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw new Error(`--cluster-key-file ${path} cannot be read: ${systemErrorText(error)}`);
  });
}
