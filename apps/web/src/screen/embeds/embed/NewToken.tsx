import type { EmbedInfo, EmbedToken } from "@hadal/sdk";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant } from "../../../format/time.js";
import { Snippets } from "../../../panel/embed/Snippets.js";
import type { Session } from "../../../session/session.js";
import { ShownOnce } from "../../../ui/page/ShownOnce.js";
import { Sheet } from "../../../ui/popup/Sheet.js";

export interface NewTokenProps {
  readonly session: Session;
  readonly embed: EmbedInfo;
  readonly token: EmbedToken;
  readonly onClose: () => void;
}

/** A new token of an embed, and the code with it. */
export function NewToken({ session, embed: { title }, token, onClose }: NewTokenProps) {
  const { id, expiresMs } = token;
  const embedded = { src: location.origin, id, title, token: token.token };
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={`New token of “${title}”`}
      width={760}
      testId="new-token"
    >
      <ShownOnce
        title="Token"
        note={`It ends at ${formatInstant(expiresMs, ownTimeZone())} and is not shown again.`}
        text={token.token}
        onClose={onClose}
      />
      <Snippets embedded={embedded} embeds={session.client.embeds} />
    </Sheet>
  );
}
