/**
 * The import rule of a folder ("room"). A new folder of `src` needs a row here; CONTRIBUTING.md says what belongs where, and
 * its table is made from these rows (`npx node scripts/rooms-table.ts`).
 */
export interface Room {
  /** Says what the folder is for, where its name does not. */
  readonly about?: string;
  /** The rooms, or files of rooms, that may be imported; `: types` allows types alone. */
  readonly may: readonly string[];
  readonly libraries?: readonly string[];
  /**
   * The room's own folders, lowest first: each may import those before it. `.` means the files of the room itself. A folder
   * within one of them (`desk/access`) can have a place of its own; otherwise it belongs to that one.
   */
  readonly order?: readonly string[];
}

const forAdapters = [
  'src/base',
  'src/platforms',
  'src/command',
  'src/words',
  'src/adapters/adapter.ts',
  'src/adapters/connection.ts',
  'src/adapters/register-changed.ts',
  'src/adapters/connect-error.ts',
  'src/adapters/limits.ts',
  'src/adapters/meanwhile.ts',
  'src/adapters/download.ts',
  'src/log: types',
] as const;

export const rooms: Readonly<Record<string, Room>> = {
  'src/words': { may: [] },
  'src/platforms': {
    about: 'facts about platforms; the connection of each is part of its adapter',
    may: [],
  },
  'src/base': {
    about: 'what several folders need and none is about',
    may: [],
    libraries: ['ipaddr.js', 'undici', 'keyv', 'zod', 'node'],
    order: ['.', 'limits', 'network', 'members', 'keyv'],
  },
  'src/kinds': {
    about: 'one row for each kind of job',
    may: ['src/base', 'src/words/language.ts: types'],
    libraries: ['zod'],
  },
  'src/command': {
    about: 'types and rules of commands, the desk',
    may: ['src/base', 'src/kinds', 'src/platforms', 'src/words'],
    libraries: ['zod'],
    order: ['.', 'search', 'text', 'desk/parts', 'desk/questions', 'desk/access', 'desk'],
  },
  commands: {
    may: ['src/base', 'src/command', 'src/kinds', 'src/words'],
    order: ['texts', 'buttons', 'settings', '.'],
  },
  'src/cards': {
    may: [
      'src/base',
      'src/command',
      'src/kinds',
      'src/words',
      'src/orchestrator: types',
      'src/orchestrator/job',
    ],
  },
  'src/generation-client': {
    may: ['src/base', 'src/kinds'],
    libraries: ['zod', 'undici', 'node'],
    order: ['wire', 'result', '.'],
  },
  'src/orchestrator': {
    may: [
      'src/base',
      'src/platforms',
      'src/command',
      'src/kinds',
      'src/generation-client: types',
      'src/generation-client/wire/errors.ts',
      'src/log: types',
    ],
    libraries: ['zod', 'node'],
    order: ['service', 'job', 'schedule', 'steps', 'queue', 'live', 'engine', '.'],
  },
  'src/community': {
    may: [
      'src/base',
      'src/kinds',
      'src/platforms',
      'src/command',
      'src/words',
      'src/store',
      'src/generation-client',
    ],
    libraries: ['keyv', 'zod', 'node'],
    order: ['.', 'rules', 'approvals', 'aliases', 'campaigns', 'catalog', 'faces', 'stats'],
  },
  'src/picture': {
    about: 'inspects, decodes and draws pictures',
    may: ['src/base'],
    libraries: ['sharp', 'node'],
  },
  'src/faces': {
    about: 'finds faces in photos; its process also checks the content of pictures',
    may: ['src/base', 'src/picture', 'src/safety/content'],
    libraries: ['@litertjs/core', 'sharp', 'zod', 'node'],
  },
  'src/safety': {
    about: 'protects the people in the pictures',
    may: ['src/base', 'src/platforms', 'src/command', 'src/picture', 'src/log: types'],
    libraries: ['nsfwjs', 'sharp', 'zod', 'node'],
    order: ['content', 'hash', 'blocked-photos', 'removal', 'requests', '.'],
  },
  'src/media': { may: ['src/base', 'src/command', 'src/picture'], libraries: ['node'] },
  'src/previews': {
    about: 'pages of filters as pictures',
    may: ['src/base', 'src/picture', 'src/log: types'],
    libraries: ['node'],
  },
  'src/store': {
    may: [
      'src/store/sqlite',
      'src/store/postgres',
      'src/base',
      'src/kinds',
      'src/command',
      'src/orchestrator: types',
      'src/orchestrator/job',
      'src/log: types',
    ],
    libraries: ['keyv', 'zod', 'node'],
    order: ['records', 'tables', '.'],
  },
  'src/store/sqlite': {
    may: [
      'src/store/records',
      'src/store/tables',
      'src/base',
      'src/command',
      'src/orchestrator: types',
      'src/orchestrator/job',
    ],
    libraries: ['zod', 'node'],
    order: ['file', '.', 'backup'],
  },
  'src/store/postgres': {
    may: [
      'src/store/records',
      'src/store/tables',
      'src/base',
      'src/command',
      'src/orchestrator: types',
      'src/orchestrator/job',
      'src/log: types',
    ],
    libraries: ['pg', 'zod', 'node'],
    order: ['members', 'database', '.'],
  },
  'src/http': {
    may: ['src/base', 'src/log: types'],
    libraries: ['hono', '@hono/node-server', 'prom-client', 'node'],
  },
  'src/sign-in': {
    about: 'passwords, cookies and addresses of visitors, for playground and console',
    may: ['src/base', 'src/words'],
    libraries: ['hono', 'zod', 'node'],
  },
  'src/console': {
    about: 'the pages at `/owner`',
    may: [
      'src/base',
      'src/kinds',
      'src/platforms',
      'src/command',
      'src/words',
      'src/sign-in',
      'src/orchestrator: types',
      'src/orchestrator/job',
      'src/community',
      'src/safety: types',
      'src/safety/requests',
      'src/store: types',
    ],
    libraries: ['hono', 'zod', 'node'],
    order: ['frame', 'charts', 'sign-in', 'pages', '.'],
  },
  'src/removal-page': {
    about: 'the page at `/removal`, for people outside the chat',
    may: [
      'src/base',
      'src/words',
      'src/sign-in',
      'src/safety/requests',
      'src/console/frame/html.ts',
      'src/log: types',
    ],
    libraries: ['hono', 'node'],
  },
  'src/config': {
    may: ['src/base', 'src/platforms', 'src/words', 'src/log/redact.ts', 'src/adapters/connections.ts'],
    libraries: ['zod', 'node'],
  },
  'src/log': { may: ['src/base'], libraries: ['pino'] },
  'src/adapters/discord': {
    may: forAdapters,
    libraries: ['discord.js', '@discordjs/core', '@discordjs/ws', 'zod', 'node'],
    order: ['payloads', 'rest', 'gateway', 'components', 'messages', 'replies', 'interactions', '.'],
  },
  'src/adapters/telegram': {
    may: forAdapters,
    libraries: ['bottleneck', 'grammy', 'undici', 'zod', 'node'],
    order: ['api', 'rate-limits', 'outgoing', 'incoming', 'handlers', '.'],
  },
  'src/adapters/web': {
    may: [...forAdapters, 'src/sign-in'],
    libraries: ['hono', 'zod', 'node'],
    order: ['visitors', 'outgoing', 'incoming', '.'],
  },
  'src/adapters': {
    about: 'the files that all adapters share',
    may: ['src/base', 'src/platforms', 'src/command', 'src/words: types', 'src/log: types'],
    libraries: ['undici', 'zod', 'node'],
  },
  'src/adapters/connections.ts': {
    about: 'one line for each platform, so who imports it knows how all of them are connected',
    may: ['src/platforms: types', 'src/adapters'],
  },
  'src/adapters/*': {
    about: 'a new adapter, until it has a row of its own',
    may: forAdapters,
    libraries: ['*'],
  },
  'src/generation-service': {
    about: 'the embedded service, which could be a project of its own',
    may: ['src/base', 'src/faces', 'src/picture'],
    libraries: ['hono', '@hono/node-server', 'sharp', 'h264-mp4-encoder', 'zod', 'node'],
    order: ['interface', 'storage', 'render', 'jobs', 'catalog', 'inputs', 'runs', 'routes', '.'],
  },
  'src/app': {
    may: [
      'commands',
      'src/adapters',
      'src/base',
      'src/cards',
      'src/command',
      'src/community',
      'src/config',
      'src/console',
      'src/faces',
      'src/generation-client',
      'src/generation-service',
      'src/http',
      'src/kinds',
      'src/log',
      'src/media',
      'src/orchestrator',
      'src/picture',
      'src/platforms',
      'src/previews',
      'src/removal-page',
      'src/safety',
      'src/sign-in',
      'src/store',
      'src/words',
    ],
    libraries: ['bottleneck', 'hono', 'prom-client', 'node'],
    order: [
      'platforms',
      'service',
      'notices',
      'figures',
      'monitoring',
      'photos',
      'community',
      'jobs',
      'requests',
      'overview',
      '.',
    ],
  },
  'src/owner': {
    about: 'the programs for owners',
    may: [
      'src/adapters: types',
      'src/adapters/connections.ts',
      'src/base',
      'src/config',
      'src/faces',
      'src/generation-client',
      'src/log',
      'src/orchestrator/job',
      'src/platforms',
      'src/store',
    ],
    libraries: ['node'],
    order: ['.', 'doctor', 'setup', 'audit', 'move', 'backup', 'restore', 'support'],
  },
  src: {
    about: '`app.ts`, `run.ts` and `main.ts`, which connect all folders',
    may: ['src', 'commands'],
    libraries: ['node'],
  },
};
