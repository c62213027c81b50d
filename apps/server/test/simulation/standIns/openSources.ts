import type { Sources } from "../../../src/ingest/source/sources.js";

/** In place of topics that are read: rows of the simulation are sent by its clients. */
export const openSources = async (): Promise<Pick<Sources, "start" | "close">> => ({
  start: () => undefined,
  close: async () => undefined,
});
