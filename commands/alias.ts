import type { AliasDetails, AliasEntry, CampaignEntry } from '../src/command/aliases-port.ts';
import { defineAction, defineCommandGroup } from '../src/command/command.ts';
import { requestedPage } from '../src/command/desk/questions/paging.ts';
import { UserError } from '../src/command/errors.ts';
import type { Option } from '../src/command/option.ts';
import { infoReply, type Reply } from '../src/command/reply.ts';
import { isCatalogNumber } from '../src/command/text/could-be-value.ts';
import { localDay, localTime, readMoment } from '../src/command/time-zone.ts';
import type { Line } from '../src/command/view.ts';
import type { Words } from '../src/words/words.ts';
import { options, subcommands, translations } from './texts/alias.ts';

const PER_PAGE = 15;
/** Maximum number of campaigns shown for each alias in the list of all aliases. */
const MOST_SHOWN = 3;

const name = { kind: 'alias', description: options.name, required: true } as const satisfies Option;
const fresh = {
  kind: 'alias',
  fresh: true,
  description: 'New name: a-z, 0-9 and -',
  required: true,
} as const satisfies Option;
const filter = {
  kind: 'reference',
  model: 'any',
  catalog: 'mine',
  description: options.filter,
  required: true,
} as const satisfies Option;

/** Catalog numbers never change, so an alias for one is useless. */
function refuseNumber(typed: string, words: Words): void {
  if (isCatalogNumber(typed)) throw new UserError(words.alias.catalogNumber);
}

function day(iso: string | undefined, zone: string): string {
  const at = readMoment(iso ?? '');
  return at === undefined ? '?' : localDay(zone, at);
}

const entryLine = ({ name: alias, model, filter: target }: AliasEntry, words: Words): Line => [
  { bold: alias },
  ` → ${target?.label ?? `⚠ ${words.alias.gone}`} (${model})`,
];

function campaignLine({ label, from, until, state }: CampaignEntry, words: Words, zone: string): string {
  const end = until === undefined ? undefined : localTime(zone, until);
  if (state === 'coming' || end === undefined)
    return words.campaign.coming(label, localTime(zone, from), end);
  return words.campaign.running(label, end);
}

/** Lines about campaigns that are running or coming, in the community's time zone; `zone` names it if there are any. */
function campaignLines(list: readonly AliasEntry[], words: Words, zone: string) {
  return {
    of({ campaigns = [] }: AliasEntry, withMaker = false): readonly Line[] {
      const shown = withMaker ? campaigns : campaigns.slice(0, MOST_SHOWN);
      const lines = shown.map((each): Line => {
        const line = campaignLine(each, words, zone);
        return withMaker ? [`${line} · `, { person: each.by.id, name: each.by.name }] : line;
      });
      return shown.length === campaigns.length ? lines : [...lines, `… +${campaigns.length - shown.length}`];
    },
    zone: list.some(({ campaigns = [] }) => campaigns.length > 0) ? [words.campaign.zone(zone)] : [],
  };
}

function detailsOf(alias: AliasDetails, words: Words, zone: string): Reply {
  const coming = campaignLines([alias], words, zone);
  const { name: title, filter: target, model, createdAt, updatedAt, history } = alias;
  const lines = [
    target === undefined ? `⚠ ${words.alias.gone}` : words.alias.pointsTo(target.label),
    words.alias.model(words.reference.models[model]),
    ...coming.of(alias, true),
    ...(createdAt === undefined ? [] : [words.alias.createdAt(day(createdAt, zone))]),
    ...(history.length === 0 ? [] : [words.alias.swappedAt(day(updatedAt, zone)), words.alias.history]),
    ...history.slice(-10).map((past) => `• ${words.alias.until(past.label, day(past.removedAt, zone))}`),
    ...(createdAt === undefined && history.length === 0 ? coming.zone : [words.campaign.zone(zone)]),
  ];
  return infoReply({ title, lines });
}

const labelOf = (alias: AliasDetails): string => alias.filter?.label ?? alias.id;

const message = ({ alias }: Words, ...lines: readonly Line[]): Reply =>
  infoReply({ title: alias.title, lines });

