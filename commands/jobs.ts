import { DAY_MS } from '../src/base/clock.ts';
import { buttonName, type NamedButton } from '../src/command/button-names.ts';
import { defineCommand } from '../src/command/command.ts';
import { isOpenIn } from '../src/command/desk/access/check-access.ts';
import { pager, slicePage } from '../src/command/desk/questions/paging.ts';
import type { JobState } from '../src/command/jobs-port.ts';
import type { Button } from '../src/command/view.ts';
import { kindName } from '../src/kinds/kinds.ts';
import { timeAgo } from '../src/words/time.ts';
import type { Words } from '../src/words/words.ts';
import { translations } from './texts/jobs.ts';

/** Each job has a row of buttons, plus one row for the pager: Discord allows five rows in a message. */
const PER_PAGE = 4;
const MOST_JOBS = 40;

const VERBS: Readonly<Record<JobState, readonly NamedButton[]>> = {
  opening: ['show', 'cancel'],
  waiting: ['show', 'cancel'],
  submitting: ['show', 'cancel'],
  running: ['show', 'cancel'],
  delivering: ['show'],
  held: ['show', 'delete'],
  done: ['show', 'again', 'delete'],
  failed: ['show', 'retry'],
  cancelled: ['show', 'retry'],
  uncertain: ['show', 'retry'],
};

const whenOf = (ms: number, { jobs }: Words): string =>
  ms < 2 * DAY_MS ? jobs.ago(timeAgo(ms)) : jobs.daysAgo(Math.floor(ms / DAY_MS));

export default defineCommand({
  name: 'jobs',
  description: 'Your running, waiting and recent jobs',
  translations,
  personal: true,
  examples: ['/jobs'],
  options: {},
  async run({ words, page, keep, now, place, seenBy, ports: { jobs } }) {
    const mine = await jobs.mine(MOST_JOBS);
    const open = mine.filter((job) => isOpenIn(job, place));
    // A list with private jobs is shown to the caller only; a list that everybody sees never contains one.
    const alone = seenBy === undefined ? open.length < mine.length : seenBy === 'caller';
    const all = alone ? mine : open;
    const { list, current, pages } = slicePage(all, PER_PAGE, page);
    const number = (index: number): number => current * PER_PAGE + index + 1;
    const draft = list.length === 0 ? '' : await keep(alone ? 'caller' : 'everyone');
    // Each button names its list, so that deleting one job redraws the list instead of removing it.
    const here = `:${draft}.${current}`;
    const rows = list.map((job, index) =>
      VERBS[job.state].map(
        (verb): Button => ({
          action: `${verb}:${job.id}${here}`,
          label: `${number(index)} · ${buttonName(verb, words)}`,
        }),
      ),
    );
    return {
      kind: 'message',
      audience: alone ? 'caller' : 'caller-in-place',
      view: {
        tone: 'info',
        title: words.jobs.title,
        lines:
          list.length === 0
            ? [words.jobs.none]
            : list.map((job, index) => [
                `${number(index)} · `,
                { bold: `${kindName(job.kind, words)} · ${job.label}` },
                ` · ${words.states[job.state]} · ${words.credits(job.credits)} · ${whenOf(now - job.createdAt, words)}`,
              ]),
        buttons: pages > 1 ? [...rows, pager(draft, current, pages)] : rows,
      },
    };
  },
});
