import { HadalError } from "@hadal/sdk";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { RouteList } from "../docs/openApi.js";

/** Refuses a method that an existing path does not have, naming those that it has; returns where there is no such path. */
export function refuseMethod(
  { method, url }: FastifyRequest,
  reply: FastifyReply,
  routes: RouteList,
): void {
  const path = url.split("?")[0]!;
  const allowed = methodsOf(routes, path).join(", ");
  if (allowed === "") return;
  reply.header("allow", allowed);
  throw new HadalError("method-not-allowed", { path: path.slice(0, 500), method, allowed });
}

function methodsOf({ routes }: RouteList, path: string): readonly string[] {
  const parts = path.split("/");
  const isRoute = (own: readonly string[]): boolean =>
    own.length === parts.length &&
    own.every((part, i) => part === parts[i] || (part.startsWith("{") && parts[i] !== ""));
  return routes
    .filter((route) => isRoute(route.path.split("/")))
    .flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()]));
}
