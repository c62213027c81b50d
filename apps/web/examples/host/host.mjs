import { readFile } from "node:fs/promises";
import { createClient } from "@hadal/sdk";
import fastify from "fastify";
import { createHostKey } from "./hostKey.mjs";
import { customerPage } from "./page.mjs";

/** Which rows a customer may see is known here, not in the page. */
const customers = new Map([
  ["acme", { id: "acme", name: "Acme", country: "DE" }],
  ["globex", { id: "globex", name: "Globex", country: "US" }],
  ["initech", { id: "initech", name: "Initech", country: "JP" }],
]);
const files = { "host.js": "text/javascript", "host.css": "text/css" };

const { HADAL_URL = "http://127.0.0.1:7400", HADAL_TOKEN, HOST_PORT = "7500" } = process.env;
const hadalUrl = new URL(HADAL_URL).origin;
const tokenSeconds = Number(process.env.TOKEN_SECONDS ?? 300);

const app = fastify();
let key;

// What a page with charts needs besides its own: scripts, frames and data of the Hadal server.
const policy = [
  "default-src 'self'",
  `script-src 'self' ${hadalUrl}`,
  `connect-src 'self' ${hadalUrl} ${hadalUrl.replace(/^http/, "ws")}`,
  `frame-src ${hadalUrl}`,
  "img-src 'self' data: blob:",
  "style-src-attr 'unsafe-inline'",
].join("; ");
app.addHook("onRequest", async (_request, reply) => {
  reply.header("content-security-policy", policy).header("cache-control", "no-store");
});

for (const [file, type] of Object.entries(files)) {
  app.get(`/${file}`, async (_request, reply) => {
    const text = await readFile(new URL(`public/${file}`, import.meta.url), "utf8");
    return reply.type(type).send(text);
  });
}
app.get("/", async (_request, reply) => reply.redirect("/customers/acme"));
app.get("/customers/:id", async ({ params: { id } }, reply) => {
  const customer = customers.get(id);
  if (customer === undefined) return reply.callNotFound();
  const token = await key.tokenFor(customer);
  const shown = { customer, customers: [...customers.values()], token };
  return reply.type("text/html").send(customerPage({ ...shown, hadalUrl, kid: key.kid }));
});
app.get("/customers/:id/token", async ({ params: { id } }, reply) => {
  const customer = customers.get(id);
  if (customer === undefined) return reply.callNotFound();
  return reply.type("text/plain").send(await key.tokenFor(customer));
});

// Listening first: the port may be any that is free, and the key is for this origin only.
await app.listen({ port: Number(HOST_PORT), host: "127.0.0.1" });
const { port } = app.server.address();
const origin = process.env.HOST_ORIGIN ?? `http://localhost:${port}`;
const client = createClient({ url: hadalUrl, ...(HADAL_TOKEN && { token: HADAL_TOKEN }) });
try {
  key = await createHostKey(client, { origin, tokenSeconds });
} catch (error) {
  process.stderr.write(`Hadal at ${hadalUrl}: ${error.message}\n`);
  process.exit(1);
}
process.stdout.write(`example host: ready at ${origin}, charts from ${hadalUrl}\n`);

async function stop() {
  await app.close();
  await key.remove().catch((error) => process.stderr.write(`${error.message}\n`));
  client.close();
}
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
