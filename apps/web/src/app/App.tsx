import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { createCommandBook } from "../command/commandBook.js";
import { CommandProvider } from "../command/useCommands.js";
import type { ExploreStore } from "../draft/history/store.js";
import { printUrl } from "../draft/url/url.js";
import type { Session } from "../session/session.js";
import { loadLaterParts } from "../ui/lazy/laterPart.js";
import { lazyPart } from "../ui/lazy/lazyPart.js";
import { ErrorBoundary } from "../ui/page/ErrorBoundary.js";
import { SlotProvider } from "../ui/page/Slot.js";
import { AppKeys } from "./AppKeys.js";
import styles from "./app.module.css";
import { DropAnywhere } from "./DropAnywhere.js";
import { Header, ScreenLinks } from "./Header.js";
import type { Navigation } from "./navigation.js";
import { Palette } from "./Palette.js";
import { parseRoute, type Route } from "./route.js";
import { ShownScreen } from "./ShownScreen.js";
import { useAddress } from "./useAddress.js";

export interface AppProps {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly navigation: Navigation;
}

const KeysSheet = lazyPart(async () => (await import("./KeysSheet.js")).KeysSheet);

/** A file, and the page that it was dropped on or for. */
interface Dropped {
  readonly file: File;
  readonly path: string;
}

type Overlay = "palette" | "keys" | null;

/** The frame around the screens: header, commands, and the screen of the address. */
export function App({ session, store, navigation }: AppProps) {
  const book = useMemo(() => createCommandBook(), []);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const { path, search } = useAddress(navigation);
  const route = useMemo(() => parseRoute(path), [path]);
  const { state } = useStore(store);
  const exploreUrl = state === null ? "/explore" : `/explore?${printUrl(state)}`;
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const table = route.screen === "tables" ? route.table : null;
  const importFile = useCallback(
    (file: File) => {
      const isHere = parseRoute(location.pathname).screen === "tables";
      const at = isHere ? location.pathname : "/tables";
      setDropped({ file, path: at });
      if (!isHere) navigation.go(at);
    },
    [navigation],
  );
  const show = useCallback((next: Overlay) => () => setOverlay(next), []);
  const contentRef = useFocusOnChange(route.screen);

  // What was dropped is imported where it was dropped, not wherever somebody goes next.
  useEffect(() => {
    setDropped((known) => (known?.path === path ? known : null));
  }, [path]);
  // Explore has its answer to draw first.
  useEffect(() => {
    if (route.screen !== "explore") loadLaterParts();
  }, [route.screen]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && book.press(event)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [book]);

  return (
    <CommandProvider value={book}>
      <SlotProvider>
        <div className={styles.app}>
          <a className={styles.skip} href="#content">
            Skip to the content
          </a>
          <Header
            shown={route.screen}
            exploreUrl={exploreUrl}
            onPalette={show("palette")}
            onKeys={show("keys")}
          />
          <div id="content" ref={contentRef} tabIndex={-1} className={styles.content}>
            <ErrorBoundary
              title="This screen could not be drawn"
              resetKey={`${path}${search} ${exploreUrl}`}
            >
              <ShownScreen
                {...{ route, session, store, navigation }}
                dropped={dropped?.path === path ? dropped.file : null}
              />
            </ErrorBoundary>
          </div>
          <ScreenLinks shown={route.screen} exploreUrl={exploreUrl} place="bottom" />
        </div>
        <AppKeys
          session={session}
          navigation={navigation}
          exploreUrl={exploreUrl}
          onPalette={show("palette")}
          onKeys={show("keys")}
        />
        <DropAnywhere table={table} onFile={importFile} />
        <Palette open={overlay === "palette"} onOpenChange={show(null)} />
        <Suspense>{overlay === "keys" && <KeysSheet open onOpenChange={show(null)} />}</Suspense>
      </SlotProvider>
    </CommandProvider>
  );
}

/** A new screen is read from its start: the focus follows, and with it the screen reader. */
function useFocusOnChange(screen: Route["screen"]) {
  const ref = useRef<HTMLDivElement>(null);
  const before = useRef(screen);
  useEffect(() => {
    if (before.current === screen) return;
    before.current = screen;
    ref.current?.focus({ preventScroll: true });
  }, [screen]);
  return ref;
}
