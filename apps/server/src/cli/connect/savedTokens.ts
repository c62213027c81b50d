import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { HadalError } from "@hadal/sdk";

/** Tokens by the address of their server, for the user of this machine alone. */
export type SavedTokens = Readonly<Record<string, string>>;

const savedTokensPath = (): string => join(homedir(), ".config", "hadal", "credentials.json");

/** Of `hadal login`; undefined where there is none. */
export async function savedToken(url: string): Promise<string | undefined> {
  const tokens = await readTokens(savedTokensPath());
  const address = addressOf(url);
  return Object.hasOwn(tokens, address) ? tokens[address] : undefined;
}

/** Returns the path of the file. */
export async function saveToken(url: string, token: string): Promise<string> {
  const path = savedTokensPath();
  const tokens = { ...(await readTokens(path)), [addressOf(url)]: token };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Beside it and renamed: two logins at once, or a full disk, leave a whole file.
  const staged = `${path}.${process.pid}`;
  await writeFile(staged, `${JSON.stringify(tokens, null, 2)}\n`, { mode: 0o600 });
  await chmod(staged, 0o600);
  await rename(staged, path);
  return path;
}

async function readTokens(path: string): Promise<SavedTokens> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw error;
  }
  try {
    const tokens: unknown = JSON.parse(text);
    if (isTokens(tokens)) return tokens;
  } catch {
    // The parser's message quotes the file, which has tokens.
  }
  const detail = `${path} is damaged: remove it and run hadal login again.`;
  throw new HadalError("bad-request", { detail });
}

const isTokens = (value: unknown): value is SavedTokens =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((token) => typeof token === "string");

/** An address that is none is refused by the client. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
