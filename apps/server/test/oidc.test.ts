import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Me, Problem } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FormBrowser, type Visit } from "../src/access/testing/formBrowser.js";
import { type OidcServer, startOidcServer } from "../src/access/testing/oidcServer.js";
import { freePort } from "./support/freePort.js";
import { type Cluster, spawnHadal, startCluster } from "./support/startCluster.js";

/** The real program, and a real provider to which it sends people. */
let folder: string;
let provider: OidcServer;
let cluster: Cluster;
let environment: Readonly<Record<string, string>>;
const groups = new Map([["olga", ["ops", "staff"]]]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-oidc-"));
  const port = await freePort();
  const redirectUri = `http://127.0.0.1:${port}/api/v1/session/oidc/callback`;
  provider = await startOidcServer({ redirectUri, groupsOf: (login) => groups.get(login) ?? [] });
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, `${provider.clientSecret}\n`);
  environment = {
    ...{ HADAL_AUTH: "users", HADAL_OIDC_ISSUER: provider.issuer },
    ...{ HADAL_OIDC_CLIENT_ID: provider.clientId, HADAL_OIDC_CLIENT_SECRET_FILE: secretFile },
    HADAL_ROLE_GROUPS: "operator=ops,viewer=staff",
  };
  cluster = await startCluster({ leaves: 1, port, environment });
}, 60_000);
afterAll(async () => {
  await cluster?.stop();
  await provider?.close();
  await rm(folder, { recursive: true, force: true });
});

const begin = (to = "/explore"): string =>
  `${cluster.url}/api/v1/session/oidc?to=${encodeURIComponent(to)}`;
const signIn = async (login: string, to?: string): Promise<FormBrowser> => {
  const browser = new FormBrowser();
  const end = await browser.signIn(begin(to), login, `${cluster.url}/explore`);
  expect(end.href).toBe(`${cluster.url}${to ?? "/explore"}`);
  return browser;
};
const me = async (browser: FormBrowser): Promise<Visit & { body: Me & Problem }> => {
  const visit = await browser.visit(`${cluster.url}/api/v1/me`);
  return { ...visit, body: JSON.parse(visit.text) };
};
const callbackOf = ({ visits }: FormBrowser): Visit => {
  const found = visits.find(({ url }) => url.pathname.endsWith("/oidc/callback"));
  if (found === undefined) throw new Error("the browser did not come back");
  return found;
};

test("a person of the provider comes back to the page, signed in with groups and their role", async () => {
  const browser = await signIn("olga", "/explore?v=1&table=visits#row");
  expect((await me(browser)).body).toMatchObject({
    ...{ kind: "user", name: "olga", role: "operator", groups: ["ops", "staff"] },
  });
  const [first] = browser.visits;
  expect(first?.setCookies).toEqual([
    expect.stringMatching(
      /^hadal_oidc=[\w-]+; Max-Age=600; Path=\/api\/v1\/session\/oidc; HttpOnly; SameSite=Lax$/,
    ),
  ]);
  expect(callbackOf(browser).setCookies).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^hadal_oidc=;/),
      expect.stringMatching(/^hadal_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ]),
  );
  groups.set("olga", ["staff"]);
  expect((await me(await signIn("olga"))).body).toMatchObject({
    role: "viewer",
    groups: ["staff"],
  });
});

test("an answer that comes a second time, or in another browser, starts no session", async () => {
  const browser = await signIn("replayed");
  const { url } = callbackOf(browser);
  for (const one of [browser, new FormBrowser()]) {
    const again = await one.visit(url);
    expect([again.status, again.location]).toEqual([302, "/signin?problem=expired"]);
    expect(again.setCookies.join()).not.toContain("hadal_session");
  }
  const other = new FormBrowser();
  await other.visit(begin());
  const stolen = await other.visit(url);
  expect(stolen.location).toBe("/signin?problem=failed");
  expect((await me(other)).status).toBe(401);
});

test.each([
  ...["//evil.example", "/\\evil.example", "https://evil.example", "https:evil.example"],
  ...["javascript:alert(1)", "/\t/evil.example", "\\\\evil.example", "evil"],
])("%j is no place to go to", async (to) => {
  const visit = await new FormBrowser().visit(begin(to));
  expect([visit.status, visit.location]).toEqual([400, null]);
  expect(JSON.parse(visit.text)).toMatchObject({ code: "bad-request" });
});

test("an error of the provider becomes a reason, without its texts", async () => {
  const browser = new FormBrowser();
  const { location } = await browser.visit(begin());
  const state = new URL(location ?? "").searchParams.get("state") ?? "";
  const answer = new URLSearchParams({
    ...{ error: "access_denied", error_description: "<script>alert(1)</script>", state },
    iss: provider.issuer,
  });
  const back = await browser.visit(`${cluster.url}/api/v1/session/oidc/callback?${answer}`);
  expect(back.location).toBe("/signin?problem=refused");
  expect(back.text).not.toContain("script");
});

test("the sign-in page learns of the provider; the name of an account that is not its own is not given away", async () => {
  const { body } = await me(new FormBrowser());
  expect(body).toMatchObject({
    code: "unauthenticated",
    signIn: { password: true, oidc: new URL(provider.issuer).host },
  });
  // The first admin of this server, who has a setup link.
  expect(cluster.output.out + cluster.output.err).toContain("/setup#");
  const browser = new FormBrowser();
  const end = await browser.signIn(begin(), "Admin", `${cluster.url}/signin`);
  expect(end.search).toBe("?problem=not-allowed");
  expect((await me(browser)).status).toBe(401);
});

test("a provider that is away stops nothing else, also at the start", async () => {
  const port = await freePort();
  const away = await startCluster({
    ...{
      leaves: 1,
      environment: { ...environment, HADAL_OIDC_ISSUER: `http://127.0.0.1:${port}` },
    },
  });
  try {
    const visit = await new FormBrowser().visit(`${away.url}/api/v1/session/oidc?to=/`);
    expect(visit.location).toBe("/signin?problem=provider-unavailable");
    expect((await fetch(`${away.url}/readyz`)).status).toBe(200);
    expect(away.output.err).toMatch(/oidc: provider-unavailable: http:\/\/127.0.0.1:\d+: .+/);
  } finally {
    await away.stop();
  }
}, 60_000);

test("no code, secret or cookie is in the log", async () => {
  const browser = await signIn("logged");
  const { code = "" } = Object.fromEntries(callbackOf(browser).url.searchParams);
  const written = cluster.output.out + cluster.output.err;
  const session = browser.cookie(cluster.url, "hadal_session") ?? "";
  expect([code.length, session.length].every((length) => length > 20)).toBe(true);
  for (const secret of [code, session, provider.clientSecret])
    expect(written).not.toContain(secret);
  const { exited, output } = spawnHadal(["serve", "--port", "0", "--data-dir", join(folder, "x")], {
    ...{ ...environment, HADAL_OIDC_CLIENT_SECRET_FILE: join(folder, "none") },
  });
  expect(await exited).toBe(1);
  expect(output.err).toMatch(/--oidc-client-secret-file: .*none cannot be read: no such file/);
}, 60_000);
