import { sqlite } from './suite/sqlite-driver.ts';
import { storeTests } from './suite/suite.ts';

storeTests(sqlite);
