import { HadalError } from "@hadal/sdk";
import type { LeafHandlers } from "../cluster/leafHandlers.js";

/**
 * The handlers of a leaf that takes no more rows once its data folder was deleted: files that are open
 * can still be written and synced, and are gone with the process.
 */
export function folderHandlers(
  leafId: string,
  handlers: LeafHandlers,
  isFolderThere: () => Promise<boolean>,
): LeafHandlers {
  const check = async (): Promise<void> => {
    if (await isFolderThere()) return;
    const detail = "its data folder was deleted while it ran; start it again";
    throw new HadalError("storage-full", { leaf: leafId, detail });
  };
  return {
    ...handlers,
    append: async (request, body) => {
      await check();
      return handlers.append(request, body);
    },
    storeHint: async (request, body) => {
      await check();
      return handlers.storeHint(request, body);
    },
    takeHint: async (request) => {
      await check();
      return handlers.takeHint(request);
    },
  };
}
