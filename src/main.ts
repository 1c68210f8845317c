import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Half of a start would go into compiling what the last one compiled. Where that cannot be kept, it is done again.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/darkroom'));
const { run } = await import('./run.ts');
await run(process.env);
