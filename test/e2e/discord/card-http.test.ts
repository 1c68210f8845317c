import { cardTests } from './card-tests.ts';

cardTests('HTTP');
