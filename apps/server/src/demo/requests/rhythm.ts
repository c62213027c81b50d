import { countries } from "./countries.js";
import { WeightedChoice } from "./random.js";

/** How busy the world is at one moment, and where. */
export interface Activity {
  /** Requests compared with the mean over a week. */
  readonly level: number;
  /** Share of the requests per country, in the order of `countries`. */
  readonly countryShares: readonly number[];
  readonly country: WeightedChoice;
}

const minuteMs = 60_000;
const stepMinutes = 10;
const minutesPerDay = 1_440;
const stepsPerWeek = (7 * minutesPerDay) / stepMinutes;
/** 1970-01-01 was a Thursday; weeks count from Sunday here. */
const epochDayOfWeek = 4;

/** Local activity by hour: little at night, a bump at noon, the peak in the evening. */
const hourly = [
  0.42, 0.28, 0.2, 0.16, 0.17, 0.26, 0.46, 0.74, 0.98, 1.12, 1.2, 1.28, 1.36, 1.3, 1.2, 1.18, 1.22,
  1.32, 1.5, 1.72, 1.86, 1.74, 1.3, 0.78,
];
/** Sunday first: people shop at the weekend. */
const daily = [1.16, 0.96, 0.93, 0.92, 0.95, 1.02, 1.14];

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
const scale = mean(hourly) * mean(daily);

const steps: (Activity | undefined)[] = new Array(stepsPerWeek).fill(undefined);

/** The rhythm of days and weeks at an event time; the same in every week. */
export function activityAt(timeMs: number): Activity {
  const minuteOfWeek =
    (Math.floor(timeMs / minuteMs) + epochDayOfWeek * minutesPerDay) % (7 * minutesPerDay);
  const step = Math.floor(minuteOfWeek / stepMinutes);
  let activity = steps[step];
  if (activity === undefined) {
    activity = computeActivity(step * stepMinutes);
    steps[step] = activity;
  }
  return activity;
}

/** From week to week business grows and shrinks a little, so that a comparison has something to show. */
export function seasonAt(timeMs: number): number {
  return 1 + 0.12 * Math.sin((2 * Math.PI * timeMs) / (23 * minutesPerDay * minuteMs));
}

function computeActivity(minuteOfWeek: number): Activity {
  const weights = countries.map(
    ({ weight, offsetMinutes }) => weight * localActivity(minuteOfWeek + offsetMinutes),
  );
  const level = weights.reduce((a, b) => a + b, 0);
  return {
    level,
    countryShares: weights.map((weight) => weight / level),
    country: new WeightedChoice(weights),
  };
}

function localActivity(minuteOfWeek: number): number {
  const minute = (minuteOfWeek + 7 * minutesPerDay) % (7 * minutesPerDay);
  const hour = (minute % minutesPerDay) / 60;
  const before = hourly[Math.floor(hour)]!;
  const after = hourly[(Math.floor(hour) + 1) % 24]!;
  const atHour = before + (after - before) * (hour % 1);
  return (atHour * daily[Math.floor(minute / minutesPerDay)]!) / scale;
}
