import { listOf, parsed } from '../base/setting.ts';
import { factsOf, isIdOf, PLATFORMS, type Platform } from '../platforms/platforms.ts';
import type { Price } from '../words/money.ts';

const SCHEMA = /^[a-z_][a-z0-9_]{0,62}$/;
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** The address of the store: a SQLite file or a PostgreSQL database. */
export const storeUrl = parsed(
  // The address often contains a password.
  'nobody after the scheme',
  'sqlite:PATH or postgres://user:password@host:port/database',
  (text) => {
    if (/^postgres(ql)?:\/\//.test(text)) return databaseUrl(text);
    if (!text.startsWith('sqlite:')) throw new RangeError('does not begin with sqlite: or postgres://');
    const path = text.slice('sqlite:'.length);
    if (path === '' || path.includes('\0')) throw new RangeError('no path after sqlite:');
    return text;
  },
);

function databaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null)
    throw new RangeError('not an address; special characters of a password are written as %40');
  try {
    decodeURIComponent(`${url.username}${url.password}${url.pathname}`);
  } catch {
    throw new RangeError('a % begins no character such as %40; by itself it is written as %25');
  }
  if (url.hostname === '') throw new RangeError('no host');
  if (url.pathname.length < 2) throw new RangeError('no name of a database after the host');
  const schema = url.searchParams.get('schema');
  if (schema !== null && !SCHEMA.test(schema))
    throw new RangeError('the schema is not up to 63 of the characters a-z 0-9 _');
  const mode = url.searchParams.get('sslmode');
  if (mode === 'prefer' || mode === 'allow')
    throw new RangeError(`sslmode=${mode} encrypts or not, as the server likes; set require or disable`);
  if (mode !== null && !SSL_MODES.includes(mode))
    throw new RangeError(`the sslmode is none of ${SSL_MODES.join(', ')}`);
  return text.replace(/^postgresql:/, 'postgres:');
}

export const storeKeys = parsed(
  'nobody',
  '32 bytes in base64 (openssl rand -base64 32), or two such keys separated by a comma',
  (text) => {
    const keys = listOf(text).map((item) => {
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(item)) throw new RangeError('not base64');
      const key = Buffer.from(item, 'base64');
      if (key.length !== 32) throw new RangeError(`decodes to ${key.length} bytes instead of 32`);
      return key;
    });
    if (keys.length > 2) throw new RangeError('more than two keys');
    return keys;
  },
);

/** The platforms on which people can be owners. */
const OWNED = PLATFORMS.filter((platform) => factsOf(platform).ids.owner !== undefined);
export const OWNER_FORMS = OWNED.map((platform) => `${platform}:ID`);

export const owners = parsed(
  'owner',
  `a list of ${OWNER_FORMS.join(' and ')}, separated by commas`,
  (text): readonly { readonly platform: Platform; readonly id: string }[] =>
    listOf(text).map((item) => {
      const [name, id = ''] = item.split(/:(.*)/s);
      const platform = OWNED.find((each) => each === name);
      if (platform === undefined || !isIdOf(platform, 'owner', id))
        throw new RangeError('an item is not platform:ID');
      return { platform, id };
    }),
);

/** The highest price; the same as for pictures. */
const MOST_VIDEO_CREDITS = 10_000;
const VIDEO_MODELS = ['simple', 'advanced', 'performance'] as const;

export const videoCredits = parsed(
  'owner',
  `model:credits for each of simple, advanced and performance, separated by commas, whole numbers from 0 to ${MOST_VIDEO_CREDITS}`,
  (text) => {
    const costs = new Map<string, number>();
    for (const item of listOf(text)) {
      const [, model, cost] = /^([a-z]+)\s*:\s*([^:]*)$/.exec(item.toLowerCase()) ?? [];
      if (model === undefined || cost === undefined) throw new RangeError('an item is not model:credits');
      if (!VIDEO_MODELS.some((known) => known === model)) throw new RangeError('an unknown model');
      if (costs.has(model)) throw new RangeError(`${model} is given twice`);
      if (!/^\d{1,5}$/.test(cost) || Number(cost) > MOST_VIDEO_CREDITS)
        throw new RangeError(
          `the credits of ${model} are not a whole number from 0 to ${MOST_VIDEO_CREDITS}`,
        );
      costs.set(model, Number(cost));
    }
    const of = (model: (typeof VIDEO_MODELS)[number]): number => {
      const cost = costs.get(model);
      if (cost === undefined) throw new RangeError(`${model} is missing`);
      return cost;
    };
    return { simple: of('simple'), advanced: of('advanced'), performance: of('performance') };
  },
);

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

/** The price of a credit. The amount stays text, so that no binary fraction comes between it and what is shown. */
export const creditPrice = parsed(
  'owner',
  'an amount and a currency, such as 0.04 EUR: at most nine digits before and after the point, and the three letters of ISO 4217',
  (text): Price => {
    const [, amount, letters] = /^(\d{1,9}(?:\.\d{1,9})?)\s+([a-z]{3})$/i.exec(text.trim()) ?? [];
    if (amount === undefined || letters === undefined) throw new RangeError('not an amount and a currency');
    const currency = letters.toUpperCase();
    if (!CURRENCIES.has(currency)) throw new RangeError('an unknown currency');
    return { amount, currency };
  },
);
