import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../ingest/testing/gateway.js";
import { addEmbed } from "./testing/people.js";
import { type TestApi, withApi } from "./testing/startApi.js";

const byTest = {
  who: null,
  address: null,
  owner: { kind: "anyone", id: null },
  isAdmin: false,
} as const;

/** A build as of `vite.embed.config.ts`, and a file beside it that is not served. */
const withEmbedApp = (use: (api: TestApi) => Promise<void>): Promise<void> =>
  withFolder((folder) => {
    writeFileSync(join(folder, "beside.js"), "not served");
    const embedFolder = join(folder, "dist-embed");
    mkdirSync(join(embedFolder, "assets"), { recursive: true });
    writeFileSync(join(embedFolder, "hadal-chart.js"), "element");
    writeFileSync(join(embedFolder, "frame.js"), "frame");
    writeFileSync(join(embedFolder, "assets", "part-AbC1.js"), "part");
    return withApi({ settings: { embedFolder } }, use);
  });

test.each([
  ["/embed/hadal-chart.js", "element", "no-cache"],
  ["/embed/frame.js", "frame", "no-cache"],
  ["/embed/assets/part-AbC1.js", "part", "public, max-age=31536000, immutable"],
])("every page may load %s", (url, body, cache) =>
  withEmbedApp(async ({ app }) => {
    const reply = await app.inject({ url, headers: { origin: "https://other.example" } });
    expect([reply.statusCode, reply.body]).toEqual([200, body]);
    expect(reply.headers).toMatchObject({
      "content-type": "application/javascript; charset=utf-8",
      "cache-control": cache,
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers).not.toHaveProperty("access-control-allow-credentials");
  }),
);

test("nothing else is served", () =>
  withEmbedApp(async ({ app }) => {
    for (const path of [
      ...["../beside.js", "assets/../../beside.js", "assets/..%2f..%2fbeside.js"],
      ...["assets/%2e%2e/%2e%2e/beside.js", "assets/..\\..\\beside.js", "assets//etc/passwd"],
      ...["assets/none.js", "assets/", "a/b"],
    ]) {
      const reply = await app.inject({ url: `/embed/${path}`, headers: { accept: "text/html" } });
      expect([path, reply.statusCode]).toEqual([path, 404]);
      expect(reply.body).not.toContain("not served");
    }
  }));

test("the frame is shown by exactly the pages that the embed allows", () =>
  withEmbedApp(async ({ app, access }) => {
    const frameAncestors = ["https://intranet.example", "https://*.example.com"];
    const { id } = await addEmbed(access, { frameAncestors });
    const reply = await app.inject(`/embed/${id}`);
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain('<script type="module" src="/embed/frame.js"></script>');
    expect(directive(reply, "frame-ancestors")).toBe(frameAncestors.join(" "));
    expect(directive(reply, "default-src")).toBe("'self'");
    // It knows a list of one page at most, and browsers would follow both.
    expect(reply.headers).not.toHaveProperty("x-frame-options");
    expect(reply.headers["cache-control"]).toBe("no-store");

    const alone = await addEmbed(access);
    expect(directive(await app.inject(`/embed/${alone.id}`), "frame-ancestors")).toBe("'none'");
  }));

test("what was withdrawn, or never was, says so", () =>
  withEmbedApp(async ({ app, access }) => {
    const { id } = await addEmbed(access, { frameAncestors: ["https://intranet.example"] });
    await access.embeds.revoke(id, byTest);
    const revoked = await app.inject(`/embed/${id}`);
    expect([revoked.statusCode, titleOf(revoked)]).toEqual([410, "This chart was withdrawn"]);
    expect(directive(revoked, "frame-ancestors")).toBe("https://intranet.example");
    const unknown = await app.inject("/embed/%3Cscript%3E");
    expect([unknown.statusCode, titleOf(unknown)]).toEqual([404, "There is no such chart"]);
    expect(unknown.body).not.toContain("script");
    expect(directive(unknown, "default-src")).toBe("'none'");
  }));

interface Reply {
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

const titleOf = ({ body }: Reply): string | undefined => /<h1>(.*)<\/h1>/.exec(body)?.[1];

function directive({ headers }: Reply, name: string): string | undefined {
  const parts = String(headers["content-security-policy"]).split("; ");
  return parts.find((part) => part.startsWith(`${name} `))?.slice(name.length + 1);
}
