import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { offer } from '../../../src/adapters/web/outgoing/commands.ts';
import { tokens } from '../../../src/command/text/tokens.ts';
import { wordsFor } from '../../../src/words/words.ts';

const { typingIn, written } = await import('../../../src/adapters/web/page/grammar.js');
const offered = offer(commands, wordsFor('en'));
const typing = (text: string) => typingIn(text, offered);

describe('what is being typed', () => {
  it.each([
    ['/', { kind: 'command', typed: '' }],
    ['/fac', { kind: 'command', typed: 'fac' }],
    ['/alias ', { kind: 'subcommand', typed: '' }],
    ['/alias re', { kind: 'subcommand', typed: 're' }],
    ['/faceswap ', { kind: 'word', typed: '', start: 10 }],
    ['/faceswap fil', { kind: 'word', typed: 'fil', start: 10 }],
    ['/faceswap filter=po', { kind: 'value', option: 'filter', typed: 'po', start: 17 }],
    ['/faceswap filter="pop a', { kind: 'value', option: 'filter', typed: 'pop a', start: 17 }],
    ['/groupswap look=classic style=', { kind: 'value', option: 'style', given: { look: 'classic' } }],
    ['/alias show ', { kind: 'word', typed: '' }],
    ['/alias repoint name=hallo', { kind: 'value', option: 'name', typed: 'hallo' }],
  ])('the playground knows which part of "%s" is being typed', (text, expected) =>
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
