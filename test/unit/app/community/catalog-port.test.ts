import { expect, it } from 'vitest';
import { createCatalogPort } from '../../../../src/app/community/catalog-port.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import type { Incoming } from '../../../../src/command/desk.ts';
import type { Platform } from '../../../../src/platforms/platforms.ts';
import type { SheetEntry } from '../../../../src/previews/previews.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { idleAdapter, unused } from '../../../fakes/adapter.ts';
import { ann, room } from '../../../fakes/call.ts';

const tiles = [
  { action: 'use:1:f:12', label: '12', name: 'Pop Art', preview: 'https://example.com/12.jpg' },
  { action: 'use:1:f:a', label: 'A', name: 'Neon' },
];

const portFor = (platform: Platform, keepsChat = false) => {
  const warmed: (string | undefined)[] = [];
  const drawn: { entries: readonly SheetEntry[]; person: string }[] = [];
  const platforms = createPlatformRegistry([{ ...idleAdapter, platform, keepsChat }]);
  const incoming: Incoming = { caller: { ...ann, platform }, place: { ...room, platform }, event: 'e' };
  const previews = {
    async sheet(given: readonly SheetEntry[], person: string) {
      drawn.push({ entries: given, person });
      return { bytes: Buffer.from('jpeg'), width: 300, height: 200 };
    },
    warm(given: readonly Pick<SheetEntry, 'preview'>[]) {
      warmed.push(...given.map(({ preview }) => preview));
    },
  };
  const known = { list: unused, known: unused };
  const parts = { filterNames: { port: () => known }, filterOrders: { of: unused }, previews, platforms };
  return { drawn, warmed, sheet: createCatalogPort(parts)(incoming, wordsFor('en')).sheet };
};

it('a page of filters is drawn with numbers, letters and names', async () => {
  const { drawn, sheet } = portFor('telegram');

  expect(await sheet(tiles, 'Filters')).toMatchObject({
    kind: 'image',
    as: 'inline',
    type: 'image/jpeg',
    alt: 'Filters',
    width: 300,
    height: 200,
  });
  expect(drawn).toEqual([{ person: 'telegram:ann', entries: tiles }]);
});

it('no page of filters is drawn for a chat that is stored here, whose page asks for each preview', async () => {
  const { drawn, warmed, sheet } = portFor('web', true);

  expect(await sheet(tiles, 'Filters')).toBeUndefined();
  expect(drawn).toEqual([]);
  expect(warmed).toEqual(['https://example.com/12.jpg', undefined]);
});
