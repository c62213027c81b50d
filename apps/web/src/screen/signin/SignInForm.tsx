import { HadalError, type SignInAttempt, type SignInWays } from "@hadal/sdk";
import { type FormEvent, useRef, useState } from "react";
import type { Who } from "../../session/who.js";
import { Button } from "../../ui/button/Button.js";
import { Strip } from "../../ui/page/Strip.js";
import { SignInField } from "./SignInField.js";
import { oidcPath, returnPath, signInFailure } from "./signInText.js";
import styles from "./signin.module.css";
import { useWait } from "./useWait.js";

export interface SignInFormProps {
  readonly who: Who;
  readonly ways: SignInWays;
  /** Who was signed in before; null: no one. */
  readonly name: string | null;
}

/** Name and password, a provider, or both: as the server has it. */
export function SignInForm({ who, ways, name }: SignInFormProps) {
  return (
    <div className={styles.form}>
      {ways.oidc !== null && (
        <a
          className={styles.provider}
          data-testid="oidc"
          data-main={!ways.password}
          href={oidcPath(returnPath(location))}
        >
          Sign in with {ways.oidc}
        </a>
      )}
      {ways.oidc !== null && ways.password && <p className={styles.or}>or</p>}
      {ways.password && <PasswordForm who={who} name={name} />}
      {ways.oidc === null && !ways.password && (
        <p className={styles.hint}>
          People sign in at the proxy in front of this server. <a href={location.href}>Reload</a>{" "}
          the page to sign in there.
        </p>
      )}
    </div>
  );
}

function PasswordForm({ who, name: known }: Pick<SignInFormProps, "who" | "name">) {
  const [name, setName] = useState(known ?? "");
  const [password, setPassword] = useState("");
  const passwordRef = useRef<HTMLInputElement>(null);
  const { busy, seconds, problem, signIn } = useSignIn(who);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const outcome = await signIn({ name: name.trim(), password });
    if (outcome === "failed") passwordRef.current?.select();
  };
  return (
    <form className={styles.fields} onSubmit={(event) => void submit(event)}>
      <SignInField
        label="Name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-testid="sign-in-name"
        isFirst={known === null}
        value={name}
        onText={setName}
      />
      <SignInField
        label="Password"
        ref={passwordRef}
        type="password"
        name="password"
        autoComplete="current-password"
        data-testid="sign-in-password"
        isFirst={known !== null}
        value={password}
        onText={setPassword}
      />
      {problem !== null && (
        <Strip tone="bad" testId="sign-in-problem">
          {problem}
          {seconds > 0 && ` Try again in ${seconds} s.`}
        </Strip>
      )}
      <Button
        look="main"
        type="submit"
        data-testid="sign-in"
        disabled={busy || seconds > 0 || name.trim() === "" || password === ""}
      >
        {busy ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}

/** Attempts to sign in; after too many the next one has to wait some `seconds`. */
function useSignIn(who: Who) {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [seconds, wait] = useWait();
  const signIn = async (attempt: SignInAttempt): Promise<"done" | "failed" | "not yet"> => {
    if (busy || seconds > 0) return "not yet";
    setBusy(true);
    try {
      await who.signIn(attempt);
      return "done";
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      const { text, waitMs } = signInFailure(error);
      setProblem(text);
      wait(waitMs);
      return "failed";
    } finally {
      setBusy(false);
    }
  };
  return { busy, seconds, problem, signIn };
}
