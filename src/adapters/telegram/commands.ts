import type { BotCommand, BotCommandScope, LanguageCode } from 'grammy/types';
import type { Command } from '../../command/command.ts';

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

/** The description of a command in a language; undefined where there is none. */
export type Describe = (command: Command, language: string) => string | undefined;

/**
 * What people see when they type "/". A menu is no guard: moderators' commands are only shown to administrators,
 * who may use them is checked on every call.
 */
export const menus = (
  commands: readonly Command[],
  languages: readonly string[] = [],
  describe: Describe = () => undefined,
): readonly Menu[] => {
  const entries = (list: readonly Command[], language?: string): BotCommand[] =>
    list
      .filter((command) => nameRule.test(command.name))
      .slice(0, 100)
      .map((command) => ({
        command: command.name,
        description: (
          (language === undefined ? undefined : describe(command, language)) ?? command.description
        ).slice(0, descriptionLimit),
      }));
  const open = commands.filter((command) => command.access === 'everyone');
  // In a private chat a person is alone with the bot: names and settings of a community mean nothing there.
  const scopes: readonly (readonly [BotCommandScope, readonly Command[]])[] = [
    [{ type: 'default' }, open],
    [{ type: 'all_private_chats' }, open],
    [{ type: 'all_group_chats' }, open],
    [{ type: 'all_chat_administrators' }, commands],
  ];
  return scopes.flatMap(([scope, list]) => [
    { scope, commands: entries(list) },
    ...languages
      .filter(isLanguage)
      .filter((language) => language !== 'en')
      .map((language) => ({ scope, language_code: language, commands: entries(list, language) })),
  ]);
};
