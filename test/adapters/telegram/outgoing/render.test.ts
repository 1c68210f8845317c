import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inert } from '../../../../src/adapters/telegram/outgoing/neutralize.ts';
import { CAPTION_LIMIT, render, TEXT_LIMIT } from '../../../../src/adapters/telegram/outgoing/render.ts';
import type { ChannelSpan, Line, Tile, View } from '../../../../src/command/view.ts';
import { withEffects } from '../../../fakes/telegram/effects.ts';

const view = (lines: readonly Line[], more: Partial<View> = {}): View => ({ tone: 'info', lines, ...more });
const shown = (text: string): string => text.replaceAll('\u2060', '');

describe('what a view becomes', () => {
  test('formatting is sent as entities, counted in UTF-16', () => {
    const { text, entities } = render(
      view([['😀 ', { bold: 'fat' }, ' ', { code: 'a_b' }, ' ', { quote: 'said' }]], { title: 'Title' }),
      TEXT_LIMIT,
    );
    expect(shown(text)).toBe('Title\n😀 fat a_b said');

    const parts = entities.map(({ type, offset, length }) => ({
      type,
      text: text.slice(offset, offset + length),
    }));
    expect(parts).toEqual([
      { type: 'bold', text: 'Title' },
      { type: 'bold', text: 'fat' },
      { type: 'code', text: 'a_b' },
      { type: 'blockquote', text: 'said' },
    ]);
  });

  test('a text to read has space between its parts, and a card has none', () => {
    const paragraph = 'A sentence that says something. '.repeat(4).trim();
    const lines = ['First', 'Second', paragraph, 'Third', [{ bold: 'More' }], 'Fourth'];
    const text = (more: Partial<View>) =>
      shown(render(view(lines, { title: 'Title', ...more }), TEXT_LIMIT).text);

    const airy = ['Title', '', 'First', 'Second', '', paragraph, '', 'Third', '', 'More', 'Fourth'];
    const emptyLinesOfAQuestion = text({ tone: 'ask' })
      .split('\n')
      .filter((line) => line === '');

    expect(text({ tone: 'info' }).split('\n')).toEqual(airy);
    expect(emptyLinesOfAQuestion).toHaveLength(4);
    expect(text({ tone: 'busy' })).not.toContain('\n\n');
    expect(text({ tone: 'done' })).not.toContain('\n\n');
    expect(text({ tone: 'failed' })).not.toContain('\n\n');
  });

  test('a text to read of one line stands directly under its title', () => {
    const { text } = render(view(['Alone'], { title: 'Title' }), TEXT_LIMIT);

    expect(shown(text)).toBe('Title\nAlone');
  });

  test('a long quote opens at a tap', () => {
    const type = (length: number) =>
      render(view([[{ quote: 'q'.repeat(length) }]]), TEXT_LIMIT).entities[0]?.type;

    expect(type(200)).toBe('blockquote');
    expect(type(201)).toBe('expandable_blockquote');
  });

  test('only commands of the bot’s own texts can be pressed, not those in a text of users', () => {
    const { text } = render(view([[{ command: 'faceswap' }, ' and /evil']]), TEXT_LIMIT);
    expect(text).toBe('/faceswap and /\u2060evil');
  });

  test('a long prompt is cut, and the lines after it stay', () => {
    const { text } = render(view([[{ quote: 'x'.repeat(5000) }], 'Took 3 s', 'AI-generated']), CAPTION_LIMIT);
    expect(text.length).toBeLessThanOrEqual(CAPTION_LIMIT);
    expect(text).toContain('…\nTook 3 s\nAI-generated');
  });

  test('a lone surrogate does not make the message invalid', () => {
    const half = '😀'.slice(0, 1);
    const { text } = render(
      view([`a${half}`, [{ bold: half }, { code: half }, { quote: half }]]),
      TEXT_LIMIT,
    );
    expect(text.isWellFormed()).toBe(true);
  });

  test('an empty view still is a message', () => {
    expect(render(view([]), TEXT_LIMIT).text).not.toBe('');
  });

  test('buttons keep their rows and styles, and those that Telegram would refuse are dropped', () => {
    const again = { action: 'a:1', label: 'Again', style: 'primary' } as const;
    const tooLong = { action: 'x'.repeat(65), label: 'too long' };
    const wordy = { action: 'd:1', label: 'D'.repeat(200), style: 'danger' } as const;
    const buttons = [[again, tooLong], [{ action: '', label: 'nothing' }], [wordy]];
    const rows = render(view([], { buttons }), TEXT_LIMIT).keyboard?.inline_keyboard;

    expect(rows?.map((row) => row.map(({ text }) => text.length).join())).toEqual(['5', '60']);
    expect(rows?.[0]?.[0]).toEqual({ text: 'Again', callback_data: 'a:1', style: 'primary' });
  });

  test('entities are inside of any text, surrogates are whole, and limits hold', () => {
    const span = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 400 }).map((bold) => ({ bold })),
      fc.string({ unit: 'grapheme', maxLength: 400 }).map((code) => ({ code })),
      fc.string({ unit: 'grapheme', maxLength: 400 }).map((quote) => ({ quote })),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(span, { maxLength: 5 }), { maxLength: 12 }),
        fc.integer({ min: 50, max: 1200 }),
        (lines, limit) => {
          const { text, entities } = render(view(lines), limit);
          expect(text.length).toBeLessThanOrEqual(limit);
          expect(text.isWellFormed()).toBe(true);
          for (const { offset, length } of entities) {
            expect(length).toBeGreaterThan(0);
            expect(offset + length).toBeLessThanOrEqual(text.length);
          }
        },
      ),
    );
  });
});

