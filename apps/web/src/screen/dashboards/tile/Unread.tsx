import type { HadalError, QueryTile, SavedQueryTile } from "@hadal/sdk";
import { useEffect } from "react";
import { shortenName } from "../../../format/name.js";
import { Button } from "../../../ui/button/Button.js";
import { Panel } from "../../../ui/page/Panel.js";
import { useBoard } from "../board/boardContext.js";
import { report } from "../model/reports.js";

export interface UnreadProps {
  readonly tile: QueryTile | SavedQueryTile;
  readonly title: string;
  readonly problem: HadalError;
}

/** In place of a tile whose saved query is gone. */
export function UnreadQuery(props: UnreadProps) {
  const { problem } = props;
  useReported(props);
  const isGone = problem.code === "unknown-document";
  return (
    <Panel
      tone="quiet"
      testId="tile-problem"
      title={isGone ? "The saved query is gone" : "The saved query cannot be read"}
    >
      {isGone ? "It was deleted. Remove the tile, or edit it." : problem.message}
    </Panel>
  );
}

/** In place of a tile whose table is gone, or whose columns could not be read. */
export function UnreadTable({ table, ...props }: UnreadProps & { readonly table: string }) {
  const { session } = useBoard();
  const { problem } = props;
  useReported(props);
  const isGone = problem.code === "unknown-table";
  const name = shortenName(table, 40);
  return (
    <Panel
      tone="quiet"
      testId="tile-problem"
      title={isGone ? `There is no table ${name}` : `The columns of ${name} cannot be read`}
      action={<Button onClick={() => void session.loadTable(table)}>Try again</Button>}
    >
      {isGone
        ? "It was deleted, or you may not read it. Edit the tile, or remove it."
        : problem.message}
    </Panel>
  );
}

/** The board's status line counts it among the tiles without an answer. */
function useReported({ tile: { id }, title, problem }: UnreadProps): void {
  const { reports } = useBoard();
  useEffect(() => {
    const nothing = { result: null, numbers: [], isBusy: false, isRefused: false };
    report(reports, id, { title, problem, ...nothing });
    return () => report(reports, id, null);
  }, [reports, id, title, problem]);
}
