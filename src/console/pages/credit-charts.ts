import { html } from 'hono/html';
import { DAY_MS } from '../../base/clock.ts';
import type { Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import { barList } from '../charts/bar-list.ts';
import { creditsText } from '../charts/credits-text.ts';
import { plot } from '../charts/plot.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { fillText, type Html, table } from '../frame/html.ts';
import { communityLink } from './paths.ts';
import type { ShownFigures } from './shown-figures.ts';

/** The ceilings: the most credits that everybody, and that one community, can use a day. */
export interface Ceilings {
  readonly ceiling: number | undefined;
  readonly communityCeiling: number | undefined;
}

/** The table by day shows this many communities, because more columns cannot be read. */
const MOST_COLUMNS = 8;

export function creditCharts(
  { credits }: ShownFigures,
  ceilings: Ceilings,
  ids: HiddenIds,
  price: Price | undefined,
  words: Words,
): Html {
  const { figures: said, jobs, frame, fields } = words.owner.console;
  const number = (value: number): string => creditsText(value, price, words);
  const { days, communities, others } = credits;
  const first = Date.parse(days[0]?.day ?? '1970-01-01');
  const ceiling =
    ceilings.ceiling === undefined ? undefined : { name: said.ceiling, value: ceilings.ceiling };
  const ofCeiling = (today: number): string =>
    ceilings.communityCeiling === undefined
      ? number(today)
      : fillText(frame.of, { part: number(today), all: number(ceilings.communityCeiling) });
  const used = communities.filter(({ credits: all, byDay }) => all > 0 || (byDay.at(-1) ?? 0) > 0);
  const bars = [
    ...used.map(({ community, credits: all, byDay }) => ({
      name: communityLink(community, ids),
      value: all,
      text: number(all),
      note: ofCeiling(byDay.at(-1) ?? 0),
    })),
    ...(others > 0 ? [{ name: said.others, value: others, text: number(others) }] : []),
  ];
  const shown = used.slice(0, MOST_COLUMNS);
  const rows = days.flatMap(({ day, credits: all }, index) =>
    all === 0 ? [] : [[day, number(all), ...shown.map(({ byDay }) => number(byDay[index] ?? 0))]],
  );
  const columns = [said.day, { number: said.all }, ...shown.map(({ community }) => ({ number: community }))];
  return html`<div class="charts">${plot(
    {
      title: said.creditsByDay,
      unit: said.credits,
      from: first,
      stepMs: DAY_MS,
      kind: 'bars',
      series: [{ name: said.credits(2), values: days.map(({ credits: all }) => all) }],
      ceiling,
    },
    words,
  )}
<div class="card"><h3>${said.creditsByCommunity}</h3>${barList(fields.community, jobs.credits, bars, words, said.today)}
<details><summary>${said.byDay}</summary>${table(
    said.byCommunityAndDay,
    columns,
    rows.toReversed(),
    frame.nothing,
  )}</details></div></div>`;
}
