import { takeCoverage } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the program before anything else: on SIGUSR2 it writes which functions ran since the last time. */
const isProgram = process.argv[1]?.endsWith('/main.ts') ?? false;
if (isMainThread && isProgram) process.on('SIGUSR2', () => takeCoverage());
