import { defined } from '../src/base/defined.ts';
import { defineCommand } from '../src/command/command.ts';
import { pageOf } from '../src/command/desk/paging.ts';
import { CATALOG_NAMES } from '../src/command/ports.ts';
import { infoReply } from '../src/command/reply.ts';
import type { Line } from '../src/command/view.ts';

const PER_PAGE = 12;

export default defineCommand({
  name: 'filters',
  description: 'Browse the filters and styles',
  examples: ['/filters', '/filters realistic', '/filters search=pop'],
  options: {
    model: { kind: 'choice', description: 'Which list', choices: CATALOG_NAMES, default: 'face' },
    search: { kind: 'text', description: 'Part of a name', max: 60 },
  },
  async run(call) {
    const { args, words, catalog } = call;
    const { list, note, turning } = await pageOf(await catalog.list(args.model, args.search), PER_PAGE, call);
    const [first] = list;
    const command = args.model === 'face' || first?.model === 'face' ? '/faceswap' : '/groupswap';
    const title = words.filters.title(words.filters.catalogs[args.model]);
    const names = list.map(({ reference, name }) => `${reference} ${name}`);
    const media = await catalog.sheet(list, `${title}: ${names.join(', ')}`);
    const lines: Line[] = list.map(({ reference, name, preview }) => [
      { code: reference },
      ` ${name}`,
      ...(preview === undefined || media !== undefined
        ? []
        : [' ', { link: words.filters.preview, url: preview }]),
    ]);
    if (first === undefined)
      lines.push(args.search === undefined ? words.filters.none : words.filters.noneFound(args.search));
    else
      lines.push(words.filters.howTo(`${command} ${args.model === 'mine' ? first.name : first.reference}`));
    return infoReply({ title, lines: [...lines, ...note], ...turning, ...defined({ media }) });
  },
});
