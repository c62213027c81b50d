import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { EmbedHosts } from "../access/embed/knownEmbeds.js";

/** The page for frames at `/embed/{id}`: a script, which reads the token from the fragment, and nothing else. */
export function sendEmbedPage(
  reply: FastifyReply,
  { state, frameAncestors }: EmbedHosts,
): FastifyReply {
  reply.type("text/html; charset=utf-8");
  // Pages in frames of other hosts: helmet's defaults for those refuse them.
  reply.removeHeader("x-frame-options");
  reply.header("cross-origin-resource-policy", "cross-origin");
  reply.header("cache-control", "no-store");
  if (state === "valid") {
    const policy = [...chartPolicy, `frame-ancestors ${printHosts(frameAncestors)}`];
    return reply.header("content-security-policy", policy.join("; ")).send(chartPage);
  }
  // Every page may show that there is nothing to see; one that was allowed, that it was revoked.
  const hosts = state === "revoked" ? printHosts(frameAncestors) : "*";
  const policy = [...messagePolicy, `frame-ancestors ${hosts}`].join("; ");
  const code = state === "revoked" ? 410 : 404;
  return reply.code(code).header("content-security-policy", policy).send(messagePages[state]);
}

const printHosts = (hosts: readonly string[]): string =>
  hosts.length === 0 ? "'none'" : hosts.join(" ");

const head = (title: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>`;

const chartPage = `${head("Chart")}
<script type="module" src="/embed/frame.js"></script>
<noscript>This chart needs JavaScript.</noscript>
`;

/** As of the web app: tooltips are positioned by style attributes. */
const chartPolicy = [
  ...["default-src 'self'", "img-src 'self' data: blob:", "style-src-attr 'unsafe-inline'"],
  ...["object-src 'none'", "base-uri 'none'", "form-action 'none'"],
];

const style =
  "html{height:100%}body{box-sizing:border-box;min-height:100%;margin:0;padding:16px;display:grid;place-content:center;text-align:center;font:13px/18px system-ui,sans-serif}h1{margin:0 0 4px;font-size:13px}p{margin:0;opacity:.75}";
const styleHash = createHash("sha256").update(style).digest("base64");
const messagePolicy = [
  ...["default-src 'none'", `style-src 'sha256-${styleHash}'`],
  ...["base-uri 'none'", "form-action 'none'"],
];

const messagePage = (title: string, text: string): string => `${head(title)}
<style>${style}</style>
<h1>${title}</h1>
<p>${text}</p>
`;

const messagePages = {
  revoked: messagePage("This chart was withdrawn", "Ask whoever runs this page for another one."),
  unknown: messagePage(
    "There is no such chart",
    "Its address may be incomplete, or the chart was withdrawn.",
  ),
};
