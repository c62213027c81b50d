import { expect, test } from "vitest";
import { resolveSettings } from "./serveSettings.js";

test("messages of alerts: ranges, mail server and address are read", async () => {
  const smtpUrl = "smtps://ann:secret@mail.example.com?from=alerts@example.com";
  const flags = { webhooksAllow: "10.0.0.0/8, fd00::1", publicUrl: "https://hadal.example.com/" };
  expect(await resolveSettings(flags, { HADAL_SMTP_URL: smtpUrl })).toMatchObject({
    ...{ webhooksAllow: ["10.0.0.0/8", "fd00::1"], smtpUrl },
    publicUrl: "https://hadal.example.com",
  });
});

test.each([
  [{ webhooksAllow: "10.0.0.0/33" }, "--webhooks-allow are addresses and ranges such as"],
  [{ webhooksAllow: "10.0.0.0/8,private" }, 'found "private"'],
  [{ smtpUrl: "https://mail.example.com" }, "--smtp-url is an address such as smtp://"],
  [{ smtpUrl: "mail.example.com" }, "--smtp-url is an address such as smtp://"],
  [{ publicUrl: "hadal.example.com" }, "--public-url is an address such as https://"],
  [{ publicUrl: "https://a:b@hadal.example.com" }, "--public-url"],
])("%j is refused", async (flags, expected) => {
  await expect(resolveSettings(flags, {})).rejects.toThrow(expected);
});

test("a refusal of the mail server does not show its password", async () => {
  const refusal = resolveSettings({ smtpUrl: "smtp//ann:secret@mail" }, {});
  await expect(refusal).rejects.not.toThrow("secret");
});
