import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/tokens.css";
import "../ui/base.css";
import "../ui/print.css";
import "../chart/chart.css";
import { createExploreStore } from "../draft/history/store.js";
import { createSession } from "../session/session.js";
import { ErrorBoundary } from "../ui/page/ErrorBoundary.js";
import { tabStorage } from "../ui/storage/browserStorage.js";
import { App } from "./App.js";
import { createAddressBar } from "./addressBar.js";
import { createNavigation, followLinks } from "./navigation.js";
import { startTheme } from "./theme.js";

startTheme();
const host = document.getElementById("root");
if (host === null) throw new Error("index.html has no #root");
const navigation = createNavigation();
followLinks(navigation);
createRoot(host).render(
  <StrictMode>
    <ErrorBoundary title="Hadal could not be drawn" resetKey={null}>
      <App
        session={createSession({
          send: (input, init) => fetch(input, init),
          onOtherPerson: () => location.reload(),
        })}
        store={createExploreStore(createAddressBar(navigation), tabStorage)}
        navigation={navigation}
      />
    </ErrorBoundary>
  </StrictMode>,
);
