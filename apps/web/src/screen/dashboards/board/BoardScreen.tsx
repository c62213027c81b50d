import { useEffect } from "react";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Panel } from "../../../ui/page/Panel.js";
import type { BoardScreenProps } from "./boardScreenProps.js";
import { OpenBoard } from "./OpenBoard.js";
import { useBoardStore } from "./useBoardStore.js";

/** The board of an address. */
export function BoardScreen(props: BoardScreenProps) {
  const { session, id } = props;
  const { store, problem, again } = useBoardStore(session.client, id);
  useEffect(() => {
    if (store === null) document.title = "Dashboards · Hadal";
  }, [store]);
  if (store === null && problem?.code === "unknown-document") {
    return (
      <Panel
        tone="quiet"
        testId="unknown-board"
        title="There is no such dashboard"
        action={<a href="/dashboards">All dashboards</a>}
      >
        It was deleted, or you may not see it.
      </Panel>
    );
  }
  if (store === null) {
    return (
      <Awaited
        problem={problem?.message ?? null}
        title="The dashboard cannot be loaded"
        onAgain={again}
      />
    );
  }
  return <OpenBoard {...props} store={store} />;
}
