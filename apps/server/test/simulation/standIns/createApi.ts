import type { ApiDeps } from "../../../src/api/context/deps.js";
import { world } from "../world/world.js";

/** In place of the server for HTTP: the simulation calls what its routes would call. */
export async function createApi(deps: ApiDeps): Promise<object> {
  const { current } = world();
  current.exposed = deps;
  return {
    listen: async ({ host, port }: { host: string; port: number }) => `http://${host}:${port}`,
    close: async () => undefined,
    server: { close: () => undefined, closeAllConnections: () => undefined },
  };
}
