/**
 * Everything that turns moments into days and hours, and back. People of a community read and write times of its time zone. `Date`
 * would show those of UTC or of the machine, so the linter refuses it wherever their commands and answers are made.
 */

import { DAY_MS } from '../base/clock.ts';
import { editDistance } from '../base/edit-distance.ts';
import { keepLatest } from '../base/keep-latest.ts';

const NAME = /^[a-z][a-z0-9_+/-]{0,49}$/i;
/** Years in which every zone's clocks can be shown. */
const LOCAL_TIME = /^([12]\d{3})-(\d{2})-(\d{2})(?:[t ](\d{2}):(\d{2}))?$/i;
const MOST_FORMATS = 100;

/** Intl lists some zones by a former name only. */
const PRESENT_NAMES = [
  'UTC',
  'America/Nuuk',
  'Asia/Ho_Chi_Minh',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Asia/Yangon',
  'Europe/Kyiv',
];
/** The names that are suggested; Intl knows more. */
export const TIME_ZONES: readonly string[] = [...PRESENT_NAMES, ...Intl.supportedValuesOf('timeZone')];

/** The name of an IANA time zone as it is written; undefined: there is no such zone. */
export function timeZoneNamed(typed: string): string | undefined {
  if (!NAME.test(typed)) return undefined;
  const isSame = (name: string): boolean => name.toLowerCase() === typed.toLowerCase();
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: typed }).resolvedOptions();
    // Intl does not say how other names are written: only those that look right are kept.
    const isWritten = /^[A-Z]\w*(?:[/+-][A-Z\d]\w*)*$/.test(typed) && !/^[^a-z]+\/[^a-z]+$/.test(typed);
    return TIME_ZONES.find(isSame) ?? (isWritten ? typed : timeZone);
  } catch {
    return undefined;
  }
}

/** Up to three zones whose name contains what was typed ("berlin"), or whose city differs by a typo. */
export function timeZonesLike(typed: string): readonly string[] {
  const wanted = typed.toLowerCase().replaceAll(' ', '_');
  if (!NAME.test(wanted) || wanted.length < 3) return [];
  const cityOf = (name: string): string => name.slice(name.lastIndexOf('/') + 1);
  const containing = TIME_ZONES.filter((zone) => zone.toLowerCase().includes(wanted));
  if (containing.length > 0) return containing.slice(0, 3);
  const edits = (zone: string): number => editDistance(cityOf(wanted), cityOf(zone.toLowerCase()), 2);
  const near = TIME_ZONES.filter((zone) => edits(zone) <= 2);
  return near.toSorted((a, b) => edits(a) - edits(b)).slice(0, 3);
}

/** `2026-10-25` or `2026-10-25T18:00`, as it is written; undefined: there is no such day or time. */
export function readLocalTime(typed: string): string | undefined {
  const [, year, month, day, hour, minute] = LOCAL_TIME.exec(typed) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  const written = hour === undefined ? date : `${date}T${hour}:${minute}`;
  const at = asUtc(written);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(written) ? written : undefined;
}

const asUtc = (local: string): number =>
  Date.parse(`${local.slice(0, 10)}T${local.slice(11) || '00:00'}:00.000Z`);

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  keepLatest(formats, MOST_FORMATS);
  return format;
}

/** The time that clocks in the zone show at a moment, read as if it were UTC. */
function shownAt(zone: string, at: number): number {
  const parts = formatOf(zone).formatToParts(at);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
    ((at % 1000) + 1000) % 1000,
  );
}

/**
 * When clocks in the zone show a local time (`readLocalTime`); of a day, when it begins. The first of two times where clocks are
 * set back; where they are set forward past it, the moment at which they are.
 */
export function timeIn(zone: string, local: string): number {
  const wanted = asUtc(local);
  const offsetAt = (at: number): number => shownAt(zone, at) - at;
  const [before, after] = [offsetAt(wanted - DAY_MS), offsetAt(wanted + DAY_MS)];
  const [found] = [wanted - before, wanted - after]
    .filter((at) => shownAt(zone, at) === wanted)
    .toSorted((a, b) => a - b);
  if (found !== undefined) return found;
  // Clocks change in between.
  let [early, late] = [wanted - after, wanted - before];
  while (late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000;
    if (offsetAt(middle) === before) early = middle;
    else late = middle;
  }
  return late;
}

/** The time that clocks in the zone show at a moment: `2026-10-25 18:00`. */
export const localTime = (zone: string, at: number): string =>
  new Date(shownAt(zone, at)).toISOString().slice(0, 16).replace('T', ' ');

/** The day that calendars in the zone show: `2026-10-25`. */
export const localDay = (zone: string, at: number): string => localTime(zone, at).slice(0, 10);

/** A moment as the service writes it (ISO 8601); undefined: it is none. */
export function readMoment(iso: string): number | undefined {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? undefined : at;
}
