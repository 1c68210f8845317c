import { InlineKeyboard } from 'grammy';
import { defined } from '../../../base/defined.ts';
import { rows } from '../../../command/desk/questions/paging.ts';
import type { Button, View } from '../../../command/view.ts';
import { cutTo } from './cut-to.ts';

const LABEL_LIMIT = 60;
/** With `MOST_IN_ROW`, this stays within Telegram's hundred buttons. */
const MOST_ROWS = 12;
const MOST_IN_ROW = 8;
const TILES_IN_ROW = 5;

const fitsCallback = ({ action }: Button): boolean => action !== '' && Buffer.byteLength(action) <= 64;

function buttonOf({ label, action, style }: Button) {
  const text = label.length > LABEL_LIMIT ? `${cutTo(label, LABEL_LIMIT - 1)}…` : label;
  return InlineKeyboard.text({ text, ...defined({ style }) }, action);
}

/**
 * Makes the inline keyboard for the tiles and buttons of a view. Buttons are declared and handled in `commands/buttons`, for
 * all platforms.
 */
export function keyboardOf({ tiles = [], buttons = [] }: View): InlineKeyboard | undefined {
  const keyboard = [...rows<Button>(tiles, TILES_IN_ROW), ...buttons]
    .map((row) => row.filter(fitsCallback).slice(0, MOST_IN_ROW))
    .filter((row) => row.length > 0)
    .slice(0, MOST_ROWS)
    .map((row) => row.map(buttonOf));
  return keyboard.length === 0 ? undefined : InlineKeyboard.from(keyboard);
}
