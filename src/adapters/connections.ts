import type { Platform } from '../platforms/platforms.ts';
import type { Connection } from './connection.ts';
import { discord } from './discord/connection.ts';
import { telegram } from './telegram/connection.ts';

/** How each platform is connected; undefined: the playground, which needs no account. */
const connections: Readonly<Record<Platform, Connection | undefined>> = { discord, telegram, web: undefined };

export const connectionOf = (platform: Platform): Connection | undefined => connections[platform];
