import { sqlite } from './sqlite-driver.ts';
import { storeTests } from './suite.ts';

storeTests(sqlite);
