import { pager } from '../src/command/ask.ts';
import { catalogNames } from '../src/command/call.ts';
import { defineCommand } from '../src/command/command.ts';
import type { Line } from '../src/command/view.ts';

const perPage = 12;

export default defineCommand({
  name: 'filters',
  description: 'Browse the filters and styles',
  examples: ['/filters', '/filters realistic', '/filters search=pop'],
  options: {
    model: { kind: 'choice', description: 'Which list', choices: catalogNames, default: 'face' },
    search: { kind: 'text', description: 'Part of a name', max: 60 },
  },
  async run({ args, words, catalog, page, keep }) {
    const entries = await catalog.list(args.model, args.search);
    const pages = Math.max(1, Math.ceil(entries.length / perPage));
    const shown = Math.min(page, pages - 1);
    const list = entries.slice(shown * perPage, (shown + 1) * perPage);
    const [first] = list;
    const command = args.model === 'face' || first?.model === 'face' ? '/faceswap' : '/groupswap';
    const lines: Line[] = list.map(({ reference, name, preview }) => [
      { code: reference },
      ` ${name}`,
      ...(preview === undefined ? [] : [' ', { link: words.filters.preview, url: preview }]),
    ]);
    if (first === undefined)
      lines.push(args.search === undefined ? words.filters.none : words.filters.noneFound(args.search));
    else lines.push(words.filters.howTo(`${command} ${first.reference}`));
    if (pages > 1) lines.push(words.ask.pages(shown + 1, pages));
    return {
      kind: 'message',
      private: 'in-place',
      view: {
        tone: 'info',
        title: words.filters.title(words.filters.catalogs[args.model]),
        lines,
        ...(pages > 1 ? { buttons: [pager(await keep(), shown, pages, words)] } : {}),
      },
    };
  },
});
