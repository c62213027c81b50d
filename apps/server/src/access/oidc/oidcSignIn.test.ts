import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FormBrowser } from "../testing/formBrowser.js";
import { type OidcServer, startOidcServer } from "../testing/oidcServer.js";
import { OidcSignIn } from "./oidcSignIn.js";
import { pendingMsMax } from "./pendingSignIns.js";

// The browser never gets there: the tests hand on what it would send.
const redirectUri = "http://127.0.0.1:9/api/v1/session/oidc/callback";
let server: OidcServer;
let clockMs = 0;
beforeAll(async () => {
  server = await startOidcServer({ redirectUri, groupsOf: (login) => [`${login}s`, "staff"] });
}, 30_000);
afterAll(() => server?.close());

const create = (parts: object = {}): OidcSignIn =>
  new OidcSignIn({ ...server, groupsClaim: "groups", ...parts }, () => clockMs);

/** Signs in as ann; `change`: of the request to the provider. */
async function answerOf(url: string, change: (request: URL) => void = () => undefined) {
  const request = new URL(url);
  change(request);
  const end = await new FormBrowser().signIn(request.href, "ann", redirectUri);
  return end.searchParams;
}

describe("a sign-in at the provider", () => {
  test("gives who it is, in which groups, and where to go on", async () => {
    const oidc = create();
    const { url, cookie } = await oidc.begin("/explore?v=1&table=a%2Fb#x", redirectUri);
    expect(await oidc.finish(cookie, await answerOf(url))).toEqual({
      person: { subject: `${server.issuer} ann`, name: "ann", groups: ["anns", "staff"] },
      to: "/explore?v=1&table=a%2Fb#x",
    });
  });

  test("is accepted once: its answer and its cookie are of no use again", async () => {
    const oidc = create();
    const { url, cookie } = await oidc.begin("/", redirectUri);
    const answer = await answerOf(url);
    await oidc.finish(cookie, answer);
    await expect(oidc.finish(cookie, answer)).rejects.toMatchObject({ reason: "expired" });
    const next = await oidc.begin("/", redirectUri);
    const replayed = new URLSearchParams(answer);
    replayed.set("state", new URL(next.url).searchParams.get("state") ?? "");
    // The code was used, and belongs to another verifier and nonce.
    await expect(oidc.finish(next.cookie, replayed)).rejects.toMatchObject({ reason: "failed" });
  });

  test("belongs to the browser in which it began", async () => {
    const oidc = create();
    const [mine, other] = [await oidc.begin("/", redirectUri), await oidc.begin("/", redirectUri)];
    const answer = await answerOf(mine.url);
    await expect(oidc.finish(other.cookie, answer)).rejects.toMatchObject({ reason: "failed" });
    await expect(oidc.finish(undefined, answer)).rejects.toMatchObject({ reason: "expired" });
    const bytes = Buffer.from(mine.cookie, "base64url");
    bytes[40]! ^= 1;
    const tampered = oidc.finish(bytes.toString("base64url"), answer);
    await expect(tampered).rejects.toMatchObject({ reason: "expired" });
    // A cookie of another server, or of this one before its last start.
    await expect(create().finish(mine.cookie, answer)).rejects.toMatchObject({ reason: "expired" });
    expect((await oidc.finish(mine.cookie, answer)).person.name).toBe("ann");
  });

  test("ends after ten minutes", async () => {
    const oidc = create();
    const { url, cookie } = await oidc.begin("/", redirectUri);
    const answer = await answerOf(url);
    clockMs += pendingMsMax;
    await expect(oidc.finish(cookie, answer)).rejects.toMatchObject({ reason: "expired" });
  });

  test.each<[string, (request: URL) => void]>([
    ["another nonce", ({ searchParams }) => searchParams.set("nonce", "of an older sign-in")],
    ["no nonce", ({ searchParams }) => searchParams.delete("nonce")],
    ["another verifier", ({ searchParams }) => searchParams.set("code_challenge", "x".repeat(43))],
    ["another client", ({ searchParams }) => searchParams.set("client_id", server.otherClientId)],
  ])("with %s is refused", async (_, change) => {
    const oidc = create();
    const { url, cookie } = await oidc.begin("/", redirectUri);
    const answer = await answerOf(url, change);
    expect(answer.has("code")).toBe(true);
    await expect(oidc.finish(cookie, answer)).rejects.toMatchObject({ reason: "failed" });
  });

  test("that the provider refuses says so, without the provider's texts", async () => {
    const oidc = create();
    const declined = await oidc.begin("/", redirectUri);
    const withoutChallenge = await answerOf(declined.url, ({ searchParams }) => {
      searchParams.delete("code_challenge");
      searchParams.delete("code_challenge_method");
    });
    expect(withoutChallenge.get("error")).toBe("invalid_request");
    const refused = oidc.finish(declined.cookie, withoutChallenge);
    await expect(refused).rejects.toMatchObject({ reason: "refused" });
    const { cookie } = await oidc.begin("/", redirectUri);
    const forged = new URLSearchParams({ error: "access_denied", state: "x", iss: server.issuer });
    await expect(oidc.finish(cookie, forged)).rejects.toMatchObject({ reason: "failed" });
  });

  test("with a wrong client secret fails, and the log has no secret and no code", async () => {
    const oidc = create({ clientSecret: "a wrong secret" });
    const { url, cookie } = await oidc.begin("/", redirectUri);
    const answer = await answerOf(url);
    const failure = await oidc.finish(cookie, answer).catch((error: Error) => error);
    expect(failure).toMatchObject({
      ...{ reason: "failed", message: expect.stringContaining("invalid_client") },
    });
    for (const secret of ["a wrong secret", answer.get("code")])
      expect(String((failure as Error).message)).not.toContain(secret);
  });
});

test("a provider that is away is a failure with a reason, and is asked again once it may be back", async () => {
  const stopped = await startOidcServer({ redirectUri });
  await stopped.close();
  const oidc = create({ issuer: stopped.issuer });
  const begin = () => oidc.begin("/", redirectUri);
  await expect(begin()).rejects.toMatchObject({ reason: "provider-unavailable" });
  const port = Number(new URL(stopped.issuer).port);
  const back = await startOidcServer({ redirectUri, port });
  // Not asked at each click.
  await expect(begin()).rejects.toMatchObject({ reason: "provider-unavailable" });
  clockMs += 3_000;
  const { url, cookie } = await begin();
  const answer = await answerOf(url);
  await back.close();
  await expect(oidc.finish(cookie, answer)).rejects.toMatchObject({
    reason: "provider-unavailable",
  });
});
