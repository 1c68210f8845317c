import { expect, it } from 'vitest';
import { isMessageLink, leadsToMessage, saysWhichChat } from '../../../src/safety/removal/message-link.ts';

const discord = 'https://discord.com/channels/100/200/300';
const telegram = 'https://t.me/c/123/45';

it.each([
  { what: 'the link itself', copied: discord, known: discord },
  {
    what: 'a link of another app of Discord',
    copied: 'https://ptb.discord.com/channels/100/200/300',
    known: discord,
  },
  { what: 'a link with a query', copied: `${telegram}?single`, known: telegram },
  { what: 'a link with the topic', copied: 'https://t.me/c/123/7/45', known: telegram },
  { what: 'a link without the topic', copied: telegram, known: 'https://t.me/c/123/7/45' },
  { what: 'a link of a public group', copied: 'https://t.me/darkroom_fans/45', known: telegram },
])('$what leads to the same message', ({ copied, known }) => {
  expect(leadsToMessage(copied, known)).toBe(true);
});

it.each([
  { what: 'another message', copied: 'https://discord.com/channels/100/200/301', known: discord },
  {
    what: 'a message with that number in another server',
    copied: 'https://discord.com/channels/101/200/300',
    known: discord,
  },
  { what: 'a message with that number in another group', copied: 'https://t.me/c/124/45', known: telegram },
  { what: 'no message', copied: 'https://example.com/about', known: telegram },
  { what: 'no link', copied: '45', known: telegram },
])('$what does not lead to the message of a link', ({ copied, known }) => {
  expect(leadsToMessage(copied, known)).toBe(false);
});

it('links are told from numbers of jobs, and it is known whether a link names its chat', () => {
  expect(isMessageLink(discord)).toBe(true);
  expect(isMessageLink('Zk3_0a-9bQ12xYz4')).toBe(false);
  expect(saysWhichChat(telegram)).toBe(true);
  expect(saysWhichChat('https://t.me/darkroom_fans/45')).toBe(false);
});
