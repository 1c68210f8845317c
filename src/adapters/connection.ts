/**
 * The interface through which configuration, doctor, setup and start know a platform: its settings, how they are checked,
 * and how its adapter is opened. `connections.ts` lists the implementations.
 */

import type { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { AdapterDependencies, Connected } from './adapter.ts';

/** One line of the doctor's report: what was checked, whether it is fine, and how to fix it. */
export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Why the check failed: a constant word or an error code, nothing about this installation. */
  readonly reason?: string;
  readonly cure?: string;
}

/** A finding of a check that failed. */
export const failedFinding = (name: string, detail: string, reason: string, cure: string): Finding => ({
  name,
  ok: false,
  detail,
  reason,
  cure,
});

type Settings = Readonly<Record<string, z.ZodType>>;
type ValuesOf<Shape extends Settings> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

/** One question of `npm run setup`. The answer is kept if the first finding of `check` is fine. */
export interface SetupQuestion {
  readonly setting: string;
  /** Tells the owner where to find the value, and what an empty answer means. */
  readonly about: string;
  /** `given`: the answers so far, and the settings that the environment has already. */
  check(given: Readonly<Record<string, string | undefined>>, clock: Clock): Promise<readonly Finding[]>;
}

/** How a platform with accounts (Discord, Telegram) is configured, checked and connected. */
export interface Connection<Shape extends Settings = Settings, Config = unknown> {
  /** The settings by name, in the order of the documentation. The first one is the token: without it the platform is off. */
  readonly settings: Shape;
  /** Where the owner gets the token, for the banner. */
  readonly tokenFrom: string;
  /** How owners find their own id on the platform, for setup and doctor. */
  readonly ownIdFrom: string;
  /** Makes the adapter's configuration from its settings; undefined if the platform is off. */
  read(values: ValuesOf<Shape>): Config | undefined;
  /** Errors: settings that contradict each other, which prevent the start. */
  problems?(values: ValuesOf<Shape>): Iterable<string>;
  /** Warnings: settings that are probably not what the owner wanted. */
  warnings?(values: ValuesOf<Shape>): Iterable<string>;
  /** The doctor's checks of this platform. */
  check(config: Config, clock: Clock): Promise<readonly Finding[]>;
  /** Imports the adapter when it is needed, because its library takes most of the start time. */
  open(config: Config, parts: AdapterDependencies): Promise<Connected>;
  /** The questions of the setup, asked in this order until one is left empty. */
  readonly setup: readonly SetupQuestion[];
  /** The text that the banner at the start shows behind "on". `url`: where this program listens. */
  banner?(config: Config, url: string): string;
}

/** Binds the functions of a connection to its own settings, so that the table of connections needs no cast. */
export const defineConnection = <Shape extends Settings, Config>(connection: Connection<Shape, Config>) =>
  connection;
