import type { BotCommand, BotCommandScope, LanguageCode } from 'grammy/types';
import type { Command } from '../../../command/command.ts';
import { describe } from '../../../command/describe.ts';
import { LANGUAGES } from '../../../words/language.ts';
import { languages, type Words, wordsFor } from '../../../words/words.ts';
import { registerChanged } from '../../register-changed.ts';
import type { TelegramDependencies } from '../api/options.ts';
import { retryLater } from '../api/retry-later.ts';

/** The parameters of one call of setMyCommands. */
export interface Menu {
  readonly scope: BotCommandScope;
  readonly language_code?: LanguageCode;
  readonly commands: BotCommand[];
}

const DESCRIPTION_LIMIT = 256;
const isOfGroups = ({ type }: BotCommandScope): boolean =>
  type === 'all_group_chats' || type === 'all_chat_administrators';
const NAME_RULE = /^[a-z0-9_]{1,32}$/;

/**
 * Makes the menus that people see when they type "/". Moderators' commands are shown to administrators only, but permission
 * is checked at every call.
 */
export function menus(commands: readonly Command[]): readonly Menu[] {
  const entries = (scope: BotCommandScope, list: readonly Command[], words: Words): BotCommand[] =>
    list
      .filter((command) => NAME_RULE.test(command.name))
      .slice(0, 100)
      .map((command) => ({
        command: command.name,
        description: describe(words, command).slice(0, DESCRIPTION_LIMIT),
        // Apps that know this flag send the command ephemerally in a group.
        ...(command.personal && isOfGroups(scope) ? { is_ephemeral: true } : {}),
      }));
  const open = commands.filter((command) => command.access === 'everyone');
  const menusFor = (scope: BotCommandScope, list: readonly Command[]): readonly Menu[] =>
    LANGUAGES.map((language) => {
      const menu = { scope, commands: entries(scope, list, languages[language]) };
      // The menu without a language is the one that Telegram falls back to.
      return languages[language] === wordsFor('') ? menu : { ...menu, language_code: language };
    });
  // Groups come first, because without their menu apps send personal commands there for everybody to see.
  const ofGroups = [
    ...menusFor({ type: 'all_group_chats' }, open),
    ...menusFor({ type: 'all_chat_administrators' }, commands),
  ];
  return [
    ...ofGroups.filter((menu) => menu.language_code === undefined),
    ...ofGroups.filter((menu) => menu.language_code !== undefined),
    // Private chats get the commands for everyone, because aliases and settings of a community do not apply there.
    ...menusFor({ type: 'default' }, open),
    ...menusFor({ type: 'all_private_chats' }, open),
  ];
}

/** Registers the menus with Telegram if they have changed. */
export async function registerMenus(
  menus: readonly Menu[],
  options: Pick<TelegramDependencies, 'api' | 'clock' | 'log' | 'state' | 'stop'> & { readonly bot: number },
): Promise<void> {
  const { api, clock, log, stop } = options;
  const register = async (): Promise<void> => {
    for (const { commands, ...menu } of menus)
      await retryLater(() => api.setMyCommands(commands, menu), clock, { signal: stop });
  };
  try {
    const isNew = await registerChanged(options.state, 'telegram:menu', [options.bot, menus], register);
    if (isNew) log.info({ menus: menus.length }, 'command menus registered with Telegram');
  } catch (error) {
    if (stop.aborted) return;
    // The error is only logged, because commands work without a menu and the next start tries again.
    log.warn({ err: error }, 'command menus could not be registered with Telegram');
  }
}
