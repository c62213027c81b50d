import type { EmbedInfo } from "@hadal/sdk";
import { stateOfTile } from "../../../draft/tile/stateOfTile.js";
import { printUrl } from "../../../draft/url/url.js";
import { agoInWords } from "../../../format/ago.js";
import { allowedInWords, lengthInWords } from "../../../panel/embed/allowedInWords.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import styles from "../base/embeds.module.css";

export interface EmbedDetailsProps {
  readonly embed: EmbedInfo;
  readonly onClose: () => void;
}

/** Everything that an embed allows, and its query. */
export function EmbedDetails({ embed, onClose }: EmbedDetailsProps) {
  const { id, title, scope, createdBy, createdMs } = embed;
  const { table, frameAncestors, expiresInMs, query, view } = scope;
  const facts = [
    ["Table", table],
    ["Shown by", frameAncestors.length === 0 ? "no page" : frameAncestors.join(", ")],
    ["A token ends after", lengthInWords(expiresInMs)],
    ["Created", `${createdBy === null ? "" : `by ${createdBy}, `}${agoInWords(createdMs)}`],
    ["Id", id],
  ] as const;
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      width={560}
      testId="embed-details"
    >
      <ul className={styles.list} aria-label="What visitors may do">
        {allowedInWords(scope).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <dl className={styles.details}>
        {facts.map(([name, value]) => (
          <FactLine key={name} name={name} value={value} />
        ))}
      </dl>
      {query !== null && (
        <a href={`/explore?${printUrl(stateOfTile({ query, ...(view !== null && { view }) }))}`}>
          Open its query in Explore
        </a>
      )}
    </Sheet>
  );
}

function FactLine({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
