import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { Connected, ConnectParts } from './adapter.ts';

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
export interface Connection<Shape extends Settings = Settings, Config = unknown> {
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
  /** Loads the adapter only now: its library takes most of the start time. */
  open(config: Config, parts: ConnectParts): Promise<Connected>;
  /** Asked in this order until one is left out. */
  readonly setup: readonly SetupQuestion[];
  /** What the banner says of it behind "on". `url`: where this program listens. */
  banner?(config: Config, url: string): string;
}

/** Binds the functions of a connection to its own settings, so that the table of connections needs no cast. */
export const defineConnection = <Shape extends Settings, Config>(connection: Connection<Shape, Config>) =>
  connection;
