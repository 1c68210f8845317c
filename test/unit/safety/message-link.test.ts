import { expect, it } from 'vitest';
import { isMessageLink, leadsToMessage, namesChat } from '../../../src/safety/removal/message-link.ts';

const discord = 'https://discord.com/channels/100/200/300';
const telegram = 'https://t.me/c/123/45';

it.each([
  ['the link itself', discord, discord],
  ['one of another app of Discord', 'https://ptb.discord.com/channels/100/200/300', discord],
  ['one with a query', `${telegram}?single`, telegram],
  ['one with the topic', 'https://t.me/c/123/7/45', telegram],
  ['one without the topic', telegram, 'https://t.me/c/123/7/45'],
  ['one of a public group', 'https://t.me/darkroom_fans/45', telegram],
])('%s leads to the same message', (_, copied, known) => {
  expect(leadsToMessage(copied, known)).toBe(true);
});

it.each([
  ['another message', 'https://discord.com/channels/100/200/301', discord],
  ['a message with that number in another server', 'https://discord.com/channels/101/200/300', discord],
  ['a message with that number in another group', 'https://t.me/c/124/45', telegram],
  ['no message', 'https://example.com/about', telegram],
  ['no link', '45', telegram],
])('%s is not that message', (_, copied, known) => {
  expect(leadsToMessage(copied, known)).toBe(false);
});

it('links are told from numbers of jobs, and it is known whether a link names its chat', () => {
  expect(isMessageLink(discord)).toBe(true);
  expect(isMessageLink('Zk3_0a-9bQ12xYz4')).toBe(false);
  expect(namesChat(telegram)).toBe(true);
  expect(namesChat('https://t.me/darkroom_fans/45')).toBe(false);
});
