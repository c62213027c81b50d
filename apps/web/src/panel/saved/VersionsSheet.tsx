import {
  type DocumentVersion,
  HadalError,
  type SavedDocument,
  type SavedVersion,
} from "@hadal/sdk";
import { type ReactNode, useEffect, useState } from "react";
import { bodyOf } from "../../draft/saved/savedState.js";
import { agoInWords } from "../../format/ago.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant } from "../../format/time.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Select } from "../../ui/button/Select.js";
import { Strip } from "../../ui/page/Strip.js";
import { Sheet } from "../../ui/popup/Sheet.js";
import { Differences } from "./Differences.js";
import type { NamedSide } from "./SideBySide.js";
import styles from "./saved.module.css";

export interface VersionsSheetProps {
  readonly session: Session;
  readonly document: SavedDocument;
  /** null: the reader may restore them; else why not. */
  readonly whyReadOnly: string | null;
  readonly onClose: () => void;
  readonly onRestored: (document: SavedDocument) => void;
  /** Shows what differs; absent: between saved queries. */
  readonly differences?: (before: ComparedVersion, after: ComparedVersion) => ReactNode;
}

export type ComparedVersion = SavedVersion & NamedSide;

/** All versions of a document, what each changed, and a button that saves an older one again. */
export function VersionsSheet(props: VersionsSheetProps) {
  const { document, onClose } = props;
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Versions of ${document.title}`}
      width={980}
      testId="versions"
    >
      <Versions {...props} />
    </Sheet>
  );
}

type ComparedWith = "before" | "newest";

function Versions(props: VersionsSheetProps) {
  const { session, document, whyReadOnly, onRestored, differences = ofQueries } = props;
  const [chosen, setChosen] = useState(document.version);
  const [against, setAgainst] = useState<ComparedWith>("before");
  const { versions, bodies, problem, setProblem } = useVersions(session, document, chosen, against);
  const isNewest = chosen === document.version;
  const shown = bodies.get(chosen);
  const other = bodies.get(otherVersion(chosen, against, document.version));
  const restore = async (): Promise<void> => {
    if (shown === undefined) return;
    try {
      const { title, body } = shown;
      const { kind, version } = document;
      const draft = { kind, title, body };
      onRestored(await session.client.documents.save(document.id, draft, { version }));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  };
  if (versions === null) {
    return problem === null ? (
      <div aria-busy="true">Loading versions…</div>
    ) : (
      <Strip tone="bad">{problem}</Strip>
    );
  }
  return (
    <div className={styles.versions}>
      <VersionList versions={versions} chosen={chosen} onChoose={setChosen} />
      <div>
        <div className={styles.bar}>
          <Select
            label="Compared with"
            testId="versions-against"
            value={against}
            options={[
              { value: "before", label: "compared with the version before" },
              { value: "newest", label: "compared with the newest" },
            ]}
            onChange={(value) => setAgainst(value as ComparedWith)}
          />
          <span className={styles.grow} />
          {whyReadOnly !== null && <span className={styles.hint}>{whyReadOnly}</span>}
          <Button
            look="main"
            data-testid="restore"
            disabled={isNewest || shown === undefined || whyReadOnly !== null}
            title={isNewest ? "This is the newest version" : undefined}
            onClick={() => void restore()}
          >
            Restore version {chosen}
          </Button>
        </div>
        {problem !== null && <Strip tone="bad">{problem}</Strip>}
        {shown !== undefined && other !== undefined && differences(sideOf(other), sideOf(shown))}
      </div>
    </div>
  );
}

/** The version that a version is compared with; the first one with itself. */
const otherVersion = (chosen: number, against: ComparedWith, newest: number): number =>
  against === "newest" ? newest : Math.max(1, chosen - 1);

const sideOf = (version: SavedVersion): ComparedVersion => ({
  ...version,
  label: `Version ${version.version}`,
  note: savedNote(version),
});

const ofQueries: NonNullable<VersionsSheetProps["differences"]> = (before, after) => (
  <Differences
    before={{ ...before, body: bodyOf(before) }}
    after={{ ...after, body: bodyOf(after) }}
  />
);

function savedNote({ savedBy, savedMs }: Pick<DocumentVersion, "savedBy" | "savedMs">): string {
  const when = formatInstant(savedMs, ownTimeZone());
  return savedBy === null ? when : `${savedBy}, ${when}`;
}

interface VersionListProps {
  readonly versions: readonly DocumentVersion[];
  readonly chosen: number;
  readonly onChoose: (version: number) => void;
}

function VersionList({ versions, chosen, onChoose }: VersionListProps) {
  return (
    <ul className={styles.list} aria-label="Versions" data-testid="version-list">
      {versions.map(({ version, savedBy, savedMs }) => (
        <li key={version}>
          <button
            type="button"
            className={styles.version}
            aria-current={version === chosen}
            title={formatInstant(savedMs, ownTimeZone())}
            onClick={() => onChoose(version)}
          >
            Version {version}
            <small>
              {savedBy !== null && `${savedBy} · `}
              {agoInWords(savedMs)}
            </small>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The list of versions, and the bodies of those that are compared. */
function useVersions(
  session: Session,
  document: SavedDocument,
  chosen: number,
  against: ComparedWith,
) {
  const { documents } = session.client;
  const { id, version: newest } = document;
  const [versions, setVersions] = useState<readonly DocumentVersion[] | null>(null);
  const [bodies, setBodies] = useState<ReadonlyMap<number, SavedVersion>>(new Map());
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    documents.versions(id).then(setVersions, (error: Error) => setProblem(error.message));
  }, [documents, id]);
  useEffect(() => {
    for (const version of new Set([chosen, otherVersion(chosen, against, newest)])) {
      documents.version(id, version).then(
        (read) => setBodies((known) => new Map(known).set(version, read)),
        (error: Error) => setProblem(error.message),
      );
    }
  }, [documents, id, newest, chosen, against]);
  return { versions, bodies, problem, setProblem };
}
