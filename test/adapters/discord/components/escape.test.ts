import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeText, singleLine } from '../../../../src/adapters/discord/components/escape.ts';
import { renderView } from '../../../../src/adapters/discord/components/message.ts';
import { textIn } from '../../../fakes/discord/components.ts';
import { display } from '../../../fakes/discord/markdown.ts';

/** Pieces that act on Discord, mixed with ordinary text and with each other. */
const piece = fc.oneof(
  fc.constantFrom(
    // Mentions, times and emoji.
    '@everyone',
    '@here',
    '<@1234567890>',
    '<@&12>',
    '<#12>',
    '<id:browse>',
    '<t:1700000000:R>',
    '<:smile:123>',
    ':smile:',
    ':',
    // Links.
    '//evil.example',
    '[label](https://evil.example)',
    'https://evil.example/a_b',
    'http://x.y',
    'discord.gg/abc',
    '<https://evil.example>',
    // Marks inside of a line.
    '**',
    '*',
    '__',
    '_',
    '~~',
    '||',
    '`',
    '```',
    '\\',
    '\\\\',
    '(',
    ')',
    '[',
    ']',
    '.',
    'a',
    '7',
    // Marks at the beginning of a line, and ends of lines.
    '# ',
    '## ',
    '-# ',
    '- ',
    '* ',
    '1. ',
    '> ',
    '>>> ',
    ' ',
    '\n',
    '\r\n',
    '\u2028',
    '\u202e',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('any text is shown unchanged and has no effect in Discord', () => {
  fc.assert(
    fc.property(text, (given) => {
      const shown = display(escapeText(given));
      expect(shown).toEqual({ text: singleLine(given), links: [], mentions: [], effects: [] });
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  'AI-generated',
  'Took 2 s · 2 credits: quality v6.1 (faster). See /filters, or 80’s "Neon" + more > less #1',
])('harmless text is not escaped: %s', (words) => {
  expect(escapeText(words)).toBe(words);
});

test('text has no effect in any part of a view, whatever surrounds it', () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const { body } = renderView({
        tone: 'info',
        title: one,
        lines: [two, [one, two], [{ bold: one }, two], [one, { quote: two }, one], [{ code: two }, one]],
      });
      const shown = display(textIn(body.components));
      expect(shown.links).toEqual([]);
      expect(shown.mentions).toEqual([]);
      // Only what our own code asked for.
      expect(shown.effects.filter((each) => !/^(heading|bold|quote|code):/.test(each))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});

test('links of the bot have a label without effect', () => {
  const { body } = renderView({
    tone: 'info',
    lines: [[{ link: 'see ](https://evil.example) @everyone', url: 'https://results.example/a_(1)_b' }]],
  });
  const shown = display(textIn(body.components));
  expect(shown.links).toEqual(['https://results.example/a_%281%29_b']);
  expect(shown.mentions).toEqual([]);
  expect(shown.text).toBe('see ](https://evil.example) @everyone');
});

test('only web addresses become links', () => {
  const { body } = renderView({ tone: 'info', lines: [[{ link: 'click', url: 'javascript:alert(1)' }]] });
  expect(display(textIn(body.components))).toMatchObject({ text: 'click', links: [] });
});

test('a person is shown as a mention without notification; an invalid id is text', () => {
  const { body } = renderView({
    tone: 'info',
    lines: [
      [{ person: '123456789012345678', name: '@everyone' }, ' is blocked'],
      [{ person: '@here', name: '**x**' }],
    ],
  });
  expect(textIn(body.components).split('\n')[0]).toBe(
    '<@123456789012345678> (123456789012345678) is blocked',
  );
  expect(body.allowed_mentions).toEqual({ parse: [] });

  const shown = display(textIn(body.components).split('\n')[1] ?? '');
  expect(shown).toMatchObject({ text: '**x** (@here)', mentions: [], effects: [] });
});

test('a channel is shown as a mention; an invalid id is text', () => {
  const { body } = renderView({
    tone: 'info',
    lines: [
      ['Log: ', { channel: '123456789012345678', name: 'here' }],
      [{ channel: '1>@everyone', thread: '<@5>' }],
    ],
  });
  expect(textIn(body.components).split('\n')[0]).toBe('Log: <#123456789012345678>');

  const shown = display(textIn(body.components).split('\n')[1] ?? '');
  expect(shown).toMatchObject({ text: '1>@everyone/<@5>', mentions: [], effects: [] });
});
