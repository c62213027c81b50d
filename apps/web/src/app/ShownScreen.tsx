import { Suspense } from "react";
import { useStore } from "zustand";
import type { ExploreStore } from "../draft/history/store.js";
import type { Session } from "../session/session.js";
import { lazyPart } from "../ui/lazy/lazyPart.js";
import { Panel } from "../ui/page/Panel.js";
import styles from "./app.module.css";
import { ExploreRoute } from "./ExploreRoute.js";
import type { Navigation } from "./navigation.js";
import type { Route } from "./route.js";
import { ShortLinkRoute } from "./ShortLinkRoute.js";
import { theme } from "./theme.js";

export interface ShownScreenProps {
  readonly route: Route;
  readonly session: Session;
  readonly store: ExploreStore;
  readonly navigation: Navigation;
  /** A file that was dropped on the page; null: none was. */
  readonly dropped: File | null;
}

// Explore is what most pages open on; the others come when they are asked for.
const TablesScreen = lazyPart(
  async () => (await import("../screen/tables/TablesScreen.js")).TablesScreen,
);
const FunctionsScreen = lazyPart(
  async () => (await import("../screen/functions/FunctionsScreen.js")).FunctionsScreen,
);
const StatusScreen = lazyPart(
  async () => (await import("../screen/status/StatusScreen.js")).StatusScreen,
);

/** The screen of the address. */
export function ShownScreen(props: ShownScreenProps) {
  const { route, session, store, navigation, dropped } = props;
  const themeName = useStore(theme).name;
  return (
    <Suspense fallback={<div aria-busy="true" className={styles.loading} />}>
      {route.screen === "explore" && (
        <ExploreRoute
          session={session}
          store={store}
          navigation={navigation}
          themeName={themeName}
        />
      )}
      {route.screen === "tables" && (
        <TablesScreen
          session={session}
          table={route.table}
          dropped={dropped}
          onVisit={navigation.go}
        />
      )}
      {route.screen === "functions" && (
        <FunctionsScreen session={session} name={route.name} onVisit={navigation.go} />
      )}
      {route.screen === "status" && <StatusScreen session={session} />}
      {route.screen === "link" && (
        <ShortLinkRoute id={route.id} session={session} navigation={navigation} />
      )}
      {route.screen === "unknown" && <UnknownAddress />}
    </Suspense>
  );
}

function UnknownAddress() {
  return (
    <Panel
      tone="quiet"
      testId="unknown-address"
      title="Nothing lives at this address"
      action={<a href="/explore">Go to Explore</a>}
    >
      <p>
        <code>{location.pathname}</code> is no screen of Hadal. If somebody sent you a link, it may
        have been cut off on its way.
      </p>
    </Panel>
  );
}