describe('tiles', () => {
  const tilesOf = (names: readonly string[]): readonly Tile[] =>
    names.map((name, index) => ({ action: `use:1:f:${index + 1}`, label: `${index + 1}`, name }));

  const named = (name: string): readonly Tile[] => tilesOf(Array<string>(25).fill(name));

  test('tiles are buttons with their numbers, five in a row, before the others', () => {
    const { keyboard } = render(
      view([], { tiles: named('Noir'), buttons: [[{ action: 'page:1:1', label: '▶' }]] }),
      CAPTION_LIMIT,
    );
    const rows = keyboard?.inline_keyboard.map((row) => row.map(({ text }) => text));
    expect(rows?.map((row) => row.length)).toEqual([5, 5, 5, 5, 5, 1]);
    expect(rows?.at(4)).toEqual(['21', '22', '23', '24', '25']);
    expect(keyboard?.inline_keyboard[0]?.[1]).toEqual({ text: '2', callback_data: 'use:1:f:2' });
  });

  test('tiles are named in one paragraph after the text', () => {
    const { text, entities } = render(
      view(['Press one.'], { title: 'Filters', tiles: tilesOf(['Pop Art', 'Noir\n@all  evil.example']) }),
      CAPTION_LIMIT,
    );
    expect(shown(text)).toBe('Filters\nPress one.\n1 Pop Art · 2 Noir @all evil.example');
    expect(entities).toEqual([
      { type: 'bold', offset: 0, length: 7 },
      { type: 'blockquote', offset: 19, length: text.length - 19 },
    ]);
    expect(withEffects(text, [])).toEqual([]);
  });

  test.each([
    { what: 'long names are all cut', name: 'Very '.repeat(40), words: 'Press one.', count: 25 },
    { what: 'emojis stay whole', name: '👩🏽‍🎤'.repeat(30), words: 'Press one.', count: 25 },
    { what: 'without room there are none', name: 'Noir', words: 'x'.repeat(1000), count: 0 },
  ])('tiles leave the text as it is: $what', ({ name, words, count }) => {
    const { text } = render(view([words], { tiles: named(name) }), CAPTION_LIMIT);
    expect(text.length).toBeLessThanOrEqual(CAPTION_LIMIT);
    expect(text.isWellFormed()).toBe(true);

    const [first, names, ...more] = text.split('\n');
    expect(first).toBe(words);
    expect(more).toEqual([]);
    expect(names?.split(' · ') ?? []).toHaveLength(count);
  });

  test('for any names of tiles, the limit holds and nothing has an effect', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 25 }), fc.integer({ min: 50, max: 1024 }), (names, limit) => {
        const { text } = render(view(['Press one.'], { tiles: tilesOf(names) }), limit);
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(text.isWellFormed()).toBe(true);
        expect(text.startsWith('Press one.')).toBe(true);
        expect(withEffects(text, [])).toEqual([]);
      }),
    );
  });
});

describe('text of users', () => {
  const effects = (text: string): string[] => withEffects(text, []).map((entity) => entity.type);

  test.each([
    '@ann hello',
    'mail a.b@example.com',
    'https://evil.example/x?y=1',
    'see evil.example now',
    't.me/joinchat',
    'tg://resolve?domain=x',
    '#tag and $USD',
    '#·tag',
    '/start@other_bot',
    'ok /help',
    '1.2.3.4',
    '例え.テスト',
  ])('%s in a text of users has no effect and reads the same', (text) => {
    expect(effects(text)).not.toEqual([]);
    expect(effects(inert(text))).toEqual([]);
    expect(shown(inert(text))).toBe(text);
  });

  test.each(['3.5 s', '16:9', '9/10', 'v6.1', 'a/b', '12 · Pop Art'])(
    'a text of users without an effect is left as it is: %s',
    (text) => {
      expect(inert(text)).toBe(text);
    },
  );

  test('a text of users cannot change the writing direction', () => {
    expect(inert('abc\u202egpj.exe')).toBe('abcgpj.\u2060exe');
  });

  test('no text of users has an effect', () => {
    const piece = fc.oneof(
      fc.constantFrom('@', '#', '\u200c', '·', '$', '/', '.', ':', '//', 'https://', '_', '-', '＠', ' '),
      fc.constantFrom('a', 'B', '7', 'com', 'é', 'т'),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        expect(effects(inert(pieces.join('')))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});

test('a person is shown by name and id, without a mention', () => {
  const { text, entities } = render(view([[{ person: '123456', name: '@ann example.com' }]]), TEXT_LIMIT);
  expect(shown(text)).toBe('@ann example.com (123456)');
  expect(entities).toEqual([]);
  expect(withEffects(text, [])).toEqual([]);
});

test.each<{ channel: ChannelSpan; name: string; links: readonly string[] }>([
  { channel: { channel: '-1001234567890', thread: '5', name: 'here' }, name: 'here', links: [] },
  {
    channel: { channel: '-1001234567890', thread: '5' },
    name: 't.me/c/1234567890/5',
    links: ['https://t.me/c/1234567890/5'],
  },
  {
    channel: { channel: '-1001234567890' },
    name: 't.me/c/1234567890/1',
    links: ['https://t.me/c/1234567890/1'],
  },
  { channel: { channel: '-4711' }, name: '-4711', links: [] },
])('a channel links to another topic, if it has a link: $channel', ({ channel, name, links }) => {
  const { text, entities } = render(view([['Log: ', channel]]), TEXT_LIMIT);
  expect(shown(text)).toBe(`Log: ${name}`);
  expect(entities.map((each) => 'url' in each && each.url)).toEqual(links);
});
