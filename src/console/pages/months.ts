import { Hono } from 'hono';
import { html } from 'hono/html';
import { decimalPrice, type Price } from '../../words/money.ts';
import type { Words } from '../../words/words.ts';
import { creditsText } from '../charts/credits-text.ts';
import { csv } from '../frame/csv.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { type Cell, fillText, type Html, outsideText, table } from '../frame/html.ts';
import { CONSOLE_PATH, type ConsoleEnv } from '../frame/layout.ts';
import { communityLink } from './paths.ts';
import { answerPage } from './show.ts';
import type { NamedCredits, ShownMonth } from './shown-figures.ts';

export interface MonthsPageDependencies {
  /** The current month first. */
  readonly read: () => Promise<readonly ShownMonth[]>;
  /** The most credits that everybody together can use a month. */
  readonly ceiling: number | undefined;
}

const PATH = `${CONSOLE_PATH}/months`;

/** The names of all months, those with the most credits first. */
function namesIn(lists: readonly (readonly NamedCredits[])[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { name, credits } of lists.flat()) sums.set(name, (sums.get(name) ?? 0) + credits);
  return [...sums].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** A row for each name and a column for each month. */
function byName(
  label: string,
  months: readonly ShownMonth[],
  partsOf: (month: ShownMonth) => readonly NamedCredits[],
  rest: { readonly name: string; readonly of: (month: ShownMonth) => number },
  shown: (name: string) => Cell,
  text: (credits: number) => string,
  words: Words,
): Html {
  const cellOf = (credits: number): string => (credits === 0 ? '' : text(credits));
  const rows = namesIn(months.map(partsOf)).map((name) => [
    shown(name),
    ...months.map((month) => cellOf(partsOf(month).find((part) => part.name === name)?.credits ?? 0)),
  ]);
  const others = [rest.name, ...months.map((month) => cellOf(rest.of(month)))];
  const columns = [label, ...months.map(({ month }) => ({ number: month }))];
  const all = months.some((month) => rest.of(month) > 0) ? [...rows, others] : rows;
  return table(label, columns, all, words.owner.console.frame.nothing);
}

function monthTables(
  months: readonly ShownMonth[],
  ceiling: number | undefined,
  price: Price | undefined,
  ids: HiddenIds,
  words: Words,
): Html {
  const { months: said, fields, frame, jobs } = words.owner.console;
  const text = (credits: number): string => creditsText(credits, price, words);
  const ofCeiling = (credits: number, index: number): string =>
    ceiling === undefined || index > 0
      ? text(credits)
      : fillText(frame.of, { part: text(credits), all: text(ceiling) });
  return html`${table(
    said.byMonth,
    [said.month, { number: jobs.credits }],
    months.map(({ month, credits }, index) => [month, ofCeiling(credits, index)]),
    frame.nothing,
  )}
<h2>${said.byCommunity}</h2>${byName(
    fields.community,
    months,
    ({ communities }) => communities,
    { name: said.otherCommunities, of: ({ otherCommunities }) => otherCommunities },
    (name) => communityLink(name, ids),
    text,
    words,
  )}
<h2>${said.byCommand}</h2>${byName(
    said.command,
    months,
    ({ commands }) => commands,
    { name: said.otherCommands, of: ({ otherCommands }) => otherCommands },
    (name) => outsideText(`/${name}`),
    text,
    words,
  )}`;
}

/** A line for each month, community and command. Its names are English, because programs read it. */
function csvOf(months: readonly ShownMonth[], price: Price | undefined): string {
  const money = (credits: number): readonly (string | number)[] =>
    price === undefined ? [] : [decimalPrice(credits, price), price.currency];
  const line = (month: string, by: string, name: string, credits: number) => [
    month,
    by,
    name,
    credits,
    ...money(credits),
  ];
  return csv([
    ['month', 'by', 'name', 'credits', ...(price === undefined ? [] : ['money', 'currency'])],
    ...months.flatMap(({ month, credits, communities, otherCommunities, commands, otherCommands }) => [
      line(month, 'all', '', credits),
      ...communities.map((each) => line(month, 'community', each.name, each.credits)),
      line(month, 'community', 'others', otherCommunities),
      ...commands.map((each) => line(month, 'command', each.name, each.credits)),
      line(month, 'command', 'others', otherCommands),
    ]),
  ]);
}

/** The credits of this month and the twelve before it, by community and by command, as tables and as a file. */
export function createMonthsPage({ read, ceiling }: MonthsPageDependencies) {
  const app = new Hono<ConsoleEnv>();
  app.get('/', async (context) => {
    const words = context.get('words');
    const { months: said, sections } = words.owner.console;
    const body = html`<p>${said.intro}</p><p><a class="button" href="${PATH}/credits.csv" download>${said.download}</a></p>
${monthTables(await read(), ceiling, context.get('price'), context.get('ids'), words)}`;
    return answerPage(context, { title: sections.months, section: 'months', body });
  });
  app.get('/credits.csv', async (context) =>
    context.body(csvOf(await read(), context.get('price')), 200, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="darkroom-credits.csv"',
    }),
  );
  return app;
}
