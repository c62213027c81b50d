import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** Absolute path of a file of the repository. */
export const at = (...parts) => join(root, ...parts);

/**
 * Stamps of what was built, the lock, and reports of the test tools: safe to delete at any time.
 */
export const cache = at(".cache");
