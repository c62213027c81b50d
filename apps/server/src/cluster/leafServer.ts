import type { LeafHandlers } from "./leafHandlers.js";
import type { LeafRequest } from "./leafProtocol.js";
import { LeafSession } from "./leafSession.js";
import { createMemberServer, type MemberServer, type MemberServerOptions } from "./memberServer.js";

export interface LeafServerOptions
  extends Omit<MemberServerOptions<LeafRequest>, "openSession" | "passOn"> {
  readonly handlers: LeafHandlers;
}

/** Listens for gateways and aggregators. Resolves once it does; rejects when the port cannot be had. */
export function createLeafServer({
  handlers,
  ...options
}: LeafServerOptions): Promise<MemberServer> {
  const { onError } = options;
  return createMemberServer({
    ...options,
    openSession: (socket) => new LeafSession(socket, handlers, onError),
  });
}
