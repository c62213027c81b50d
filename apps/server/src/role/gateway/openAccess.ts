import { readFile } from "node:fs/promises";
import { HadalError } from "@hadal/sdk";
import { Access } from "../../access/access.js";
import type { OidcService } from "../../access/oidc/oidcService.js";
import type { AccessSettings, OidcSettings } from "../../base/access/accessSettings.js";
import { isLoopback } from "../../base/access/cidr.js";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import type { Registry } from "../../registry/registry.js";

/** Users, tokens and grants as the settings want them. */
export function openAccess(
  registry: Registry,
  { auth, oidc, roleGroups }: AccessSettings,
  warn: (text: string) => void,
): Promise<Access> {
  const provider = oidc === null ? null : new URL(oidc.issuer).host;
  return Access.open(registry, {
    ...{ auth, warn, roleGroups },
    signIn: { password: auth === "users", oidc: provider },
  });
}

/** Sign-in at an OpenID Connect provider, which is not asked before someone signs in; null: there is none. */
export async function openOidc(
  access: Access,
  { oidc }: AccessSettings,
  warn: (text: string) => void,
): Promise<OidcService | null> {
  if (oidc === null) return null;
  const clientSecret = await readClientSecret(oidc);
  // Most servers have no provider, and start without its library.
  const { createOidcService } = await import("../../access/oidc/createOidcService.js");
  return createOidcService({ ...oidc, clientSecret }, access, warn);
}

async function readClientSecret({ clientSecretFile }: OidcSettings): Promise<string | null> {
  if (clientSecretFile === null) return null;
  try {
    return (await readFile(clientSecretFile, "utf8")).trimEnd();
  } catch (error) {
    const why = systemErrorText(error);
    const detail = `--oidc-client-secret-file: ${clientSecretFile} cannot be read: ${why}.`;
    throw new HadalError("bad-request", { detail });
  }
}

const byStart = { who: null, address: null };

/**
 * The path of a link with which the first admin sets a password; null where there are users. A server that others reach
 * does not start without users, unless its settings ask for the link: who reads the log first would be the admin.
 */
export async function findFirstSetup(
  access: Access,
  host: string,
  { auth, oidc, setupLink }: AccessSettings,
): Promise<string | null> {
  if (auth !== "users") return null;
  try {
    if (isLoopback(host) || setupLink) return await access.users.firstSetup(byStart);
    if (oidc !== null || (await access.users.list()).length > 0) return null;
  } catch (error) {
    // Users cannot be read now: until they can be, every request is refused.
    if (error instanceof HadalError && error.code === "registry-unavailable") return null;
    throw error;
  }
  const detail = `${host} can be reached by others, and there is no user yet. Add one first (\`npx hadal user add NAME --role admin\`), or start with --setup-link, --oidc-issuer or --auth header.`;
  throw new HadalError("bad-request", { detail });
}
