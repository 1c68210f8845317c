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
    { typed: 'europe/berlin', name: 'Europe/Berlin' },
    { typed: 'utc', name: 'UTC' },
    { typed: 'asia/kolkata', name: 'Asia/Kolkata' },
    { typed: 'Etc/GMT+5', name: 'Etc/GMT+5' },
  ])('the time zone typed as $typed is $name', ({ typed, name }) => expect(timeZoneNamed(typed)).toBe(name));

  it.each(['', 'Mars/Base', '+01:00', 'Europe/Berlin\n', 'x'.repeat(1000), '../../etc/localtime'])(
    '%j is no time zone',
    (typed) => expect(timeZoneNamed(typed)).toBeUndefined(),
  );

  it.each([
    { typed: 'berlin', near: ['Europe/Berlin'] },
    { typed: 'sao paulo', near: ['America/Sao_Paulo'] },
    { typed: 'Europe/Berlim', near: ['Europe/Berlin', 'America/Belem'] },
    { typed: 'x', near: [] },
    { typed: 'x'.repeat(10_000), near: [] },
  ])('the time zone $typed is like $near', ({ typed, near }) => expect(timeZonesLike(typed)).toEqual(near));

  it('every suggested time zone is one', () => {
    for (const zone of TIME_ZONES) expect(timeZoneNamed(zone.toUpperCase())).toBe(zone);
  });
});

describe('a local time', () => {
  it.each([
    { typed: '2026-10-25', written: '2026-10-25' },
    { typed: '2028-02-29', written: '2028-02-29' },
    { typed: '2026-10-25T18:00', written: '2026-10-25T18:00' },
    { typed: '2026-10-25 18:00', written: '2026-10-25T18:00' },
  ])('a local time typed as $typed is read', ({ typed, written }) =>
    expect(readLocalTime(typed)).toBe(written),
  );

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

describe('the moment of a local time', () => {
  it.each([
    { zone: 'UTC', local: '2026-10-25', expected: '2026-10-25T00:00' },
    { zone: 'Europe/Berlin', local: '2026-01-01T18:00', expected: '2026-01-01T17:00' },
    { zone: 'Asia/Kathmandu', local: '2026-01-01', expected: '2025-12-31T18:15' },
    // These days begin or end with another offset, because clocks change on them.
    { zone: 'Europe/Berlin', local: '2026-03-29', expected: '2026-03-28T23:00' },
    { zone: 'Europe/Berlin', local: '2026-03-30', expected: '2026-03-29T22:00' },
    { zone: 'Europe/Berlin', local: '2026-10-25', expected: '2026-10-24T22:00' },
    { zone: 'Europe/Berlin', local: '2026-10-26', expected: '2026-10-25T23:00' },
    // Clocks that are set back show these times twice; the first one counts.
    { zone: 'Europe/Berlin', local: '2026-10-25T02:30', expected: '2026-10-25T00:30' },
    { zone: 'America/Sao_Paulo', local: '2018-02-17T23:30', expected: '2018-02-18T01:30' },
    { zone: 'Australia/Lord_Howe', local: '2026-04-05T01:45', expected: '2026-04-04T14:45' },
    // Clocks that are set forward never show these times; the moment of the change counts.
    { zone: 'Europe/Berlin', local: '2026-03-29T02:59', expected: '2026-03-29T01:00' },
    { zone: 'Australia/Lord_Howe', local: '2026-10-04T02:15', expected: '2026-10-03T15:30' },
    // These days begin at 01:00, at 00:30, or not at all.
    { zone: 'America/Sao_Paulo', local: '2018-11-04', expected: '2018-11-04T03:00' },
    { zone: 'Asia/Beirut', local: '2027-03-28', expected: '2027-03-27T22:00' },
    { zone: 'America/Toronto', local: '1919-03-31', expected: '1919-03-31T04:30' },
    { zone: 'Pacific/Apia', local: '2011-12-30', expected: '2011-12-30T10:00' },
  ])('the local time $local in $zone is $expected UTC', ({ zone, local, expected }) =>
    expect(utc(zone, local)).toBe(expected),
  );

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
