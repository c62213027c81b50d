/**
 * Days that ended with 23:59:60 UTC, as the IERS announced them (Bulletin C); none is announced
 * since.
 */
const days =
  "1972-06-30 1972-12-31 1973-12-31 1974-12-31 1975-12-31 1976-12-31 1977-12-31 1978-12-31 1979-12-31 " +
  "1981-06-30 1982-06-30 1983-06-30 1985-06-30 1987-12-31 1989-12-31 1990-12-31 1992-06-30 1993-06-30 " +
  "1994-06-30 1995-12-31 1997-06-30 1998-12-31 2005-12-31 2008-12-31 2012-06-30 2015-06-30 2016-12-31";
const dayMs = 86_400_000;
const ends = new Set(days.split(" ").map((day) => Date.parse(day) + dayMs));

/** Whether a leap second ended at this midnight UTC. */
export function isLeapSecondEnd(timeMs: number): boolean {
  return ends.has(timeMs);
}
