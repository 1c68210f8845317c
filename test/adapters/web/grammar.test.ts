import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { commandsForPage } from '../../../src/adapters/web/outgoing/commands.ts';
import { tokens } from '../../../src/command/text/tokens.ts';
import { wordsFor } from '../../../src/words/words.ts';

const { typingIn, written } = await import('../../../src/adapters/web/page/grammar.js');
const offered = commandsForPage(commands, wordsFor('en'));
const typing = (text: string) => typingIn(text, offered);

describe('what is being typed', () => {
  it.each([
    { text: '/', expected: { kind: 'command', typed: '' } },
    { text: '/fac', expected: { kind: 'command', typed: 'fac' } },
    { text: '/alias ', expected: { kind: 'subcommand', typed: '' } },
    { text: '/alias re', expected: { kind: 'subcommand', typed: 're' } },
    { text: '/faceswap ', expected: { kind: 'word', typed: '', start: 10 } },
    { text: '/faceswap fil', expected: { kind: 'word', typed: 'fil', start: 10 } },
    { text: '/faceswap filter=po', expected: { kind: 'value', option: 'filter', typed: 'po', start: 17 } },
    {
      text: '/faceswap filter="pop a',
      expected: { kind: 'value', option: 'filter', typed: 'pop a', start: 17 },
    },
    {
      text: '/groupswap look=classic style=',
      expected: { kind: 'value', option: 'style', given: { look: 'classic' } },
    },
    { text: '/alias show ', expected: { kind: 'word', typed: '' } },
    { text: '/alias repoint name=hallo', expected: { kind: 'value', option: 'name', typed: 'hallo' } },
  ])('the playground knows which part of "$text" is being typed', ({ text, expected }) =>
    expect(typing(text)).toMatchObject(expected),
  );

  it.each(['', 'hello', 'a /faceswap', '/nothing x', '/alias nothing x'])(
    'there is nothing to complete in "%s"',
    (text) => expect(typing(text)).toBeUndefined(),
  );
});

it('a value in a line is read by the server as typed', () => {
  const value = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .filter((text) => text.trim() === text);
  fc.assert(
    fc.property(value, (text) => {
      fc.pre(!text.includes('»'));
      const [token, ...rest] = tokens(`prompt=${written(text)}`);
      expect(rest).toEqual([]);
      expect(token).toMatchObject({ key: 'prompt', text });
    }),
  );
});
