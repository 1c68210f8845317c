import type { MessageEntity } from 'grammy/types';

/**
 * What Telegram's servers make of plain text by themselves: addresses, names, tags and commands that become links.
 * Written from their public parser's rules, generously: what might become a link counts as one.
 */
const patterns: readonly (readonly [MessageEntity['type'], RegExp])[] = [
  ['mention', /(?<![\w@])@[A-Za-z]\w{1,31}/g],
  ['hashtag', /(?<![\p{L}\p{N}_])#[\p{L}\p{N}_\u200c\u00b7\u0d80-\u0dff]*\p{L}/gu],
  ['cashtag', /(?<![p{L}p{N}_])\$[A-Z]{1,8}(?![A-Za-z0-9_])/g],
  ['bot_command', /(?<![\p{L}\p{N}_/<>])\/[A-Za-z0-9_]{1,64}(@\w{3,32})?/gu],
  ['email', /[\w.+-]+@[\w-]+\.[A-Za-z]{2,}/g],
  ['url', /(?:[a-z]+:\/\/)?(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?#]\S*)?/giu],
  ['url', /(?:https?|ftp|tg|tonsite):\/\/\S+/gi],
  ['url', /(?<!\d)\d{1,3}(?:\.\d{1,3}){3}(?!\d)/g],
];

export const withEffects = (text: string, given: readonly MessageEntity[]): MessageEntity[] => {
  // Code is left alone.
  const covered = given.filter((entity) => entity.type === 'code' || entity.type === 'pre');
  const own: MessageEntity[] = [];
  for (const [type, pattern] of patterns)
    for (const match of text.matchAll(pattern)) {
      const offset = match.index;
      const length = match[0].length;
      if (covered.some((each) => offset < each.offset + each.length && each.offset < offset + length))
        continue;
      own.push({ type, offset, length } as MessageEntity);
    }
  return [...given, ...own].sort((a, b) => a.offset - b.offset);
};
