import { WAITING_LISTS, type WaitingList } from '../../command/overview-port.ts';
import type { Line, View } from '../../command/view.ts';
import { entryAction } from '../../command/waiting-lists.ts';
import { fillText } from '../../console/frame/html.ts';
import type { Counts } from '../../console/pages/shown-figures.ts';
import type { OrchestratorStats } from '../../orchestrator/orchestrator.ts';
import { moneyText, type Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';

/** Credits of a day or a month, reserved ones included; `most`: the ceiling, if there is one. */
interface Used {
  readonly credits: number;
  readonly most: number | undefined;
}

/** How the whole program is doing. */
export interface Overview {
  readonly today: Pick<Counts, 'done' | 'failed' | 'cancelled' | 'reasons'>;
  readonly day: Used;
  readonly month: Used;
  /** What a credit costs; undefined: it is not set. */
  readonly price: Price | undefined;
  readonly now: Pick<OrchestratorStats, 'running' | 'waiting' | 'outages'>;
  /** Platforms that do not work. */
  readonly platforms: readonly string[];
  readonly waiting: Readonly<Record<WaitingList, number>>;
}

/** More are only said to be more: owners find them in the console. */
export const MOST_ENTRIES = 200;
const MOST_REASONS = 5;

const countText = (count: number): string => (count > MOST_ENTRIES ? `${MOST_ENTRIES}+` : String(count));

/** The overview as a message, with a button for each list in which something waits. */
export function drawOverview(overview: Overview, words: Words): View {
  const { today, day, month, now, price, waiting, platforms } = overview;
  const { overview: said, console: page, inMoney } = words.owner;
  const moneyLines = ({ credits, most }: Used): readonly Line[] => {
    if (price === undefined) return [];
    const used = moneyText(credits, price, words.language);
    return [
      most === undefined ? words.usage.money(used) : inMoney(used, moneyText(most, price, words.language)),
    ];
  };
  const outage = (use: keyof typeof now.outages): readonly Line[] => {
    const why = now.outages[use];
    return why === undefined
      ? []
      : [`⚠️ ${page.outages[use]}: ${fillText(page.outages.suspended, { why: page.outages[why] })}`];
  };
  const reasons = today.reasons.slice(0, MOST_REASONS);
  const lists = WAITING_LISTS.filter((list) => waiting[list] > 0);
  return {
    tone: 'info',
    title: said.title,
    lines: [
      said.now(now.running, now.waiting),
      ...outage('key'),
      ...outage('token'),
      ...platforms.map((name) => `⚠️ ${name}: ${page.outages.notConnected}`),
      said.today(today.done, today.failed, today.cancelled),
      ...(reasons.length === 0
        ? []
        : [[said.failures, ...reasons.flatMap(({ reason, count }) => [' ', { code: reason }, ` ${count}`])]]),
      day.most === undefined ? said.day(day.credits) : said.dayOf(day.credits, day.most),
      ...moneyLines(day),
      month.most === undefined
        ? words.usage.month(month.credits)
        : words.usage.monthOf(month.credits, month.most),
      ...moneyLines(month),
      lists.length === 0 ? said.nothingWaits : said.waits,
    ],
    buttons: lists.map((list) => [
      { action: entryAction(list, 0), label: `${said.lists[list]}: ${countText(waiting[list])}` },
    ]),
  };
}
