import { join } from "node:path";
import fastifyStatic, { type SetHeadersResponse } from "@fastify/static";
import type { FastifyInstance } from "fastify";
import type { EmbedHosts } from "../access/embed/knownEmbeds.js";
import { sendEmbedPage } from "./embedPage.js";

const prefix = "/embed/";
const assetFolder = "assets";

/**
 * Serves what other pages load: the script of `<hadal-chart>`, and the page `/embed/{id}` for frames. The files are the same
 * for everyone, and what they show comes with a token: any page may load them.
 */
export async function addEmbedApp(
  app: FastifyInstance,
  folder: string,
  hostsOf: (id: string) => EmbedHosts,
): Promise<void> {
  const files = {
    ...{ cacheControl: false, preCompressed: true, decorateReply: false, index: false as const },
    dotfiles: "ignore" as const,
  };
  await app.register(fastifyStatic, {
    ...{ ...files, root: join(folder, assetFolder), prefix: `${prefix}${assetFolder}/` },
    setHeaders: (response) => forEveryPage(response, "public, max-age=31536000, immutable"),
  });
  // The names of these never change: pages of other hosts have them in their HTML.
  await app.register(fastifyStatic, {
    ...{ ...files, root: folder, prefix, wildcard: false },
    globIgnore: [`${assetFolder}/**`, "**/*.{br,gz}"],
    setHeaders: (response) => forEveryPage(response, "no-cache"),
  });
  app.get<{ Params: { id: string } }>(`${prefix}:id`, ({ params }, reply) =>
    sendEmbedPage(reply, hostsOf(params.id)),
  );
}

function forEveryPage(response: SetHeadersResponse, cache: string): void {
  response.setHeader("cache-control", cache);
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("cross-origin-resource-policy", "cross-origin");
  response.setHeader("vary", "accept-encoding");
}
