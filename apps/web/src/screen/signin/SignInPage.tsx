import type { SignInWays } from "@hadal/sdk";
import { useEffect } from "react";
import type { Who } from "../../session/who.js";
import { Strip } from "../../ui/page/Strip.js";
import { SignInForm } from "./SignInForm.js";
import { providerProblem } from "./signInText.js";
import styles from "./signin.module.css";

export interface SignInPageProps {
  readonly who: Who;
  readonly ways: SignInWays;
}

/** In place of the page, until the reader is signed in. */
export function SignInPage({ who, ways }: SignInPageProps) {
  const problem = providerProblem(location);
  useEffect(() => {
    document.title = "Sign in · Hadal";
  }, []);
  return (
    <main className={styles.page} data-testid="sign-in-page">
      <section className={styles.card} aria-label="Sign in">
        <h1 className={styles.title}>
          <img src="/favicon.svg" alt="" width={24} height={24} /> Sign in to Hadal
        </h1>
        {problem != null && (
          <Strip tone="bad" testId="provider-problem">
            {problem}
          </Strip>
        )}
        <SignInForm who={who} ways={ways} name={null} />
      </section>
      <p className={styles.host}>{location.host}</p>
    </main>
  );
}
