import type { Message } from 'grammy/types';
import { expect, test } from 'vitest';
import { commands } from '../../commands/index.ts';
import { escapeText } from '../../src/adapters/discord/components/escape.ts';
import { readMessages } from '../../src/adapters/telegram/handlers/read-message.ts';
import { inert } from '../../src/adapters/telegram/outgoing/neutralize.ts';
import { comparableName } from '../../src/command/search/comparable-name.ts';
import { parseLine, readCommandLine } from '../../src/command/text/grammar.ts';
import { tokens } from '../../src/command/text/tokens.ts';
import { createBlockedWords } from '../../src/community/rules/blocked-words.ts';
import { createRedactor } from '../../src/log/redact.ts';
import { wordsFor } from '../../src/words/words.ts';

/**
 * A hundred times what any platform lets through: where the cost is quadratic this does not come to an end before the
 * runner gives it up, where it is linear it takes a moment. No time is measured.
 */
const many = 400_000;

const parse = (text: string): void => {
  const grammar = { commands, words: wordsFor('en'), known: () => false, resembles: () => false };
  try {
    const line = readCommandLine(text, commands);
    if (line !== undefined) parseLine(line, [], grammar);
  } catch (error) {
    expect(error).toMatchObject({ name: 'UserError' });
  }
};

const answerTo = (text: string): unknown => {
  const chat = { id: -1, type: 'group', title: 'group' };
  const reply_to_message = { message_id: 2, date: 1, chat, text };
  const from = { id: 1, is_bot: false, first_name: 'Ann' };
  const said = { message_id: 1, date: 1, chat, from, text: '/faceswap 12', reply_to_message };
  return readMessages([said as unknown as Message], { id: 7, username: 'bot' }, () => 1);
};

const scrub = createRedactor(['a-secret-of-the-owner']);
const isBlocked = createBlockedWords(['nude']);

test.each<readonly [string, (text: string) => unknown, string, string]>([
  ['a word with marks that nobody sees inside', tokens, '\u200b', 'x'],
  ['quotes that are never closed', tokens, "k='a ", ''],
  ['quotes that are closed too late', tokens, "k='a ", "'1 x'"],
  ['commas before the end of a value', (text) => parse(`/faceswap filter=${text}`), ',', 'x'],
  ['a number without end', (text) => parse(`/faceswap ${text}`), '1', ''],
  ['marks that Unicode wants sorted, in a name', comparableName, '\u0f73\u0f75\u0f81', ''],
  ['the same in a text with blocked words', isBlocked, '\u0f73\u0f75\u0f81', ''],
  ['one letter among marks', isBlocked, '\u0e31', 'x'],
  ['digits for Telegram', inert, '1', ''],
  ['dots for Telegram', inert, '1.1.', ''],
  ['brackets behind an address', (text) => answerTo(`https://a.b/${text}`), ')', '!'],
  ['names of emoji for Discord', escapeText, ':a', ''],
  ['digits and dots for Discord', escapeText, '1.1.', ''],
  ['the beginning of an address in the log', scrub, 'a-', ''],
  ['addresses without a name in the log', scrub, 'a://b', ''],
])('a text that is expensive to parse is read to its end: %s', (_what, read, unit, end) => {
  read(`x${unit.repeat(many / unit.length)}${end}`);
});
