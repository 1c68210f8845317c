import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  localTime,
  readLocalTime,
  TIME_ZONES,
  timeIn,
  timeZoneNamed,
  timeZonesLike,
} from '../../../src/command/time-zone.ts';

const utc = (zone: string, local: string): string => new Date(timeIn(zone, local)).toISOString().slice(0, 16);

describe('the name of a time zone', () => {
  it.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['utc', 'UTC'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('the time zone typed as %s is %s', (typed, name) => expect(timeZoneNamed(typed)).toBe(name));

  it.each(['', 'Mars/Base', '+01:00', 'Europe/Berlin\n', 'x'.repeat(1000), '../../etc/localtime'])(
    '%j is no time zone',
    (typed) => expect(timeZoneNamed(typed)).toBeUndefined(),
  );

  it.each([
    ['berlin', ['Europe/Berlin']],
    ['sao paulo', ['America/Sao_Paulo']],
    ['Europe/Berlim', ['Europe/Berlin', 'America/Belem']],
    ['x', []],
    ['x'.repeat(10_000), []],
  ])('the time zone %s is like %j', (typed, near) => expect(timeZonesLike(typed)).toEqual(near));

  it('every suggested time zone is one', () => {
    for (const zone of TIME_ZONES) expect(timeZoneNamed(zone.toUpperCase())).toBe(zone);
  });
});

describe('a local time', () => {
  it.each([
    ['2026-10-25', '2026-10-25'],
    ['2028-02-29', '2028-02-29'],
    ['2026-10-25T18:00', '2026-10-25T18:00'],
    ['2026-10-25 18:00', '2026-10-25T18:00'],
  ])('a local time typed as %s is read', (typed, written) => expect(readLocalTime(typed)).toBe(written));

  it.each([
    '2026-02-30',
    '2027-02-29',
    '2026-13-01',
    '2026-01-01T24:00',
    '2026-01-01T10:00:00',
    '2026-01-01T10:00Z',
    '275760-09-13',
    '-000001-01-01',
    '2026-1-1',
    '25.10.2026',
    '٢٠٢٦-١٠-٢٥',
    '',
  ])('%j is no local time', (typed) => expect(readLocalTime(typed)).toBeUndefined());
});

describe('when it is there', () => {
  it.each([
    ['UTC', '2026-10-25', '2026-10-25T00:00'],
    ['Europe/Berlin', '2026-01-01T18:00', '2026-01-01T17:00'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15'],
    // The days on which clocks change.
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00'],
    ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00'],
    // Twice: the first.
    ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30'],
    ['America/Sao_Paulo', '2018-02-17T23:30', '2018-02-18T01:30'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45'],
    // Never: when the clocks are set forward.
    ['Europe/Berlin', '2026-03-29T02:59', '2026-03-29T01:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30'],
    // A day that begins at 01:00, at 00:30, or not at all.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00'],
    ['Asia/Beirut', '2027-03-28', '2027-03-27T22:00'],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00'],
  ])('%s %s of a zone is %s UTC', (zone, local, expected) => expect(utc(zone, local)).toBe(expected));

  it('a local time becomes the moment at which clocks of the zone show it, whatever the zone and the time', () => {
    const anyTime = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2099, 0) });
    fc.assert(
      fc.property(fc.constantFrom(...TIME_ZONES), anyTime, (zone, time) => {
        const shown = localTime(zone, time - (time % 60_000));
        const at = timeIn(zone, readLocalTime(shown) ?? '');
        expect(localTime(zone, at)).toBe(shown);
        expect(at).toBeLessThanOrEqual(time);
      }),
      { numRuns: 300 },
    );
  });
});
