import type { Platform } from '../platforms/platforms.ts';
import type { Connection } from './connection.ts';
import { discord } from './discord/connection.ts';
import { telegram } from './telegram/connection.ts';

/** The connection of each platform; undefined for the playground, which needs no account. */
const connections: Readonly<Record<Platform, Connection | undefined>> = { discord, telegram, web: undefined };

/** Finds out how a platform is configured and connected; undefined for the playground. */
export const connectionOf = (platform: Platform): Connection | undefined => connections[platform];
