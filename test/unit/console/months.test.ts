import { expect, it } from 'vitest';
import { csv } from '../../../src/console/frame/csv.ts';
import type { ShownMonth } from '../../../src/console/pages/shown-figures.ts';
import { stageConsole } from '../../fakes/console.ts';

const months: readonly ShownMonth[] = [
  {
    month: '2026-01',
    credits: 120,
    communities: [{ name: 'discord:1', credits: 100 }],
    otherCommunities: 20,
    commands: [{ name: 'faceswap', credits: 90 }],
    otherCommands: 30,
  },
  {
    month: '2025-12',
    credits: 8,
    communities: [{ name: '=cmd|"calc"!A1', credits: 8 }],
    otherCommunities: 0,
    commands: [],
    otherCommands: 8,
  },
];
const price = { amount: '0.04', currency: 'EUR' };

it('months are shown by community and by command, with money where a credit has a price', async () => {
  const { signedIn } = stageConsole({ months: { read: async () => months, ceiling: 5_000 }, price });
  const { text } = await (await signedIn()).get('/owner/months');

  expect(text).toContain('120 (€4.80) of 5,000 (€200.00)');
  expect(text).toContain('<bdi>discord:1</bdi>');
  expect(text).toContain('<bdi>/faceswap</bdi>');
  expect(text).toContain('90 (€3.60)');
});

it.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(1)'])(
  'a name that begins like a formula is text in a CSV file: %j',
  (name) => expect(csv([[name]])).toBe(`"'${name}"\r\n`),
);

it('quotes and lines within a name end no cell of a CSV file, and a number stays a number', () => {
  expect(csv([['a "b"\r\n=c,d', -3]])).toBe('"a ""b""\r\n=c,d",-3\r\n');
});

it('months can be downloaded as CSV that is no formula in a spreadsheet', async () => {
  const { signedIn } = stageConsole({ months: { read: async () => months, ceiling: undefined }, price });
  const { headers, text } = await (await signedIn()).get('/owner/months/credits.csv');

  expect(headers.get('content-type')).toContain('text/csv');
  expect(headers.get('content-disposition')).toContain('attachment');
  expect(text.split('\r\n')).toEqual([
    '"month","by","name","credits","money","currency"',
    '"2026-01","all","",120,"4.80","EUR"',
    '"2026-01","community","discord:1",100,"4.00","EUR"',
    '"2026-01","community","others",20,"0.80","EUR"',
    '"2026-01","command","faceswap",90,"3.60","EUR"',
    '"2026-01","command","others",30,"1.20","EUR"',
    '"2025-12","all","",8,"0.32","EUR"',
    `"2025-12","community","'=cmd|""calc""!A1",8,"0.32","EUR"`,
    '"2025-12","community","others",0,"0.00","EUR"',
    '"2025-12","command","others",8,"0.32","EUR"',
    '',
  ]);
});

it('months are shown without money where a credit has no price', async () => {
  const { signedIn } = stageConsole({ months: { read: async () => months, ceiling: undefined } });
  const browser = await signedIn();

  expect((await browser.get('/owner/months')).text).not.toContain('€');
  expect((await browser.get('/owner/months/credits.csv')).text).toContain('"2026-01","all","",120\r\n');
});
