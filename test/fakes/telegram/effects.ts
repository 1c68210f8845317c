import type { MessageEntity } from 'grammy/types';

/**
 * Telegram's servers make links of addresses, names, tags and commands in plain text by themselves. These patterns follow the
 * rules of their public parser, generously: what might become a link counts as one.
 */
const patterns: readonly { readonly type: MessageEntity['type']; readonly pattern: RegExp }[] = [
  { type: 'mention', pattern: /(?<![\w@])@[A-Za-z]\w{1,31}/g },
  { type: 'hashtag', pattern: /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_\u200c\u00b7\u0d80-\u0dff]*\p{L}/gu },
  { type: 'cashtag', pattern: /(?<![\p{L}\p{N}_])\$[A-Z]{1,8}(?![A-Za-z0-9_])/gu },
  { type: 'bot_command', pattern: /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(@\w{3,32})?/gu },
  { type: 'email', pattern: /[\w.+-]+@[\w-]+\.[A-Za-z]{2,}/g },
  { type: 'url', pattern: /(?:[a-z]+:\/\/)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?#]\S*)?/giu },
  { type: 'url', pattern: /(?:https?|ftp|tg|tonsite):\/\/\S+/gi },
  { type: 'url', pattern: /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g },
];

/** The entities of a text: those that the bot gave, and those that Telegram adds by itself. */
export const withEffects = (text: string, given: readonly MessageEntity[]): MessageEntity[] => {
  // Telegram makes no links of what is in code.
  const covered = given.filter((entity) => entity.type === 'code' || entity.type === 'pre');
  const own: MessageEntity[] = [];
  for (const { type, pattern } of patterns)
    for (const match of text.matchAll(pattern)) {
      const offset = match.index;
      const length = match[0].length;
      if (covered.some((each) => offset < each.offset + each.length && each.offset < offset + length))
        continue;
      own.push({ type, offset, length } as MessageEntity);
    }
  return [...given, ...own].sort((a, b) => a.offset - b.offset);
};
