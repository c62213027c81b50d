import { HadalError } from "@hadal/sdk";

/** One setting of `serve`: its flag, environment variable and key in the configuration file. */
export interface ServeFlag {
  readonly usage: string;
  /** Name of the flag in what commander parsed. */
  readonly flagKey: string;
  readonly environment: string;
  readonly key: string;
  readonly text: string;
  readonly shown: string;
}

/** A value and where it came from. */
export interface Found {
  readonly value: unknown;
  readonly source: string;
}

export function flag(key: string, usage: string, text: string, shown: string | number): ServeFlag {
  const environment = `HADAL_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
  return { usage, flagKey: key, environment, key, text, shown: String(shown) };
}

/** The value of a setting, by its key; null: it is not set. */
export type Find = (key: string) => Found | null;

export function checkInteger(
  found: Found | null,
  min: number,
  max: number,
  otherwise: number,
): number {
  if (found === null) return otherwise;
  const value =
    typeof found.value === "string" && /^\d{1,13}$/.test(found.value)
      ? Number(found.value)
      : found.value;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max)
    return value;
  throw refused(
    `${found.source} is a whole number from ${min} to ${max}; found ${JSON.stringify(found.value)}.`,
  );
}

export function checkText(found: Found | null, otherwise: string): string {
  if (found === null) return otherwise;
  if (typeof found.value === "string" && found.value !== "") return found.value;
  throw refused(`${found.source} is a text; found ${JSON.stringify(found.value)}.`);
}

export function checkNames(found: Found | null): readonly string[] {
  const names = checkText(found, "")
    .split(",")
    .filter((name) => name !== "");
  const wrong = names.find((name) => !URL.canParse(`http://${name}`) || /[/?#@:]/.test(name));
  if (wrong === undefined) return names;
  throw refused(
    `${found?.source} are names of hosts with commas between, without a port; found ${JSON.stringify(wrong)}.`,
  );
}

export function checkSwitch(found: Found | null): boolean | null {
  if (found === null) return null;
  if (found.value === true || found.value === "1" || found.value === "true") return true;
  if (found.value === false || found.value === "0" || found.value === "false") return false;
  throw refused(`${found.source} is true or false; found ${JSON.stringify(found.value)}.`);
}

export function refused(detail: string): HadalError {
  return new HadalError("bad-request", { detail });
}

/** The PostgreSQL of a cluster, or a gateway that knows it. */
export function checkJoin(found: Found | null): string | null {
  const { value, source } = found ?? {};
  if (typeof value !== "string" || !/^https?:\/\//i.test(value)) return checkDatabase(found);
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url !== null && url.username === "" && url.password === "") return url.origin;
  throw refused(
    `${source} is the URL of a gateway such as http://10.0.0.5:7400; found ${JSON.stringify(value)}.`,
  );
}

export function checkDatabase(found: Found | null): string | null {
  if (found === null) return null;
  const { value, source } = found;
  if (typeof value === "string" && URL.canParse(value)) {
    if (["postgres:", "postgresql:"].includes(new URL(value).protocol)) return value;
  }
  // Not the value: it may have a password.
  throw refused(`${source} is an address such as postgres://name:password@host:5432/hadal.`);
}
