import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StatusInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import { spawnHadal } from "./support/startCluster.js";

const file = (name: string) =>
  fileURLToPath(new URL(`./support/tls/test-only-${name}.pem`, import.meta.url));
const ca = readFileSync(file("certificate"));

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Over TLS to the name of the certificate, which is checked. */
function ask(port: number, path: string, body?: object, cookie = ""): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: "127.0.0.1", port, path, ca, servername: "hadal.test" },
        method: body === undefined ? "GET" : "POST",
        headers: { host: `hadal.test:${port}`, "content-type": "application/json", cookie },
      },
      async (answer) => {
        let text = "";
        for await (const chunk of answer) text += String(chunk);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      },
    );
    sent.on("error", reject);
    sent.end(body === undefined ? "" : JSON.stringify(body));
  });
}

test("with a certificate the server speaks HTTPS only, and its demo reaches it where people sign in", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-tls-"));
  const running = spawnHadal(
    ["serve", "--port", "0", "--data-dir", dataDir, "--leaves", "1", "--auth", "users"],
    {
      ...{ HADAL_TLS_CERT: file("certificate"), HADAL_TLS_KEY: file("key") },
      HADAL_DEMO_ROWS: "20000",
    },
  );
  try {
    await expect.poll(() => running.output.out, { timeout: 40_000 }).toContain("ready: https://");
    const port = Number(/ready: https:\/\/[^:]+:(\d+)/.exec(running.output.out)?.[1]);
    const page = await ask(port, "/");
    expect(page.headers["strict-transport-security"]).toBe("max-age=31536000");
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
    const setup = /\/setup#(\S+)/.exec(running.output.err)?.[1];
    const signedIn = await ask(port, "/api/v1/session", { setup, password: "a long password" });
    const [setCookie = ""] = signedIn.headers["set-cookie"] ?? [];
    expect(setCookie).toMatch(/; Secure; SameSite=Strict$/);
    const cookie = setCookie.split(";")[0];
    const demo = async () => {
      const { text } = await ask(port, "/api/v1/status", undefined, cookie);
      return (JSON.parse(text) as StatusInfo).demo;
    };
    await expect.poll(demo, { timeout: 40_000 }).toMatchObject({ fraction: 1, problem: null });
    expect(running.output.err).not.toContain("NODE_TLS_REJECT_UNAUTHORIZED");
  } finally {
    running.child.kill("SIGTERM");
    await running.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
}, 100_000);
