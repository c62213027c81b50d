import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { HadalError } from "@hadal/sdk";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Vite puts the hash of their content into the names of what it builds under assets/. */
const assetFolder = "assets/";

/** Serves the built web app. */
export async function addWebApp(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    cacheControl: false,
    // The build lays them down beside the files, as .br and .gz.
    preCompressed: true,
    setHeaders(response, path) {
      const asset = path.startsWith(join(folder, assetFolder));
      // The page names the assets of one build: an old one would ask for files that are gone.
      const policy = asset ? "public, max-age=31536000, immutable" : "no-cache";
      response.setHeader("cache-control", policy);
      response.setHeader("vary", "accept-encoding");
    },
  });
}

/** The page when a browser asks for a screen; a problem for all else. */
export function sendPageOrNotFound(
  request: FastifyRequest,
  reply: FastifyReply,
  webFolder: string | null,
): FastifyReply {
  const path = request.url.split("?")[0]!;
  const isScreen =
    webFolder !== null &&
    (request.method === "GET" || request.method === "HEAD") &&
    request.headers.accept?.includes("text/html") === true &&
    !/^\/(api|v1|assets|embed)\//.test(path) &&
    // Names of tables may have dots; files of the page lie at its root.
    !/^\/[^/]*\.\w+$/.test(path);
  if (!isScreen) throw new HadalError("not-found", { path: path.slice(0, 500) });
  return reply.code(200).sendFile("index.html");
}
