import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { serveFlags } from "./serveSettings.js";

/** No Docker is needed to see that a setting has another name by now: the image would ignore it. */
test.each([
  ...["Dockerfile", "compose.yaml", "compose.postgres.yaml", "compose.cluster.yaml"],
  ...["kubernetes/aggregators.yaml", "kubernetes/gateways.yaml", "healthcheck.mjs", "README.md"],
])("settings in docker/%s are known", async (name) => {
  const text = await readFile(new URL(`../../../../../docker/${name}`, import.meta.url), "utf8");
  // Of the command line: where the server is, and who asks.
  const known = [...serveFlags.map(({ environment }) => environment), "HADAL_URL", "HADAL_TOKEN"];
  const named = new Set(text.match(/HADAL_[A-Z_]+/g));
  expect(named.size).toBeGreaterThan(0);
  expect([...named].filter((variable) => !known.includes(variable))).toEqual([]);
});

test.each(["aggregators", "gateways"])(
  "the Secret of kubernetes/%s.yaml is that of the README",
  async (name) => {
    const read = (file: string) =>
      readFile(new URL(`../../../../../docker/${file}`, import.meta.url), "utf8");
    const [manifest, readme] = await Promise.all([
      read(`kubernetes/${name}.yaml`),
      read("README.md"),
    ]);
    const keys = [...manifest.matchAll(/\bkey: ([a-z-]+)/g)].map(([, key]) => key!);
    expect(new Set(keys)).toContain("database-url");
    for (const key of new Set(keys)) expect(readme).toContain(key);
  },
);

test("the health check of a machine is whether its port answers", async () => {
  const script = fileURLToPath(new URL("../../../../../docker/healthcheck.mjs", import.meta.url));
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const codeOf = async (): Promise<unknown> => {
    const env = { ...process.env, HADAL_ROLE: "aggregator", HADAL_PORT: String(port) };
    return (await once(spawn(process.execPath, [script], { env }), "exit"))[0];
  };
  expect(await codeOf()).toBe(0);
  server.close();
  await once(server, "close");
  expect(await codeOf()).toBe(1);
});
