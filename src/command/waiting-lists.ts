import type { Words } from '../words/words.ts';
import { WAITING_LISTS, type WaitingList } from './overview-port.ts';
import type { Reply } from './reply.ts';
import type { Button, View } from './view.ts';

/** The button that leads back to the overview of the owner. */
export const overviewButton = ({ owner }: Words): Button => ({
  action: 'overview:all',
  label: owner.overview.back,
});

/** The id of a button that shows an entry of a list. Who forges one sees nothing: each press is checked for an owner. */
export const entryAction = (list: WaitingList, number: number): string => `overview:${list}-${number}`;

/** Reads what `entryAction` made, without its verb; undefined for anything else. */
export function readEntry(id: string): { readonly list: WaitingList; readonly number: number } | undefined {
  const [, name, number] = /^([a-z]+)-(\d{1,3})$/.exec(id) ?? [];
  const list = WAITING_LISTS.find((each) => each === name);
  return list && { list, number: Number(number) };
}

/** What the buttons of a list's entries are about. */
const LIST_OF: Readonly<Record<'approval' | 'report' | 'held' | 'request', WaitingList>> = {
  approval: 'approvals',
  report: 'reports',
  held: 'held',
  request: 'requests',
};

/** An entry's number at the end of the buttons that decide about it. */
export const ENTRY_NUMBER = /^\d{1,3}$/;

/** The view of an entry of a list: its buttons say where it stands there, so that the answer to a press can lead on. */
export const withEntryNumber = ({ buttons = [], ...view }: View, number: number): View => ({
  ...view,
  buttons: buttons.map((row) => row.map((each) => ({ ...each, action: `${each.action}:${number}` }))),
});

/** A decision that was made in a list leads on to the entry that has now taken the place of the decided one. */
export function withNextEntry(
  reply: Reply,
  about: keyof typeof LIST_OF,
  number: number,
  words: Words,
): Reply {
  if (reply.kind !== 'replace') return reply;
  const { buttons = [], ...view } = reply.view;
  const next = { action: entryAction(LIST_OF[about], number), label: words.owner.overview.next };
  return { ...reply, view: { ...view, buttons: [...buttons, [next, overviewButton(words)]] } };
}
