import { type AuthMode, type Role, roles } from "@hadal/sdk";
import {
  type AccessSettings,
  accessSettingsDefault,
  type OidcSettings,
  type RoleGroup,
} from "../../base/access/accessSettings.js";
import { isCidr, isLoopback } from "../../base/access/cidr.js";
import {
  checkSwitch,
  checkText,
  type Find,
  type Found,
  flag,
  refused,
  type ServeFlag,
} from "./serveFlag.js";

const groupsClaimDefault = "groups";

/** How people and programs reach the server and sign in. */
export const accessFlags: readonly ServeFlag[] = [
  flag(
    "auth",
    "--auth <mode>",
    "users (people sign in), header (a proxy before it signs them in), or none (loopback only)",
    "none on loopback, else users",
  ),
  flag(
    "setupLink",
    "--setup-link",
    "also where others reach the server: start without a user, and print a link for the first admin",
    "false",
  ),
  flag(
    "trustedProxies",
    "--trusted-proxies <ranges>",
    "addresses and ranges (10.0.0.0/8), with commas between, of proxies whose X-Forwarded-… headers count",
    "none",
  ),
  flag(
    "trustedHeader",
    "--trusted-header <name>",
    "with --auth header: the header in which such a proxy names who signed in",
    "none",
  ),
  flag(
    "trustedGroupsHeader",
    "--trusted-groups-header <name>",
    "the header with that person's groups, with commas between",
    "none",
  ),
  flag("tlsCert", "--tls-cert <file>", "certificate in PEM, with its chain: HTTPS only", "none"),
  flag("tlsKey", "--tls-key <file>", "its private key in PEM", "none"),
  flag("oidcIssuer", "--oidc-issuer <url>", "address of an OpenID Connect provider", "none"),
  flag("oidcClientId", "--oidc-client-id <id>", "Hadal's name at the provider", "none"),
  flag(
    "oidcClientSecretFile",
    "--oidc-client-secret-file <file>",
    "file of Hadal's secret at the provider",
    "none",
  ),
  flag(
    "oidcGroupsClaim",
    "--oidc-groups-claim <name>",
    "claim of the ID token that lists groups",
    groupsClaimDefault,
  ),
  flag(
    "roleGroups",
    "--role-groups <pairs>",
    "roles of groups of the provider or proxy: admin=ops,editor=dev",
    "none",
  ),
];

/** The settings of access, which depend on each other and on where the server listens. */
export function checkAccess(find: Find, host: string): AccessSettings {
  const auth = checkAuth(find("auth"), host, find("host"));
  const settings: AccessSettings = {
    auth,
    setupLink: checkSwitch(find("setupLink")) ?? accessSettingsDefault.setupLink,
    trustedProxies: checkProxies(find("trustedProxies")),
    trustedHeader: checkHeader(find("trustedHeader")),
    trustedGroupsHeader: checkHeader(find("trustedGroupsHeader")),
    tlsCert: checkText(find("tlsCert"), "") || null,
    tlsKey: checkText(find("tlsKey"), "") || null,
    oidc: checkOidc(find),
    roleGroups: checkRoleGroups(find("roleGroups")),
  };
  checkTogether(settings);
  return settings;
}

/** People sign in at the gateway; a leaf answers to the gateway alone. */
export function accessOfLeaf(host: string): AccessSettings {
  if (isLoopback(host)) return accessSettingsDefault;
  throw refused(`A leaf listens on a loopback address; ${host} is none.`);
}

function checkAuth(found: Found | null, host: string, foundHost: Found | null): AuthMode {
  const auth = found?.value ?? (isLoopback(host) ? "none" : "users");
  if (auth !== "none" && auth !== "users" && auth !== "header") {
    throw refused(`${found?.source} is users, header or none; found ${JSON.stringify(auth)}.`);
  }
  if (auth === "none" && !isLoopback(host)) {
    const where = foundHost?.source ?? "the address";
    throw refused(
      `${found?.source} is none, but ${where} ${host} is not a loopback address: whoever reaches it could read and write everything. Use --auth users and a user (\`npx hadal user add NAME --role admin\`).`,
    );
  }
  return auth;
}

function checkTogether(settings: AccessSettings): void {
  const { auth, trustedHeader, trustedGroupsHeader, trustedProxies, tlsCert, tlsKey, oidc } =
    settings;
  if (auth === "header" && trustedHeader === null) {
    throw refused("--auth header needs --trusted-header: the header that names who signed in.");
  }
  if (auth !== "header" && (trustedHeader ?? trustedGroupsHeader) !== null) {
    throw refused("--trusted-header and --trusted-groups-header need --auth header.");
  }
  if (auth === "header" && trustedProxies.length === 0) {
    throw refused(
      "--auth header needs --trusted-proxies: from other addresses the header proves nothing.",
    );
  }
  if ((tlsCert === null) !== (tlsKey === null)) {
    throw refused("--tls-cert and --tls-key are set together: a certificate and its key.");
  }
  if (oidc !== null && auth !== "users") throw refused("--oidc-issuer needs --auth users.");
}

function checkProxies(found: Found | null): readonly string[] {
  const ranges = listOf(checkText(found, ""));
  const wrong = ranges.find((range) => !isCidr(range));
  if (wrong === undefined) return ranges;
  throw refused(
    `${found?.source} are addresses and ranges such as 10.0.0.0/8, with commas between; found ${JSON.stringify(wrong)}.`,
  );
}

/** Headers whose meaning is fixed, or that clients and proxies set for other ends. */
const notForPeople =
  /^(authorization|cookie|host|origin|connection|content-.*|forwarded|x-forwarded-.*)$/;

function checkHeader(found: Found | null): string | null {
  const name = checkText(found, "").toLowerCase();
  if (name === "") return null;
  if (/^[a-z0-9][a-z0-9-]*$/.test(name) && !notForPeople.test(name)) return name;
  throw refused(
    `${found?.source} is the name of a header such as X-Auth-Request-User; found ${JSON.stringify(name)}.`,
  );
}

function checkOidc(find: Find): OidcSettings | null {
  const issuer = checkIssuer(find("oidcIssuer"));
  const clientId = checkText(find("oidcClientId"), "");
  const secret = find("oidcClientSecretFile");
  if (issuer === null) {
    const other = find("oidcClientId") ?? secret ?? find("oidcGroupsClaim");
    if (other !== null) throw refused(`${other.source} needs --oidc-issuer.`);
    return null;
  }
  if (clientId === "") throw refused("--oidc-issuer needs --oidc-client-id.");
  return {
    issuer,
    clientId,
    clientSecretFile: checkText(secret, "") || null,
    groupsClaim: checkText(find("oidcGroupsClaim"), groupsClaimDefault),
  };
}

/** Codes and tokens travel to it: in plain text only on this machine. */
function checkIssuer(found: Found | null): string | null {
  const issuer = checkText(found, "");
  if (issuer === "") return null;
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(nameOf(url)));
  if (isSafe) return issuer;
  throw refused(
    `${found?.source} is an address that begins with https:// (http:// on loopback only).`,
  );
}

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, "$1");

function checkRoleGroups(found: Found | null): readonly RoleGroup[] {
  return listOf(checkText(found, "")).map((pair) => {
    const [role, ...group] = pair.split("=");
    if (isRole(role) && group.join("=") !== "") return { role, group: group.join("=") };
    throw refused(
      `${found?.source} are pairs such as admin=ops with commas between, of ${roles.join(", ")} and a group; found ${JSON.stringify(pair)}.`,
    );
  });
}

const isRole = (text: string | undefined): text is Role =>
  (roles as readonly (string | undefined)[]).includes(text);

function listOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
