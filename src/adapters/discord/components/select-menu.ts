import {
  type APIMessageComponentInteraction,
  type APIStringSelectComponent,
  ComponentType,
} from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import { shorten } from '../../../command/shorten.ts';
import type { Button, View } from '../../../command/view.ts';
import { plain } from './escape.ts';

/** A list to choose from as a menu; an entry that is chosen acts like a button. */

const MENU_ID = 'tiles';
/** Discord's limits. */
const MOST_OPTIONS = 25;
const LABEL_LIMIT = 100;
/** A question with more choices than this has a menu instead of buttons. */
const MOST_CHOICE_BUTTONS = 5;
const PLACEHOLDER_LIMIT = 150;
/** As for buttons: the desk refuses longer ones. */
const LONGEST_ACTION = 64;

type Entry = Pick<Button, 'action' | 'label'>;

/** What is chosen from a menu, and the buttons that remain. */
export function splitChoices({ tiles = [], buttons = [] }: View) {
  const choices = buttons.flat().filter(({ choice }) => choice === true);
  const asMenu = choices.length > MOST_CHOICE_BUTTONS;
  const entries: readonly Entry[] = [
    ...tiles.map(({ action, label, name }) => ({ action, label: `${label} · ${name}` })),
    ...(asMenu ? choices : []),
  ];
  const rows = asMenu ? buttons.map((row) => row.filter(({ choice }) => choice !== true)) : buttons;
  return { entries, rows };
}

/** None if there is nothing to choose. */
export function menuOf(
  entries: readonly Entry[],
  placeholder: string | undefined,
): APIStringSelectComponent | undefined {
  const used = new Set<string>();
  // Discord refuses a message with a menu in which two entries have the same value.
  const fresh = ({ action }: Entry): boolean =>
    action !== '' && action.length <= LONGEST_ACTION && !used.has(action) && used.add(action) !== undefined;
  const options = entries
    .filter(fresh)
    .slice(0, MOST_OPTIONS)
    .map(({ action, label }) => ({ value: action, label: shorten(plain(label), LABEL_LIMIT) || '…' }));
  if (options.length === 0) return undefined;
  return {
    type: ComponentType.StringSelect,
    custom_id: MENU_ID,
    options,
    ...defined({ placeholder: placeholder && shorten(placeholder, PLACEHOLDER_LIMIT) }),
  };
}

const choice = z.object({
  component_type: z.literal(ComponentType.StringSelect),
  custom_id: z.literal(MENU_ID),
  values: z.tuple([z.string().max(LONGEST_ACTION)]),
});

/** The action of the entry that was chosen; none if it is not exactly one entry of our menu. */
export const chosenAction = ({ data }: APIMessageComponentInteraction): string | undefined =>
  choice.safeParse(data).data?.values[0];
