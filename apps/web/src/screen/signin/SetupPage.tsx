import { HadalError } from "@hadal/sdk";
import { type FormEvent, useEffect, useState } from "react";
import type { Who } from "../../session/who.js";
import { Button } from "../../ui/button/Button.js";
import { Strip } from "../../ui/page/Strip.js";
import { SignInField } from "./SignInField.js";
import { signInFailure } from "./signInText.js";
import styles from "./signin.module.css";

export interface SetupPageProps {
  readonly who: Who;
  /** Signed in: the page goes on here. */
  readonly onDone: () => void;
}

/** `/setup#CODE`: a new user chooses a password. The code is not sent before, and leaves the history. */
export function SetupPage({ who, onDone }: SetupPageProps) {
  const [code] = useState(() => location.hash.slice(1));
  useEffect(() => {
    document.title = "Choose a password · Hadal";
  }, []);
  return (
    <main className={styles.page} data-testid="setup-page">
      <section className={styles.card} aria-label="Choose a password">
        <h1 className={styles.title}>
          <img src="/favicon.svg" alt="" width={24} height={24} /> Choose a password
        </h1>
        {code === "" ? (
          <Strip tone="bad" testId="sign-in-problem">
            This setup link is incomplete. Copy all of it, or ask an admin for another.
          </Strip>
        ) : (
          <NewPassword who={who} code={code} onDone={onDone} />
        )}
      </section>
    </main>
  );
}

interface NewPasswordProps extends SetupPageProps {
  readonly code: string;
}

function NewPassword({ who, code, onDone }: NewPasswordProps) {
  const [password, setPassword] = useState("");
  const [shown, setShown] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await who.signIn({ setup: code, password });
      onDone();
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(signInFailure(error).text);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.fields} onSubmit={(event) => void submit(event)}>
      <SignInField
        label="New password"
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        data-testid="new-password"
        isFirst
        value={password}
        onText={setPassword}
      />
      <label className={styles.choice}>
        <input
          type="checkbox"
          checked={shown}
          onChange={(event) => setShown(event.target.checked)}
        />
        show it
      </label>
      {problem !== null && (
        <Strip tone="bad" testId="sign-in-problem">
          {problem}
        </Strip>
      )}
      <Button
        look="main"
        type="submit"
        data-testid="set-password"
        disabled={busy || password === ""}
      >
        Save and sign in
      </Button>
    </form>
  );
}
