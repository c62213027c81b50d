import {
  type Dashboard,
  type DashboardTile,
  type DocumentSummary,
  dashboardTilesMax,
  dashboardTitleMax,
  type HadalClient,
  HadalError,
  randomKey,
} from "@hadal/sdk";
import { useEffect, useState } from "react";
import { tileOfState } from "../../../draft/tile/tileOfState.js";
import { useFormQuery } from "../../../panel/formQuery.js";
import { Strip } from "../../../ui/page/Strip.js";
import { PickList } from "../../../ui/popup/PickList.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import { windowTitle } from "../windowTitle.js";
import styles from "./pin.module.css";

const newKey = "new";

/** Chooses the dashboard that gets the query as a tile, or makes one. */
export function PinSheet({ onClose }: { readonly onClose: () => void }) {
  const { state, timeZone } = useFormQuery();
  const [title, setTitle] = useState(() => titleOf(windowTitle(state, timeZone)));
  const { boards, problem, pinned, pin } = usePinning(title);
  const items = (boards ?? []).map(({ id, title: label }) => ({ key: id, label }));
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title="Pin to a dashboard"
      testId="pin-sheet"
    >
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      {pinned !== null ? (
        <p data-testid="pinned">
          Pinned to{" "}
          <a href={`/dashboards/${pinned.id}`} onClick={onClose}>
            {pinned.title}
          </a>
          .
        </p>
      ) : (
        <>
          <label className={styles.labelled}>
            Title of the tile
            <input
              className={styles.input}
              data-testid="pin-title"
              maxLength={dashboardTitleMax}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </label>
          <PickList
            label="Dashboard"
            placeholder="dashboard, or the name of a new one…"
            testId="pin-list"
            awaited={boards === null}
            empty={
              boards === null ? "Loading dashboards…" : "Enter makes a dashboard of this name."
            }
            items={[...items, { key: newKey, label: "New dashboard" }]}
            onPick={(key) => void pin(key, "New dashboard")}
            onText={(text) => void pin(newKey, text)}
          />
        </>
      )}
    </Sheet>
  );
}

/** The dashboards that can get a tile, and what became of pinning to one. */
function usePinning(title: string) {
  const { session, state } = useFormQuery();
  const { documents } = session.client;
  const [boards, setBoards] = useState<readonly DocumentSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pinned, setPinned] = useState<Pinned | null>(null);
  useEffect(() => {
    documents.list({ kind: "dashboard" }).then(
      // Boards that come from files are changed there.
      (all) => setBoards(all.filter(({ file }) => file === undefined)),
      (error: Error) => setProblem(error.message),
    );
  }, [documents]);
  const pin = async (key: string, name: string): Promise<void> => {
    try {
      setProblem(null);
      const tile = { id: randomKey(), title: title.trim(), w: 6, h: 5, ...tileOfState(state) };
      setPinned(await (key === newKey ? pinToNew : pinTo)(documents, { tile, id: key, name }));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  };
  return { boards, problem, pinned, pin };
}

const titleOf = (text: string): string =>
  text.split(" · ").slice(0, 2).join(" · ").slice(0, dashboardTitleMax);

interface Pinned {
  readonly id: string;
  readonly title: string;
}

interface PinOf {
  readonly tile: DashboardTile;
  readonly id: string;
  /** Of a new dashboard. */
  readonly name: string;
}

type Documents = HadalClient["documents"];

/** Adds the tile to the last section of the newest version. */
async function pinTo(documents: Documents, { tile, id }: PinOf): Promise<Pinned> {
  const { title, body, version } = await documents.find(id);
  const board = body as Dashboard;
  const sections = board.sections ?? [];
  const count = sections.reduce((sum, { tiles }) => sum + tiles.length, 0);
  if (count >= dashboardTilesMax) {
    throw new HadalError("bad-request", {
      detail: `${title} has ${count} tiles, the most there are.`,
    });
  }
  const last = sections.at(-1) ?? { tiles: [] };
  const next = [...sections.slice(0, -1), { ...last, tiles: [...last.tiles, tile] }];
  const draft = { kind: "dashboard" as const, title, body: { ...board, sections: next } };
  return documents.save(id, draft, { version });
}

function pinToNew(documents: Documents, { tile, name }: PinOf): Promise<Pinned> {
  const body: Dashboard = { version: 1, sections: [{ tiles: [tile] }] };
  const title = name.trim().slice(0, dashboardTitleMax) || "New dashboard";
  return documents.create({ kind: "dashboard", title, body: { ...body } });
}
