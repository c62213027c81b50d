import { createClient, HadalError, type Me } from "@hadal/sdk";
import { Command } from "commander";
import { askSecret, readSecret } from "../connect/readSecret.js";
import { saveToken } from "../connect/savedTokens.js";
import { escapeControls } from "../terminal/errorLine.js";
import type { Terminal } from "../terminal/terminal.js";

export function loginCommand(terminal: Terminal): Command {
  return new Command("login")
    .description("keep a token for a server, which other commands then send")
    .argument("<url>", "the server's address")
    .addHelpText(
      "after",
      "\nThe token is asked for, or read from standard input. It is kept in ~/.config/hadal/credentials.json. HADAL_TOKEN wins over it.",
    )
    .action(async (url: string) => {
      const isPerson = process.stdin.isTTY === true;
      const token = isPerson
        ? await askSecret(`Token for ${url}: `)
        : await readSecret(process.stdin);
      // Anything else cannot be a header.
      if (!/^[\x21-\x7e]+$/.test(token)) {
        const detail = "That is no token: it begins with hdl_ (hadal token create).";
        throw new HadalError("bad-request", { detail });
      }
      const me = await meOf(url, token);
      const path = await saveToken(url, token);
      await terminal.write(
        `The token ${escapeControls(me.name ?? me.id ?? "")} may ${me.permissions.join(", ")}; it is kept in ${path}.\n`,
      );
    });
}

/** Rejects where the server does not accept the token. */
async function meOf(url: string, token: string): Promise<Me> {
  const client = createClient({ url, token });
  try {
    return await client.me();
  } finally {
    client.close();
  }
}
