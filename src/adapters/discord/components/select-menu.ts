import {
  type APIMessageComponentInteraction,
  type APIStringSelectComponent,
  ComponentType,
} from 'discord.js';
import { z } from 'zod';
import { defined } from '../../../base/defined.ts';
import { shorten } from '../../../command/shorten.ts';
import type { Button, View } from '../../../command/view.ts';
import { singleLine } from './escape.ts';

/** Shows a list to choose from as a select menu. A chosen entry acts like a pressed button. */

const MENU_ID = 'tiles';
/** Discord's limits on a select menu. */
const MOST_OPTIONS = 25;
const LABEL_LIMIT = 100;
/** A question with more choices than this has a menu instead of buttons. */
const MOST_CHOICE_BUTTONS = 5;
const PLACEHOLDER_LIMIT = 150;
/** The desk refuses longer actions. */
const LONGEST_ACTION = 64;

type Entry = Pick<Button, 'action' | 'label'>;

/** Splits a view into the entries of a menu and the rows of buttons that remain. */
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

/** Makes the menu; undefined if there is nothing to choose. */
export function menuOf(
  entries: readonly Entry[],
  placeholder: string | undefined,
): APIStringSelectComponent | undefined {
  const used = new Set<string>();
  // Discord refuses a message with a menu in which two entries have the same value.
  const isUsable = ({ action }: Entry): boolean => {
    if (action === '' || action.length > LONGEST_ACTION || used.has(action)) return false;
    used.add(action);
    return true;
  };
  const options = entries
    .filter(isUsable)
    .slice(0, MOST_OPTIONS)
    .map(({ action, label }) => ({ value: action, label: shorten(singleLine(label), LABEL_LIMIT) || '…' }));
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

/** The action of the chosen entry; undefined unless exactly one entry of our menu was chosen. */
export const chosenAction = ({ data }: APIMessageComponentInteraction): string | undefined =>
  choice.safeParse(data).data?.values[0];
