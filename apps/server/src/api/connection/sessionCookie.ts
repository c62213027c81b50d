import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply } from "fastify";
import { sessionCookie } from "../docs/sessionCookie.js";

/** Scripts of the page cannot read it, other pages cannot send it, and over TLS it never leaves as plain text. */
export function setSessionCookie(reply: FastifyReply, secret: string): void {
  reply.setCookie(sessionCookie, secret, cookieOptions(reply));
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(sessionCookie, cookieOptions(reply));
}

function cookieOptions({ request }: FastifyReply): CookieSerializeOptions {
  const secure = request.reached.protocol === "https";
  return { path: "/", httpOnly: true, sameSite: "strict", secure };
}
