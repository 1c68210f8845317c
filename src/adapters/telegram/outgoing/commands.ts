import type { BotCommand, BotCommandScope, LanguageCode } from 'grammy/types';
import type { Command } from '../../../command/command.ts';
import { describe } from '../../../command/describe.ts';
import type { Words } from '../../../words/words.ts';

/** One call of setMyCommands. */
export interface Menu {
  readonly scope: BotCommandScope;
  readonly language_code?: LanguageCode;
  readonly commands: BotCommand[];
}

const descriptionLimit = 256;
/** Two letters, as Telegram wants them. */
const isLanguage = (code: string): code is LanguageCode => /^[a-z]{2}$/.test(code);
const nameRule = /^[a-z0-9_]{1,32}$/;

/**
 * What people see when they type "/". A menu is no guard: moderators' commands are only shown to administrators,
 * who may use them is checked on every call.
 */
export const menus = (
  commands: readonly Command[],
  languages: Readonly<Record<string, Words>>,
): readonly Menu[] => {
  const entries = (list: readonly Command[], words: Words): BotCommand[] =>
    list
      .filter((command) => nameRule.test(command.name))
      .slice(0, 100)
      .map((command) => ({
        command: command.name,
        description: describe(words, command).slice(0, descriptionLimit),
      }));
  const open = commands.filter((command) => command.access === 'everyone');
  // In a private chat a person is alone with the bot: names and settings of a community mean nothing there.
  const scopes: readonly (readonly [BotCommandScope, readonly Command[]])[] = [
    [{ type: 'default' }, open],
    [{ type: 'all_private_chats' }, open],
    [{ type: 'all_group_chats' }, open],
    [{ type: 'all_chat_administrators' }, commands],
  ];
  // Telegram falls back to the menu without a language: it is in English.
  return scopes.flatMap(([scope, list]) =>
    Object.entries(languages).flatMap(([language, words]): Menu[] => {
      if (language === 'en') return [{ scope, commands: entries(list, words) }];
      return isLanguage(language) ? [{ scope, language_code: language, commands: entries(list, words) }] : [];
    }),
  );
};
