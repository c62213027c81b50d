/** What share of the users runs which version of the app at one moment. */
export interface Release {
  readonly version: string;
  readonly share: number;
  /** Users whose eagerness lies below this, and not below that of a newer release, run this one. */
  readonly eagernessBelow: number;
}

const hourMs = 3_600_000;
const stepMs = 600_000;
/** A new version every two and a half days. */
const releaseEveryMs = 60 * hourMs;
/** After this time about two thirds have it. */
const adoptionMs = 30 * hourMs;
/** Older ones count to the oldest of these. */
const releasesAlive = 5;
/** Version 3.0.0 came out with the release of this number (January 2024). */
const firstRelease = 7_889;

let cachedStep = Number.NaN;
let cached: readonly Release[] = [];

/** The releases in use at an event time, newest first. A user's eagerness never changes, so that no user goes back to an older version. */
export function releasesAt(timeMs: number): readonly Release[] {
  const step = Math.floor(timeMs / stepMs);
  if (step !== cachedStep) {
    cached = computeReleases(step * stepMs);
    cachedStep = step;
  }
  return cached;
}

export function releaseOf(releases: readonly Release[], eagerness: number): Release {
  for (const release of releases) if (eagerness < release.eagernessBelow) return release;
  return releases[releases.length - 1] as Release;
}

function computeReleases(timeMs: number): Release[] {
  const newest = Math.floor(timeMs / releaseEveryMs);
  const releases: Release[] = [];
  let left = 1;
  for (let age = 0; age < releasesAlive; age++) {
    const ageMs = timeMs - (newest - age) * releaseEveryMs;
    const adopted = age === releasesAlive - 1 ? 1 : 1 - Math.exp(-ageMs / adoptionMs);
    const share = left * adopted;
    left -= share;
    releases.push({ version: versionOf(newest - age), share, eagernessBelow: 1 - left });
  }
  return releases;
}

/** Four patches to a minor version, forty minors to a major one. */
function versionOf(release: number): string {
  const number = Math.max(0, release - firstRelease);
  return `${3 + Math.floor(number / 160)}.${Math.floor((number % 160) / 4)}.${number % 4}`;
}
