import styles from "./field.module.css";

/** An error message below the control that causes it. */
export function Fault({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className={styles.fault}>
      {text}
    </p>
  );
}
