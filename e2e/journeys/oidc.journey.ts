import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
// Not the shared fixtures: errors on the provider's pages are not ours.
import { test as base, expect, type Page } from "@playwright/test";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { type OidcProvider, startOidcProvider } from "../fixtures/startOidcProvider.js";

interface Places {
  readonly hadal: Hadal;
  readonly provider: OidcProvider;
}

const test = base.extend<object, { places: Places }>({
  places: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "hadal-oidc-"));
      const port = await freePort();
      const redirectUri = `http://127.0.0.1:${port}/api/v1/session/oidc/callback`;
      const provider = await startOidcProvider({ redirectUri, groupsOf: () => ["ops"] });
      const secretFile = join(folder, "secret");
      await writeFile(secretFile, provider.clientSecret);
      const hadal = await startHadal({
        ...{ leaves: 1, demoRows: 0, waitsForDemo: false },
        flags: [
          ...["--port", String(port), "--auth", "users", "--role-groups", "operator=ops"],
          ...["--oidc-issuer", provider.issuer, "--oidc-client-id", provider.clientId],
          ...["--oidc-client-secret-file", secretFile],
        ],
      });
      await use({ hadal, provider });
      await hadal.stop();
      await provider.stop();
      await rm(folder, { recursive: true });
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

/** Who the page is signed in as. */
const me = (page: Page): Promise<unknown> =>
  page.evaluate(async () => (await fetch("/api/v1/me")).json());

test("a person signs in at the provider and comes back to where they were", async ({
  page,
  places: { hadal, provider },
}) => {
  const to = "/explore?v=1&table=visits";
  await page.goto(hadal.url + to);
  await page.getByTestId("oidc").click();
  await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/interaction/`));
  await page.locator("input[name=login]").fill("olga");
  await page.locator("input[name=password]").fill("any password");
  await page.locator("button[type=submit]").click();
  // The provider asks whether Hadal may know who it is.
  await page.locator("button[type=submit]").click();
  await expect(page).toHaveURL(`${hadal.url}${to}`);
  // A strict cookie stays away from the first page after the provider's, and goes with its requests.
  expect(await me(page)).toMatchObject({ kind: "user", name: "olga", role: "operator" });
  expect(await page.context().cookies()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: "hadal_session", httpOnly: true, sameSite: "Strict" }),
    ]),
  );
});

test("a person who declines comes back to the sign-in page with the reason", async ({
  page,
  places: { hadal },
}) => {
  await page.goto(`${hadal.url}/api/v1/session/oidc?to=/explore`);
  await page.getByRole("link", { name: /cancel/i }).click();
  await expect(page).toHaveURL(`${hadal.url}/signin?problem=refused`);
  await expect(page.getByTestId("provider-problem")).toHaveText(
    "The provider did not sign you in.",
  );
  expect(await me(page)).toMatchObject({ code: "unauthenticated" });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
