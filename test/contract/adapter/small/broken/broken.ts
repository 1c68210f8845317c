import { events } from './events.ts';
import type { Broken } from './faults.ts';
import { parts } from './parts.ts';
import { presses } from './presses.ts';
import { replies } from './replies.ts';
import { views } from './views.ts';

export const broken: readonly Broken[] = [...replies, ...presses, ...views, ...events, ...parts];
