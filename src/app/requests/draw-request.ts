import { REQUEST_DECISIONS } from '../../command/requests-port.ts';
import { shorten } from '../../command/shorten.ts';
import type { Line, View } from '../../command/view.ts';
import type { RemovalRequest } from '../../safety/requests/request-records.ts';
import { lengthOfTime } from '../../words/time.ts';
import type { Words } from '../../words/words.ts';

const LONGEST_SHOWN = 300;

/** One short line, so that what a stranger wrote cannot look like other lines of the notice. */
const tidy = (text: string): string => shorten(text.replaceAll(/\s+/g, ' ').trim(), LONGEST_SHOWN);

/** How much is left of the 48 hours. */
export const timeLeft = (dueInMs: number, { owner }: Words): string =>
  dueInMs > 0 ? owner.requests.left(lengthOfTime(dueInMs)) : owner.requests.over;

/** The notice about a request: with buttons while it is open, later with the decision. How to reach the requester is in the console. */
export function drawRequest(
  id: string,
  { link, picture, about, decided }: RemovalRequest,
  dueInMs: number,
  words: Words,
  title = words.owner.requests.title,
): View {
  const said = words.owner.requests;
  const lines: readonly Line[] = [
    ...(link === undefined ? [] : [[`${said.link} `, { code: tidy(link) }]]),
    ...(picture === undefined ? [] : [said.picture]),
    [`${said.about} `, { quote: tidy(about) }],
  ];
  if (decided !== undefined)
    return { tone: 'done', title, lines: [...lines, said.decided[decided.what](decided.by)] };
  const buttons = REQUEST_DECISIONS.map((decision) => ({
    action: `request-${decision}:${id}`,
    label: said.buttons[decision],
    ...(decision === 'remove' ? { style: 'danger' as const } : {}),
  }));
  return {
    tone: 'ask',
    title,
    lines: [...lines, timeLeft(dueInMs, words), said.inConsole],
    buttons: [buttons],
  };
}
