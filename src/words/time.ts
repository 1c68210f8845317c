/** Writes a duration in units that are the same in all our languages: "45 s", "2 min 10 s", "1 h 5 min". */
export function lengthOfTime(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60)
    return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** Writes a duration rounded up, so that an estimate does not look exact and a card does not change every second. */
export function roughly(ms: number): string {
  let step = 30_000;
  if (ms < 20_000) step = 1000;
  else if (ms < 120_000) step = 5000;
  return lengthOfTime(Math.ceil(ms / step) * step);
}

/** Writes how long ago something was: without seconds after the first minute, without minutes after the first hour. */
export function timeAgo(ms: number): string {
  let unit = 60 * 60_000;
  if (ms < 60_000) unit = 1000;
  else if (ms < 60 * 60_000) unit = 60_000;
  return lengthOfTime(Math.floor(ms / unit) * unit);
}