export default defineCommandGroup({
  name: 'alias',
  description: 'Names for custom filters that can be repointed later',
  translations,
  personal: true,
  access: 'moderator',
  examples: [
    '/alias create halloween "Halloween Lantern"',
    '/alias list',
    '/alias show halloween',
    '/alias repoint halloween "Velvet Noir"',
    '/alias schedule halloween "Velvet Noir" from=2027-10-25 until=2027-11-01',
    '/alias unschedule halloween',
    '/alias delete halloween',
  ],
  subcommands: {
    create: defineAction({
      description: 'Give a custom filter a name',
      translations: subcommands.create,
      options: {
        name: fresh,
        filter,
        model: {
          kind: 'choice',
          description: 'What the filter is for, if that is not known',
          choices: ['face', 'group'],
        },
      },
      async run({ args, words, ask, ports: { aliases } }) {
        refuseNumber(args.filter, words);
        const made = await aliases.create(args.name, args.filter, args.model);
        if (made === 'model-needed') return ask('model');
        const hidden = isCatalogNumber(made.name) ? [words.alias.numberFirst(made.name)] : [];
        return message(words, words.alias.created(made.name, labelOf(made)), ...hidden);
      },
    }),
    list: defineAction({
      description: 'All aliases of this community',
      translations: subcommands.list,
      options: {},
      async run(call) {
        const { words } = call;
        const { aliases, settings } = call.ports;
        const { list, note, turning } = await requestedPage(await aliases.list(), PER_PAGE, call);
        const coming = campaignLines(list, words, await settings.timeZone());
        const entries = list.flatMap((alias) => [entryLine(alias, words), ...coming.of(alias)]);
        const lines = [...(list.length === 0 ? [words.alias.none] : entries), ...coming.zone, ...note];
        return infoReply({ title: words.alias.title, lines, ...turning });
      },
    }),
    show: defineAction({
      description: 'Where an alias points, and where it pointed before',
      translations: subcommands.show,
      options: { name },
      run: async ({ args, words, ports: { aliases, settings } }) =>
        detailsOf(await aliases.show(args.name), words, await settings.timeZone()),
    }),
    repoint: defineAction({
      description: 'Repoint an alias to another custom filter',
      translations: subcommands.repoint,
      options: { name, filter },
      async run({ args, words, ports: { aliases } }) {
        refuseNumber(args.filter, words);
        const changed = await aliases.repoint(args.name, args.filter);
        return message(words, words.alias.repointed(changed.name, labelOf(changed)));
      },
    }),
    delete: defineAction({
      description: 'Delete an alias; its filter stays',
      translations: subcommands.delete,
      options: { name },
      async run({ args, words, ports: { aliases } }) {
        await aliases.delete(args.name);
        return message(words, words.alias.deleted(args.name));
      },
    }),
    schedule: defineAction({
      description: 'Repoint an alias at a time, and back later',
      translations: subcommands.schedule,
      options: {
        name,
        filter,
        from: { kind: 'time', description: 'Day or time: 2026-10-25 or 2026-10-25T18:00', required: true },
        until: { kind: 'time', description: 'When the filter of before returns; left out: it stays' },
      },
      async run({ args, words, ports: { aliases, settings } }) {
        refuseNumber(args.filter, words);
        const { label, from, until } = await aliases.schedule(args.name, args.filter, args.from, args.until);
        const zone = await settings.timeZone();
        const end = until === undefined ? undefined : localTime(zone, until);
        const scheduled = words.campaign.scheduled(args.name, label, localTime(zone, from), end);
        return message(words, scheduled, words.campaign.zone(zone));
      },
    }),
    unschedule: defineAction({
      description: 'Take back what is scheduled for an alias, and end what is running',
      translations: subcommands.unschedule,
      options: { name },
      async run({ args, words, ports: { aliases } }) {
        const { taken, ended } = await aliases.unschedule(args.name);
        return message(
          words,
          ...(ended ? [words.campaign.ended(args.name)] : []),
          ...(taken > 0 ? [words.campaign.unscheduled(args.name, taken)] : []),
        );
      },
    }),
  },
});
