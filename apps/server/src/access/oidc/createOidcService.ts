import { type ExternalAccess, OidcService } from "./oidcService.js";
import { type OidcSettings, OidcSignIn } from "./oidcSignIn.js";

export function createOidcService(
  settings: OidcSettings,
  access: ExternalAccess,
  warn: (text: string) => void,
): OidcService {
  return new OidcService({ signIn: new OidcSignIn(settings, Date.now), access, warn });
}
