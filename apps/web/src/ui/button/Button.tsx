import type { ButtonHTMLAttributes, Ref } from "react";
import styles from "./Button.module.css";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `main`: the primary action; `plain`: framed; `quiet`: text or icon only. */
  readonly look?: "main" | "plain" | "quiet";
  readonly ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = "plain", className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      data-look={look}
      className={className === undefined ? styles.button : `${styles.button} ${className}`}
    />
  );
}
