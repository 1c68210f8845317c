import { describe } from 'vitest';
import { acceptTests } from './accept-tests.ts';
import { approvalTests, faceTests } from './community-tests.ts';
import { figureTests, tallyTests } from './count-tests.ts';
import type { Driver } from './driver.ts';
import { inboxTests } from './inbox-tests.ts';
import { jobTests, searchTests } from './job-tests.ts';
import { keyvTests } from './keyv-tests.ts';
import { ledgerModelTests } from './ledger-model-tests.ts';
import { lineTests } from './line-tests.ts';
import { auditTests, damageTests, keyTests, keyValueTests } from './record-tests.ts';
import { erasureTests, expiryTests } from './removal-tests.ts';

/** The tests of what every store promises. */
export function storeTests(driver: Driver): void {
  describe(`orders in ${driver.name}`, () => acceptTests(driver));
  describe(`jobs in ${driver.name}`, () => jobTests(driver));
  describe(`the search for jobs in ${driver.name}`, () => searchTests(driver));
  describe(`the line in ${driver.name}`, () => lineTests(driver));
  describe(`the ledger of ${driver.name}`, () => ledgerModelTests(driver));
  describe(`tallies in ${driver.name}`, () => tallyTests(driver));
  describe(`figures in ${driver.name}`, () => figureTests(driver));
  describe(`the audit trail in ${driver.name}`, () => auditTests(driver));
  describe(`key-value records in ${driver.name}`, () => keyValueTests(driver));
  describe(`Keyv over ${driver.name}`, () => keyvTests(driver));
  describe(`erasures in ${driver.name}`, () => erasureTests(driver));
  describe(`the inbox in ${driver.name}`, () => inboxTests(driver));
  describe(`saved faces in ${driver.name}`, () => faceTests(driver));
  describe(`approvals in ${driver.name}`, () => approvalTests(driver));
  describe(`keys of ${driver.name}`, () => keyTests(driver));
  describe(`damage in ${driver.name}`, () => damageTests(driver));
  describe(`expiry in ${driver.name}`, () => expiryTests(driver));
}
