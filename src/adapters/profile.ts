import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';

/** One result of the doctor: what was checked, whether it is fine, and how to fix it. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Why the check failed: a constant word or an error code, nothing about this installation. */
  readonly reason?: string;
  readonly cure?: string;
}

export const failed = (name: string, detail: string, reason: string, cure: string): Finding => ({
  name,
  ok: false,
  detail,
  reason,
  cure,
});

type Settings = Readonly<Record<string, z.ZodType>>;
type ValuesOf<Shape extends Settings> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

/** One question of the setup. The answer is kept if the first finding of its check is fine. */
export interface SetupQuestion {
  readonly setting: string;
  /** Where to find it, and what an empty answer means. */
  readonly about: string;
  /** `given`: the answers so far, and what is set already. */
  check(given: Readonly<Record<string, string | undefined>>, clock: Clock): Promise<readonly Finding[]>;
}

/** How a platform that people know is connected. */
interface Connection<Shape extends Settings, Config, Loaded> {
  /** By name, in the order of the tables. The first one is the token: without it the platform is off. */
  readonly settings: Shape;
  /** Where the owner gets the token, for the banner. */
  readonly tokenFrom: string;
  /** undefined: the platform is off. */
  read(values: ValuesOf<Shape>): Config | undefined;
  /** Settings that contradict each other. */
  problems?(values: ValuesOf<Shape>): Iterable<string>;
  /** Settings that are probably not what the owner wanted. */
  warnings?(values: ValuesOf<Shape>): Iterable<string>;
  check(config: Config, clock: Clock): Promise<readonly Finding[]>;
  /** Loaded only if the platform is on: its library takes most of the start time. */
  load(): Promise<Loaded>;
  /** Asked in this order until one is left out. */
  readonly setup: readonly SetupQuestion[];
  /** What the banner says of it behind "on". `url`: where this program listens. */
  banner?(config: Config, url: string): string;
}

interface Knowledge {
  readonly title: string;
  /** Shapes of whole ids. */
  readonly ids: {
    /** Everybody who can write there. */
    readonly speaker: RegExp;
    /** People who can be owners; undefined: none can. */
    readonly owner: RegExp | undefined;
    readonly community: RegExp;
    /** A person who has a direct chat. */
    readonly directChat: RegExp;
  };
  /** For a community's rules a thread counts as its channel, or as a channel of its own. */
  readonly threadsAre: 'part of their channel' | 'channels';
  /** Whether people have roles that can be given an allowance. */
  readonly hasRoles: boolean;
  /** What a restore does with the adapter's records, by the beginning of the key. */
  readonly restore: {
    /** What is true only at the time at which it was written. */
    readonly drops: readonly string[];
    /** Set after a restore: the platform may deliver again what was handled after the backup. */
    readonly mark?: string;
  };
}

export interface PlatformProfile extends Knowledge {
  /** undefined: the playground, which needs no account. */
  readonly connection: Connection<Settings, unknown, unknown> | undefined;
}

/** Binds the functions of a connection to its own settings, so that the table of platforms needs no cast. */
export const defineConnection = <Shape extends Settings, Config, Loaded>(
  connection: Connection<Shape, Config, Loaded>,
) => connection;
