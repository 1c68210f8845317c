/** Opens a store with these keys, does everything that a start brings with it, and closes it. */
import { openSqliteStore } from '../../../../src/store/sqlite/store.ts';

const [path = '', ...keys] = process.argv.slice(2);
const store = await openSqliteStore({
  path,
  keys: keys.map((key) => Buffer.from(key, 'base64')),
  alone: true,
});
while (await store.sweep());
store.close();
