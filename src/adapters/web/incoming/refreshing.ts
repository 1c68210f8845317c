import { createMiddleware } from 'hono/factory';
import { type Room, roomsOf } from '../visitors/people.ts';
import type { RequestSession } from '../visitors/request-session.ts';

/** Suggestions while a person types need no messages. */
const WITHOUT_MESSAGES = ['/api/complete', '/api/filters', '/api/session'];

/** What other processes have done in the person's rooms is known before a request is answered. */
export function createRefreshing(refresh: (rooms: readonly Room[]) => Promise<void>) {
  return createMiddleware<RequestSession>(async (context, next) => {
    if (!WITHOUT_MESSAGES.includes(context.req.path)) await refresh(roomsOf(context.get('session').person));
    return next();
  });
}
