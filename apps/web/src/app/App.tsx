import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import { type CommandBook, createCommandBook } from "../command/commandBook.js";
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

const SignInPage = lazyPart(
  async () => (await import("../screen/signin/SignInPage.js")).SignInPage,
);
const SignInDialog = lazyPart(
  async () => (await import("../screen/signin/SignInDialog.js")).SignInDialog,
);
const SetupPage = lazyPart(async () => (await import("../screen/signin/SetupPage.js")).SetupPage);

/** A dropped file, and the path of the page that imports it. */
interface Dropped {
  readonly file: File;
  readonly path: string;
}

type Overlay = "palette" | "keys" | null;

/** The app, or a page to sign in. */
export function App({ session, store, navigation }: AppProps) {
  const address = useAddress(navigation);
  const route = useMemo(() => parseRoute(address.path), [address.path]);
  const { me } = useStore(session.who);
  const { ways } = useStore(session.gate);
  useEffect(() => void session.who.load(), [session]);
  // On Explore the other parts load after the first answer.
  useEffect(() => {
    if (route.screen !== "explore") loadLaterParts();
  }, [route.screen]);

  if (route.screen === "setup" || route.screen === "signin" || (ways !== null && me === null)) {
    return <SignedOut session={session} navigation={navigation} route={route} />;
  }
  return <Frame {...{ session, store, navigation, route, address }} />;
}

interface FrameProps extends AppProps {
  readonly route: Route;
  readonly address: ReturnType<typeof useAddress>;
}

/** Header, commands, and the screen of the address. */
function Frame({ session, store, navigation, route, address: { path, search } }: FrameProps) {
  const book = useMemo(() => createCommandBook(), []);
  const [overlay, setOverlay] = useState<Overlay>(null);
  const { state } = useStore(store);
  const exploreUrl = state === null ? "/explore" : `/explore?${printUrl(state)}`;
  const { dropped, importFile } = useDroppedFile(navigation, path);
  const table = route.screen === "tables" ? route.table : null;
  const show = useCallback(
    (next: Overlay) => () => {
      setOverlay(next);
      if (next === "palette") void session.savedQueries.load();
    },
    [session],
  );
  const contentRef = useFocusOnChange(route.screen);
  useCommandKeys(book);
  return (
    <CommandProvider value={book}>
      <SlotProvider>
        <div className={styles.app}>
          <a className={styles.skip} href="#content">
            Skip to the content
          </a>
          <Header
            session={session}
            shown={route.screen}
            exploreUrl={exploreUrl}
            onPalette={show("palette")}
            onKeys={show("keys")}
          />
          <div id="content" ref={contentRef} tabIndex={-1} className={styles.content}>
            <ErrorBoundary
              title="This screen could not be shown"
              resetKey={`${path}${search} ${exploreUrl}`}
            >
              <ShownScreen {...{ route, session, store, navigation, search }} dropped={dropped} />
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
        <Suspense>
          {overlay === "keys" && <KeysSheet open onOpenChange={show(null)} />}
          <SignInAgain session={session} />
        </Suspense>
      </SlotProvider>
    </CommandProvider>
  );
}

/** Over the screen, which keeps its state, once the session has ended. */
function SignInAgain({ session: { who, gate } }: Pick<AppProps, "session">) {
  const { ways } = useStore(gate);
  const { me } = useStore(who);
  return ways === null ? null : <SignInDialog who={who} ways={ways} name={me?.name ?? null} />;
}

interface SignedOutProps {
  readonly session: Session;
  readonly navigation: Navigation;
  readonly route: Route;
}

/** In place of the app, which asks nothing before someone is signed in. */
function SignedOut({ session: { who, gate }, navigation, route: { screen } }: SignedOutProps) {
  const { ways } = useStore(gate);
  const { me } = useStore(who);
  const isDone = screen === "signin" && me !== null;
  useEffect(() => {
    if (isDone) navigation.replace("/");
  }, [isDone, navigation]);
  return (
    <Suspense>
      {screen === "setup" && <SetupPage who={who} onDone={() => navigation.replace("/")} />}
      {screen !== "setup" && ways !== null && <SignInPage who={who} ways={ways} />}
    </Suspense>
  );
}

/** A file that was dropped on this page or for it, and the function that takes a file to import. */
function useDroppedFile(navigation: Navigation, path: string) {
  const [dropped, setDropped] = useState<Dropped | null>(null);
  const importFile = useCallback(
    (file: File) => {
      const isHere = parseRoute(location.pathname).screen === "tables";
      const at = isHere ? location.pathname : "/tables";
      setDropped({ file, path: at });
      if (!isHere) navigation.go(at);
    },
    [navigation],
  );
  // A dropped file is imported on its page only, not after the reader has gone on.
  useEffect(() => {
    setDropped((known) => (known?.path === path ? known : null));
  }, [path]);
  return { dropped: dropped?.path === path ? dropped.file : null, importFile };
}

/** Runs the command of a pressed key. */
function useCommandKeys(book: CommandBook): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && book.press(event)) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [book]);
}

/** Moves the focus to the content of a new screen, for screen readers. */
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
