import { Menu } from "@base-ui/react/menu";
import { type DashboardTile, randomKey } from "@hadal/sdk";
import {
  Bell,
  CodeXml,
  Compass,
  Copy,
  EllipsisVertical,
  type LucideIcon,
  Maximize2,
  MoveRight,
  Pencil,
  Trash2,
} from "lucide-react";
import { Suspense, useState } from "react";
import { printUrl } from "../../../draft/url/url.js";
import type { ExploreState } from "../../../query/state/exploreState.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Button } from "../../../ui/button/Button.js";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { useBoard } from "../board/boardContext.js";
import { MoveSheet } from "./MoveSheet.js";
import styles from "./tile.module.css";

const AlertSheet = lazyPart(
  async () => (await import("../../../panel/alert/AlertSheet.js")).AlertSheet,
);
const EmbedSheet = lazyPart(
  async () => (await import("../../../panel/embed/EmbedSheet.js")).EmbedSheet,
);

export interface TileMenuProps {
  readonly tile: DashboardTile;
  readonly title: string;
  /** The query that is shown; null: the tile has none. */
  readonly state: ExploreState | null;
}

/** What an entry opens. */
type Opened = "move" | "embed" | "alert";

interface Entry {
  readonly id: string;
  readonly Icon: LucideIcon;
  readonly words: string;
  /** Why it cannot be done; null: it can. */
  readonly whyNot?: string | null;
  readonly run: () => void;
}

/** What can be done with a tile. */
export function TileMenu({ tile, title, state }: TileMenuProps) {
  const { whyReadOnly, session, themeName, onVisit } = useBoard();
  const [opened, setOpened] = useState<Opened | null>(null);
  const entries = useEntries(tile, state, setOpened);
  const close = (): void => setOpened(null);
  const shown = whyReadOnly === null ? entries.all : entries.reading;
  return (
    <>
      <Menu.Root modal={false}>
        <Menu.Trigger
          render={
            <Button
              look="quiet"
              className={styles.menuButton ?? ""}
              data-print="no"
              data-testid="tile-menu"
              aria-label={`Menu of ${title}`}
            />
          }
        >
          <EllipsisVertical size={14} />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className={styles.layer} side="bottom" align="end" sideOffset={2}>
            <Menu.Popup className={styles.menu} data-testid="tile-menu-list">
              {shown.map(({ id, Icon, words, whyNot = null, run }) => (
                <Menu.Item
                  key={id}
                  className={styles.item}
                  data-testid={id}
                  disabled={whyNot !== null}
                  title={whyNot ?? undefined}
                  onClick={run}
                >
                  <Icon size={14} /> {words}
                </Menu.Item>
              ))}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {opened === "move" && <MoveSheet tile={tile} onClose={close} />}
      <Suspense>
        {opened === "embed" && state !== null && (
          <EmbedSheet {...{ session, state, title, themeName }} onClose={close} />
        )}
        {opened === "alert" && state !== null && (
          <AlertSheet
            session={session}
            start={{ kind: "state", state, title }}
            onClose={close}
            onSaved={(saved) => onVisit(`/alerts/${encodeURIComponent(saved.id)}`)}
          />
        )}
      </Suspense>
    </>
  );
}

function useEntries(
  tile: DashboardTile,
  state: ExploreState | null,
  onOpen: (sheet: Opened) => void,
) {
  const { session, store, full, onFull, onEdit, onVisit } = useBoard();
  const whyNotEmbed = useWhyNot(session, "embed");
  const whyNotSave = useWhyNot(session, "save");
  const { id } = tile;
  const isFull = full === id;
  const reading: Entry[] = [
    ...(state === null
      ? []
      : [
          {
            ...{ id: "tile-explore", Icon: Compass, words: "Open in Explore" },
            run: () => onVisit(`/explore?${printUrl(state)}`),
          },
          {
            ...{ id: "tile-alert", Icon: Bell, words: "Alert me…", whyNot: whyNotSave },
            run: () => onOpen("alert"),
          },
          {
            ...{ id: "tile-embed", Icon: CodeXml, words: "Embed…", whyNot: whyNotEmbed },
            run: () => onOpen("embed"),
          },
        ]),
    {
      ...{ id: "tile-full", Icon: Maximize2, words: isFull ? "Leave full screen" : "Full screen" },
      run: () => onFull(isFull ? null : id),
    },
  ];
  const all: Entry[] = [
    { id: "tile-edit", Icon: Pencil, words: "Edit", run: () => onEdit(id) },
    ...reading,
    {
      ...{ id: "tile-duplicate", Icon: Copy, words: "Duplicate" },
      run: () => store.edit({ kind: "duplicate tile", id, as: randomKey() }),
    },
    { id: "tile-move", Icon: MoveRight, words: "Move to…", run: () => onOpen("move") },
    {
      ...{ id: "tile-remove", Icon: Trash2, words: "Remove" },
      run: () => store.edit({ kind: "remove tile", id }),
    },
  ];
  return { all, reading };
}
