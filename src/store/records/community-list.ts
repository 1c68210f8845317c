/** Communities that have jobs, or records of their own. */
export interface CommunityList {
  /** In the order of the store's own keys. `namespaces`: of records whose keys are communities. */
  page(namespaces: readonly string[], limit: number, after?: string): Promise<CommunityPage>;
}

export interface CommunityPage {
  /** One that cannot be read is left out, so there may be fewer than asked for. */
  readonly ids: readonly string[];
  /** Where the next page begins; undefined: there are no more. */
  readonly next?: string;
}

export interface CommunityListParts {
  /** Up to `limit` keys of communities with ended jobs, after this one, in order. */
  keysOfJobs(after: string, limit: number): Promise<readonly string[]>;
  /** The same of a namespace, each with its id; undefined: it cannot be read. Without records that belong to a person. */
  entries(
    namespace: string,
    after: string,
    limit: number,
  ): Promise<readonly { readonly key: string; readonly id: string | undefined }[]>;
  /** The ids of communities that have jobs. */
  idsOfJobs(keys: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function createCommunityList({ keysOfJobs, entries, idsOfJobs }: CommunityListParts): CommunityList {
  return {
    async page(namespaces, limit, after = '') {
      const known = new Map<string, string | undefined>();
      for (const key of await keysOfJobs(after, limit + 1)) known.set(key, undefined);
      for (const namespace of namespaces)
        for (const { key, id } of await entries(namespace, after, limit + 1))
          known.set(key, id ?? known.get(key));
      const keys = [...known.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      const shown = keys.slice(0, limit);
      const ofJobs = await idsOfJobs(shown.filter((key) => known.get(key) === undefined));
      const last = shown.at(-1);
      return {
        ids: shown.flatMap((key) => known.get(key) ?? ofJobs.get(key) ?? []),
        ...(keys.length > limit && last !== undefined ? { next: last } : {}),
      };
    },
  };
}
