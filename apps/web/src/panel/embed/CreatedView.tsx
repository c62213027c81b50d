import type { CreatedEmbed } from "@hadal/sdk";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant } from "../../format/time.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { EmbedElement } from "./EmbedElement.js";
import styles from "./embed.module.css";
import { Snippets } from "./Snippets.js";

export interface CreatedViewProps {
  readonly session: Session;
  readonly created: CreatedEmbed;
  readonly title: string;
  readonly onClose: () => void;
}

/** The embed as it is, and the code that shows it in a page. The token is shown here only. */
export function CreatedView({ session, created, title, onClose }: CreatedViewProps) {
  const { id, token, expiresMs } = created;
  const embedded = { src: location.origin, id, token, title };
  return (
    <div className={styles.created} data-testid="embed-created">
      <EmbedElement src={embedded.src} token={token} title={title} />
      <p className={styles.note}>
        The token in this code ends at {formatInstant(expiresMs, ownTimeZone())} and is not shown
        again. Your own server asks for a new one, for pages that are opened later.
      </p>
      <Snippets embedded={embedded} embeds={session.client.embeds} />
      <div className={styles.actions}>
        <a className={styles.link} href="/embeds">
          All embeds
        </a>
        <Button data-testid="close-embed" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}
