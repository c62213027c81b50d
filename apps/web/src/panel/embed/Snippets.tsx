import { type KeyboardEvent, useCallback, useId, useRef, useState } from "react";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant } from "../../format/time.js";
import type { Session } from "../../session/session.js";
import { useLoaded } from "../../session/useLoaded.js";
import { CopyButton } from "../../ui/button/CopyButton.js";
import { Awaited } from "../../ui/page/Awaited.js";
import styles from "./embed.module.css";
import {
  type Embedded,
  htmlSnippet,
  iframeSnippet,
  imageSnippet,
  reactSnippet,
  renewalSnippet,
} from "./snippets.js";

export interface SnippetsProps {
  readonly embedded: Embedded;
  readonly embeds: Session["client"]["embeds"];
}

interface Snippet {
  readonly name: string;
  readonly text: string;
  readonly note: string;
}

const image = "Image";

/** The code for a page, in the ways that there are. */
export function Snippets({ embedded, embeds }: SnippetsProps) {
  const snippets = snippetsOf(embedded);
  const names = [...snippets.map((one) => one.name), image];
  const [at, setAt] = useState(0);
  const id = useId();
  const snippet = snippets[at];
  return (
    <div className={styles.snippets}>
      <Tabs names={names} at={at} id={id} onChange={setAt} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`}>
        {snippet === undefined ? (
          <ImageCode embedded={embedded} embeds={embeds} />
        ) : (
          <Code {...snippet} />
        )}
      </div>
    </div>
  );
}

const snippetsOf = (embedded: Embedded): readonly Snippet[] => [
  {
    ...{ name: "HTML", text: htmlSnippet(embedded) },
    note: "In any page. Put a fresh token in when your server writes the page.",
  },
  {
    ...{ name: "React", text: reactSnippet(embedded) },
    note: "With the package @hadal/sdk. The token comes from your server.",
  },
  {
    ...{ name: "iframe", text: iframeSnippet(embedded) },
    note: "Where no script may run. The token stays behind the #, which browsers do not send.",
  },
  {
    ...{ name: "Server", text: renewalSnippet(embedded) },
    note: "How your server gets new tokens. Or it signs them itself: see the host keys.",
  },
];

function Code({ name, text, note }: Snippet) {
  return (
    <>
      <div className={styles.snippetHead}>
        <span className={styles.quiet}>{note}</span>
        <CopyButton testId="copy-snippet" subject={`the ${name} code`} text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key */}
      <pre className={styles.code} data-testid="snippet" tabIndex={0}>
        {text}
      </pre>
    </>
  );
}

const pictureSize = { width: 640, height: 360 };

/** Signed when it is looked at: each address is one more way to see the chart. */
function ImageCode({ embedded, embeds }: SnippetsProps) {
  const { id, title } = embedded;
  const { value, problem, load } = useLoaded(
    useCallback(() => embeds.imageUrl(id, pictureSize), [embeds, id]),
  );
  if (value === null) {
    const again = () => void load();
    return <Awaited problem={problem} title="The picture has no address" onAgain={again} />;
  }
  const { url, expiresMs } = value;
  const end = formatInstant(expiresMs, ownTimeZone());
  const note = `For mail and chat. Whoever has the address sees the picture, until ${end}.`;
  return (
    <>
      <Code name={image} text={imageSnippet({ title }, { url, ...pictureSize })} note={note} />
      <img
        className={styles.picture}
        data-testid="embed-image"
        src={url}
        alt={title}
        {...pictureSize}
      />
    </>
  );
}

interface TabsProps {
  readonly names: readonly string[];
  readonly at: number;
  readonly id: string;
  readonly onChange: (at: number) => void;
}

const steps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

function Tabs({ names, at, id, onChange }: TabsProps) {
  const listRef = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = Object.hasOwn(steps, event.key) ? steps[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    const next = (at + step + names.length) % names.length;
    onChange(next);
    listRef.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      ref={listRef}
      role="tablist"
      aria-label="Code"
      className={styles.tabs}
      onKeyDown={onKeyDown}
    >
      {names.map((name, i) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${i}`}
          aria-selected={i === at}
          aria-controls={`${id}-panel`}
          tabIndex={i === at ? 0 : -1}
          data-testid={`snippet-${name}`}
          onClick={() => onChange(i)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
