import { defined } from '../src/base/defined.ts';
import type { CatalogEntry } from '../src/command/catalog-port.ts';
import { type CommandContext, defineCommand } from '../src/command/command.ts';
import { requestedPage, sheetText, TILES_PER_PAGE } from '../src/command/desk/questions/paging.ts';
import { infoReply, type Reply } from '../src/command/reply.ts';
import { filterKey } from '../src/command/request.ts';
import { inOrder } from '../src/command/search/preferred.ts';
import type { Line } from '../src/command/view.ts';
import { CATALOG_NAMES, type CatalogName } from '../src/kinds/choices.ts';
import { commandFor, useTiles } from './buttons/use.ts';
import { translations } from './texts/filters.ts';

const PER_PAGE = 12;

async function pictures(
  all: readonly CatalogEntry[],
  recent: number,
  catalog: CatalogName,
  title: string,
  call: CommandContext,
): Promise<Reply> {
  const { words, page } = call;
  const draft = await call.keep();
  const paging = { page, words, keep: async () => draft };
  const { list, note, turning } = await requestedPage(all, TILES_PER_PAGE, paging);
  const tiles = useTiles(list, catalog, draft);
  const media = await call.ports.catalog.sheet(tiles, sheetText(title, tiles));
  return infoReply({
    title,
    lines: [words.filters.press, ...(recent > 0 && page === 0 ? [words.filters.recentFirst] : []), ...note],
    tiles,
    ...turning,
    ...defined({ media }),
  });
}

export default defineCommand({
  name: 'filters',
  description: 'Browse the filters and styles',
  translations,
  passesPhotosOn: true,
  examples: ['/filters', '/filters realistic', '/filters search=pop'],
  options: {
    model: { kind: 'choice', description: 'Which list', choices: CATALOG_NAMES, default: 'face' },
    search: { kind: 'text', description: 'Part of a name', max: 60 },
  },
  async run(call) {
    const { args, words } = call;
    const { catalog } = call.ports;
    const found = await catalog.list(args.model, args.search);
    // The results of a search keep their order, the best match first.
    const order = args.search === undefined ? await catalog.order() : { recent: [], used: [] };
    const { items: all, recent } = inOrder(found, ({ reference }) => filterKey(args.model, reference), order);
    const title = words.filters.title(words.filters.catalogs[args.model]);
    if (all.some(({ preview }) => preview !== undefined))
      return pictures(all, recent, args.model, title, call);
    const { list, note, turning } = await requestedPage(all, PER_PAGE, call);
    const [first] = list;
    const lines: Line[] = list.map(({ reference, name }) =>
      reference === name ? [{ code: name }] : [{ code: reference }, ` ${name}`],
    );
    if (first === undefined)
      lines.push(args.search === undefined ? words.filters.none : words.filters.noneFound(args.search));
    else {
      const typed = args.model === 'mine' ? first.name : first.reference;
      lines.push(words.filters.howTo(`/${commandFor(args.model, first)} ${typed}`));
    }
    return infoReply({ title, lines: [...lines, ...note], ...turning });
  },
});
