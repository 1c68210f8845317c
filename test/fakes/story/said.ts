import { goOn } from './go-on.ts';
import { openAt, type StoryPlace } from './place.ts';
import { readOut } from './read-out.ts';
import { END } from './story.ts';

/** All answers of a store with the story in it. */
export type Said = Awaited<ReturnType<typeof saidOf>>;

/** Opens the store after the story’s end, reads everything, goes on with the work that was left, and reads everything again. */
export async function saidOf(place: StoryPlace, keys: readonly Uint8Array[]) {
  const time = { now: END };
  const { store, members, close } = await openAt(place.url, keys, time);
  const read = async () => asJson(await readOut(store, place.url, keys));
  try {
    const before = await read();
    const came = asJson(await goOn(store, time));
    const after = withoutVersions(await read());
    await store.inbox.freeDead(members.id());
    return { before, came, after, inbox: await store.inbox.claim(members.id(), 10) };
  } finally {
    await close();
  }
}

/** Leaves versions out, because taking over a job is a write only where several processes share a store. */
function withoutVersions(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => (key === 'version' ? undefined : each));
}

/** The value as it is after it was written as JSON and read again. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
