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
  /** The query string of the address. */
  readonly search: string;
  /** A file that was dropped on the page; null: none. */
  readonly dropped: File | null;
}

// Most visits start on Explore; the other screens load on demand.
const TablesScreen = lazyPart(
  async () => (await import("../screen/tables/TablesScreen.js")).TablesScreen,
);
const FunctionsScreen = lazyPart(
  async () => (await import("../screen/functions/FunctionsScreen.js")).FunctionsScreen,
);
const PeopleScreen = lazyPart(
  async () => (await import("../screen/people/PeopleScreen.js")).PeopleScreen,
);
const EmbedsScreen = lazyPart(
  async () => (await import("../screen/embeds/EmbedsScreen.js")).EmbedsScreen,
);
const AnnotationsScreen = lazyPart(
  async () => (await import("../screen/annotations/AnnotationsScreen.js")).AnnotationsScreen,
);
const AuditScreen = lazyPart(
  async () => (await import("../screen/audit/AuditScreen.js")).AuditScreen,
);
const SavedScreen = lazyPart(
  async () => (await import("../screen/saved/SavedScreen.js")).SavedScreen,
);
const AlertsScreen = lazyPart(
  async () => (await import("../screen/alerts/AlertsScreen.js")).AlertsScreen,
);
const DashboardsScreen = lazyPart(
  async () => (await import("../screen/dashboards/DashboardsScreen.js")).DashboardsScreen,
);
const StatusScreen = lazyPart(
  async () => (await import("../screen/status/StatusScreen.js")).StatusScreen,
);
const PlannerScreen = lazyPart(
  async () => (await import("../screen/status/planner/PlannerScreen.js")).PlannerScreen,
);

/** The screen of the address. */
export function ShownScreen(props: ShownScreenProps) {
  const { route, session, store, navigation, search, dropped } = props;
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
      {route.screen === "saved" && (
        <SavedScreen session={session} id={route.id} onReplace={navigation.replace} />
      )}
      {route.screen === "alerts" && (
        <AlertsScreen session={session} id={route.id} search={search} onVisit={navigation.go} />
      )}
      {route.screen === "people" && <PeopleScreen session={session} tab={route.tab} />}
      {route.screen === "embeds" && <EmbedsScreen session={session} tab={route.tab} />}
      {route.screen === "annotations" && <AnnotationsScreen session={session} />}
      {route.screen === "audit" && <AuditScreen session={session} />}
      {route.screen === "dashboards" && (
        <DashboardsScreen
          session={session}
          id={route.id}
          search={search}
          themeName={themeName}
          onVisit={navigation.go}
        />
      )}
      {route.screen === "status" && route.tab === "cluster" && <StatusScreen session={session} />}
      {route.screen === "status" && route.tab === "planner" && (
        <PlannerScreen session={session} search={search} onReplace={navigation.replace} />
      )}
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
      title="This page does not exist"
      action={<a href="/explore">Go to Explore</a>}
    >
      <p>
        <code>{location.pathname}</code> is not a page of Hadal. A link that was sent to you may be
        incomplete.
      </p>
    </Panel>
  );
}
